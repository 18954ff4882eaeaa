import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema.ts";

/** Tables that contain the state, without those that have rows in every database. */
export const STATE_TABLES = [
  "snapshot_rows",
  "events",
  "queues",
  "deliveries",
  "attempts",
  "messages",
  "rules",
  "rule_numbers",
  "watchlists",
  "watchlist_entries",
  "direct_channels",
  "calendars",
  "destination_settings",
  "imports",
  "installations",
  "used_tokens",
  "postings",
  "source_records",
  "api_keys",
] as const;

/** Names of the tables that contain a state; empty if there is none. */
export async function tablesWithRows(db: Kysely<Schema>): Promise<readonly string[]> {
  const checks = STATE_TABLES.map((name) => sql`select ${name} as name where exists (select from ${sql.table(name)})`);
  const { rows } = await sql<{ readonly name: string }>`
    select 'snapshot' as name from snapshot where header is not null
    union all select 'posting_number' from posting_number where last > 0
    union all ${sql.join(checks, sql` union all `)}
  `.execute(db);
  return rows.map(({ name }) => name);
}

/** Names of the tables that the user may not read or change. */
export async function forbiddenTables(db: Kysely<Schema>): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select name from unnest(${[...STATE_TABLES, "locks", "purge_key"]}::text[]) as name
    where not (
      select bool_and(has_table_privilege(name, privilege)) from unnest(array['select', 'insert', 'update', 'delete']) as privilege
    )
  `.execute(db);
  return rows.map(({ name }) => name);
}
