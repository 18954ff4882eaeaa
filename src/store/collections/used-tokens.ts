import type { Instant } from "../../domain/time/day.ts";
import type { UsedTokens } from "../../ports/store.ts";
import type { Database } from "../database.ts";

export class SqlUsedTokens implements UsedTokens {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  consume(token: string, now: Instant, until: Instant): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      const row = await transaction
        .insertInto("used_tokens")
        .values({ token, until })
        .onConflict((conflict) => conflict.column("token").doNothing())
        .returning("token")
        .executeTakeFirst();
      if (row === undefined) return false;
      await transaction.deleteFrom("used_tokens").where("until", "<=", now).where("token", "<>", token).execute();
      return true;
    });
  }
}
