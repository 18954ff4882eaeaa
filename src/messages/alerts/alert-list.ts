import { EVENT_KINDS, type Event, endsDate, isSplitEvent } from "../../domain/alert/event.ts";
import type { Hold } from "../../domain/alert/hold.ts";
import { wireName } from "../../domain/article/wire.ts";
import { exchangeName } from "../../domain/split/exchange.ts";
import { ratioName } from "../../domain/split/ratio.ts";
import { shownSymbol } from "../../domain/split/split.ts";
import { compareText, groupBy } from "../../lib/collections.ts";
import { cutText } from "../../lib/external-text.ts";
import { EVENT_KIND_TEXT, eventSummary, holdReasonText } from "../event-text.ts";
import { capitalize, formatCount, formatDay, formatDuration, formatTime, joinList, treatmentText } from "../format.ts";
import { type Button, button, type Card, card, type Row, type Tone } from "../message.ts";
import { changesText } from "../split-text.ts";
import { type AlertContext, eventCard } from "./event-card.ts";

/** An event of a list of alerts. */
export interface ListedAlert {
  readonly event: Event;
  /** The hold that delayed the alert; null if it was not held. */
  readonly hold: Hold | null;
}

/** Maximum length and number of rows that every platform shows in full; the lowest platform limit is 4,096 characters. */
const MAX_LENGTH = 3_400;
const MAX_ROWS = 60;
/** Characters of markup in a row. */
const ROW_MARKUP_LENGTH = 10;
const MAX_DETAIL_LENGTH = 450;
const MAX_NAME_LENGTH = 120;
const SEPARATOR = ", ";

/** Rows of a list, and the number of alerts that are not shown. */
interface Rows {
  readonly rows: readonly Row[];
  readonly omitted: number;
}

/**
 * One card for many alerts: one row per alert if they fit, else the terms by ex date, else the tickers. Alerts that still don't
 * fit are counted.
 */
export function alertListCard(unsorted: readonly ListedAlert[], context: AlertContext): Card {
  const alerts = unsorted.toSorted((a, b) => compareEvents(a.event, b.event));
  const events = alerts.map(({ event }) => event);
  const { rows, omitted } = alertRows(alerts, context) ?? termRows(events) ?? tickerRows(events);
  const late = alerts.filter(({ event }) => context.now - event.at > context.expireAfterMs);
  const sample = events.some((event) => event.sample);
  return card({
    tone: toneOf(events, context),
    title: titleOf(events),
    badges: [...(sample ? ["SAMPLE"] : []), ...(late.length > 0 ? ["LATE"] : [])],
    lines: [
      ...lateLines(late, alerts.length, context),
      ...(omitted === 0
        ? []
        : [`${formatCount(omitted, "more alert")} not shown. See the list: /splits list when:all`]),
      "See the details of one: /splits show TICKER",
    ],
    rows,
    buttons: buttonsFor(events),
    footer: footerOf(events, context) + (sample ? ". Sample data, not real companies." : ""),
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

/** Nouns for the kinds that don't describe a state of a split. */
const NOUNS: Readonly<Partial<Record<Event["kind"], readonly [singular: string, plural: string]>>> = {
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

/** State that a kind describes, such as `listed again`; for other kinds, the plural noun. */
function stateText(kind: Event["kind"]): string {
  return NOUNS[kind]?.[1] ?? EVENT_KIND_TEXT[kind as keyof typeof EVENT_KIND_TEXT].inRule;
}

/** Tones, the most important first. */
const TONES: readonly Tone[] = ["warning", "change", "new", "due", "bad", "good", "plain"];

function toneOf(events: readonly Event[], context: AlertContext): Tone {
  const firstOfKinds = [...groupBy(events, ({ kind }) => kind).values()].flatMap(([first]) => first ?? []);
  const tones = new Set(firstOfKinds.map((event) => eventCard(event, context).tone));
  return TONES.find((tone) => tones.has(tone)) ?? "plain";
}

function lateLines(
  late: readonly ListedAlert[],
  alertCount: number,
  { now, timezone }: AlertContext,
): readonly string[] {
  const oldest = late.toSorted((a, b) => a.event.at - b.event.at)[0];
  if (!oldest) return [];
  const subject = late.length === alertCount ? "These alerts" : `${late.length} of these alerts`;
  const hold = late.find((alert) => alert.hold !== null)?.hold;
  const reason = hold ? `were held (${holdReasonText(hold)})` : "are late";
  const age = formatDuration(now - oldest.event.at);
  return [`${subject} ${reason}: the first event was seen on ${formatTime(oldest.event.at, timezone)}, ${age} ago.`];
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

/** One row per alert, with company and exchange; null if they don't fit. */
function alertRows(alerts: readonly ListedAlert[], context: AlertContext): Rows | null {
  if (alerts.length > MAX_ROWS) return null;
  const rows = alerts.map((alert) => alertRow(alert, context));
  const length = rows.map(rowLength).reduce((sum, rowSize) => sum + rowSize, 0);
  return length > MAX_LENGTH ? null : { rows, omitted: 0 };
}

function alertRow({ event, hold }: ListedAlert, context: AlertContext): Row {
  const { title, link: ownLink, badges, warnings } = eventCard(event, { ...context, hold });
  // The row of an announcement stands for its release too.
  const link = ownLink ?? (event.kind === "announced" ? (event.release?.url ?? null) : null);
  const allBadges = warnings.length > 0 ? [...badges, "CHECK"] : badges;
  return {
    title,
    detail: detailOf(event),
    ...(link === null ? {} : { link }),
    ...(allBadges.length === 0 ? {} : { badges: allBadges }),
  };
}

function detailOf(event: Event): string {
  if (isSplitEvent(event)) {
    const { record, fraction } = event;
    const treatment = fraction ? `fractional shares ${treatmentText(fraction.treatment)}` : "";
    return [exchangeName(record.exchange), cutText(record.company, 60), treatment].filter(Boolean).join(" · ");
  }
  return "article" in event ? `${wireName(event.article.source)} · ${formatDay(event.article.published)}` : "";
}

/** Short name of an alert, and the heading of the row that lists it. */
interface Entry {
  readonly heading: string;
  readonly name: string;
}

/** Rows by kind and ex date that name each split with its ratio or changes; null if they don't fit. */
function termRows(events: readonly Event[]): Rows | null {
  const rows = rowsOf(events.map(termEntry));
  return rows.omitted > 0 ? null : rows;
}

function termEntry(event: Event): Entry {
  const heading = capitalize(stateText(event.kind));
  if (!isSplitEvent(event)) return { heading, name: shortName(event) };
  const { ratio, exDate } = event.record;
  const symbol = shownSymbol(event.record);
  if (event.kind === "changed") return { heading, name: `${symbol} ${changesText(event.terms, event)}` };
  return {
    heading: `${heading} · ex date ${endsDate(event) ? "was " : ""}${formatDay(exDate)}`,
    name: ratio === null ? symbol : `${symbol} ${ratioName(ratio)}`,
  };
}

/** Rows by kind that list only the tickers, in alphabetical order. */
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
  if (isSplitEvent(event)) return shownSymbol(event.record);
  const tickers = "article" in event ? [...new Set(event.article.concerns.map(({ ticker }) => ticker))] : [];
  return tickers.length > 0 ? tickers.join("/") : eventSummary(event);
}

/** Rows for as many entries as fit. Consecutive entries with the same heading share a row. */
function rowsOf(entries: readonly Entry[]): Rows {
  const rows: Row[] = [];
  let remainingLength = MAX_LENGTH;
  for (const [index, entry] of entries.entries()) {
    const row = { title: entry.heading, detail: cutText(entry.name, MAX_NAME_LENGTH) };
    const joined = joinRows(rows.at(-1), row);
    remainingLength -= joined === null ? rowLength(row) : renderedLength(row.detail) + SEPARATOR.length;
    if (remainingLength < 0 || (joined === null && rows.length === MAX_ROWS))
      return { rows, omitted: entries.length - index };
    rows.splice(joined === null ? rows.length : -1, 1, joined ?? row);
  }
  return { rows, omitted: 0 };
}

/** Joins rows with the same title; null if their titles differ or the result is too long. */
function joinRows(row: Row | undefined, next: Row): Row | null {
  if (row?.title !== next.title) return null;
  const detail = [row.detail, next.detail].join(SEPARATOR);
  return renderedLength(detail) > MAX_DETAIL_LENGTH ? null : { ...row, detail };
}

function rowLength({ title, detail, link = "", badges = [] }: Row): number {
  return (
    renderedLength(title) +
    renderedLength(detail) +
    link.length +
    renderedLength(badges.join("   ")) +
    ROW_MARKUP_LENGTH
  );
}

/** Upper bound of a text's length on the platforms, which escape special characters. */
function renderedLength(text: string): number {
  return text.length + (text.match(/[^\p{L}\p{N}\s.,·()→-]/gu)?.length ?? 0);
}
