import { sql } from "kysely";
import { destinationKey } from "../../../domain/alert/destination.ts";
import type { PendingImport } from "../../../domain/settings/pending-import.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Imports } from "../../../ports/store.ts";
import { newestImports } from "../../import-limits.ts";
import { type Database, json, lockName } from "../database.ts";

export class PostgresImports implements Imports {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async save(pending: PendingImport, now: Instant): Promise<void> {
    const { id, until } = pending;
    const person = destinationKey(pending.person);
    await this.#database.transaction(async (transaction) => {
      await lockName(transaction, "imports");
      const others = await transaction
        .selectFrom("imports")
        .select(["id", "person", "until", sql<number>`length(value::text)`.as("size")])
        .where("id", "<>", id)
        .orderBy("until")
        .orderBy("number")
        .execute();
      const own = { id, person, until, size: JSON.stringify(pending).length };
      const kept = newestImports([...others, own], now).map((row) => row.id);
      await transaction
        .deleteFrom("imports")
        .where("id", "<>", sql<string>`all(${kept.filter((name) => name !== id)}::text[])`)
        .execute();
      if (kept.includes(id))
        await transaction
          .insertInto("imports")
          .values({ id, person, until, state: pending.state, value: json(pending) })
          .execute();
    });
  }

  async find(id: string): Promise<PendingImport | null> {
    const row = await this.#database.db.selectFrom("imports").select("value").where("id", "=", id).executeTakeFirst();
    return row?.value ?? null;
  }

  async transition(next: PendingImport, from: PendingImport["state"]): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.transaction((transaction) =>
      transaction
        .updateTable("imports")
        .set({ state: next.state, until: next.until, value: json(next) })
        .where("id", "=", next.id)
        .where("state", "=", from)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }

  async remove(id: string): Promise<void> {
    await this.#database.db.deleteFrom("imports").where("id", "=", id).execute();
  }
}
