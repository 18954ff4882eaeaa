import type { Instant } from "../../domain/time/day.ts";
import type { Sessions } from "../../ports/store.ts";
import { type Database, lockName } from "../database.ts";

export class SqlSessions implements Sessions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async start(
    { id, until }: { readonly id: string; readonly until: Instant },
    now: Instant,
    max: number,
  ): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await lockName(transaction, "sessions");
      await transaction
        .deleteFrom("sessions")
        .where((eb) =>
          eb.or([
            eb("until", "<=", now),
            eb(
              "id",
              "not in",
              eb
                .selectFrom("sessions")
                .select("id")
                .where("id", "<>", id)
                .orderBy("until", "desc")
                .orderBy("number", "desc")
                .limit(Math.max(0, max - 1)),
            ),
          ]),
        )
        .execute();
      await transaction.insertInto("sessions").values({ id, until }).execute();
    });
  }

  async isOpen(id: string, now: Instant): Promise<boolean> {
    const row = await this.#database.db.selectFrom("sessions").select("until").where("id", "=", id).executeTakeFirst();
    return row !== undefined && row.until > now;
  }

  async end(id: string): Promise<void> {
    await this.#database.db.deleteFrom("sessions").where("id", "=", id).execute();
  }
}
