import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";

/** What is counted: deliveries that wait, rules, and people with a watchlist. */
type Counter = "waiting" | "rules" | "people";

/** Counter rows are locked last in a transaction. */
export async function changeCount(db: Kysely<Schema>, counter: Counter, added: number): Promise<void> {
  if (added !== 0) await sql`select change_count(${counter}, ${added})`.execute(db);
}

export async function readCount(db: Kysely<Schema>, counter: Counter): Promise<number> {
  const { rows } = await sql<{ readonly total: number }>`
    select sum(number) as total from counts where counter = ${counter}
  `.execute(db);
  return rows[0]?.total ?? 0;
}
