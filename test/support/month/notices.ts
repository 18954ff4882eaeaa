import { at, longDate, type Plan, type Publication, tradingDay } from "./story.ts";

const FINRA_MINUTE = 14 * 60 + 11;

export interface DailyListTerms {
  /** Number of the trading day on which the row is published. */
  readonly on: number;
  readonly minute?: number;
  /** Counts the rows of a split. */
  readonly row: number;
  readonly ex?: number;
  readonly rate?: string | null;
  readonly comment?: string;
  /** Whether the row returns from the symbol with the suffix D. */
  readonly isReturn?: boolean;
}

/** A row of FINRA's daily list. */
export function dailyListRow(plan: Plan, terms: DailyListTerms): Publication {
  const { ticker, company, number, old } = plan;
  const { on, minute = FINRA_MINUTE, row, ex = plan.ex, rate = `1:${old}`, comment = null, isReturn = false } = terms;
  const [oldSymbol, newSymbol] = isReturn ? [`${ticker}D`, ticker] : [ticker, `${ticker}D`];
  const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  return {
    at: at(on, minute),
    publish: ({ finra }) =>
      finra.publish({
        OTCDailyListID: 900_000 + number * 10 + row,
        calendarDay: tradingDay(on),
        dailyListDatetime: `${tradingDay(on)} ${time}:20.0`,
        oldSymbolCode: oldSymbol,
        newSymbolCode: newSymbol,
        oldSecurityDescription: `${company} Common Stock`,
        newSecurityDescription: `${company} New Common Stock`,
        reverseSplitRate: rate,
        exDate: `${tradingDay(ex)} 00:00:00.0`,
        commentText: comment,
      }),
  };
}

export interface CorporateActionTerms {
  readonly on: number;
  readonly minute?: number;
  readonly ex?: number;
  readonly status?: string;
  readonly type?: string;
}

/** A row of NYSE's corporate actions; a later one of the same plan replaces it. */
export function corporateAction(plan: Plan, terms: CorporateActionTerms): Publication {
  const { ticker, company, number } = plan;
  const {
    on,
    minute = 15 * 60,
    ex = plan.ex,
    status = "Effective before the Open",
    type = "Reverse Stock Split",
  } = terms;
  return {
    at: at(on, minute),
    publish: ({ nyse }) =>
      nyse.publish({
        action_date: tradingDay(ex),
        action_status: status,
        action_type: type,
        issue_symbol: ticker,
        issuer_name: company.toUpperCase().replace(".", ""),
        updated_at: new Date(at(on, minute)).toISOString(),
        market_event: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
      } as { readonly market_event: string }),
  };
}

export interface NasdaqTerms {
  readonly on: number;
  readonly minute?: number;
  /** Trading day of the first version of the notice, which its number and its page keep. */
  readonly first?: number;
  readonly ex?: number;
  readonly old?: number;
  /** Sentences in place of those on ratio and date. */
  readonly text?: string;
  readonly title?: string;
}

/** Notices that the feed shows; the archive shows all. */
const FEED_SIZE = 20;

/** A notice of Nasdaq; a later one of the same plan replaces its page in place. */
export function nasdaqNotice(plan: Plan, terms: NasdaqTerms): Publication {
  const { ticker, company, number } = plan;
  const { on, minute = 12 * 60 + 5, first = on, ex = plan.ex, old = plan.old } = terms;
  const {
    text = `${company} (${ticker}) will effect a (1-${old}) reverse split of its common stock. The reverse stock split will become effective on ${longDate(ex, true)}.`,
    title = `Information Regarding the Reverse Stock Split and CUSIP Number Change for ${company} (${ticker})`,
  } = terms;
  const notice = {
    number: `2026-${first * 100 + number}`,
    title: on === first ? title : `(UPDATED) ${title}`,
    body: `<p>${text}</p>`,
    date: longDate(first, true),
    pubDate: new Date(at(first, 12 * 60 + 5)).toUTCString(),
  };
  return {
    at: at(on, minute),
    publish: ({ nasdaq }) => {
      nasdaq.publish(notice);
      nasdaq.notices = nasdaq.notices.map((one, index) => ({ ...one, isOld: index >= FEED_SIZE }));
    },
  };
}
