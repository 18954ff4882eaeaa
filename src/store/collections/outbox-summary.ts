import { sql, type Transaction } from "kysely";
import { parseDestinationKey } from "../../domain/alert/destination.ts";
import type { OutboxSummary } from "../../ports/store.ts";
import type { Schema } from "../schema.ts";
import { readCount } from "./counters.ts";

/** Maximum length of each list. */
const MAX_SHOWN = 20;

type Counts = Pick<OutboxSummary, "uncertain"> & OutboxSummary["totals"];

/** Reads the summary in the same transaction. The totals count entries of small indexes. */
export async function readSummary(transaction: Transaction<Schema>): Promise<OutboxSummary> {
  const { rows } = await sql<Counts>`
    select
      (select count(*) from attempts where state in ('uncertain', 'unfound')) as uncertain,
      (select count(*) from queues where paused_at is not null) as paused,
      (select count(*) from messages where has_failed) as failed,
      (select count(*) from attempts where problem is not null and ${isNotPaused})
        + (select count(*) from deliveries where deferral is not null and ${isInNoAttempt}) as delayed
  `.execute(transaction);
  const { uncertain = 0, ...totals } = rows[0] ?? {};
  return {
    waiting: await readCount(transaction, "waiting"),
    uncertain,
    totals: { paused: 0, failed: 0, delayed: 0, ...totals },
    paused: await readPaused(transaction),
    failed: await readFailed(transaction),
    delayed: await readDelayed(transaction),
  };
}

const isNotPaused = sql<boolean>`
  not exists (select 1 from queues where key = attempts.queue_key and paused_at is not null)
`;

/** The attempt of a destination states the problem of its deliveries. */
const isInNoAttempt = sql<boolean>`not exists (select 1 from attempts where attempts.queue_key = deliveries.queue_key)`;

async function readPaused(transaction: Transaction<Schema>): Promise<OutboxSummary["paused"]> {
  const rows = await transaction
    .selectFrom("queues")
    .select(["pause", "waiting"])
    .where("paused_at", "is not", null)
    .orderBy("paused_at", "desc")
    .limit(MAX_SHOWN)
    .execute();
  return rows.flatMap(({ pause, waiting }) => {
    if (pause === null) return [];
    const { to, reason, at, retryAt } = pause;
    return [{ to, reason, at, retryAt, waiting }];
  });
}

async function readFailed(transaction: Transaction<Schema>): Promise<OutboxSummary["failed"]> {
  const rows = await transaction
    .selectFrom("messages")
    .select(["queue_key", "result", "at", "deliveries"])
    .where(sql<boolean>`has_failed`)
    .orderBy("at", "desc")
    .orderBy("number", "desc")
    .limit(MAX_SHOWN)
    .execute();
  return rows.map(({ queue_key, result, at, deliveries }) => ({
    to: parseDestinationKey(queue_key),
    reason: result.kind === "failed" ? result.reason : "",
    at,
    deliveries: deliveries.length,
  }));
}

async function readDelayed(transaction: Transaction<Schema>): Promise<OutboxSummary["delayed"]> {
  const rows = await transaction
    .selectFrom("attempts")
    .select(["queue_key", "problem", "not_before", "sends"])
    .where("problem", "is not", null)
    .where(isNotPaused)
    .orderBy("created_at", "desc")
    .limit(MAX_SHOWN)
    .execute();
  const deferred = await transaction
    .selectFrom("deliveries")
    .select(["queue_key", "deferral"])
    .where("deferral", "is not", null)
    .where(isInNoAttempt)
    // In the order of the column itself, SQLite would read all deliveries.
    .orderBy(sql`arrival + 0`, "desc")
    .limit(MAX_SHOWN)
    .execute();
  return [
    ...rows.map(({ queue_key, problem, not_before, sends }) => {
      return { to: parseDestinationKey(queue_key), problem: problem ?? "", notBefore: not_before, sends };
    }),
    ...deferred.flatMap(({ queue_key, deferral }) => {
      if (deferral === null) return [];
      const { reason, notBefore, failures } = deferral;
      return [{ to: parseDestinationKey(queue_key), problem: reason, notBefore, sends: failures }];
    }),
  ].slice(0, MAX_SHOWN);
}
