import { sql, type Transaction } from "kysely";
import type { StateKind } from "../../ports/state-records.ts";
import type { Database } from "../database.ts";
import type { Schema } from "../schema.ts";
import { chunksOfJson, type StateChunk } from "../state-chunks.ts";
import { SINGLE_ROWS, STATE_KINDS, STATE_TABLES } from "./state-kinds.ts";

/**
 * Reads the state as it is at one moment. `begin` prepares the transaction, which may take any time: what is read may be written into a
 * pipe.
 */
export async function* readState(
  { db }: Database,
  begin?: (transaction: Transaction<Schema>) => Promise<void>,
): AsyncGenerator<StateChunk> {
  const transaction = await db
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute();
  try {
    await begin?.(transaction);
    for (const [kind, { read }] of Object.entries(STATE_KINDS))
      yield* chunksOfJson(kind as StateKind, jsonOf(read(transaction)));
  } finally {
    await transaction.rollback().execute();
  }
}

async function* jsonOf(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield JSON.stringify(value);
}

/** Names of the tables that contain a state; empty if there is none. */
export async function tablesWithState(transaction: Transaction<Schema>): Promise<readonly string[]> {
  const checks = STATE_TABLES.map((name) => {
    const isState = SINGLE_ROWS[name] ?? sql`true`;
    return sql`select ${sql.lit(name)} as name where exists (select 1 from ${sql.table(name)} where ${isState})`;
  });
  const { rows } = await sql<{ readonly name: string }>`${sql.join(checks, sql` union all `)}`.execute(transaction);
  return rows.map(({ name }) => name);
}
