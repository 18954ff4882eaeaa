import { type ControlledTransaction, type RawBuilder, sql } from "kysely";
import type { DeliveryId } from "../../domain/alert/delivery.ts";
import { type DestinationKey, parseDestinationKey, parsePersonKey } from "../../domain/alert/destination.ts";
import { EMPTY_SNAPSHOT, headerOf } from "../../domain/diff/snapshot.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import type { StateKind, StateValues } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
import { chunksOfJson, type StateChunk } from "../state-chunks.ts";
import { type AttemptRow, attemptOf } from "./collections/claims.ts";
import { deliveryOf } from "./collections/outbox.ts";
import { Database } from "./database.ts";
import { readMigrations } from "./migrate.ts";
import type { Schema } from "./schema.ts";
import type { DatabaseAddress } from "./settings.ts";
import { tablesWithRows } from "./state-tables.ts";

/** Rows that are fetched together. */
const PAGE = 500;

type Transaction = ControlledTransaction<Schema>;

/** Reads the state of a database as it is at one moment; yields nothing if there is none. */
export async function* readState(address: DatabaseAddress): AsyncGenerator<StateChunk> {
  const limits = { maxConnections: 1, statementMs: 0 };
  const database = new Database(address, { log: SILENT_LOG, applicationName: "splitwatch backup", limits });
  try {
    if (await hasTables(database)) yield* inSnapshot(database);
  } finally {
    await database.close();
  }
}

async function hasTables(database: Database): Promise<boolean> {
  const { applied, pending } = await readMigrations(database);
  if (applied.length > 0 && pending.length > 0)
    throw new StoreError(`database: migrations are pending (${pending.join(", ")}); run splitwatch migrate first`);
  return applied.length > 0;
}

async function* inSnapshot({ db }: Database): AsyncGenerator<StateChunk> {
  const transaction = await db
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute();
  try {
    // What is written may be a pipe, whose reader takes any time.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
    if ((await tablesWithRows(transaction)).length > 0) yield* chunksIn(transaction);
  } finally {
    await transaction.rollback().execute();
  }
}

async function* chunksIn(transaction: Transaction): AsyncGenerator<StateChunk> {
  for (const [kind, values] of Object.entries(KINDS)) yield* chunksOfJson(kind as StateKind, values(transaction));
}

/** Values of each kind in JSON, in the order of a backup. */
const KINDS: { readonly [K in Exclude<StateKind, "forgetting">]: (transaction: Transaction) => AsyncIterable<string> } =
  {
    snapshot: snapshotHeader,
    split: (transaction) => snapshotRows(transaction, "split"),
    "past-split": (transaction) => snapshotRows(transaction, "past"),
    article: (transaction) => snapshotRows(transaction, "article"),
    event: stored(sql`select value::text from events order by number`),
    message: composed(
      sql`
        select m.message_id, m.queue_key, m.at, m.result, array(
          select json_build_array(d.id, d.event_id, d.reasons, d.mentions)
          from unnest(m.deliveries) with ordinality as carried (id, n) join deliveries d on d.id = carried.id order by n
        ) as settled
        from messages m order by m.number
      `,
      messageOf,
    ),
    delivery: composed(
      sql`
        select id, queue_key, event_id, reasons, mentions from deliveries where message_id is null order by arrival
      `,
      deliveryOf,
    ),
    attempt: composed(
      sql`select * from attempts order by created_at, queue_key`,
      (row: AttemptRow & { readonly queue_key: DestinationKey }) => attemptOf({ ...row, key: row.queue_key }),
    ),
    pause: stored(sql`select pause::text as value from queues where pause is not null order by paused_at, key`),
    rule: stored(sql`select value::text from rules order by destination, number`),
    "rule-number": composed(
      sql`select destination, last from rule_numbers where last > 0 order by destination`,
      ({ destination, last }: { readonly destination: DestinationKey; readonly last: number }) => ({
        at: parseDestinationKey(destination),
        last,
      }),
    ),
    watchlist: composed(
      sql`
        select person, array_agg(ticker order by ticker) as tickers
        from watchlist_entries group by person order by person
      `,
      ({ person, tickers }: PersonRow & Pick<StateValues["watchlist"], "tickers">) => ({
        person: parsePersonKey(person),
        tickers,
      }),
    ),
    "direct-channel": composed(
      sql`select person, channel_id from direct_channels order by person`,
      ({ person, channel_id }: PersonRow & { readonly channel_id: string }) => ({
        person: parsePersonKey(person),
        channelId: channel_id,
      }),
    ),
    calendar: composed(
      sql`select person, token from calendars order by person`,
      ({ person, token }: PersonRow & { readonly token: string }) => ({ person: parsePersonKey(person), token }),
    ),
    "destination-settings": composed(
      sql`select destination, value from destination_settings order by destination`,
      ({ destination, value }: SettingsRow) => ({ to: parseDestinationKey(destination), settings: value }),
    ),
    import: stored(sql`select value::text from imports order by number`),
    installation: stored(sql`select value::text from installations order by platform, workspace_id`),
    "used-once": composed(
      sql`select token, until from used_tokens order by until, token`,
      ({ token, until }: StateValues["used-once"]) => ({ token, until }),
    ),
    posting: stored(sql`select value::text from postings order by number`),
    "posting-number": composed(sql`select last from posting_number`, ({ last }: StateValues["posting-number"]) => ({
      last,
    })),
    release: (transaction) => sourceRecords(transaction, "release"),
    observation: (transaction) => sourceRecords(transaction, "observation"),
    "source-reads": (transaction) => sourceRecords(transaction, "source-reads"),
    "api-key": stored(sql`select value::text from api_keys order by position`),
  };

interface PersonRow {
  readonly person: DestinationKey;
}

interface SettingsRow {
  readonly destination: DestinationKey;
  readonly value: StateValues["destination-settings"]["settings"];
}

interface MessageRow {
  readonly message_id: string;
  readonly queue_key: DestinationKey;
  readonly at: number;
  readonly result: StateValues["message"]["end"];
  readonly settled: readonly (readonly [
    DeliveryId,
    StateValues["message"]["deliveries"][number]["eventId"],
    readonly string[],
    readonly string[],
  ])[];
}

function messageOf({ message_id, queue_key, at, result, settled }: MessageRow): StateValues["message"] {
  return {
    messageId: message_id,
    to: parseDestinationKey(queue_key),
    at,
    end: result,
    deliveries: settled.map(([id, eventId, reasons, mentions]) => ({ id, eventId, reasons, mentions })),
  };
}

/** Values that are stored as they are. */
function stored(query: RawBuilder<unknown>): (transaction: Transaction) => AsyncIterable<string> {
  return async function* values(transaction) {
    const rows = streamed(transaction, query as RawBuilder<{ readonly value: string }>);
    for await (const { value } of rows) yield value;
  };
}

/** Values that are made of several columns. */
function composed(
  query: RawBuilder<unknown>,
  toValue: (row: never) => StateValues[StateKind] | null,
): (transaction: Transaction) => AsyncIterable<string> {
  return async function* values(transaction) {
    const rows = streamed(transaction, query as RawBuilder<never>);
    for await (const row of rows) yield JSON.stringify(toValue(row));
  };
}

function streamed<R>(transaction: Transaction, query: RawBuilder<R>): AsyncIterable<R> {
  return transaction.selectFrom(sql<R>`(${query})`.as("rows")).selectAll().stream(PAGE) as AsyncIterable<R>;
}

async function* snapshotHeader(transaction: Transaction): AsyncGenerator<string> {
  const { rows } = await sql<{ readonly header: string | null }>`select header::text from snapshot`.execute(
    transaction,
  );
  yield rows[0]?.header ?? JSON.stringify(headerOf(EMPTY_SNAPSHOT));
}

function snapshotRows(transaction: Transaction, kind: string): AsyncIterable<string> {
  return stored(sql`
    select value::text from snapshot_rows where kind = ${kind} and value is not null order by number
  `)(transaction);
}

function sourceRecords(transaction: Transaction, kind: string): AsyncIterable<string> {
  return stored(sql`
    select value::text from source_records where kind = ${kind} and value is not null order by number
  `)(transaction);
}
