import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";
import { BoundedMap } from "../../../lib/collections.ts";
import type { DirectChannels } from "../../../ports/store.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Table } from "../rows/table.ts";

export class LowdbDirectChannels implements DirectChannels {
  readonly #log: ChangeLog;
  readonly #table: Table<string>;

  constructor(log: ChangeLog) {
    this.#log = log;
    this.#table = log.tables.directChannels;
  }

  async of(person: Person): Promise<string | null> {
    return this.#table.get(destinationKey(person)) ?? null;
  }

  async save(person: Person, channelId: string): Promise<void> {
    const key = destinationKey(person);
    await this.#log.change((transaction) => {
      if (transaction.get(this.#table, key) !== channelId) transaction.put(this.#table, key, channelId);
    });
  }
}

/** A commit is prepared and saved within seconds, in which far fewer people are purged. */
const MAX_PURGED = 10_000;

/**
 * Purged people who have added no rule and no ticker since. A commit that was prepared before the purge must not restore data
 * about them. In memory only, because prepared commits do not survive a restart either.
 */
export class PurgedPeople {
  readonly #keys = new BoundedMap<DestinationKey, true>(MAX_PURGED);

  has(key: DestinationKey): boolean {
    return this.#keys.has(key);
  }

  add(person: Person): void {
    this.#keys.set(destinationKey(person), true);
  }

  remove(key: DestinationKey): void {
    this.#keys.delete(key);
  }
}
