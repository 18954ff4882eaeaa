import { isDeepStrictEqual } from "node:util";
import { type InsertObject, type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Deferral, DeferralDelay } from "../../domain/alert/deferral.ts";
import type {
  Attempt,
  Delivery,
  DeliveryId,
  DeliveryOutcome,
  MessageRef,
  WaitingDelivery,
} from "../../domain/alert/delivery.ts";
import {
  type Destination,
  type DestinationKey,
  destinationKey,
  parseDestinationKey,
} from "../../domain/alert/destination.ts";
import type { Event } from "../../domain/alert/event.ts";
import type { Pause } from "../../domain/alert/pause.ts";
import { type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { inPages } from "../../lib/collections.ts";
import { yieldToEventLoop } from "../../lib/slices.ts";
import type { SettledMessage } from "../../ports/state-records.ts";
import { ClaimLostError, type Outbox, type OutboxSummary, PAGE_SIZE, StoreError } from "../../ports/store.ts";
import { json, jsonOrNull } from "../database.ts";
import type { Schema } from "../schema.ts";
import { type AttemptRow, type ClaimParts, lost, type SqlClaims } from "./claims.ts";
import { changeCount, readCount } from "./counters.ts";
import { regroupedDeferrals, writeDeferrals } from "./deferrals.ts";
import { readSummary } from "./outbox-summary.ts";
import type { PurgedPeople } from "./purged-people.ts";
import { delayUntil, NO_ATTEMPT_DELAY, NO_PAUSE, removeEmptyQueues } from "./queues.ts";

/** Deliveries with their events that are read in one turn of the event loop. */
const WAITING_PAGE = 250;

/** Columns of a delivery. */
export type DeliveryRow = Pick<
  Selectable<Schema["deliveries"]>,
  "id" | "queue_key" | "event_id" | "reasons" | "mentions"
>;

const DELIVERY_COLUMNS = ["d.id", "d.queue_key", "d.event_id", "d.reasons", "d.mentions"] as const;

export interface OutcomeRow {
  readonly at: Instant | null;
  readonly result: SettledMessage["end"] | null;
  readonly pause: Pause | null;
  readonly problem: string | null;
  readonly not_before: Instant | null;
  readonly deferral: Deferral | null;
}

interface OutboxParts extends ClaimParts {
  readonly claims: SqlClaims;
  readonly purged: PurgedPeople;
}

/** Deliveries on their way to the destinations. Each write checks that no other process has the destination. */
export class SqlOutbox implements Outbox {
  readonly #parts: OutboxParts;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  async waiting(destinations: readonly Destination[]): Promise<readonly WaitingDelivery[]> {
    const { db } = this.#parts.database;
    const found: WaitingDelivery[] = [];
    for (const keys of inPages(destinations.map(destinationKey), PAGE_SIZE)) {
      const attempts = await db
        .selectFrom("attempts")
        .select(["deliveries", "state"])
        .where("queue_key", "in", keys)
        .execute();
      const states = new Map(attempts.flatMap(({ deliveries, state }) => deliveries.map((id) => [id, state])));
      for await (const { event, deferral, ...row } of readWaiting(db, keys))
        found.push({ delivery: deliveryOf(row), event, attemptState: states.get(row.id) ?? null, deferral });
    }
    return found;
  }

  async waitingIn({ deliveries, state }: Attempt): Promise<readonly WaitingDelivery[]> {
    const rows = await readInOrder(this.#parts.database.db, deliveries);
    return rows.map(({ event, deferral, ...row }) => ({
      delivery: deliveryOf(row),
      event,
      attemptState: state,
      deferral,
    }));
  }

  saveAttempt(attempt: Attempt): Promise<void> {
    const { database, purged, clock, time } = this.#parts;
    const key = destinationKey(attempt.to);
    return database.transaction(async (transaction) => {
      await this.#parts.claims.lockQueue(transaction, key);
      const before = await transaction
        .selectFrom("attempts")
        .select(["message_id", "deliveries", "not_before"])
        .where("queue_key", "=", key)
        .executeTakeFirst();
      if (before === undefined) await assertNotSettled(transaction, attempt);
      else if (before.message_id !== attempt.messageId)
        throw new StoreError(`${nameOf(attempt)}: message ${before.message_id} is in progress there`);
      if (!isDeepStrictEqual(before?.deliveries, attempt.deliveries)) await assertWaiting(transaction, attempt);
      // A purge that begins meanwhile waits for the queue.
      const isPurged = await purged.hasAny(transaction, attempt.to.platform, attempt.createdAt - MINUTE_MS);
      await writeAttempt(transaction, isPurged ? await purged.withoutNames(transaction, attempt) : attempt);
      // A delay that was saved before does not start again.
      if (before?.not_before === attempt.notBefore) return;
      const { due, delay } = delayUntil(attempt.notBefore, attempt.delayMs, { clock, now: time.now() });
      const delayed = { attempt_due: due, attempt_delay: delay };
      await transaction.updateTable("queues").set(delayed).where("key", "=", key).execute();
    });
  }

  defer(
    messageId: string,
    deferrals: ReadonlyMap<DeliveryId, Deferral>,
    regroupUntil: DeferralDelay | null,
  ): Promise<void> {
    return this.#parts.database.transaction(async (transaction) => {
      const attempt = await this.#lockAttempt(transaction, messageId);
      if (attempt === undefined) throw new StoreError(`message ${messageId}: it is not in progress`);
      const key = attempt.queue_key;
      const others = regroupUntil === null ? [] : await regroupedDeferrals(transaction, key, regroupUntil);
      await writeDeferrals(transaction, key, new Map([...others, ...deferrals]));
      await transaction.deleteFrom("attempts").where("queue_key", "=", key).execute();
      await transaction.updateTable("queues").set(NO_ATTEMPT_DELAY).where("key", "=", key).execute();
    });
  }

  async wasSentSince(destination: Destination, since: Instant): Promise<boolean> {
    const row = await this.#parts.database.db
      .selectFrom("messages")
      .select("number")
      .where("queue_key", "=", destinationKey(destination))
      .where("at", ">=", since)
      .where("has_failed", "=", false)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  markSent(messageId: string, ref: MessageRef, at: Instant): Promise<readonly Event[]> {
    return this.#settle(messageId, at, ({ sends, blind_resends }) => {
      return { kind: "sent", ref, sends, blindResends: blind_resends };
    });
  }

  async markFailed(messageId: string, reason: string, at: Instant): Promise<void> {
    await this.#settle(messageId, at, ({ sends }) => ({ kind: "failed", reason, sends }));
  }

  /** Settles the message, unless it is settled already. Returns its events if it is sent. */
  #settle(
    messageId: string,
    at: Instant,
    endOf: (attempt: AttemptRow) => SettledMessage["end"],
  ): Promise<readonly Event[]> {
    return this.#parts.database.transaction(async (transaction) => {
      const attempt = await this.#lockAttempt(transaction, messageId);
      if (attempt) await settle(transaction, attempt, { end: endOf(attempt), at });
      const message = await transaction
        .selectFrom("messages")
        .select(["deliveries", "has_failed"])
        .where("message_id", "=", messageId)
        .executeTakeFirst();
      if (message === undefined) throw new StoreError(`message ${messageId}: it is not in progress`);
      if (message.has_failed) return [];
      return (await readInOrder(transaction, message.deliveries)).map(({ event }) => event);
    });
  }

  /** Locks the queue of an attempt. Undefined if the message is settled, also while this transaction waits. */
  async #lockAttempt(transaction: Transaction<Schema>, messageId: string): Promise<AttemptRow | undefined> {
    const found = await attemptOfMessage(transaction, messageId);
    if (found === undefined) return undefined;
    try {
      await this.#parts.claims.lockQueue(transaction, found.queue_key);
    } catch (error) {
      throw error instanceof ClaimLostError ? lost(messageId) : error;
    }
    return attemptOfMessage(transaction, messageId);
  }

  async outcome(id: DeliveryId): Promise<DeliveryOutcome | null> {
    const [row] = await readOutcomes(this.#parts.database.db, [id]);
    return row === undefined ? null : outcomeOf(row);
  }

  async existing(ids: readonly DeliveryId[]): Promise<ReadonlySet<DeliveryId>> {
    const found = new Set<DeliveryId>();
    for (const page of inPages(ids, PAGE_SIZE)) {
      const rows = await this.#parts.database.db
        .selectFrom("deliveries")
        .select("id")
        .where("id", "in", page)
        .execute();
      for (const { id } of rows) found.add(id);
    }
    return found;
  }

  async waitingCount(destination?: Destination): Promise<number> {
    const { db } = this.#parts.database;
    if (destination === undefined) return readCount(db, "waiting");
    const row = await db
      .selectFrom("queues")
      .select("waiting")
      .where("key", "=", destinationKey(destination))
      .executeTakeFirst();
    return row?.waiting ?? 0;
  }

  summary(): Promise<OutboxSummary> {
    return this.#parts.database.readTransaction(readSummary);
  }
}

type EventRow = DeliveryRow & { readonly event: Event; readonly deferral: Deferral | null };

/** The waiting deliveries of the queues, in pages, so that thousands of them don't stall the event loop. */
async function* readWaiting(db: Kysely<Schema>, keys: readonly DestinationKey[]) {
  let after = 0;
  for (;;) {
    const rows = await withEvents(db)
      .select("d.arrival")
      .where("d.queue_key", "in", keys)
      .where("d.message_id", "is", null)
      .where("d.arrival", ">", after)
      .orderBy("d.arrival")
      .limit(WAITING_PAGE)
      .execute();
    yield* rows;
    if (rows.length < WAITING_PAGE) return;
    after = rows.at(-1)?.arrival ?? after;
    await yieldToEventLoop();
  }
}

/** Deliveries with their events. */
function withEvents(db: Kysely<Schema>) {
  return db
    .selectFrom("deliveries as d")
    .innerJoin("events as e", "e.id", "d.event_id")
    .select([...DELIVERY_COLUMNS, "d.deferral", "e.value as event"]);
}

/** Deliveries with what their outcomes consist of. */
export async function readOutcomes(
  db: Kysely<Schema>,
  ids: readonly DeliveryId[],
): Promise<readonly (DeliveryRow & OutcomeRow)[]> {
  const found: (DeliveryRow & OutcomeRow)[] = [];
  for (const page of inPages(ids, PAGE_SIZE)) {
    const rows = await db
      .selectFrom("deliveries as d")
      .leftJoin("messages as m", "m.message_id", "d.message_id")
      .leftJoin("queues as q", (join) => join.onRef("q.key", "=", "d.queue_key").on("d.message_id", "is", null))
      .leftJoin("attempts as a", (join) => join.onRef("a.queue_key", "=", "d.queue_key").on("d.message_id", "is", null))
      .select([...DELIVERY_COLUMNS, "m.at", "m.result", "q.pause", "a.problem", "a.not_before", "d.deferral"])
      .where("d.id", "in", page)
      .execute();
    found.push(...rows);
  }
  return found;
}

/** Reads deliveries in the order of the ids, without those that are gone. */
export async function readInOrder(db: Kysely<Schema>, ids: readonly DeliveryId[]): Promise<readonly EventRow[]> {
  const byId = new Map<DeliveryId, EventRow>();
  for (const page of inPages(ids, PAGE_SIZE))
    for (const row of await withEvents(db).where("d.id", "in", page).execute()) byId.set(row.id, row);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function attemptOfMessage(transaction: Transaction<Schema>, messageId: string): Promise<AttemptRow | undefined> {
  return transaction.selectFrom("attempts").selectAll().where("message_id", "=", messageId).executeTakeFirst();
}

async function assertNotSettled(transaction: Transaction<Schema>, attempt: Attempt): Promise<void> {
  const settled = await transaction
    .selectFrom("messages")
    .select("number")
    .where("message_id", "=", attempt.messageId)
    .executeTakeFirst();
  if (settled !== undefined) throw new StoreError(`${nameOf(attempt)}: it is settled already`);
}

async function assertWaiting(transaction: Transaction<Schema>, attempt: Attempt): Promise<void> {
  const { to, deliveries } = attempt;
  if (deliveries.length === 0) throw new StoreError(`${nameOf(attempt)}: it has no delivery`);
  for (const page of inPages(deliveries, PAGE_SIZE)) {
    const rows = await transaction
      .selectFrom("deliveries")
      .select("id")
      .where("id", "in", page)
      .where("queue_key", "=", destinationKey(to))
      .where("message_id", "is", null)
      .execute();
    const waiting = new Set(rows.map(({ id }) => id));
    const missing = page.find((id) => !waiting.has(id));
    if (missing !== undefined) throw new StoreError(`${nameOf(attempt)}: delivery ${missing} is not waiting there`);
  }
}

async function writeAttempt(transaction: Transaction<Schema>, attempt: Attempt): Promise<void> {
  const row = rowOfAttempt(attempt);
  const { queue_key: _, message_id: __, ...changed } = row;
  await transaction
    .insertInto("attempts")
    .values(row)
    .onConflict((conflict) => conflict.column("queue_key").doUpdateSet(changed))
    .execute();
}

export function rowOfAttempt(attempt: Attempt): InsertObject<Schema, "attempts"> {
  return {
    queue_key: destinationKey(attempt.to),
    message_id: attempt.messageId,
    deliveries: json(attempt.deliveries),
    body: json(attempt.body),
    reply_to: jsonOrNull(attempt.replyTo),
    created_at: attempt.createdAt,
    state: attempt.state,
    sends: attempt.sends,
    blind_resends: attempt.blindResends,
    not_before: attempt.notBefore,
    delay_ms: attempt.delayMs ?? null,
    problem: attempt.problem,
  };
}

interface Settlement {
  readonly end: SettledMessage["end"];
  readonly at: Instant;
}

/** Settles a message whose queue is locked. A sent message ends the pause of its destination. */
async function settle(
  transaction: Transaction<Schema>,
  { queue_key: key, message_id, deliveries }: AttemptRow,
  { end, at }: Settlement,
): Promise<void> {
  let settled = 0;
  for (const page of inPages(deliveries, PAGE_SIZE)) {
    const { numUpdatedRows } = await transaction
      .updateTable("deliveries")
      .set({ message_id, deferral: null })
      .where("id", "in", page)
      .where("queue_key", "=", key)
      .where("message_id", "is", null)
      .executeTakeFirst();
    settled += Number(numUpdatedRows);
  }
  await transaction
    .insertInto("messages")
    .values({
      message_id,
      queue_key: key,
      at,
      deliveries: json(deliveries),
      result: json(end),
      has_failed: end.kind === "failed",
    })
    .execute();
  await transaction.deleteFrom("attempts").where("queue_key", "=", key).execute();
  await transaction
    .updateTable("queues")
    .set({
      waiting: sql`waiting - ${settled}`,
      first_arrival: sql`(
        select arrival from deliveries where queue_key = ${key} and message_id is null order by arrival limit 1
      )`,
      ...NO_ATTEMPT_DELAY,
      ...(end.kind === "sent" ? NO_PAUSE : {}),
    })
    .where("key", "=", key)
    .execute();
  await removeEmptyQueues(transaction, [key]);
  await changeCount(transaction, "waiting", -settled);
}

export function deliveryOf({ id, queue_key, event_id, reasons, mentions }: DeliveryRow): Delivery {
  return { id, eventId: event_id, to: parseDestinationKey(queue_key), reasons, mentions };
}

export function outcomeOf({ at, result, pause, problem, not_before, deferral }: OutcomeRow): DeliveryOutcome {
  if (result !== null && at !== null) return { at, ...result };
  // Why the last try failed, unless the cause may have changed since.
  if (pause !== null && pause.refusals > 0) return { kind: "waiting", problem: pause.reason, retryAt: pause.retryAt };
  if (problem !== null) return { kind: "waiting", problem, retryAt: not_before };
  return { kind: "waiting", problem: deferral?.reason ?? null, retryAt: deferral?.notBefore ?? null };
}

function nameOf({ messageId, to }: Attempt): string {
  return `message ${messageId} for ${destinationKey(to)}`;
}
