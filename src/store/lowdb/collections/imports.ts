import { destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { PendingImport } from "../../../domain/settings/pending-import.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Imports } from "../../../ports/store.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Table } from "../rows/table.ts";
import type { Transaction } from "../rows/transaction.ts";

const MAX_PER_PERSON = 3;

/** Limit for the JSON of all imports together. */
const MAX_TOTAL_CHARACTERS = 4 * 1024 * 1024;

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
      const kept = new Set(newestWithinLimits([...others.toSorted((a, b) => a.until - b.until), pending], now));
      for (const other of others) if (!kept.has(other)) transaction.remove(this.#table, other.id);
      if (kept.has(pending)) transaction.put(this.#table, pending.id, pending);
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

/** The newest imports within the limits, of a list that begins with the oldest. */
function newestWithinLimits(imports: readonly PendingImport[], now: Instant): readonly PendingImport[] {
  const counts = new Map<string, number>();
  const newest: PendingImport[] = [];
  let size = 0;
  for (const pending of imports.filter(({ until }) => until > now).toReversed()) {
    const key = destinationKey(pending.person);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    size += JSON.stringify(pending).length;
    if (count <= MAX_PER_PERSON && (size <= MAX_TOTAL_CHARACTERS || newest.length === 0)) newest.push(pending);
  }
  return newest;
}
