import {
  type Attempt,
  type Delivery,
  type DeliveryId,
  type DeliveryOutcome,
  deliveryId,
  type MessageRef,
  type WaitingDelivery,
} from "../../../domain/alert/delivery.ts";
import { type Destination, destinationKey, isSameDestination } from "../../../domain/alert/destination.ts";
import type { Event } from "../../../domain/alert/event.ts";
import { type Pause, type PauseCause, pauseAfter, pauseToRetry } from "../../../domain/alert/pause.ts";
import type { SplitId } from "../../../domain/split/split.ts";
import type { Ticker } from "../../../domain/split/ticker.ts";
import type { Instant } from "../../../domain/time/day.ts";
import { forEachInSlices, TimeSlice } from "../../../lib/slices.ts";
import type { MonotonicTime } from "../../../ports/clock.ts";
import type { SettledMessage } from "../../../ports/state-records.ts";
import {
  type Claim,
  type History,
  type HistoryEntry,
  type Outbox,
  type OutboxSummary,
  StoreError,
} from "../../../ports/store.ts";
import { type Archive, settledDeliveryOf } from "../indexes/archive.ts";
import type { Claims } from "../indexes/claims.ts";
import { deliveriesIn, type Queue, type Queues, waitingIn } from "../indexes/queues.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Tables } from "../rows/tables.ts";
import type { Transaction } from "../rows/transaction.ts";
import type { PurgesDuringClaims } from "./people.ts";
import { endPause, retryPause, settle } from "./settling.ts";

/** Maximum length of each list in the summary. */
const MAX_SHOWN = 20;

/** The indexes of deliveries and messages. */
export interface DeliveryIndexes {
  readonly queues: Queues;
  readonly archive: Archive;
}

export class LowdbOutbox implements Outbox {
  readonly #log: ChangeLog;
  readonly #tables: Tables;
  readonly #queues: Queues;
  readonly #archive: Archive;
  readonly #claims: Claims;
  readonly #purges: PurgesDuringClaims;

  constructor(
    log: ChangeLog,
    { queues, archive }: DeliveryIndexes,
    { claims, purges }: { readonly claims: Claims; readonly purges: PurgesDuringClaims },
  ) {
    this.#log = log;
    this.#tables = log.tables;
    this.#queues = queues;
    this.#archive = archive;
    this.#claims = claims;
    this.#purges = purges;
    log.onApplied(() => {
      for (const key of queues.takeChanged()) claims.schedule(key);
    });
  }

  async claim(request: { limit: number; platforms: readonly string[] }): Promise<readonly Claim[]> {
    const queues = this.#claims.claim(request);
    for (const { key } of queues) this.#purges.claimed(key);
    return queues.map(({ key, to, attempt }) => ({ to, attempt, slotAt: this.#claims.takeSlot(key) }));
  }

  async claimOne(destination: Destination): Promise<boolean> {
    this.#claims.claimOne(destinationKey(destination));
    return true;
  }

  /** Never calls the listener: no other process uses the files. */
  onWork(): () => void {
    return () => undefined;
  }

  async waitingAt(destination: Destination): Promise<readonly WaitingDelivery[]> {
    const queue = this.#queues.at(destinationKey(destination));
    return queue ? this.#withEvents(waitingIn(queue)) : [];
  }

  async unsentAt(destination: Destination): Promise<readonly WaitingDelivery[]> {
    const queue = this.#queues.at(destinationKey(destination));
    if (!queue) return [];
    return this.#withEvents(queue.attempt?.state === "ready" ? deliveriesIn(queue) : waitingIn(queue));
  }

  async unsentAtEach(destinations: readonly Destination[]): Promise<readonly WaitingDelivery[]> {
    const unsent: WaitingDelivery[] = [];
    const slice = new TimeSlice();
    for (const destination of destinations) {
      unsent.push(...(await this.unsentAt(destination)));
      await slice.next();
    }
    return unsent;
  }

  async attemptAt(destination: Destination): Promise<Attempt | null> {
    return this.#queues.at(destinationKey(destination))?.attempt ?? null;
  }

  async inMessage(messageId: string): Promise<readonly WaitingDelivery[]> {
    const deliveries = this.#queues.attempt(messageId)?.deliveries ?? [];
    return this.#withEvents(deliveries.flatMap((id) => this.#tables.deliveries.get(id) ?? []));
  }

  #withEvents(deliveries: readonly Delivery[]): readonly WaitingDelivery[] {
    return deliveries.flatMap((delivery) => {
      const event = this.#archive.event(delivery.eventId);
      return event ? { delivery, event } : [];
    });
  }

  async saveAttempt(rendered: Attempt): Promise<void> {
    const { attempts } = this.#tables;
    const key = destinationKey(rendered.to);
    await this.#log.change((transaction) => {
      const attempt = this.#purges.redact(rendered);
      this.#assertFits(transaction, attempt);
      const current = transaction.get(attempts, key);
      if (current && hasSameContent(current, attempt)) transaction.set(attempts, key, progressOf(attempt));
      else transaction.put(attempts, key, attempt);
    });
  }

  async markSent(messageId: string, ref: MessageRef, at: Instant): Promise<readonly Event[]> {
    await this.#settle(messageId, at, ({ sends, blindResends }) => ({ kind: "sent", ref, sends, blindResends }));
    const message = this.#archive.message(messageId);
    if (message?.end.kind !== "sent") return [];
    return message.deliveries.flatMap(({ eventId }) => this.#archive.event(eventId) ?? []);
  }

  async markFailed(messageId: string, reason: string, at: Instant): Promise<void> {
    await this.#settle(messageId, at, ({ sends }) => ({ kind: "failed", reason, sends }));
  }

  /** Settles the message, unless it is settled already. */
  async #settle(messageId: string, at: Instant, endOf: (attempt: Attempt) => SettledMessage["end"]): Promise<void> {
    if (this.#archive.message(messageId)) return;
    const started = this.#queues.attempt(messageId);
    if (!started) throw new StoreError(`message ${messageId}: it is not in progress`);
    const key = destinationKey(started.to);
    await this.#log.change((transaction) => {
      const attempt = transaction.get(this.#tables.attempts, key);
      if (attempt?.messageId !== messageId) return;
      const end = endOf(attempt);
      settle(transaction, this.#tables, attempt, { at, end });
      if (end.kind === "sent") transaction.remove(this.#tables.pauses, key);
    });
  }

  async release(destination: Destination, delayMs?: number, slotAt?: MonotonicTime | null): Promise<void> {
    const key = destinationKey(destination);
    this.#purges.released(key);
    this.#claims.release(key, delayMs, slotAt);
  }

  async recheck(destination: Destination): Promise<void> {
    this.#claims.recheck(destinationKey(destination));
  }

  async pause(to: Destination, reason: string, at: Instant, cause: PauseCause = "not-allowed"): Promise<void> {
    const key = destinationKey(to);
    await this.#log.change((transaction) => {
      this.#claims.cancelRetryRequest(key);
      const current = transaction.get(this.#tables.pauses, key) ?? null;
      transaction.put(this.#tables.pauses, key, pauseAfter(current, { to, reason, at, cause }));
    });
  }

  async pauseRefused(to: Destination, reason: string, at: Instant, cause: PauseCause): Promise<void> {
    const key = destinationKey(to);
    await this.#log.change((transaction) => {
      const current = transaction.get(this.#tables.pauses, key) ?? null;
      const pause = pauseAfter(current, { to, reason, at, cause });
      transaction.put(this.#tables.pauses, key, this.#claims.isRetryRequested(key) ? pauseToRetry(pause, at) : pause);
    });
  }

  async retry(destination: Destination, at: Instant): Promise<boolean> {
    const isPaused = this.#pauseOf(destination) !== null;
    const key = destinationKey(destination);
    await this.#log.change((transaction) => {
      this.#claims.requestRetry(key);
      retryPause(transaction, this.#tables, key, at);
    });
    return isPaused;
  }

  async resume(destination: Destination): Promise<void> {
    const key = destinationKey(destination);
    await this.#log.change((transaction) => {
      this.#claims.requestRetry(key);
      endPause(transaction, this.#tables, key);
    });
  }

  async pauseOf(destination: Destination): Promise<Pause | null> {
    return this.#pauseOf(destination);
  }

  async pauses(platform: string, idPrefix: string): Promise<readonly Pause[]> {
    const pauses: Pause[] = [];
    await forEachInSlices(this.#queues.all(), ({ to, pause }) => {
      if (pause !== null && to.platform === platform && to.id.startsWith(idPrefix)) pauses.push(pause);
    });
    return pauses;
  }

  async nextDueMs(platforms: readonly string[]): Promise<number | null> {
    return this.#claims.nextDueMs(platforms);
  }

  async outcome(id: DeliveryId): Promise<DeliveryOutcome | null> {
    return outcomeOf(id, { queues: this.#queues, archive: this.#archive });
  }

  async existing(ids: readonly DeliveryId[]): Promise<ReadonlySet<DeliveryId>> {
    const existing = new Set<DeliveryId>();
    await forEachInSlices(ids, (id) => {
      if (this.#queues.queueOf(id) || this.#archive.messageOfDelivery(id)) existing.add(id);
    });
    return existing;
  }

  async waitingCount(destination?: Destination): Promise<number> {
    if (destination === undefined) return this.#queues.size;
    return this.#queues.at(destinationKey(destination))?.open.size ?? 0;
  }

  async summary(): Promise<OutboxSummary> {
    const attempts = this.#queues.attempts();
    const pauses = this.#queues.pauses();
    const delayed = attempts.filter(({ problem, to }) => problem !== null && this.#pauseOf(to) === null);
    return {
      waiting: this.#queues.size,
      uncertain: attempts.filter((attempt) => attempt.state === "uncertain").length,
      totals: { paused: pauses.length, failed: this.#archive.failureCount, delayed: delayed.length },
      paused: newest(pauses, (pause) => pause.at).map(({ to, reason, at, retryAt }) => {
        return { to, reason, at, retryAt, waiting: this.#queues.at(destinationKey(to))?.open.size ?? 0 };
      }),
      failed: this.#archive.failures(MAX_SHOWN).map(({ to, end, at, deliveries }) => {
        return { to, reason: end.reason, at, deliveries: deliveries.length };
      }),
      delayed: newest(delayed, (attempt) => attempt.createdAt).map(({ to, problem, notBefore, sends }) => {
        return { to, problem: problem ?? "", notBefore, sends };
      }),
    };
  }

  #pauseOf(destination: Destination): Pause | null {
    return this.#queues.at(destinationKey(destination))?.pause ?? null;
  }

  /** Throws for an attempt that would break the order of messages or send a delivery twice: a bug of the caller. */
  #assertFits(transaction: Transaction, { messageId, to, deliveries }: Attempt): void {
    const { tables } = this.#log;
    const key = destinationKey(to);
    const name = `message ${messageId} for ${key}`;
    if (transaction.get(tables.messages, messageId)) throw new StoreError(`${name}: it is settled already`);
    const current = transaction.get(tables.attempts, key);
    if (current && current.messageId !== messageId)
      throw new StoreError(`${name}: message ${current.messageId} is in progress there`);
    const isWaiting = (id: DeliveryId): boolean => {
      const delivery = transaction.get(tables.deliveries, id);
      return delivery !== undefined && isSameDestination(delivery.to, to);
    };
    const unknownId = deliveries.find((id) => !isWaiting(id));
    if (unknownId !== undefined || deliveries.length === 0)
      throw new StoreError(`${name}: delivery ${unknownId ?? "(none)"} is not waiting there`);
  }
}

/** The fields of an attempt that change between sends. */
function progressOf(attempt: Attempt): Partial<Attempt> {
  const { state, sends, blindResends, notBefore, delayMs, problem } = attempt;
  return { state, sends, blindResends, notBefore, delayMs, problem };
}

/** Whether only the progress differs. A removed field can't be stored as progress. */
function hasSameContent(a: Attempt, b: Attempt): boolean {
  const keepsDelay = a.delayMs === undefined || b.delayMs !== undefined;
  return a.messageId === b.messageId && a.body === b.body && a.deliveries === b.deliveries && keepsDelay;
}

function outcomeOf(id: DeliveryId, { queues, archive }: DeliveryIndexes): DeliveryOutcome | null {
  const queue = queues.queueOf(id);
  if (queue) return { kind: "waiting", problem: problemOf(queue) };
  const message = archive.messageOfDelivery(id);
  return message ? { at: message.at, ...message.end } : null;
}

/** Why the last try failed; null if there was none since the cause may have changed. */
function problemOf({ pause, attempt }: Queue): string | null {
  return pause !== null && pause.refusals > 0 ? pause.reason : (attempt?.problem ?? null);
}

function newest<T>(all: readonly T[], at: (one: T) => Instant): readonly T[] {
  return all.toSorted((a, b) => at(b) - at(a)).slice(0, MAX_SHOWN);
}

/** Settled and waiting deliveries by split and ticker. */
export class LowdbHistory implements History {
  readonly #tables: Tables;
  readonly #indexes: DeliveryIndexes;

  constructor(tables: Tables, indexes: DeliveryIndexes) {
    this.#tables = tables;
    this.#indexes = indexes;
  }

  async firstMessage(destination: Destination, splitId: SplitId): Promise<MessageRef | null> {
    return this.#indexes.archive.firstMessage(destination, splitId) ?? null;
  }

  async forTicker(ticker: Ticker, destinations: readonly Destination[]): Promise<readonly HistoryEntry[]> {
    return this.#indexes.archive.eventsOfTicker(ticker).map((event) => ({
      event,
      deliveries: destinations.flatMap((destination) => this.#deliveryOf(event, destination) ?? []),
    }));
  }

  async forSplit(splitId: SplitId): Promise<readonly Event[]> {
    return this.#indexes.archive.eventsOfSplit(splitId);
  }

  async since(since: Instant, limit: number): Promise<readonly Event[]> {
    return this.#indexes.archive.eventsSince(since, limit);
  }

  #deliveryOf(event: Event, destination: Destination): HistoryEntry["deliveries"][number] | null {
    const id = deliveryId(event.id, destinationKey(destination));
    const outcome = outcomeOf(id, this.#indexes);
    const message = this.#indexes.archive.messageOfDelivery(id);
    const delivery = message ? settledDeliveryOf(message, id) : this.#tables.deliveries.get(id);
    return outcome && delivery ? { delivery, outcome } : null;
  }
}
