import { type RawBuilder, sql } from "kysely";
import type { Instant } from "../../domain/time/day.ts";
import type { Database } from "../database.ts";

/** Rows that are removed by one statement, so that no other change waits for long. */
export const BATCH = 1_000;

/** Removes postings before `before`. */
export async function prunePostings(database: Database, before: Instant): Promise<void> {
  await deleteInBatches(
    database,
    sql`delete from postings where number in (select number from postings where at < ${before} limit ${BATCH})`,
  );
}

/** `statement`: deletes at most `BATCH` rows. */
export async function deleteInBatches({ db }: Database, statement: RawBuilder<unknown>): Promise<void> {
  let count = BATCH;
  while (count === BATCH) count = Number((await statement.execute(db)).numAffectedRows);
}
