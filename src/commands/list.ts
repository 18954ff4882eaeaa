import type { Snapshot } from "../domain/diff/snapshot.ts";
import { withdrawingRelease } from "../domain/diff/withdrawal.ts";
import { US_MARKET } from "../domain/split/exchange.ts";
import { isIssueWarning } from "../domain/split/quality.ts";
import type { Split, SplitRecord, SplitStatus } from "../domain/split/split.ts";
import { addDays, type Day, parseDay } from "../domain/time/day.ts";
import { tradingDayKind } from "../domain/time/trading-day.ts";
import { nextMonday } from "../domain/time/typed-day.ts";
import {
  LIST_FILTERS,
  type ListDates,
  type ListPage,
  listCard,
  NEXT_WEEK,
  noCompleteListCard,
  parseListDates,
  unreadableListCard,
} from "../messages/answers/list-answer.ts";
import { byExDate } from "../messages/split-text.ts";
import { type Command, defineCommand } from "./command.ts";
import { type CurrentData, currentWarnings, readCurrentData, repeatSplitsIn, sampleBadges } from "./current-data.ts";
import { PAGE_OPTION, paginate } from "./paging.ts";

const PAGE_SIZE = 8;

const FILTER_ALIASES = {
  thisweek: "week",
  nextweek: NEXT_WEEK,
  nextsevendays: "week",
  next7days: "week",
  "7days": "week",
  now: "today",
  soon: "upcoming",
  everything: "all",
} as const;

export const list: Command = defineCommand({
  name: "list",
  aboutSplits: true,
  summary: "The current reverse splits, by ex date",
  example: "list when:week exchange:NASDAQ",
  options: {
    exchange: { kind: "exchanges", summary: "Only splits on these exchanges" },
    when: {
      kind: "choiceOrDay",
      choices: LIST_FILTERS,
      aliases: FILTER_ALIASES,
      summary: "Which ex dates, or one day such as 2026-11-27; upcoming by default",
    },
    page: PAGE_OPTION,
  },
  shareable: true,
  async run(options, _call, context) {
    const { exchange: exchanges = [], when = "upcoming" } = options;
    const data = await readCurrentData(context);
    const { snapshot, time } = data;
    const badges = sampleBadges(context);
    if (data.list === "unreadable" && snapshot.splits.size === 0) return [{ ...unreadableListCard(), badges }];
    if (!snapshot.splitsKnown) return [{ ...noCompleteListCard(), badges }];

    const dates = parseListDates(when);
    const oneDay = dayOf(dates, time.today);
    const listedRecords = splitsWith(snapshot, "listed").map(({ record }) => record);
    const isOnSelectedExchange = ({ exchange }: SplitRecord): boolean =>
      exchanges.length === 0 || exchanges.includes(exchange);
    const onExchanges = listedRecords.filter(isOnSelectedExchange).toSorted(byExDate);
    const matching = onExchanges.filter(({ exDate }) =>
      oneDay === null ? isWithin(exDate, dates, time.today) : exDate === oneDay,
    );
    const page = paginate(matching, PAGE_SIZE, list, options);
    const card = listCard(
      {
        dates,
        exchanges,
        splits: withWarnings(page.rows, data, context.source.sample),
        total: matching.length,
        next: nextFrom(onExchanges, oneDay === null || oneDay < time.today ? time.today : oneDay),
        isClosed: oneDay !== null && tradingDayKind(US_MARKET, oneDay) === "closed",
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

/** The first ex date from this day on, and its tickers. */
function nextFrom(byDate: readonly SplitRecord[], from: Day): ListPage["next"] {
  const record = byDate.find(({ exDate }) => exDate >= from);
  if (record === undefined) return null;
  return { record, tickers: byDate.filter(({ exDate }) => exDate === record.exDate).map(({ ticker }) => ticker) };
}

/** The day, if the dates are those of one day. */
function dayOf(dates: ListDates, today: Day): Day | null {
  if (dates === "today") return today;
  if (dates === "tomorrow") return addDays(today, 1);
  return parseDay(dates) ?? null;
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

/** True if the dates, of more than one day, contain the ex date. */
function isWithin(exDate: Day, dates: ListDates, today: Day): boolean {
  if (dates === "all") return true;
  const start = dates === NEXT_WEEK ? nextMonday(today) : today;
  return exDate >= start && (dates === "upcoming" || exDate < addDays(start, 7));
}
