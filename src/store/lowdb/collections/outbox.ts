import type {
  Attempt,
  DeliveryId,
  DeliveryOutcome,
  MessageRef,
  WaitingDelivery,
} from "../../../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../../../domain/alert/destination.ts";
import type { Event } from "../../../domain/alert/event.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Clock } from "../../../ports/clock.ts";
import { type Claim, type Outbox, type OutboxSummary, StoreError } from "../../../ports/store.ts";
import type { Ledger } from "../log/ledger.ts";
import { attemptEntry } from "../log/ledger-entry.ts";
import { waitingIn } from "../log/queues.ts";

/** How many of each kind the summary shows. */
const SHOWN = 20;

export class LowdbOutbox implements Outbox {
  readonly #ledger: Ledger;
  readonly #clock: Clock;

  constructor(ledger: Ledger, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  async claim(request: {
    now: Instant;
    limit: number;
    leaseMs: number;
    platforms: readonly string[];
  }): Promise<readonly Claim[]> {
    return this.#ledger.claims.take(request).map(({ to, attempt }) => ({ to, attempt }));
  }

  async waitingAt(to: Destination, most = Number.POSITIVE_INFINITY): Promise<readonly WaitingDelivery[]> {
    const { queues, archive } = this.#ledger.state;
    const queue = queues.at(destinationKey(to));
    if (!queue) return [];
    return waitingIn(queue, most).flatMap((delivery) => {
      const event = archive.event(delivery.eventId);
      return event ? { delivery, event } : [];
    });
  }

  async saveAttempt(attempt: Attempt): Promise<void> {
    this.#assertFits(attempt);
    await this.#ledger.write(() => attemptEntry(attempt, this.#ledger.state.queues.attempt(attempt.messageId)));
  }

  async markSent(messageId: string, ref: MessageRef, at: Instant): Promise<readonly Event[]> {
    if (!this.#isSettled(messageId)) await this.#ledger.write(() => ({ kind: "sent", messageId, ref, at }));
    const { archive } = this.#ledger.state;
    const message = archive.message(messageId);
    if (message?.end.kind !== "sent") return [];
    return message.deliveries.flatMap(({ eventId }) => archive.event(eventId) ?? []);
  }

  async markFailed(messageId: string, reason: string, at: Instant): Promise<void> {
    if (!this.#isSettled(messageId)) await this.#ledger.write(() => ({ kind: "failed", messageId, reason, at }));
  }

  async release(to: Destination, notBefore?: Instant): Promise<void> {
    this.#ledger.claims.release(destinationKey(to), this.#clock.now(), notBefore);
  }

  async recheck(to: Destination): Promise<void> {
    this.#ledger.claims.recheck(destinationKey(to), this.#clock.now());
  }

  async pause(to: Destination, reason: string, at: Instant): Promise<void> {
    await this.#ledger.write(() => ({ kind: "pause", to, reason, at }));
  }

  async resume(to: Destination): Promise<void> {
    await this.#ledger.write(() => ({ kind: "resume", to }));
  }

  async pauseReason(to: Destination): Promise<string | null> {
    return this.#ledger.state.queues.at(destinationKey(to))?.pause?.reason ?? null;
  }

  async nextDue(platforms: readonly string[]): Promise<Instant | null> {
    return this.#ledger.claims.nextDue(platforms, this.#clock.now());
  }

  async outcome(id: DeliveryId): Promise<DeliveryOutcome | null> {
    return this.#ledger.state.outcome(id);
  }

  async waitingCount(): Promise<number> {
    return this.#ledger.state.queues.size;
  }

  async summary(): Promise<OutboxSummary> {
    const { queues, archive } = this.#ledger.state;
    const attempts = queues.attempts();
    const pauses = queues.pauses();
    const delayed = attempts.filter((attempt) => attempt.problem !== null);
    return {
      waiting: queues.size,
      uncertain: attempts.filter((attempt) => attempt.state === "uncertain").length,
      totals: { paused: pauses.length, failed: archive.failureCount, delayed: delayed.length },
      paused: newest(pauses, (pause) => pause.at).map(({ to, reason, at }) => {
        return { to, reason, at, waiting: queues.at(destinationKey(to))?.open.size ?? 0 };
      }),
      failed: archive.failures(SHOWN).map(({ to, end, at, deliveries }) => {
        return { to, reason: end.reason, at, deliveries: deliveries.length };
      }),
      delayed: newest(delayed, (attempt) => attempt.createdAt).map(({ to, problem, notBefore, sends }) => {
        return { to, problem: problem ?? "", notBefore, sends };
      }),
    };
  }

  #isSettled(messageId: string): boolean {
    const { queues, archive } = this.#ledger.state;
    if (archive.message(messageId)) return true;
    if (queues.attempt(messageId)) return false;
    throw new StoreError(`message ${messageId}: no such message is under way`);
  }

  /** What does not fit is a bug of the caller, and would break the order or the once-only of what is told. */
  #assertFits(attempt: Attempt): void {
    const { queues, archive } = this.#ledger.state;
    const name = `message ${attempt.messageId} for ${destinationKey(attempt.to)}`;
    if (archive.message(attempt.messageId)) throw new StoreError(`${name}: it is settled already`);
    const queue = queues.at(destinationKey(attempt.to));
    const underWay = queue?.attempt;
    if (underWay && underWay.messageId !== attempt.messageId)
      throw new StoreError(`${name}: message ${underWay.messageId} is under way there`);
    const stranger = attempt.deliveries.find((id) => !queue?.open.has(id));
    if (stranger !== undefined || attempt.deliveries.length === 0)
      throw new StoreError(`${name}: delivery ${stranger ?? "(none)"} does not wait there`);
  }
}

function newest<T>(all: readonly T[], at: (one: T) => Instant): readonly T[] {
  return all.toSorted((a, b) => at(b) - at(a)).slice(0, SHOWN);
}
