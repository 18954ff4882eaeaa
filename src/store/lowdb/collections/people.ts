import type { Attempt } from "../../../domain/alert/delivery.ts";
import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";
import { redactBody } from "../../../domain/alert/personal-data.ts";
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

/**
 * Purges while destinations are claimed. A message that was rendered before must not restore the person's name. In memory only,
 * because rendered messages do not survive a restart either.
 */
export class PurgesDuringClaims {
  readonly #running = new Set<Person>();
  /** The people who were purged since the claim, by claimed destination. */
  readonly #byClaim = new Map<DestinationKey, Set<Person>>();

  claimed(key: DestinationKey): void {
    this.#byClaim.set(key, new Set(this.#running));
  }

  released(key: DestinationKey): void {
    this.#byClaim.delete(key);
  }

  async during(person: Person, purge: () => Promise<void>): Promise<void> {
    this.#running.add(person);
    for (const people of this.#byClaim.values()) people.add(person);
    try {
      await purge();
    } finally {
      this.#running.delete(person);
    }
  }

  /** Returns the attempt without the names of people who were purged since it was claimed. */
  redact(attempt: Attempt): Attempt {
    let redacted = attempt;
    for (const person of this.#byClaim.get(destinationKey(attempt.to)) ?? [])
      if (person.platform === attempt.to.platform) redacted = { ...redacted, body: redactBody(redacted.body, person) };
    return redacted;
  }
}
