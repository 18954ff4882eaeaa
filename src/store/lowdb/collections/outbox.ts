import {
  type Attempt,
  type Delivery,
  type DeliveryId,
  type DeliveryOutcome,
  deliveryId,
  type MessageRef,
  type WaitingDelivery,
} from "../../../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../../../domain/alert/destination.ts";
import type { Event } from "../../../domain/alert/event.ts";
import { type Pause, type PauseCause, pauseAfter, pauseToRetry } from "../../../domain/alert/pause.ts";
import type { SplitId } from "../../../domain/split/split.ts";
import type { Ticker } from "../../../domain/split/ticker.ts";
import type { Instant } from "../../../domain/time/day.ts";
import {
  type Claim,
  type History,
  type HistoryEntry,
  type Outbox,
  type OutboxSummary,
  StoreError,
} from "../../../ports/store.ts";
import { settledDeliveryOf } from "../log/archive.ts";
import { deliveriesIn, waitingIn } from "../log/queues.ts";
import { attemptRecord, type LogRecord } from "../log/replayed-state.ts";
import type { WriteAheadLog } from "../log/write-ahead-log.ts";

/** Maximum length of each list in the summary. */
const MAX_SHOWN = 20;

export class LowdbOutbox implements Outbox {
  readonly #log: WriteAheadLog;

  constructor(log: WriteAheadLog) {
    this.#log = log;
  }

  async claim(request: { limit: number; leaseMs: number; platforms: readonly string[] }): Promise<readonly Claim[]> {
    return this.#log.claims.claim(request).map(({ to, attempt }) => ({ to, attempt }));
  }

  async waitingAt(destination: Destination): Promise<readonly WaitingDelivery[]> {
    const queue = this.#log.state.queues.at(destinationKey(destination));
    return queue ? this.#withEvents(waitingIn(queue)) : [];
  }

  async unsentAt(destination: Destination): Promise<readonly WaitingDelivery[]> {
    const queue = this.#log.state.queues.at(destinationKey(destination));
    if (!queue) return [];
    return this.#withEvents(queue.attempt?.state === "ready" ? deliveriesIn(queue) : waitingIn(queue));
  }

  async attemptAt(destination: Destination): Promise<Attempt | null> {
    return this.#log.state.queues.at(destinationKey(destination))?.attempt ?? null;
  }

  async inMessage(messageId: string): Promise<readonly WaitingDelivery[]> {
    const { queues } = this.#log.state;
    const deliveries = queues.attempt(messageId)?.deliveries ?? [];
    return this.#withEvents(deliveries.flatMap((id) => queues.queueOf(id)?.open.get(id)?.delivery ?? []));
  }

  #withEvents(deliveries: readonly Delivery[]): readonly WaitingDelivery[] {
    return deliveries.flatMap((delivery) => {
      const event = this.#log.state.archive.event(delivery.eventId);
      return event ? { delivery, event } : [];
    });
  }

  async saveAttempt(attempt: Attempt): Promise<void> {
    this.#assertFits(attempt);
    await this.#log.write(() => attemptRecord(attempt, this.#log.state.queues.attempt(attempt.messageId)));
  }

  async markSent(messageId: string, ref: MessageRef, at: Instant): Promise<readonly Event[]> {
    if (!this.#isSettled(messageId)) await this.#log.write(() => ({ kind: "sent", messageId, ref, at }));
    const { archive } = this.#log.state;
    const message = archive.message(messageId);
    if (message?.end.kind !== "sent") return [];
    return message.deliveries.flatMap(({ eventId }) => archive.event(eventId) ?? []);
  }

  async markFailed(messageId: string, reason: string, at: Instant): Promise<void> {
    if (!this.#isSettled(messageId)) await this.#log.write(() => ({ kind: "failed", messageId, reason, at }));
  }

  async release(destination: Destination, delayMs?: number): Promise<void> {
    this.#log.claims.release(destinationKey(destination), delayMs);
  }

  async recheck(destination: Destination): Promise<void> {
    this.#log.claims.recheck(destinationKey(destination));
  }

  async pause(destination: Destination, reason: string, at: Instant, cause: PauseCause = "not-allowed"): Promise<void> {
    await this.#log.write(() => {
      this.#log.claims.cancelRetryRequest(destinationKey(destination));
      return { kind: "pause", ...pauseAfter(this.#pauseOf(destination), { to: destination, reason, at, cause }) };
    });
  }

  async pauseRefused(destination: Destination, reason: string, at: Instant, cause: PauseCause): Promise<void> {
    await this.#log.write(() => {
      const pause = pauseAfter(this.#pauseOf(destination), { to: destination, reason, at, cause });
      return {
        kind: "pause",
        ...(this.#log.claims.isRetryRequested(destinationKey(destination)) ? pauseToRetry(pause, at) : pause),
      };
    });
  }

  async retry(destination: Destination, at: Instant): Promise<boolean> {
    const isPaused = this.#pauseOf(destination) !== null;
    await this.#endDelay({ kind: "retry", to: destination, at });
    return isPaused;
  }

  async resume(destination: Destination): Promise<void> {
    await this.#endDelay({ kind: "resume", to: destination });
  }

  /** Ends the delay of a pause. A claimed destination without a pause gets the record too: an earlier record of the write may pause it. */
  #endDelay(record: LogRecord & { readonly kind: "retry" | "resume" }): Promise<void> {
    return this.#log.write(() => {
      const isClaimed = this.#log.claims.requestRetry(destinationKey(record.to));
      return isClaimed || this.#pauseOf(record.to) !== null ? record : null;
    });
  }

  async pauseOf(destination: Destination): Promise<Pause | null> {
    return this.#pauseOf(destination);
  }

  async nextDueMs(platforms: readonly string[]): Promise<number | null> {
    return this.#log.claims.nextDueMs(platforms);
  }

  async outcome(id: DeliveryId): Promise<DeliveryOutcome | null> {
    return this.#log.state.outcome(id);
  }

  async waitingCount(destination?: Destination): Promise<number> {
    const { queues } = this.#log.state;
    return destination === undefined ? queues.size : (queues.at(destinationKey(destination))?.open.size ?? 0);
  }

  async summary(): Promise<OutboxSummary> {
    const { queues, archive } = this.#log.state;
    const attempts = queues.attempts();
    const pauses = queues.pauses();
    const delayed = attempts.filter(({ problem, to }) => problem !== null && this.#pauseOf(to) === null);
    return {
      waiting: queues.size,
      uncertain: attempts.filter((attempt) => attempt.state === "uncertain").length,
      totals: { paused: pauses.length, failed: archive.failureCount, delayed: delayed.length },
      paused: newest(pauses, (pause) => pause.at).map(({ to, reason, at, retryAt }) => {
        return { to, reason, at, retryAt, waiting: queues.at(destinationKey(to))?.open.size ?? 0 };
      }),
      failed: archive.failures(MAX_SHOWN).map(({ to, end, at, deliveries }) => {
        return { to, reason: end.reason, at, deliveries: deliveries.length };
      }),
      delayed: newest(delayed, (attempt) => attempt.createdAt).map(({ to, problem, notBefore, sends }) => {
        return { to, problem: problem ?? "", notBefore, sends };
      }),
    };
  }

  #pauseOf(destination: Destination): Pause | null {
    return this.#log.state.queues.at(destinationKey(destination))?.pause ?? null;
  }

  #isSettled(messageId: string): boolean {
    const { queues, archive } = this.#log.state;
    if (archive.message(messageId)) return true;
    if (queues.attempt(messageId)) return false;
    throw new StoreError(`message ${messageId}: it is not in progress`);
  }

  /** Throws for an attempt that would break the order of messages or send a delivery twice: a bug of the caller. */
  #assertFits(attempt: Attempt): void {
    const { queues, archive } = this.#log.state;
    const name = `message ${attempt.messageId} for ${destinationKey(attempt.to)}`;
    if (archive.message(attempt.messageId)) throw new StoreError(`${name}: it is settled already`);
    const queue = queues.at(destinationKey(attempt.to));
    const current = queue?.attempt;
    if (current && current.messageId !== attempt.messageId)
      throw new StoreError(`${name}: message ${current.messageId} is in progress there`);
    const unknownId = attempt.deliveries.find((id) => !queue?.open.has(id));
    if (unknownId !== undefined || attempt.deliveries.length === 0)
      throw new StoreError(`${name}: delivery ${unknownId ?? "(none)"} is not waiting there`);
  }
}

function newest<T>(all: readonly T[], at: (one: T) => Instant): readonly T[] {
  return all.toSorted((a, b) => at(b) - at(a)).slice(0, MAX_SHOWN);
}

/** Settled and waiting deliveries by split and ticker. */
export class LowdbHistory implements History {
  readonly #log: WriteAheadLog;

  constructor(log: WriteAheadLog) {
    this.#log = log;
  }

  async firstMessage(destination: Destination, splitId: SplitId): Promise<MessageRef | null> {
    return this.#log.state.archive.firstMessage(destination, splitId) ?? null;
  }

  async forTicker(ticker: Ticker, destinations: readonly Destination[]): Promise<readonly HistoryEntry[]> {
    return this.#log.state.archive.eventsOfTicker(ticker).map((event) => ({
      event,
      deliveries: destinations.flatMap((destination) => this.#deliveryOf(event, destination) ?? []),
    }));
  }

  async forSplit(splitId: SplitId): Promise<readonly Event[]> {
    return this.#log.state.archive.eventsOfSplit(splitId);
  }

  #deliveryOf(event: Event, destination: Destination): HistoryEntry["deliveries"][number] | null {
    const { queues, archive } = this.#log.state;
    const id = deliveryId(event.id, destinationKey(destination));
    const outcome = this.#log.state.outcome(id);
    const message = archive.messageOfDelivery(id);
    const delivery = message ? settledDeliveryOf(message, id) : queues.queueOf(id)?.open.get(id)?.delivery;
    return outcome && delivery ? { delivery, outcome } : null;
  }
}
