import { destinationKey } from "../../domain/alert/destination.ts";
import { indexedTickers, isSplitEvent } from "../../domain/alert/event.ts";
import type { StateKind, StateValues } from "../../ports/state-records.ts";
import { observationKey, releaseKey, sourceReadsKey } from "../../ports/store.ts";
import { rowOfPosting } from "./collections/postings.ts";
import { columnsOfRule } from "./collections/rules.ts";
import type { RecordKind } from "./collections/source-records.ts";
import { json } from "./database.ts";
import type { Schema } from "./schema.ts";

export type TableName = keyof Schema;

export type Row = Readonly<Record<string, unknown>>;

/** Version of the snapshot and revision of the source records that a restore writes, and the writer of the records. */
export interface RestoredRevision {
  readonly number: number;
  readonly writer: string;
}

type TableRow = readonly [table: TableName, row: Row];

type RowKind = Exclude<StateKind, "attempt" | "pause" | "forgetting" | "api-key" | "posting-number">;

/** Returns the rows of a record. */
export function rowsOf(kind: RowKind, value: unknown, revision: RestoredRevision): Iterable<TableRow> {
  return (ROWS[kind] as (value: unknown, revision: RestoredRevision) => Iterable<TableRow>)(value, revision);
}

const ROWS: {
  readonly [K in RowKind]: (value: StateValues[K], revision: RestoredRevision) => Iterable<TableRow>;
} = {
  snapshot: (header) => [["snapshot", { header: json(header) }]],
  split: (value, { number: version }) => [
    ["snapshot_rows", { kind: "split", key: value.id, version, value: json(value) }],
  ],
  "past-split": (value, { number: version }) => [
    ["snapshot_rows", { kind: "past", key: value.id, version, value: json(value) }],
  ],
  article: (value, { number: version }) => [
    ["snapshot_rows", { kind: "article", key: value.url, version, value: json(value) }],
  ],
  event: (event) => {
    const { id, at } = event;
    const splitId = isSplitEvent(event) ? event.splitId : null;
    return [["events", { id, at, split_id: splitId, tickers: [...indexedTickers(event)], value: json(event) }]];
  },
  message: rowsOfMessage,
  delivery: (delivery) => [["deliveries", rowOfDelivery(delivery, destinationKey(delivery.to))]],
  rule: (rule) => [
    ["rules", { destination: destinationKey(rule.destination), number: rule.number, ...columnsOfRule(rule) }],
  ],
  "rule-number": ({ at, last }) => [["rule_numbers", { destination: destinationKey(at), last }]],
  watchlist: (watchlist) => {
    const person = destinationKey(watchlist.person);
    const tickers = [...new Set(watchlist.tickers)];
    const entries = tickers.map((ticker): TableRow => ["watchlist_entries", { person, ticker }]);
    return [["watchlists", { person, size: tickers.length }], ...entries];
  },
  "direct-channel": ({ person, channelId }) => [
    ["direct_channels", { person: destinationKey(person), channel_id: channelId }],
  ],
  calendar: ({ person, token }) => [["calendars", { person: destinationKey(person), token }]],
  "destination-settings": ({ to, settings }) => [
    [
      "destination_settings",
      { destination: destinationKey(to), timezone: settings.timezone ?? null, value: json(settings) },
    ],
  ],
  import: (pending) => {
    const { id, person, until, state } = pending;
    return [["imports", { id, person: destinationKey(person), until, state, value: json(pending) }]];
  },
  installation: (installation) => {
    const { platform, workspaceId } = installation;
    return [["installations", { platform, workspace_id: workspaceId, value: json(installation) }]];
  },
  "used-once": ({ token, until }) => [["used_tokens", { token, until }]],
  posting: (posting) => [["postings", { ...rowOfPosting(posting) }]],
  release: (release, revision) => [sourceRecord("release", releaseKey(release), { value: release, revision })],
  observation: (observation, revision) => [
    sourceRecord("observation", observationKey(observation), { value: observation, revision }),
  ],
  "source-reads": (reads, revision) => [
    sourceRecord("source-reads", sourceReadsKey(reads), { value: reads, revision }),
  ],
};

function* rowsOfMessage({ messageId, to, at, end, deliveries }: StateValues["message"]): Generator<TableRow> {
  const key = destinationKey(to);
  const ids = deliveries.map(({ id }) => id);
  const result = { deliveries: ids, result: json(end), has_failed: end.kind === "failed" };
  yield ["messages", { message_id: messageId, queue_key: key, at, ...result }];
  for (const delivery of deliveries) yield ["deliveries", { ...rowOfDelivery(delivery, key), message_id: messageId }];
}

function rowOfDelivery(delivery: StateValues["message"]["deliveries"][number], key: string): Row {
  const { id, eventId, reasons, mentions } = delivery;
  return { id, queue_key: key, event_id: eventId, reasons: json(reasons), mentions: [...mentions] };
}

function sourceRecord(
  kind: RecordKind,
  key: string,
  { value, revision }: { readonly value: unknown; readonly revision: RestoredRevision },
): TableRow {
  return ["source_records", { kind, key, revision: revision.number, writer: revision.writer, value: json(value) }];
}
