import { randomBytes } from "node:crypto";
import { type DestinationKey, destinationKey, type Person, parsePersonKey } from "../../domain/alert/destination.ts";
import type { Calendars } from "../../ports/store.ts";
import type { Database } from "../database.ts";

/** 160 bits, written as hexadecimal digits, which no platform interprets as markup. */
const TOKEN_BYTES = 20;

/** Tokens are not hashed: people can display their address again, and a token grants access only to a watchlist. */
export class SqlCalendars implements Calendars {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async tokenOf(person: Person): Promise<string> {
    return (await this.#savedToken(person)) ?? this.#createToken(person);
  }

  async personOf(token: string): Promise<Person | null> {
    const row = await this.#database.db
      .selectFrom("calendars")
      .select("person")
      .where("token", "=", token)
      .executeTakeFirst();
    return row === undefined ? null : parsePersonKey(row.person as DestinationKey);
  }

  async revoke(person: Person): Promise<boolean> {
    const { numDeletedRows } = await this.#database.transaction((transaction) =>
      transaction.deleteFrom("calendars").where("person", "=", destinationKey(person)).executeTakeFirst(),
    );
    return numDeletedRows > 0n;
  }

  async #savedToken(person: Person): Promise<string | undefined> {
    const row = await this.#database.db
      .selectFrom("calendars")
      .select("token")
      .where("person", "=", destinationKey(person))
      .executeTakeFirst();
    return row?.token;
  }

  /** Returns the token of a process that was faster, if there is one. */
  async #createToken(person: Person): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString("hex");
    const saved = await this.#database.db
      .insertInto("calendars")
      .values({ person: destinationKey(person), token })
      .onConflict((conflict) => conflict.column("person").doUpdateSet({ token: (row) => row.ref("calendars.token") }))
      .returning("token")
      .executeTakeFirstOrThrow();
    return saved.token;
  }
}
