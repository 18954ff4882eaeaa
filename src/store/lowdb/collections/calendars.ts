import { randomBytes } from "node:crypto";
import { type DestinationKey, destinationKey, type Person, parsePersonKey } from "../../../domain/alert/destination.ts";
import type { Calendars } from "../../../ports/store.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Row, Table } from "../rows/table.ts";

/** 160 bits, written as hexadecimal digits, which no platform interprets as markup. */
const TOKEN_BYTES = 20;

/**
 * Tokens are not hashed: people can display their address again, and a token grants access only to a watchlist, which is stored
 * in the same folder.
 */
export class LowdbCalendars implements Calendars {
  readonly #log: ChangeLog;
  readonly #table: Table<string>;
  readonly #owners = new Map<string, DestinationKey>();

  constructor(log: ChangeLog) {
    this.#log = log;
    this.#table = log.tables.calendars;
    this.#table.addIndex({
      changed: ({ key }: Row<string>, before, after) => {
        if (before !== undefined) this.#owners.delete(before);
        if (after !== undefined) this.#owners.set(after, key as DestinationKey);
      },
    });
  }

  async tokenOf(person: Person): Promise<string> {
    const key = destinationKey(person);
    // Reading an existing token also works on a full disk.
    const savedToken = this.#table.get(key);
    if (savedToken !== undefined) return savedToken;
    return this.#log.change((transaction) => {
      const existing = transaction.get(this.#table, key);
      if (existing !== undefined) return existing;
      const token = randomBytes(TOKEN_BYTES).toString("hex");
      transaction.put(this.#table, key, token);
      return token;
    });
  }

  async personOf(token: string): Promise<Person | null> {
    const owner = this.#owners.get(token);
    return owner === undefined ? null : parsePersonKey(owner);
  }

  async revoke(person: Person): Promise<boolean> {
    return this.#log.change((transaction) => {
      const key = destinationKey(person);
      const exists = transaction.get(this.#table, key) !== undefined;
      transaction.remove(this.#table, key);
      return exists;
    });
  }
}
