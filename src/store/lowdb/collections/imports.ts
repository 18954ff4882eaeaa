import { destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { PendingImport } from "../../../domain/settings/pending-import.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Imports } from "../../../ports/store.ts";
import { type ImportSize, newestImports } from "../../import-limits.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Table } from "../rows/table.ts";
import type { Transaction } from "../rows/transaction.ts";

export class LowdbImports implements Imports {
  readonly #log: ChangeLog;
  readonly #table: Table<PendingImport>;

  constructor(log: ChangeLog) {
    this.#log = log;
    this.#table = log.tables.imports;
  }

  async save(pending: PendingImport, now: Instant): Promise<void> {
    await this.#log.change((transaction) => {
      const others = [...transaction.entries(this.#table).values()].filter(({ id }) => id !== pending.id);
      const all = [...others.toSorted((a, b) => a.until - b.until), pending];
      const kept = new Set(newestImports(all.map(sizeOf), now).map(({ id }) => id));
      for (const { id } of others) if (!kept.has(id)) transaction.remove(this.#table, id);
      if (kept.has(pending.id)) transaction.put(this.#table, pending.id, pending);
      else transaction.remove(this.#table, pending.id);
    });
  }

  async find(id: string): Promise<PendingImport | null> {
    return this.#table.get(id) ?? null;
  }

  transition(next: PendingImport, from: PendingImport["state"]): Promise<boolean> {
    return this.#log.change((transaction) => {
      if (transaction.get(this.#table, next.id)?.state !== from) return false;
      transaction.put(this.#table, next.id, next);
      return true;
    });
  }

  async remove(id: string): Promise<void> {
    await this.#log.change((transaction) => transaction.remove(this.#table, id));
  }
}

export function purgeImports(table: Table<PendingImport>, person: Person, transaction: Transaction): void {
  const key = destinationKey(person);
  for (const { id, person: owner } of transaction.entries(table).values())
    if (destinationKey(owner) === key) transaction.remove(table, id);
}

function sizeOf(pending: PendingImport): ImportSize {
  const { id, person, until } = pending;
  return { id, person: destinationKey(person), until, size: JSON.stringify(pending).length };
}
