import { type Kysely, sql } from "kysely";
import type { DestinationKey } from "../../../domain/alert/destination.ts";
import type { Schema } from "../schema.ts";

/** Ends the delay of the last release of a destination, if there is one, and wakes the processes that deliver. */
export async function endReleaseDelay(db: Kysely<Schema>, key: DestinationKey): Promise<void> {
  await sql`
    with changed as (
      update queues set release_due = null, release_delay = null
      where key = ${key} and release_due is not null
      returning 1
    )
    select pg_notify('splitwatch', 'deliveries ') from changed
  `.execute(db);
}
