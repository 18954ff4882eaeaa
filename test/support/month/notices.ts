import { at, type Plan, type Publication, tradingDay } from "./story.ts";

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
