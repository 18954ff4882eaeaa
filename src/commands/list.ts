import type { Snapshot } from "../domain/diff/snapshot.ts";
import { withdrawingRelease } from "../domain/diff/withdrawal.ts";
import { US_MARKET } from "../domain/split/exchange.ts";
import { isIssueWarning } from "../domain/split/quality.ts";
import type { Split, SplitRecord, SplitStatus } from "../domain/split/split.ts";
import { addDays, type Day } from "../domain/time/day.ts";
import { tradingDayKind } from "../domain/time/trading-day.ts";
import {
  LIST_SPANS,
  type ListPage,
  type ListSpan,
  listCard,
  noCompleteListCard,
} from "../messages/answers/list-answer.ts";
import { byExDate } from "../messages/split-text.ts";
import { type Command, defineCommand } from "./command.ts";
import { type CurrentData, currentWarnings, readCurrentData, repeatSplitsIn, sampleBadges } from "./current-data.ts";
import { PAGE_OPTION, paginate } from "./paging.ts";

const PAGE_SIZE = 8;

const SPAN_ALIASES = {
  thisweek: "week",
  nextweek: "week",
  nextsevendays: "week",
  next7days: "week",
  "7days": "week",
  now: "today",
  soon: "upcoming",
  everything: "all",
} as const;

export const list: Command = defineCommand({
  name: "list",
  summary: "The current reverse splits, by ex date",
  example: "list when:week exchange:NASDAQ",
  options: {
    exchange: { kind: "exchanges", summary: "Only splits on these exchanges" },
    when: {
      kind: "choice",
      choices: LIST_SPANS,
      aliases: SPAN_ALIASES,
      summary: "Which ex dates; upcoming by default",
    },
    page: PAGE_OPTION,
  },
  shareable: true,
  async run(options, _call, context) {
    const { exchange: exchanges = [], when } = options;
    const data = await readCurrentData(context);
    const { snapshot, time } = data;
    const badges = sampleBadges(context);
    if (!snapshot.splitsKnown) return [{ ...noCompleteListCard(), badges }];

    const span = LIST_SPANS.find((candidate) => candidate === when) ?? "upcoming";
    const listedRecords = splitsWith(snapshot, "listed").map(({ record }) => record);
    const isOnSelectedExchange = ({ exchange }: SplitRecord): boolean =>
      exchanges.length === 0 || exchanges.includes(exchange);
    const onExchanges = listedRecords.filter(isOnSelectedExchange).toSorted(byExDate);
    const matching = onExchanges.filter(({ exDate }) => isWithin(exDate, span, time.today));
    const page = paginate(matching, PAGE_SIZE, list, options);
    const card = listCard(
      {
        span,
        exchanges,
        splits: withWarnings(page.rows, data, context.source.sample),
        total: matching.length,
        next: nextAfter(onExchanges, time.today),
        isClosed: isClosedDay(span, time.today),
        listedCount: listedRecords.length,
        noLongerListed: splitsWith(snapshot, "missing")
          .filter(({ record }) => isOnSelectedExchange(record))
          .map((split) => ({
            ticker: split.record.ticker,
            withdrawal: withdrawingRelease(split, data.articles)?.kind ?? null,
          })),
        suspicionReason: snapshot.suspicion?.reason ?? null,
        pageLine: page.pageLine,
        buttons: page.buttons,
      },
      time,
    );
    return [{ ...card, badges }];
  },
});

/** The first upcoming ex date and its tickers. An empty list has none before its end. */
function nextAfter(byDate: readonly SplitRecord[], today: Day): ListPage["next"] {
  const record = byDate.find(({ exDate }) => exDate >= today);
  if (record === undefined) return null;
  return { record, tickers: byDate.filter(({ exDate }) => exDate === record.exDate).map(({ ticker }) => ticker) };
}

function isClosedDay(span: ListSpan, today: Day): boolean {
  if (span !== "today" && span !== "tomorrow") return false;
  return tradingDayKind(US_MARKET, span === "today" ? today : addDays(today, 1)) === "closed";
}

function withWarnings(records: readonly SplitRecord[], data: CurrentData, sample: boolean): ListPage["splits"] {
  const inconsistent = currentWarnings(data).filter(({ warnings }) => warnings.some(isIssueWarning));
  const withIssues = new Set(inconsistent.map(({ record }) => record));
  return records.map((record) => ({
    record,
    hasWarning: withIssues.has(record),
    repeats: repeatSplitsIn(data, record, sample),
  }));
}

function splitsWith({ splits }: Snapshot, status: SplitStatus): readonly Split[] {
  return [...splits.values()].filter((split) => split.status === status);
}

function isWithin(exDate: Day, span: ListSpan, today: Day): boolean {
  switch (span) {
    case "upcoming":
      return exDate >= today;
    case "all":
      return true;
    case "today":
      return exDate === today;
    case "tomorrow":
      return exDate === addDays(today, 1);
    case "week":
      return exDate >= today && exDate < addDays(today, 7);
  }
}
