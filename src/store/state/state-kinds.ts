import { type InsertObject, type RawBuilder, sql, type Transaction } from "kysely";
import type { Deferral } from "../../domain/alert/deferral.ts";
import {
  type DestinationKey,
  destinationKey,
  parseDestinationKey,
  parsePersonKey,
} from "../../domain/alert/destination.ts";
import { MAX_PAUSE_MS, pauseSchema } from "../../domain/alert/pause.ts";
import { EMPTY_SNAPSHOT, headerOf } from "../../domain/diff/snapshot.ts";
import { withDefaults } from "../../domain/settings/destination-settings.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { inPages } from "../../lib/collections.ts";
import {
  KEYED_KINDS,
  type KeyedKind,
  type SettledDelivery,
  type StateKind,
  type StateValues,
} from "../../ports/state-records.ts";
import { type KeyOf, observationKey, releaseKey, sourceReadsKey } from "../../ports/store.ts";
import { rowOfDelivery, rowOfEvent, rowsOfMentions, rowsOfTickers } from "../collections/alerts.ts";
import { attemptOf } from "../collections/claims.ts";
import { rowOfKeyedRecord } from "../collections/keyed-records.ts";
import { deliveryOf, rowOfAttempt } from "../collections/outbox.ts";
import { rowOfPosting } from "../collections/postings.ts";
import { delayUntil, type Times } from "../collections/queues.ts";
import { columnsOfRule, rowsOfRuleKeys } from "../collections/rules.ts";
import type { RecordKind } from "../collections/source-records.ts";
import { json } from "../database.ts";
import type { Schema } from "../schema.ts";
import type { RowKind } from "../snapshot/snapshot-rows.ts";

/** Rows that are fetched together. */
const PAGE = 500;

export type TableName = keyof Schema;

/** A row of a restored record. */
export type TableRow = { [T in TableName]: readonly [table: T, row: InsertObject<Schema, T>] }[TableName];

export interface RestoredRecord {
  /** Number of earlier records of the kind. */
  readonly index: number;
  /** Version of the snapshot and revision of the source records. */
  readonly revision: number;
  /** Writer of the source records. */
  readonly writer: string;
  readonly times: Times;
}

/** Where the records of a kind are stored. */
interface KindDefinition<V> {
  readonly tables: readonly TableName[];
  /** Returns the records in the order of a backup. */
  readonly read: (transaction: Transaction<Schema>) => AsyncIterable<V>;
  /** Returns the rows of a record. Columns of the same queue are joined. */
  readonly rows: (value: V, record: RestoredRecord) => readonly TableRow[];
}

const KEYED = Object.fromEntries(
  Object.keys(KEYED_KINDS).map((kind) => [kind, keyedRecords(kind as KeyedKind)]),
) as unknown as { readonly [K in KeyedKind]: KindDefinition<StateValues[K]> };

/** The kinds in the order of a backup. A new kind of state that isn't keyed needs an entry here. */
export const STATE_KINDS: { readonly [K in StateKind]: KindDefinition<StateValues[K]> } = {
  snapshot: {
    tables: ["snapshot"],
    async *read(transaction) {
      const row = await transaction.selectFrom("snapshot").select("header").executeTakeFirstOrThrow();
      yield row.header ?? headerOf(EMPTY_SNAPSHOT);
    },
    rows: (header, { revision }) => [
      ["snapshot", { header: json(header), version: revision, complete_from: revision }],
    ],
  },
  split: snapshotRows("split", ({ id }) => id),
  "past-split": snapshotRows("past", ({ id }) => id),
  article: snapshotRows("article", ({ url }) => url),
  event: {
    tables: ["events", "event_tickers"],
    read: reading((db) => db.selectFrom("events").select("value").orderBy("number"), storedValue),
    rows: (event) => [
      ["events", rowOfEvent(event)],
      ...rowsOfTickers(event).map((row) => ["event_tickers", row] as const),
    ],
  },
  message: { tables: ["messages", "deliveries", "delivery_mentions"], read: readMessages, rows: rowsOfMessage },
  delivery: {
    tables: ["deliveries", "delivery_mentions"],
    read: reading(
      (db) =>
        db
          .selectFrom("deliveries")
          .select(["id", "queue_key", "event_id", "reasons", "mentions", "deferral"])
          .where("message_id", "is", null)
          .orderBy("arrival"),
      ({ deferral, ...row }) => ({ ...deliveryOf(row), ...(deferral !== null && { deferral }) }),
    ),
    rows: ({ deferral, ...delivery }) => [
      ["queues", queueAt(delivery)],
      ...rowsOfDelivery(delivery, destinationKey(delivery.to), {
        deferral: deferral === undefined ? null : json(deferral),
      }),
    ],
  },
  attempt: {
    tables: ["attempts"],
    read: reading((db) => db.selectFrom("attempts").selectAll().orderBy("created_at").orderBy("queue_key"), attemptOf),
    rows: (attempt, { times }) => {
      const { due, delay } = delayUntil(attempt.notBefore, attempt.delayMs, times);
      return [
        ["attempts", rowOfAttempt(attempt)],
        ["queues", { ...queueAt(attempt), attempt_due: due, attempt_delay: delay }],
      ];
    },
  },
  pause: {
    tables: ["queues"],
    read: reading(
      (db) =>
        db
          .selectFrom("queues")
          .select("pause")
          .where("pause", "is not", null)
          .$narrowType<{ pause: StateValues["pause"] }>()
          .orderBy("paused_at")
          .orderBy("key"),
      ({ pause }) => pause,
    ),
    rows: (value, { times }) => {
      const pause = pauseSchema.parse(value);
      const { due, delay } = delayUntil(pause.retryAt, pause.delayMs ?? MAX_PAUSE_MS, times);
      const columns = { pause: json(pause), paused_at: pause.at, pause_due: due, pause_delay: delay };
      return [["queues", { ...queueAt(pause), ...columns }]];
    },
  },
  // Restored by a purge, after all other records.
  forgetting: { tables: [], async *read() {}, rows: () => [] },
  rule: {
    tables: ["rules", "rule_keys"],
    read: reading((db) => db.selectFrom("rules").select("value").orderBy("destination").orderBy("number"), storedValue),
    rows: (rule) => [
      ["rules", { destination: destinationKey(rule.destination), number: rule.number, ...columnsOfRule(rule) }],
      ...rowsOfRuleKeys(rule).map((row) => ["rule_keys", row] as const),
    ],
  },
  "rule-number": {
    tables: ["rule_numbers"],
    read: reading(
      (db) => db.selectFrom("rule_numbers").selectAll().where("last", ">", 0).orderBy("destination"),
      ({ destination, last }) => ({ at: parseDestinationKey(destination as DestinationKey), last }),
    ),
    rows: ({ at, last }) => [["rule_numbers", { destination: destinationKey(at), last }]],
  },
  watchlist: {
    tables: ["watchlists", "watchlist_entries"],
    read: readWatchlists,
    rows: (watchlist) => {
      const person = destinationKey(watchlist.person);
      const tickers = [...new Set(watchlist.tickers)];
      return [
        ["watchlists", { person, size: tickers.length }],
        ...tickers.map((ticker) => ["watchlist_entries", { person, ticker }] as const),
      ];
    },
  },
  ...KEYED,
  calendar: {
    tables: ["calendars"],
    read: reading(
      (db) => db.selectFrom("calendars").selectAll().orderBy("person"),
      ({ person, token }) => ({
        person: parsePersonKey(person as DestinationKey),
        token,
      }),
    ),
    rows: ({ person, token }) => [["calendars", { person: destinationKey(person), token }]],
  },
  "destination-settings": {
    tables: ["destination_settings"],
    read: reading(
      (db) => db.selectFrom("destination_settings").selectAll().orderBy("destination"),
      ({ destination, value }) => ({ to: parseDestinationKey(destination as DestinationKey), settings: value }),
    ),
    rows: ({ to, settings }) => {
      const { timezone, digest } = withDefaults(settings);
      return [
        [
          "destination_settings",
          { destination: destinationKey(to), timezone, has_digest: digest, value: json(settings) },
        ],
      ];
    },
  },
  "used-once": {
    tables: ["used_tokens"],
    read: reading(
      (db) => db.selectFrom("used_tokens").selectAll().orderBy("until").orderBy("token"),
      ({ token, until }) => ({ token, until }),
    ),
    rows: ({ token, until }) => [["used_tokens", { token, until }]],
  },
  posting: {
    tables: ["postings"],
    read: reading((db) => db.selectFrom("postings").select("value").orderBy("number"), storedValue),
    rows: (posting) => [["postings", rowOfPosting(posting)]],
  },
  "posting-number": {
    tables: ["posting_number"],
    read: reading(
      (db) => db.selectFrom("posting_number").select("last"),
      ({ last }) => ({ last }),
    ),
    rows: ({ last }) => [["posting_number", { last }]],
  },
  release: sourceRecords("release", releaseKey),
  observation: sourceRecords("observation", observationKey),
  "source-reads": sourceRecords("source-reads", sourceReadsKey),
  "api-key": {
    tables: ["api_keys"],
    read: reading((db) => db.selectFrom("api_keys").select("value").orderBy("position"), storedValue),
    rows: (key, { index }) => [["api_keys", { position: index, value: json(key) }]],
  },
};

/** Tables with one row, also before the first change, and the condition that it contains a state. */
export const SINGLE_ROWS: Partial<Record<TableName, RawBuilder<unknown>>> = {
  snapshot: sql`header is not null`,
  posting_number: sql`last > 0`,
};

/** The tables that contain the state. */
export const STATE_TABLES: readonly TableName[] = [
  ...new Set(Object.values(STATE_KINDS).flatMap(({ tables }) => tables)),
];

function storedValue<V>({ value }: { readonly value: V }): V {
  return value;
}

/** Reads the values in the rows of a query. */
function reading<R, V>(
  query: (db: Transaction<Schema>) => { stream(chunkSize: number): AsyncIterable<R> },
  toValue: (row: R) => V,
): KindDefinition<V>["read"] {
  return async function* read(transaction) {
    for await (const row of query(transaction).stream(PAGE)) yield toValue(row);
  };
}

function queueAt({ to }: Pick<StateValues["delivery"], "to">): Pick<Schema["queues"], "key" | "platform"> {
  return { key: destinationKey(to), platform: to.platform };
}

function snapshotRows<V>(kind: RowKind, keyOf: KeyOf<V>): KindDefinition<V> {
  return {
    tables: ["snapshot_rows"],
    read: reading(
      (db) =>
        db
          .selectFrom("snapshot_rows")
          .select("value")
          .where("kind", "=", kind)
          .where("value", "is not", null)
          .orderBy("number"),
      ({ value }) => value as V,
    ),
    rows: (value, { revision }) => [
      ["snapshot_rows", { kind, key: keyOf(value), version: revision, value: json<unknown>(value) }],
    ],
  };
}

function keyedRecords<K extends KeyedKind>(kind: K): KindDefinition<StateValues[K]> {
  return {
    tables: ["keyed_records"],
    read: reading(
      (db) => db.selectFrom("keyed_records").select("value").where("kind", "=", kind).orderBy("key"),
      ({ value }) => value as StateValues[K],
    ),
    rows: (value) => [["keyed_records", rowOfKeyedRecord(kind, value)]],
  };
}

function sourceRecords<V>(kind: RecordKind, keyOf: KeyOf<V>): KindDefinition<V> {
  return {
    tables: ["source_records"],
    read: reading(
      (db) =>
        db
          .selectFrom("source_records")
          .select("value")
          .where("kind", "=", kind)
          .where("value", "is not", null)
          .orderBy("number"),
      ({ value }) => value as V,
    ),
    rows: (value, { revision, writer }) => [
      ["source_records", { kind, key: keyOf(value), revision, writer, value: json<unknown>(value) }],
    ],
  };
}

/** Reads the deliveries of each page of messages, which a stream would not allow meanwhile. */
async function* readMessages(transaction: Transaction<Schema>): AsyncGenerator<StateValues["message"]> {
  for (let last = 0; ; ) {
    const messages = await transaction
      .selectFrom("messages")
      .selectAll()
      .where("number", ">", last)
      .orderBy("number")
      .limit(PAGE)
      .execute();
    const deliveries = await readSettled(
      transaction,
      messages.flatMap((message) => message.deliveries),
    );
    for (const { message_id, queue_key, at, result, deliveries: ids } of messages)
      yield {
        messageId: message_id,
        to: parseDestinationKey(queue_key),
        at,
        end: result,
        deliveries: ids.flatMap((id) => deliveries.get(id) ?? []),
      };
    if (messages.length < PAGE) return;
    last = messages.at(-1)?.number ?? last;
  }
}

async function readSettled(
  transaction: Transaction<Schema>,
  ids: readonly SettledDelivery["id"][],
): Promise<ReadonlyMap<SettledDelivery["id"], SettledDelivery>> {
  const deliveries = new Map<SettledDelivery["id"], SettledDelivery>();
  for (const page of inPages(ids, PAGE)) {
    const rows = await transaction
      .selectFrom("deliveries")
      .select(["id", "event_id", "reasons", "mentions"])
      .where("id", "in", page)
      .execute();
    for (const { id, event_id, reasons, mentions } of rows)
      deliveries.set(id, { id, eventId: event_id, reasons, mentions });
  }
  return deliveries;
}

function rowsOfMessage({ messageId, to, at, end, deliveries }: StateValues["message"]): readonly TableRow[] {
  const key = destinationKey(to);
  const ids = deliveries.map(({ id }) => id);
  return [
    [
      "messages",
      {
        message_id: messageId,
        queue_key: key,
        at,
        deliveries: json(ids),
        result: json(end),
        has_failed: end.kind === "failed",
      },
    ],
    ...deliveries.flatMap((delivery) => rowsOfDelivery(delivery, key, { message_id: messageId })),
  ];
}

/** `state`: what it waits for, or the message that settled it. */
function rowsOfDelivery(
  delivery: SettledDelivery,
  key: DestinationKey,
  state: { readonly deferral: RawBuilder<Deferral> | null } | { readonly message_id: string },
): readonly TableRow[] {
  return [
    ["deliveries", { ...rowOfDelivery(delivery, key), deferral: null, message_id: null, ...state }],
    ...rowsOfMentions(delivery).map((row) => ["delivery_mentions", row] as const),
  ];
}

async function* readWatchlists(transaction: Transaction<Schema>): AsyncGenerator<StateValues["watchlist"]> {
  const entries = transaction
    .selectFrom("watchlist_entries")
    .select(["person", "ticker"])
    .orderBy("person")
    .orderBy("ticker")
    .stream(PAGE);
  let person: string | null = null;
  let tickers: Ticker[] = [];
  for await (const entry of entries) {
    if (person !== null && entry.person !== person) {
      yield { person: parsePersonKey(person as DestinationKey), tickers };
      tickers = [];
    }
    person = entry.person;
    tickers.push(entry.ticker as Ticker);
  }
  if (person !== null) yield { person: parsePersonKey(person as DestinationKey), tickers };
}
