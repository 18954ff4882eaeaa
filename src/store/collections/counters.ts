import { randomInt } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";

/** What is counted: deliveries that wait, rules, and people with a watchlist. */
type Counter = "waiting" | "rules" | "people";

const SHARDS = 64;

/** Counter rows are locked last in a transaction. */
export async function changeCount(db: Kysely<Schema>, counter: Counter, added: number): Promise<void> {
  if (added === 0) return;
  await sql`
    insert into counts (counter, shard, number) values (${counter}, ${randomInt(SHARDS)}, ${added})
    on conflict (counter, shard) do update set number = counts.number + excluded.number
  `.execute(db);
}

export async function readCount(db: Kysely<Schema>, counter: Counter): Promise<number> {
  const row = await db
    .selectFrom("counts")
    .select(({ fn }) => fn.sum<number | null>("number").as("total"))
    .where("counter", "=", counter)
    .executeTakeFirst();
  return row?.total ?? 0;
}
