import { type Kysely, sql, type Transaction } from "kysely";
import type {
  Attempt,
  Delivery,
  DeliveryId,
  DeliveryOutcome,
  MessageRef,
  WaitingDelivery,
} from "../../../domain/alert/delivery.ts";
import {
  type Destination,
  type DestinationKey,
  destinationKey,
  parseDestinationKey,
} from "../../../domain/alert/destination.ts";
import type { Event, EventId } from "../../../domain/alert/event.ts";
import type { Pause, PauseCause } from "../../../domain/alert/pause.ts";
import type { Instant } from "../../../domain/time/day.ts";
import { inPages } from "../../../lib/collections.ts";
import type { MonotonicTime } from "../../../ports/clock.ts";
import type { SettledMessage } from "../../../ports/state-records.ts";
import { type Claim, type Outbox, type OutboxSummary, PAGE_SIZE, StoreError } from "../../../ports/store.ts";
import { json } from "../database.ts";
import type { Notifications } from "../notifications.ts";
import type { Schema } from "../schema.ts";
import { type AttemptRow, attemptOf, type ClaimParts, lost, PostgresClaims } from "./claims.ts";
import { readCount } from "./counters.ts";
import { readSummary } from "./outbox-summary.ts";
import { PostgresPauses } from "./pauses.ts";
import { withoutPurgedNames } from "./purged-people.ts";

export interface DeliveryRow {
  readonly id: DeliveryId;
  readonly queue_key: DestinationKey;
  readonly event_id: EventId;
  readonly reasons: readonly string[];
  readonly mentions: readonly string[];
}

export type OutcomeRow = {
  readonly message_id: string | null;
  readonly at: Instant | null;
  readonly result: MessageResult | null;
  readonly pause: Pause | null;
  readonly problem: string | null;
};

type MessageResult = SettledMessage["end"];

interface OutboxParts extends ClaimParts {
  readonly notifications: Notifications;
}

/** Deliveries on their way to the destinations. Each write is one statement, which also checks that no other process has the destination. */
export class PostgresOutbox implements Outbox {
  readonly #parts: OutboxParts;
  readonly #claims: PostgresClaims;
  readonly #pauses: PostgresPauses;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#claims = new PostgresClaims(parts);
    this.#pauses = new PostgresPauses(parts, this.#claims);
  }

  /** False if another process may be sending what this one is about to send. */
  mayStillSend(): boolean {
    return this.#claims.mayStillSend();
  }

  claim(request: { limit: number; platforms: readonly string[] }): Promise<readonly Claim[]> {
    return this.#claims.claim(request);
  }

  claimOne(destination: Destination): Promise<boolean> {
    return this.#claims.claimOne(destination);
  }

  onWork(listener: () => void): () => void {
    return this.#parts.notifications.listen("deliveries", () => listener());
  }

  waitingAt(destination: Destination): Promise<readonly WaitingDelivery[]> {
    return this.#readDeliveries([destination], ["ready", "sending", "uncertain"]);
  }

  unsentAt(destination: Destination): Promise<readonly WaitingDelivery[]> {
    return this.unsentAtEach([destination]);
  }

  unsentAtEach(destinations: readonly Destination[]): Promise<readonly WaitingDelivery[]> {
    return this.#readDeliveries(destinations, ["sending", "uncertain"]);
  }

  /** Reads the deliveries that are in no attempt with one of the states. */
  async #readDeliveries(
    destinations: readonly Destination[],
    states: readonly Attempt["state"][],
  ): Promise<readonly WaitingDelivery[]> {
    const keys = destinations.map(destinationKey);
    const { rows } = await sql<DeliveryRow & { readonly event: Event }>`
      select d.*, e.value as event
      from deliveries d
      join events e on e.id = d.event_id
      left join (
        select unnest(deliveries) as id from attempts where queue_key = any(${keys}) and state = any(${states})
      ) as carried on carried.id = d.id
      where d.queue_key = any(${keys}) and d.message_id is null and carried.id is null
      order by d.arrival
    `.execute(this.#parts.database.db);
    return rows.map(waitingDelivery);
  }

  async attemptAt(destination: Destination): Promise<Attempt | null> {
    const key = destinationKey(destination);
    const { rows } = await sql<AttemptRow>`select * from attempts where queue_key = ${key}`.execute(
      this.#parts.database.db,
    );
    return rows[0] ? attemptOf({ key, ...rows[0] }) : null;
  }

  async inMessage(messageId: string): Promise<readonly WaitingDelivery[]> {
    const { rows } = await sql<DeliveryRow & { readonly event: Event }>`
      select d.*, e.value as event
      from attempts a
      cross join unnest(a.deliveries) with ordinality as carried(id, n)
      join deliveries d on d.id = carried.id
      join events e on e.id = d.event_id
      where a.message_id = ${messageId}
      order by n
    `.execute(this.#parts.database.db);
    return rows.map(waitingDelivery);
  }

  async saveAttempt(attempt: Attempt): Promise<void> {
    const { database } = this.#parts;
    let refusal = await this.#saveAttempt(database.db, attempt, false);
    if (refusal === "purged") refusal = await database.transaction((transaction) => this.#redact(transaction, attempt));
    if (refusal !== null) throw refusedAttempt(attempt, refusal);
  }

  /** Saves the attempt without the names of purged people. A purge that begins meanwhile waits for the queue. */
  async #redact(transaction: Transaction<Schema>, attempt: Attempt): Promise<string | null> {
    await sql`select from queues where key = ${destinationKey(attempt.to)} for update`.execute(transaction);
    return this.#saveAttempt(transaction, await withoutPurgedNames(transaction, attempt), true);
  }

  /** Returns why the attempt was refused; null if it was saved. */
  async #saveAttempt(db: Kysely<Schema>, attempt: Attempt, isRedacted: boolean): Promise<string | null> {
    const { messageId, to, deliveries, body, replyTo, createdAt, state, sends, blindResends, problem } = attempt;
    const { notBefore, delayMs } = attempt;
    const key = destinationKey(to);
    const due = this.#dueOf(notBefore, delayMs);
    const { rows } = await sql<{ readonly problem: string | null }>`
      select save_rendered_attempt(
        ${this.#claims.owner(key)},
        row(
          ${key}::text, ${messageId}::text, ${deliveries}::text[], ${json(body)}, ${json(replyTo)}, ${createdAt}::int8,
          ${state}::text, ${sends}::int, ${blindResends}::int, ${notBefore}::float8, ${delayMs ?? null}::float8,
          ${problem}::text
        )::attempts,
        ${due}, ${due === null || delayMs === undefined ? null : Math.ceil(delayMs)}, ${isRedacted}
      ) as problem
    `.execute(db);
    return rows[0]?.problem ?? null;
  }

  /** Shared time of a delay until `at`; null if it is over. The delay is never longer than `delayMs`. */
  #dueOf(at: Instant, delayMs = Number.POSITIVE_INFINITY): number | null {
    const { clock, time } = this.#parts;
    const remainingMs = Math.min(at - clock.now(), delayMs);
    return remainingMs > 0 ? Math.ceil(time.now() + remainingMs) : null;
  }

  markSent(messageId: string, ref: MessageRef, at: Instant): Promise<readonly Event[]> {
    return this.#settle(messageId, at, { ref: JSON.stringify(ref), reason: null });
  }

  async markFailed(messageId: string, reason: string, at: Instant): Promise<void> {
    await this.#settle(messageId, at, { ref: null, reason });
  }

  /** Settles the message, unless it is settled already. Returns its events if it is sent. */
  async #settle(
    messageId: string,
    at: Instant,
    { ref, reason }: { readonly ref: string | null; readonly reason: string | null },
  ): Promise<readonly Event[]> {
    const { database, membership } = this.#parts;
    const { rows } = await sql<{ readonly outcome: string | null; readonly event: Event }>`
      select * from settle_message(${membership.id}, ${messageId}, ${at}, ${ref}::json, ${reason})
    `.execute(database.db);
    const [{ outcome } = { outcome: null }, ...events] = rows;
    if (outcome === "unknown") throw new StoreError(`message ${messageId}: it is not in progress`);
    if (outcome === "claimed") throw lost(messageId);
    return events.map(({ event }) => event);
  }

  release(destination: Destination, delayMs?: number, slotAt?: MonotonicTime | null): Promise<void> {
    return this.#claims.release(destination, delayMs, slotAt);
  }

  recheck(destination: Destination): Promise<void> {
    return this.#claims.recheck(destination);
  }

  pause(to: Destination, reason: string, at: Instant, cause: PauseCause = "not-allowed"): Promise<void> {
    return this.#pauses.pause({ to, reason, at, cause });
  }

  pauseRefused(to: Destination, reason: string, at: Instant, cause: PauseCause): Promise<void> {
    return this.#pauses.pauseRefused({ to, reason, at, cause });
  }

  resume(destination: Destination): Promise<void> {
    return this.#pauses.resume(destination);
  }

  retry(destination: Destination, at: Instant): Promise<boolean> {
    return this.#pauses.retry(destination, at);
  }

  pauseOf(destination: Destination): Promise<Pause | null> {
    return this.#pauses.of(destination);
  }

  pauses(platform: string, idPrefix: string): Promise<readonly Pause[]> {
    return this.#pauses.on(platform, idPrefix);
  }

  nextDueMs(platforms: readonly string[]): Promise<number | null> {
    return this.#claims.nextDueMs(platforms);
  }

  async outcome(id: DeliveryId): Promise<DeliveryOutcome | null> {
    const { rows } = await sql<OutcomeRow>`
      select d.message_id, m.at, m.result, q.pause, a.problem
      from deliveries d
      left join messages m on m.message_id = d.message_id
      left join queues q on q.key = d.queue_key and d.message_id is null
      left join attempts a on a.queue_key = d.queue_key and d.message_id is null
      where d.id = ${id}
    `.execute(this.#parts.database.db);
    return rows[0] ? outcomeOf(rows[0]) : null;
  }

  async existing(ids: readonly DeliveryId[]): Promise<ReadonlySet<DeliveryId>> {
    const existing = new Set<DeliveryId>();
    for (const page of inPages(ids, PAGE_SIZE)) {
      const { rows } = await sql<Pick<DeliveryRow, "id">>`
        select id from deliveries where id = any(${page})
      `.execute(this.#parts.database.db);
      for (const { id } of rows) existing.add(id);
    }
    return existing;
  }

  async waitingCount(destination?: Destination): Promise<number> {
    const { db } = this.#parts.database;
    if (destination === undefined) return readCount(db, "waiting");
    const { rows } = await sql<{ readonly waiting: number }>`
      select waiting from queues where key = ${destinationKey(destination)}
    `.execute(db);
    return rows[0]?.waiting ?? 0;
  }

  summary(): Promise<OutboxSummary> {
    return this.#parts.database.snapshot(readSummary);
  }
}

function waitingDelivery({ event, ...row }: DeliveryRow & { readonly event: Event }): WaitingDelivery {
  return { delivery: deliveryOf(row), event };
}

export function deliveryOf({ id, queue_key, event_id, reasons, mentions }: DeliveryRow): Delivery {
  return { id, eventId: event_id, to: parseDestinationKey(queue_key), reasons, mentions };
}

export function outcomeOf({ at, result, pause, problem }: OutcomeRow): DeliveryOutcome {
  if (result !== null && at !== null) return { at, ...result };
  // Why the last try failed, unless the cause may have changed since.
  return { kind: "waiting", problem: pause !== null && pause.refusals > 0 ? pause.reason : problem };
}

/** `refusal`: the answer of `save_attempt`. */
function refusedAttempt({ messageId, to }: Attempt, refusal: string): StoreError {
  const key = destinationKey(to);
  const name = `message ${messageId} for ${key}`;
  if (refusal === "claimed") return lost(key);
  if (refusal === "settled") return new StoreError(`${name}: it is settled already`);
  const [, current] = /^in progress (.*)$/s.exec(refusal) ?? [];
  if (current !== undefined) return new StoreError(`${name}: message ${current} is in progress there`);
  return new StoreError(`${name}: delivery ${refusal.replace("not waiting ", "")} is not waiting there`);
}
