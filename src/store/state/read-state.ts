import { sql, type Transaction } from "kysely";
import type { StateKind, StateRecord } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
import type { OwnDatabase } from "../database.ts";
import type { Migrations } from "../migrations.ts";
import type { Schema } from "../schema.ts";
import { SINGLE_ROWS, STATE_KINDS, STATE_TABLES } from "./state-kinds.ts";

export interface ReadOptions {
  readonly migrations: Migrations;
  /** Default: all kinds, in the order of a backup. */
  readonly kinds?: readonly StateKind[] | undefined;
  /** Prepares the transaction, which may take any time: what is read may be written into a pipe. */
  readonly begin?: (transaction: Transaction<Schema>) => Promise<void>;
}

/** Reads the state as it is at one moment, and closes the database. Yields nothing if it has no tables. */
export async function* readState(
  database: OwnDatabase,
  { migrations, kinds, begin }: ReadOptions,
): AsyncGenerator<StateRecord> {
  try {
    const { applied, pending } = await migrations.read();
    if (applied.length === 0) return;
    if (pending.length > 0)
      throw new StoreError(
        `${database.name}: migrations are pending (${pending.join(", ")}); start this version of splitwatch first, which applies them`,
      );
    const transaction = await database.db
      .startTransaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute();
    try {
      await begin?.(transaction);
      for (const kind of kinds ?? (Object.keys(STATE_KINDS) as StateKind[])) yield* recordsOf(transaction, kind);
    } finally {
      await transaction.rollback().execute();
    }
  } finally {
    await database.close();
  }
}

async function* recordsOf(transaction: Transaction<Schema>, kind: StateKind): AsyncGenerator<StateRecord> {
  for await (const value of STATE_KINDS[kind].read(transaction)) yield { kind, value } as StateRecord;
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
