import { sql } from "kysely";
import type { SeenRequests } from "../../../ports/store.ts";
import type { Database } from "../database.ts";
import type { SharedTime } from "../shared-time.ts";

/** Expired ids that one call removes: more than it adds. */
const MAX_REMOVED = 100;

export class PostgresSeenRequests implements SeenRequests {
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
    return this.#database.transaction(async (transaction) => {
      const { rows } = await sql<{ readonly added: number }>`
        with expired as (
          delete from seen_requests where id in (
            select id from seen_requests where until <= ${now} and id <> all(${wanted}::text[])
            order by until limit ${MAX_REMOVED} for update skip locked
          )
        ), added as (
          insert into seen_requests (id, until) select unnest(${wanted}::text[]), ${now + Math.ceil(keepMs)}
          on conflict (id) do update set until = excluded.until where seen_requests.until <= ${now}
          returning id
        )
        select count(*) as added from added
      `.execute(transaction);
      return rows[0]?.added === wanted.length;
    });
  }
}
