import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";
import { BoundedMap } from "../../../lib/collections.ts";
import type { DirectChannels } from "../../../ports/store.ts";
import type { StateFile } from "../files/json-file.ts";

/** Content of `people.json`: the direct-message channel of each person. */
export type PeopleFile = Readonly<Record<DestinationKey, string>>;

export class LowdbDirectChannels implements DirectChannels {
  readonly #file: StateFile<PeopleFile>;

  constructor(file: StateFile<PeopleFile>) {
    this.#file = file;
  }

  async of(person: Person): Promise<string | null> {
    const key = destinationKey(person);
    return Object.hasOwn(this.#file.state, key) ? (this.#file.state[key] ?? null) : null;
  }

  async save(person: Person, channelId: string): Promise<void> {
    const key = destinationKey(person);
    await this.#file.change((people) => [
      people[key] === channelId ? people : { ...people, [key]: channelId },
      undefined,
    ]);
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
