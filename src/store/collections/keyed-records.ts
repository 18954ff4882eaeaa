import { isDeepStrictEqual } from "node:util";
import { type Expression, type InsertObject, type SqlBool, sql } from "kysely";
import { destinationKey } from "../../domain/alert/destination.ts";
import { type KeyedKind, keyedKind, type StateValues } from "../../ports/state-records.ts";
import type { KeyedRecords } from "../../ports/store.ts";
import { type Database, json } from "../database.ts";
import type { Schema } from "../schema.ts";

/** Records of one kind in the table that all keyed kinds share. */
export class SqlKeyedRecords<K extends KeyedKind> implements KeyedRecords<K> {
  readonly #kind: K;
  readonly #database: Database;

  constructor(kind: K, database: Database) {
    this.#kind = kind;
    this.#database = database;
  }

  async find(key: string): Promise<StateValues[K] | null> {
    const row = await this.#database.db
      .selectFrom("keyed_records")
      .select("value")
      .where(this.#has(key))
      .executeTakeFirst();
    return row === undefined ? null : (row.value as StateValues[K]);
  }

  async all(): Promise<readonly StateValues[K][]> {
    const rows = await this.#database.db
      .selectFrom("keyed_records")
      .select("value")
      .where("kind", "=", this.#kind)
      .orderBy("key")
      .execute();
    return rows.map(({ value }) => value as StateValues[K]);
  }

  async put(value: StateValues[K]): Promise<void> {
    await this.#database.db
      .insertInto("keyed_records")
      .values(rowOfKeyedRecord(this.#kind, value))
      .onConflict((conflict) => conflict.columns(["kind", "key"]).doUpdateSet({ value: json<unknown>(value) }))
      .execute();
  }

  replace(before: StateValues[K], next: StateValues[K]): Promise<boolean> {
    const isWanted = this.#has(keyedKind(this.#kind).keyOf(before));
    return this.#database.transaction(async (transaction) => {
      const stored = await transaction
        .selectFrom("keyed_records")
        .select("value")
        .where(isWanted)
        .forUpdate()
        .executeTakeFirst();
      if (!isDeepStrictEqual(stored?.value, before)) return false;
      await transaction
        .updateTable("keyed_records")
        .set({ value: json<unknown>(next) })
        .where(isWanted)
        .execute();
      return true;
    });
  }

  async remove(key: string): Promise<void> {
    await this.#database.db.deleteFrom("keyed_records").where(this.#has(key)).execute();
  }

  #has(key: string): Expression<SqlBool> {
    return sql<SqlBool>`kind = ${this.#kind} and key = ${key}`;
  }
}

export function rowOfKeyedRecord<K extends KeyedKind>(
  kind: K,
  value: StateValues[K],
): InsertObject<Schema, "keyed_records"> {
  const { keyOf, personOf } = keyedKind(kind);
  const person = personOf(value);
  return { kind, key: keyOf(value), person: person && destinationKey(person), value: json<unknown>(value) };
}
