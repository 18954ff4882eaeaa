import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";

/**
 * People who were purged and have requested nothing since: a commit prepared before the purge must not restore data about
 * them. In memory only, as such a commit is.
 */
export class PurgedPeople {
  readonly #keys = new Set<DestinationKey>();

  has(key: DestinationKey): boolean {
    return this.#keys.has(key);
  }

  add(person: Person): void {
    this.#keys.add(destinationKey(person));
  }

  remove(key: DestinationKey): void {
    this.#keys.delete(key);
  }
}
