import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { Schema } from "./schema.ts";

/** The tables of a store, in either engine. Failures are StoreErrors. */
export interface Database {
  /** Name in messages. */
  readonly name: string;
  /**
   * For reads, and for writes of one statement that may be repeated: an outage can leave open whether it was executed. All other
   * writes are transactions.
   */
  readonly db: Kysely<Schema>;
  /** Runs a transaction. `work` must have no other effects, because it is repeated after a conflict. */
  transaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** Runs reads that see the same state. */
  readTransaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>;
  hasTable(name: string): Promise<boolean>;
  /** Why the database can't be used; null if it can. */
  health(): string | null;
}

/** A database whose connections are used for nothing else. */
export type OwnDatabase = Database & { close(): Promise<void> };

/** Parameter of a column with JSON. */
export function json<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}`;
}

/** Parameter of a column with JSON that may be null. */
export function jsonOrNull<T>(value: T | null): RawBuilder<T> | null {
  return value === null ? null : json(value);
}

/** Condition that a column has one of the values, of which there are at most some thousands. */
export function isOneOf(column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  return values.length === 0 ? sql<boolean>`false` : sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`;
}

/** Rows of the table `locks`. */
export const LOCKS = 64;

/** Locks a name until the end of the transaction: other transactions that lock it, or one of the names that share its row, wait. */
export async function lockName(transaction: Transaction<Schema>, name: string): Promise<void> {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % LOCKS;
  await transaction.selectFrom("locks").select("number").where("number", "=", hash).forUpdate().execute();
}

/** Divides streamed rows into pages of at most `size` rows. */
export async function* pagesOf<T>(rows: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
