import type { RawBuilder } from "kysely";
import { destinationKey } from "../../domain/alert/destination.ts";
import type { PendingImport } from "../../domain/settings/pending-import.ts";
import type { Instant } from "../../domain/time/day.ts";
import { inPages } from "../../lib/collections.ts";
import { type Imports, PAGE_SIZE } from "../../ports/store.ts";
import { type Database, json, lockName } from "../database.ts";
import { newestImports } from "../import-limits.ts";
import type { Schema } from "../schema.ts";

export class SqlImports implements Imports {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async save(pending: PendingImport, now: Instant): Promise<void> {
    const own = rowOfImport(pending);
    await this.#database.transaction(async (transaction) => {
      await lockName(transaction, "imports");
      const others = await transaction
        .selectFrom("imports")
        .select(["id", "person", "until", "size"])
        .where("id", "<>", own.id)
        .orderBy("until")
        .orderBy("number")
        .execute();
      const kept = new Set(newestImports([...others, own], now).map(({ id }) => id));
      const removed = [...others.map(({ id }) => id).filter((id) => !kept.has(id)), own.id];
      for (const page of inPages(removed, PAGE_SIZE))
        await transaction.deleteFrom("imports").where("id", "in", page).execute();
      if (kept.has(own.id)) await transaction.insertInto("imports").values(own).execute();
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
        .set(rowOfImport(next))
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

type ImportRow = Omit<Schema["imports"], "number" | "value"> & { readonly value: RawBuilder<PendingImport> };

export function rowOfImport(pending: PendingImport): ImportRow {
  const { id, until, state } = pending;
  const size = JSON.stringify(pending).length;
  return { id, person: destinationKey(pending.person), until, state, size, value: json(pending) };
}
