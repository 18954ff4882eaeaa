import { type Exchange, exchangeName } from "../../domain/split/exchange.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { formatCount, formatDay, formatDistance, joinList, joinShortList, type TimeContext } from "../format.ts";
import { type Button, type Card, card } from "../message.ts";
import { type RowExtras, splitCardRow } from "../split-text.ts";

/** Filters of a list, by ex date. */
export const LIST_SPANS = ["upcoming", "all", "today", "tomorrow", "week"] as const;

export type ListSpan = (typeof LIST_SPANS)[number];

/** Split that the source no longer lists. */
interface UnlistedSplit {
  readonly ticker: Ticker;
  /** Kind of the release that withdrew the split; null if no release did. */
  readonly withdrawal: "postponed" | "cancelled" | null;
}

/** One page of a list of splits. */
export interface ListPage {
  readonly span: ListSpan;
  readonly exchanges: readonly Exchange[];
  /** Splits on this page. */
  readonly splits: readonly (RowExtras & { readonly record: SplitRecord })[];
  /** Number of matching splits on all pages. */
  readonly total: number;
  /** Next listed splits after the span's days on these exchanges; null if there are none. */
  readonly next: { readonly record: SplitRecord; readonly tickers: readonly Ticker[] } | null;
  /** True if the span is one day on which the US exchanges are closed. */
  readonly isClosed: boolean;
  /** Number of splits on the source's list. */
  readonly listedCount: number;
  readonly noLongerListed: readonly UnlistedSplit[];
  /** Why the source's latest list is suspicious; null if it isn't. */
  readonly suspicionReason: string | null;
  readonly pageLine: string | null;
  readonly buttons: readonly Button[];
}

const SPAN_TEXTS: Readonly<Record<Exclude<ListSpan, "all">, string>> = {
  upcoming: "with an ex date from today on",
  today: "with an ex date today",
  tomorrow: "with an ex date tomorrow",
  week: "with an ex date within the next seven days",
};

export function listCard(list: ListPage, context: TimeContext): Card {
  const exchangesText = list.exchanges.length === 0 ? "" : ` on ${joinList(list.exchanges.map(exchangeName), "or")}`;
  const filterText =
    list.span === "all" ? `listed${exchangesText}` : `${exchangesText} ${SPAN_TEXTS[list.span]}`.trim();
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

function closedLines({ isClosed, span }: ListPage): readonly string[] {
  return isClosed ? [`The US exchanges are closed ${span}.`] : [];
}

function nextLines({ next }: ListPage, context: TimeContext): readonly string[] {
  if (next === null) return [];
  const { record, tickers } = next;
  const distance = formatDistance(record.exchange, context.today, record.exDate);
  return [`The next ex date is ${formatDay(record.exDate)} (${distance}): ${joinShortList(tickers)}.`];
}

function emptyLine({ listedCount, span, exchanges }: ListPage): string {
  if (listedCount === 0) return "The source's list is empty. Alerts are sent as soon as a split is listed.";
  if (span === "all" && exchanges.length > 0)
    return `${formatCount(listedCount, "split is", "splits are")} listed on other exchanges.`;
  return `${formatCount(listedCount, "split is", "splits are")} listed in total. See them all: /splits list when:all`;
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
