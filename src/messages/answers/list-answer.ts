import { type Exchange, exchangeName } from "../../domain/split/exchange.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { type Day, parseDay } from "../../domain/time/day.ts";
import { formatCount, formatDay, formatDistance, joinList, joinShortList, type TimeContext } from "../format.ts";
import { type Button, type Card, card } from "../message.ts";
import { type RowExtras, splitCardRow } from "../split-text.ts";

/** Filters of a list, by ex date. */
export const LIST_FILTERS = ["upcoming", "all", "today", "tomorrow", "week"] as const;

/** Value of the synonym "next week": Monday to Sunday. */
export const NEXT_WEEK = "nextweek";

type ListFilter = (typeof LIST_FILTERS)[number] | typeof NEXT_WEEK;

const ALL_FILTERS: readonly ListFilter[] = [...LIST_FILTERS, NEXT_WEEK];

/** Selected ex dates: a filter or one day. */
export type ListDates = ListFilter | Day;

/** Split that the source no longer lists. */
interface UnlistedSplit {
  readonly ticker: Ticker;
  /** Kind of the release that withdrew the split; null if no release did. */
  readonly withdrawal: "postponed" | "cancelled" | null;
}

/** One page of a list of splits. */
export interface ListPage {
  readonly dates: ListDates;
  readonly exchanges: readonly Exchange[];
  /** Splits on this page. */
  readonly splits: readonly (RowExtras & { readonly record: SplitRecord })[];
  /** Number of matching splits on all pages. */
  readonly total: number;
  /** First listed splits from today on, or from the selected day on, on these exchanges; null if there are none. */
  readonly next: { readonly record: SplitRecord; readonly tickers: readonly Ticker[] } | null;
  /** True if the dates are one day on which the US exchanges are closed. */
  readonly isClosed: boolean;
  /** Number of splits on the source's list. */
  readonly listedCount: number;
  readonly noLongerListed: readonly UnlistedSplit[];
  /** Why the source's latest list is suspicious; null if it isn't. */
  readonly suspicionReason: string | null;
  readonly pageLine: string | null;
  readonly buttons: readonly Button[];
}

const FILTER_TEXTS: Readonly<Record<Exclude<ListFilter, "all">, string>> = {
  upcoming: "with an ex date from today on",
  today: "with an ex date today",
  tomorrow: "with an ex date tomorrow",
  week: "with an ex date within the next seven days",
  [NEXT_WEEK]: "with an ex date next week, Monday to Sunday",
};

export function listCard(list: ListPage, context: TimeContext): Card {
  const exchangesText = list.exchanges.length === 0 ? "" : ` on ${joinList(list.exchanges.map(exchangeName), "or")}`;
  const filterText =
    list.dates === "all" ? `listed${exchangesText}` : `${exchangesText} ${datesText(list.dates)}`.trim();
  return card({
    title:
      list.total === 0
        ? `No reverse splits ${filterText}`
        : `${formatCount(list.total, "reverse split")} ${filterText}`,
    lines: [
      ...(list.total === 0 ? [...closedLines(list), ...nextLines(list, context), emptyLine(list)] : []),
      ...(list.suspicionReason === null
        ? []
        : [`The source's latest list is suspicious and isn't used yet: it showed ${list.suspicionReason}.`]),
      ...noLongerListedLines(list.noLongerListed),
      ...(list.pageLine === null ? [] : [list.pageLine]),
    ],
    rows: list.splits.map((split) => splitCardRow(split.record, context, split)),
    buttons: list.buttons,
  });
}

function noLongerListedLines(splits: readonly UnlistedSplit[]): readonly string[] {
  const withdrawn = splits.flatMap(({ ticker, withdrawal }) =>
    withdrawal === null ? [] : [`${ticker} (${withdrawal})`],
  );
  const unexplained = splits.filter(({ withdrawal }) => withdrawal === null).map(({ ticker }) => ticker);
  return [
    ...(withdrawn.length === 0 ? [] : [`No longer listed, according to a release: ${joinShortList(withdrawn)}.`]),
    ...(unexplained.length === 0
      ? []
      : [`No longer listed, without a reason from the source: ${joinShortList(unexplained)}.`]),
  ];
}

function isFilter(dates: string): dates is ListFilter {
  return ALL_FILTERS.some((filter) => filter === dates);
}

/** Parses a filter or a day; `upcoming` for other text. */
export function parseListDates(text: string): ListDates {
  return isFilter(text) ? text : (parseDay(text) ?? "upcoming");
}

function datesText(dates: Exclude<ListDates, "all">): string {
  return isFilter(dates) ? FILTER_TEXTS[dates] : `with an ex date on ${formatDay(dates)}`;
}

function closedLines({ isClosed, dates }: ListPage): readonly string[] {
  return isClosed ? [`The US exchanges are closed ${isFilter(dates) ? dates : `on ${formatDay(dates)}`}.`] : [];
}

function nextLines({ next }: ListPage, context: TimeContext): readonly string[] {
  if (next === null) return [];
  const { record, tickers } = next;
  const distance = formatDistance(record.exchange, context.today, record.exDate);
  return [`The next ex date is ${formatDay(record.exDate)} (${distance}): ${joinShortList(tickers)}.`];
}

function emptyLine({ listedCount, dates, exchanges }: ListPage): string {
  if (listedCount === 0) return "The source's list is empty. Alerts are sent as soon as a split is listed.";
  if (dates === "all" && exchanges.length > 0)
    return `${formatCount(listedCount, "split is", "splits are")} listed on other exchanges.`;
  return `${formatCount(listedCount, "split is", "splits are")} listed in total. See them all: /splits list when:all`;
}

/** Answer while no split is known and none can be read. */
export function unreadableListCard(): Card {
  return card({
    tone: "bad",
    title: "Splits can't be read now",
    buttons: [{ label: "Status", command: "status", style: "normal" }],
  });
}

/** Answer before the first complete list. */
export function noCompleteListCard(): Card {
  return card({
    tone: "warning",
    title: "No list of splits has been read yet",
    lines: ["The source hasn't returned a complete list yet. See the last polls: /splits status"],
    buttons: [{ label: "Status", command: "status", style: "normal" }],
  });
}
