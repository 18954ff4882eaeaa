import { sql, type Transaction } from "kysely";
import { type DestinationKey, parseDestinationKey } from "../../../domain/alert/destination.ts";
import type { Pause } from "../../../domain/alert/pause.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { OutboxSummary } from "../../../ports/store.ts";
import type { Schema } from "../schema.ts";

/** Maximum length of each list. */
const MAX_SHOWN = 20;

type Counts = Pick<OutboxSummary, "waiting" | "uncertain"> & OutboxSummary["totals"];

/** Reads the summary in the same transaction. The totals count entries of small indexes. */
export async function readSummary(transaction: Transaction<Schema>): Promise<OutboxSummary> {
  const { rows } = await sql<Counts>`
    select
      (select sum(number) from counts where counter = 'waiting') as waiting,
      (select count(*) from attempts where state = 'uncertain') as uncertain,
      (select count(*) from queues where paused_at is not null) as paused,
      (select count(*) from messages where has_failed) as failed,
      (select count(*) from attempts a where problem is not null and ${isNotPaused}) as delayed
  `.execute(transaction);
  const { waiting = 0, uncertain = 0, ...totals } = rows[0] ?? {};
  return {
    waiting,
    uncertain,
    totals: { paused: 0, failed: 0, delayed: 0, ...totals },
    paused: await readPaused(transaction),
    failed: await readFailed(transaction),
    delayed: await readDelayed(transaction),
  };
}

const isNotPaused = sql`not exists (select from queues q where q.key = a.queue_key and q.paused_at is not null)`;

async function readPaused(transaction: Transaction<Schema>): Promise<OutboxSummary["paused"]> {
  const { rows } = await sql<{ readonly pause: Pause; readonly waiting: number }>`
    select pause, waiting from queues where paused_at is not null order by paused_at desc limit ${MAX_SHOWN}
  `.execute(transaction);
  return rows.map(({ pause: { to, reason, at, retryAt }, waiting }) => ({ to, reason, at, retryAt, waiting }));
}

async function readFailed(transaction: Transaction<Schema>): Promise<OutboxSummary["failed"]> {
  const { rows } = await sql<{
    readonly queue_key: DestinationKey;
    readonly reason: string;
    readonly at: Instant;
    readonly deliveries: number;
  }>`
    select queue_key, result ->> 'reason' as reason, at, cardinality(deliveries) as deliveries
    from messages where has_failed order by at desc, number desc limit ${MAX_SHOWN}
  `.execute(transaction);
  return rows.map(({ queue_key, ...row }) => ({ to: parseDestinationKey(queue_key), ...row }));
}

async function readDelayed(transaction: Transaction<Schema>): Promise<OutboxSummary["delayed"]> {
  const { rows } = await sql<{
    readonly queue_key: DestinationKey;
    readonly problem: string;
    readonly not_before: number;
    readonly sends: number;
  }>`
    select queue_key, problem, not_before, sends
    from attempts a where problem is not null and ${isNotPaused}
    order by created_at desc limit ${MAX_SHOWN}
  `.execute(transaction);
  return rows.map(({ queue_key, problem, not_before, sends }) => {
    return { to: parseDestinationKey(queue_key), problem, notBefore: not_before, sends };
  });
}
