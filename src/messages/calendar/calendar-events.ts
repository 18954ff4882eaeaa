import { wireName } from "../../domain/article/wire.ts";
import type { CalendarEntry, EntryState } from "../../domain/split/calendar-entries.ts";
import { exchangeName } from "../../domain/split/exchange.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import type { Day, Instant } from "../../domain/time/day.ts";
import { cutText } from "../../lib/external-text.ts";
import { capitalize, formatDay, fractionText } from "../format.ts";
import { disagreementWarnings, lastTradingDayText, ratioText, recordWarnings, splitName } from "../split-text.ts";

/** Content of a calendar file. */
export interface CalendarText {
  readonly name: string;
  readonly description: string;
  readonly events: readonly CalendarEvent[];
}

/** All-day event that doesn't block time. */
export interface CalendarEvent {
  /** Stable identifier of a split. */
  readonly uid: string;
  readonly day: Day;
  readonly status: "confirmed" | "tentative" | "cancelled";
  /** Increases with each relevant change. */
  readonly sequence: number;
  readonly changedAt: Instant;
  readonly summary: string;
  /** Lines separated by line feeds. */
  readonly description: string;
}

export interface CalendarOptions {
  /** All splits, or the splits on a watchlist; the file doesn't name the person. */
  readonly selection: "all" | "watchlist";
  readonly sample: boolean;
}

const NAMES: Readonly<Record<CalendarOptions["selection"], string>> = {
  all: "Reverse splits: ex dates",
  watchlist: "Reverse splits: my watchlist",
};

const DESCRIPTIONS: Readonly<Record<CalendarOptions["selection"], string>> = {
  all: "Ex dates of reverse stock splits, from splitwatch",
  watchlist: "Ex dates of reverse stock splits of the tickers on your watchlist, from splitwatch",
};

const SAMPLE_TEXT = "SAMPLE: all companies are invented.";

/** Content of a calendar file. It doesn't depend on the current day: the file of an unchanged calendar is byte-identical. */
export function calendarText(entries: readonly CalendarEntry[], { selection, sample }: CalendarOptions): CalendarText {
  return {
    name: sample ? `SAMPLE ${NAMES[selection]}` : NAMES[selection],
    description: sample ? `${SAMPLE_TEXT} ${DESCRIPTIONS[selection]}` : DESCRIPTIONS[selection],
    events: entries.map((entry) => eventOf(entry, sample)),
  };
}

const STATUSES: Readonly<Record<EntryState["kind"], CalendarEvent["status"]>> = {
  listed: "confirmed",
  removed: "tentative",
  moved: "tentative",
  withdrawn: "cancelled",
};

function eventOf(entry: CalendarEntry, sample: boolean): CalendarEvent {
  return {
    uid: `${entry.splitId}@splitwatch`,
    day: entry.day,
    status: STATUSES[entry.state.kind],
    sequence: entry.revision,
    changedAt: entry.changedAt,
    summary: summaryOf(entry, sample),
    description: descriptionOf(entry, sample).map(oneLine).join("\n"),
  };
}

/** `ACME 1-for-20 reverse split (NASDAQ)` */
function summaryOf({ record, state }: CalendarEntry, sample: boolean): string {
  const name = `${splitName(record)} (${record.exchange})`;
  const label = stateLabel(state);
  return oneLine(`${sample ? "SAMPLE " : ""}${label === null ? "" : `${capitalize(label)}: `}${name}`);
}

/** `cancelled`, `postponed` or `no longer listed`; null for a split that is still listed. */
export function stateLabel(state: EntryState): string | null {
  if (state.kind === "listed") return null;
  return state.kind === "removed" ? "no longer listed" : state.withdrawal;
}

function descriptionOf(entry: CalendarEntry, sample: boolean): readonly string[] {
  const { record, evidence } = entry;
  const recordOnDay: SplitRecord = { ...record, exDate: entry.day };
  return [
    ...(sample ? [SAMPLE_TEXT] : []),
    ...stateLines(entry),
    `Company: ${record.company === "" ? "not stated" : cutText(record.company, 200)}`,
    `Exchange: ${exchangeName(record.exchange)}`,
    `Ratio: ${ratioText(record)}`,
    `Ex date: ${formatDay(entry.day)}, the first trading day on the split-adjusted basis`,
    `Last trading day before: ${lastTradingDayText(recordOnDay)}`,
    `Fractional shares: ${fractionText(evidence.fraction)}`,
    ...[...recordWarnings(record), ...disagreementWarnings(evidence, record)].map((warning) => `CHECK: ${warning}`),
    ...releaseLines(entry),
  ];
}

function stateLines({ state, record }: CalendarEntry): readonly string[] {
  switch (state.kind) {
    case "listed":
      return [];
    case "removed":
      return ["The source no longer lists this split and doesn't say why. It may not take effect."];
    case "moved":
      return [`A release postpones it from ${formatDay(record.exDate)} to this day; the list doesn't show that yet.`];
    case "withdrawn":
      return state.withdrawal === "cancelled"
        ? ["Cancelled, according to a release."]
        : ["Postponed, according to a release; no new date is stated."];
  }
}

function releaseLines({ evidence: { release } }: CalendarEntry): readonly string[] {
  if (release === null) return [];
  return [
    `Release: ${cutText(release.heading, 300)} (${wireName(release.source)}, ${formatDay(release.published)})`,
    release.url,
  ];
}

/** Removes control characters and line breaks. */
function oneLine(text: string): string {
  return text
    .replace(/\p{Cs}/gu, "\uFFFD")
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}
