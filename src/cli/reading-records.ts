import type { Release } from "../catalog/release.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import type { Instant } from "../domain/time/day.ts";
import { knownAddress, knownSource } from "../sources/captured-answer.ts";
import type { DocumentEntry, DocumentReading } from "../sources/document-reading.ts";
import type { Statement } from "../sources/official/statement.ts";
import {
  type ExtractedRecord,
  OUTPUT_NAMES,
  readableFacts,
  readableRecord,
  recordsOf,
  toWords,
  withoutControls,
} from "./extracted-record.ts";

/** What the records of one document have in common. */
export interface DocumentFields {
  readonly source: string;
  /** As given on the command line, or as the index of its folder names it. */
  readonly file: string;
  /** Address; null: unknown. */
  readonly url: string | null;
}

interface RecordFields extends DocumentFields {
  /** Kind of the document, such as `feed` or `notice`. */
  readonly document: string;
}

/** Statement of an exchange or regulator about one split. Null: not stated. */
interface StatementRecord extends RecordFields {
  readonly record: "statement";
  readonly id: string;
  readonly kind: Statement["kind"];
  readonly ticker: string | null;
  readonly exchange: string | null;
  readonly company: string | null;
  readonly ratio: string | null;
  readonly ex_date: string | null;
  readonly new_cusip: string | null;
  /** All listings, if there are several. */
  readonly tickers?: Statement["listings"];
  readonly published: string | null;
  readonly evidence: Readonly<Record<string, string>>;
}

/** A split of a release, with the fields of `splitwatch extract`, or a release without a split. */
interface ReleaseRecord extends RecordFields, Omit<ExtractedRecord, "url"> {
  readonly record: "release";
  readonly heading: string;
  readonly published: string | null;
}

/** Entry of a feed, list or directory. */
interface EntryRecord extends Omit<RecordFields, "url"> {
  readonly record: "entry";
  readonly id: string;
  /** Null: the entry has no address. */
  readonly url: string | null;
  readonly title: string;
  readonly published: string | null;
  /** Whether a poll reads the entry's document, because it may concern a reverse split. */
  readonly followed: boolean;
}

/** A document, or a part of one, that could not be read. */
interface RefusedRecord extends DocumentFields {
  readonly record: "refused";
  readonly reason: string;
}

/** A document that was read and states no split. */
interface NothingRecord extends RecordFields {
  readonly record: "nothing";
  readonly reason: string;
}

export type ReadRecord = StatementRecord | ReleaseRecord | EntryRecord | RefusedRecord | NothingRecord;

/** Returns at least one record for each document. */
export function readingRecords(reading: DocumentReading, of: DocumentFields): readonly ReadRecord[] {
  const { document, statements = [], releases = [], entries = [], refusals = [] } = reading;
  const fields = { ...of, document };
  const records: readonly ReadRecord[] = [
    ...statements.map((statement) => statementRecord(statement, fields)),
    ...releases.flatMap((release) => releaseRecords(release, fields)),
    ...entries.map((entry) => entryRecord(entry, fields)),
    ...refusals.map((reason) => refusedRecord(reason, of)),
  ];
  if (records.some(isFinding)) return records;
  return [...records, { record: "nothing", ...fields, reason: reading.noSplitReason ?? defaultReason(reading) }];
}

function defaultReason({ document, entries = [] }: DocumentReading): string {
  return entries.length === 0
    ? `the ${document} was read and states no reverse split`
    : `the ${document} was read: none of ${entries.length} entries concerns a reverse split`;
}

function isFinding(record: ReadRecord): boolean {
  return record.record !== "entry" || record.followed;
}

export function refusedRecord(reason: string, of: DocumentFields): RefusedRecord {
  return { record: "refused", ...of, reason };
}

function statementRecord(statement: Statement, { source, document, file }: RecordFields): StatementRecord {
  const { id, url, kind, listings, company, ratio, exDate, newCusip, publishedAt, evidence } = statement;
  const [listing] = listings;
  return {
    record: "statement",
    source,
    document,
    file,
    url: knownAddress(url),
    id,
    kind,
    ticker: listing?.ticker ?? null,
    exchange: listing?.exchange ?? null,
    company,
    ratio: ratio && ratioCode(ratio),
    ex_date: exDate,
    new_cusip: newCusip,
    ...(listings.length > 1 && { tickers: listings }),
    published: timeText(publishedAt),
    evidence: Object.fromEntries(Object.entries(evidence).map(([term, text]) => [outputName(term), text])),
  };
}

function outputName(term: string): string {
  return Object.entries(OUTPUT_NAMES).find(([field]) => field === term)?.[1] ?? term;
}

function releaseRecords(release: Release, fields: RecordFields): readonly ReadRecord[] {
  const { url, source, heading, publishedAt, published, facts } = release;
  const address = knownAddress(url);
  if (facts === null) return [refusedRecord("its text was not read", { ...fields, url: address })];
  return recordsOf({ url: address }, facts).map((extracted) => ({
    record: "release",
    ...fields,
    source: knownSource(source),
    ...extracted,
    heading,
    published: timeText(publishedAt) ?? published,
  }));
}

function entryRecord({ id, title, publishedAt, isFollowed }: DocumentEntry, fields: RecordFields): EntryRecord {
  const { source, document, file } = fields;
  const url = /^https?:/i.test(id) ? knownAddress(id) : null;
  return {
    record: "entry",
    source,
    document,
    file,
    id,
    url,
    title,
    published: timeText(publishedAt),
    followed: isFollowed,
  };
}

function timeText(at: Instant | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** Returns the records of one document as text for a terminal. Entries that no poll would read are only counted. */
export function readableReading(records: readonly ReadRecord[], { file, url }: DocumentFields): string {
  const heading = withoutControls(url === null ? file : `${file} (${url})`);
  const entries = records.filter(({ record }) => record === "entry").length;
  const followed = records.filter((record) => record.record === "entry" && record.followed).length;
  const summary = entries === 0 ? [] : [`${entries} ${entries === 1 ? "entry" : "entries"}, ${followed} followed\n`];
  return [heading, "", ...records.filter(isFinding).map(readable), ...summary].join("\n");
}

function readable(record: ReadRecord): string {
  switch (record.record) {
    case "statement":
      return readableStatement(record);
    case "release":
      return `${withoutControls(record.heading)}\n${readableRecord(record)}`;
    case "entry":
      return [`Followed: ${record.title}`, `  ${record.published ?? "no time"}  ${record.id}`]
        .map(withoutControls)
        .join("\n");
    case "refused":
      return `${withoutControls(`Refused: ${record.reason}`)}\n`;
    case "nothing":
      return `${withoutControls(`Nothing: ${record.reason}`)}\n`;
  }
}

function readableStatement(statement: StatementRecord): string {
  const { kind, company, ticker, exchange, tickers = [], ratio, ex_date: exDate, new_cusip: newCusip } = statement;
  const more = tickers
    .slice(1)
    .map((listing) => [listing.exchange, listing.ticker].filter((part) => part !== null).join(":"));
  return readableFacts(
    [
      ["Statement", toWords(kind)],
      ["Id", statement.id],
      ["Company", company],
      ["Ticker", ticker === null ? null : [ticker, ...more].join(", ")],
      ["Exchange", exchange],
      ["Ratio (new:old)", ratio, "ratio"],
      ["Ex date", exDate, "ex_date"],
      ["New CUSIP", newCusip, "new_cusip"],
      ["Published", statement.published],
    ],
    statement.evidence,
  );
}
