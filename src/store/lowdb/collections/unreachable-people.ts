import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";

/**
 * Those who were forgotten and asked for nothing since. A commit that was made ready before, from a watchlist that is gone
 * now, must not bring them back. Need not outlive the process: nor does that commit.
 */
export class Absent {
  readonly #keys = new Set<DestinationKey>();

  has(key: DestinationKey): boolean {
    return this.#keys.has(key);
  }

  leaves(person: Person): void {
    this.#keys.add(destinationKey(person));
  }

  returns(key: DestinationKey): void {
    this.#keys.delete(key);
  }
}
