import { EVENT_KINDS, type Event, isSplitEvent } from "../../domain/alert/event.ts";
import type { Hold } from "../../domain/alert/hold.ts";
import { wireName } from "../../domain/article/wire.ts";
import { exchangeName } from "../../domain/split/exchange.ts";
import { ratioName } from "../../domain/split/ratio.ts";
import { compareText, groupBy } from "../../lib/collections.ts";
import { EVENT_KIND_TEXT, eventSummary, holdReasonText } from "../event-text.ts";
import {
  capitalize,
  formatCount,
  formatDay,
  formatDuration,
  formatTime,
  joinList,
  treatmentText,
  truncate,
} from "../format.ts";
import { type Button, button, type Card, card, type Row, type Tone } from "../message.ts";
import { changesText } from "../split-text.ts";
import { type AlertContext, eventCard } from "./event-card.ts";

/** An event with the hold that delayed its alert; null: none. */
export interface ListedAlert {
  readonly event: Event;
  readonly held: Hold | null;
}

/** Length and number of rows that one card shows in full on every platform: the narrowest limit is 4,096 characters. */
const MAX_LENGTH = 3_400;
const MAX_ROWS = 60;
/** Characters that the markup of a row takes. */
const ROW_MARKUP = 10;
const MAX_DETAIL_LENGTH = 450;
const MAX_NAME_LENGTH = 120;
const SEPARATOR = ", ";

/** Rows of a list, and the number of alerts that they leave out. */
interface Rows {
  readonly rows: readonly Row[];
  readonly omitted: number;
}

/**
 * One card for many alerts: a row for each if they fit, else their terms by ex date, else their tickers. Alerts whose tickers do
 * not fit either are counted.
 */
export function alertListCard(given: readonly ListedAlert[], at: AlertContext): Card {
  const alerts = given.toSorted((a, b) => compareEvents(a.event, b.event));
  const events = alerts.map(({ event }) => event);
  const { rows, omitted } = alertRows(alerts, at) ?? termRows(events) ?? tickerRows(events);
  const late = alerts.filter(({ event }) => at.now - event.at > at.expireAfterMs);
  const sample = events.some((event) => event.sample);
  return card({
    tone: toneOf(events, at),
    title: titleOf(events),
    badges: [...(sample ? ["SAMPLE"] : []), ...(late.length > 0 ? ["LATE"] : [])],
    lines: [
      ...lateLines(late, alerts.length, at),
      ...(omitted === 0
        ? []
        : [`${formatCount(omitted, "more alert")} not named here. See the list: /splits list when:all`]),
      "See the details of one: /splits show TICKER",
    ],
    rows,
    buttons: buttonsFor(events),
    footer: footerOf(events, at) + (sample ? ". Sample data, not real companies." : ""),
  });
}

/** The order of the kinds in lists. */
const KINDS: readonly Event["kind"][] = [...EVENT_KINDS, "test", "digest"];

/** By kind, then by ex date and ticker. */
function compareEvents(a: Event, b: Event): number {
  const byKind = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
  if (byKind !== 0 || !isSplitEvent(a) || !isSplitEvent(b)) return byKind;
  return compareText(a.record.exDate, b.record.exDate) || compareText(a.record.ticker, b.record.ticker);
}

/** Nouns of the kinds that are no state of a split. */
const NOUNS: Readonly<Partial<Record<Event["kind"], readonly [one: string, many: string]>>> = {
  reminder: ["reminder", "reminders"],
  article: ["press release", "press releases"],
  early: ["approval or range of ratios", "approvals and ranges of ratios"],
  stale: ["report on outdated data", "reports on outdated data"],
  test: ["test alert", "test alerts"],
  digest: ["first list of a source", "first lists of a source"],
};

/** `60 splits listed again`; `63 alerts: 60 splits listed again and 3 reminders` */
function titleOf(events: readonly Event[]): string {
  const counts = [...groupBy(events, ({ kind }) => kind)].map(([kind, { length }]) => countText(kind, length));
  return counts.length === 1 ? joinList(counts) : `${formatCount(events.length, "alert")}: ${joinList(counts)}`;
}

function countText(kind: Event["kind"], count: number): string {
  const noun = NOUNS[kind];
  return noun ? formatCount(count, ...noun) : `${formatCount(count, "split")} ${stateText(kind)}`;
}

/** `listed again`; for the other kinds their plural. */
function stateText(kind: Event["kind"]): string {
  return NOUNS[kind]?.[1] ?? EVENT_KIND_TEXT[kind as keyof typeof EVENT_KIND_TEXT].inRule;
}

/** The most important tone comes first. */
const TONES: readonly Tone[] = ["warning", "change", "new", "due", "bad", "good", "plain"];

function toneOf(events: readonly Event[], at: AlertContext): Tone {
  const firstOfKinds = [...groupBy(events, ({ kind }) => kind).values()].flatMap(([first]) => first ?? []);
  const tones = new Set(firstOfKinds.map((event) => eventCard(event, at).tone));
  return TONES.find((tone) => tones.has(tone)) ?? "plain";
}

function lateLines(late: readonly ListedAlert[], all: number, { now, timezone }: AlertContext): readonly string[] {
  const oldest = late.toSorted((a, b) => a.event.at - b.event.at)[0];
  if (!oldest) return [];
  const which = late.length === all ? "These alerts" : `${late.length} of these alerts`;
  const held = late.find((alert) => alert.held !== null)?.held;
  const why = held ? `were held (${holdReasonText(held)})` : "are late";
  const age = formatDuration(now - oldest.event.at);
  return [`${which} ${why}: the first event was seen on ${formatTime(oldest.event.at, timezone)}, ${age} ago.`];
}

function buttonsFor(events: readonly Event[]): readonly Button[] {
  return [
    ...(events.some(isSplitEvent) ? [button("List all", "list when:all")] : []),
    ...(events.some((event) => "article" in event) ? [button("Press releases", "articles")] : []),
    ...(events.some(({ kind }) => kind === "stale") ? [button("Status", "status")] : []),
  ];
}

function footerOf(events: readonly Event[], { timezone }: AlertContext): string {
  const times = events.map(({ at }) => at).toSorted((a, b) => a - b);
  const [first, last] = [times.at(0), times.at(-1)].map((time) => formatTime(time ?? 0, timezone));
  return first === last ? `Seen ${first}` : `Seen ${first} to ${last}`;
}

/** The title of each alert with its company and exchange; null if they do not fit. */
function alertRows(alerts: readonly ListedAlert[], at: AlertContext): Rows | null {
  if (alerts.length > MAX_ROWS) return null;
  const rows = alerts.map((alert) => alertRow(alert, at));
  const length = rows.map(rowLength).reduce((sum, one) => sum + one, 0);
  return length > MAX_LENGTH ? null : { rows, omitted: 0 };
}

function alertRow({ event, held }: ListedAlert, at: AlertContext): Row {
  const { title, link, badges, warnings } = eventCard(event, { ...at, held });
  const marks = warnings.length > 0 ? [...badges, "CHECK"] : badges;
  return {
    title,
    detail: detailOf(event),
    ...(link === null ? {} : { link }),
    ...(marks.length === 0 ? {} : { badges: marks }),
  };
}

function detailOf(event: Event): string {
  if (isSplitEvent(event)) {
    const { record, fraction } = event;
    const treatment = fraction ? `fractional shares ${treatmentText(fraction.treatment)}` : "";
    return [exchangeName(record.exchange), truncate(record.company, 60), treatment].filter(Boolean).join(" · ");
  }
  return "article" in event ? `${wireName(event.article.source)} · ${formatDay(event.article.published)}` : "";
}

/** Name of an alert, and the heading under which it is listed. */
interface Entry {
  readonly heading: string;
  readonly name: string;
}

/** The terms of each split by ex date; null if they do not fit. */
function termRows(events: readonly Event[]): Rows | null {
  const rows = rowsOf(events.map(termEntry));
  return rows.omitted > 0 ? null : rows;
}

function termEntry(event: Event): Entry {
  const heading = capitalize(stateText(event.kind));
  if (!isSplitEvent(event)) return { heading, name: shortName(event) };
  const { ticker, ratio, exDate } = event.record;
  if (event.kind === "changed")
    return { heading, name: `${ticker} ${changesText(event.terms, event.was, event.record)}` };
  return {
    heading: `${heading} · ex date ${formatDay(exDate)}`,
    name: ratio === null ? ticker : `${ticker} ${ratioName(ratio)}`,
  };
}

/** The tickers in alphabetical order, by kind. */
function tickerRows(events: readonly Event[]): Rows {
  const byKind = [...groupBy(events, ({ kind }) => kind)];
  const entries = byKind.flatMap(([kind, members]) =>
    members
      .map(shortName)
      .toSorted(compareText)
      .map((name) => ({ heading: capitalize(stateText(kind)), name })),
  );
  return rowsOf(entries);
}

function shortName(event: Event): string {
  if (isSplitEvent(event)) return event.record.ticker;
  const tickers = "article" in event ? [...new Set(event.article.concerns.map(({ ticker }) => ticker))] : [];
  return tickers.length > 0 ? tickers.join("/") : eventSummary(event);
}

/** As many entries as fit: the names under a heading share rows. Entries with the same heading are neighbors. */
function rowsOf(entries: readonly Entry[]): Rows {
  const rows: Row[] = [];
  let left = MAX_LENGTH;
  for (const [index, entry] of entries.entries()) {
    const row = { title: entry.heading, detail: truncate(entry.name, MAX_NAME_LENGTH) };
    const joined = joinRows(rows.at(-1), row);
    left -= joined === null ? rowLength(row) : shownLength(row.detail) + SEPARATOR.length;
    if (left < 0 || (joined === null && rows.length === MAX_ROWS)) return { rows, omitted: entries.length - index };
    rows.splice(joined === null ? rows.length : -1, 1, joined ?? row);
  }
  return { rows, omitted: 0 };
}

/** Null if the rows have different titles or are too long together. */
function joinRows(row: Row | undefined, next: Row): Row | null {
  if (row?.title !== next.title) return null;
  const detail = [row.detail, next.detail].join(SEPARATOR);
  return shownLength(detail) > MAX_DETAIL_LENGTH ? null : { ...row, detail };
}

function rowLength({ title, detail, link = "", badges = [] }: Row): number {
  return shownLength(title) + shownLength(detail) + link.length + shownLength(badges.join("   ")) + ROW_MARKUP;
}

/** Upper bound of a text's length on the platforms, which escape special characters. */
function shownLength(text: string): number {
  return text.length + (text.match(/[^\p{L}\p{N}\s.,·()→-]/gu)?.length ?? 0);
}
