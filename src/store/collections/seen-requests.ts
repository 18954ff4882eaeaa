import type { SeenRequests } from "../../ports/store.ts";
import type { Database } from "../database.ts";
import type { SharedTime } from "../process-clock.ts";

/** Expired ids that one call removes: more than it adds. */
const MAX_REMOVED = 100;

export class SqlSeenRequests implements SeenRequests {
  readonly #database: Database;
  readonly #time: SharedTime;

  constructor(database: Database, time: SharedTime) {
    this.#database = database;
    this.#time = time;
  }

  add(ids: readonly string[], keepMs: number): Promise<boolean> {
    const wanted = [...new Set(ids)].toSorted();
    if (wanted.length === 0) return Promise.resolve(true);
    const now = this.#time.now();
    const until = now + Math.ceil(keepMs);
    return this.#database.transaction(async (transaction) => {
      const added = await transaction
        .insertInto("seen_requests")
        .values(wanted.map((id) => ({ id, until })))
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ until }).where("seen_requests.until", "<=", now))
        .returning("id")
        .execute();
      await transaction
        .deleteFrom("seen_requests")
        .where("id", "in", (eb) =>
          eb
            .selectFrom("seen_requests")
            .select("id")
            .where("until", "<=", now)
            .orderBy("until")
            .limit(MAX_REMOVED)
            .forUpdate()
            .skipLocked(),
        )
        .execute();
      return added.length === wanted.length;
    });
  }
}
