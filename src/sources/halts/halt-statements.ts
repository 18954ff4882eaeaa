import type { Observation } from "../../catalog/observation.ts";
import { type Exchange, parseExchange, US_MARKET } from "../../domain/split/exchange.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { type Day, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE, nextTradingDay } from "../../domain/time/trading-day.ts";
import { instantAt } from "../../domain/time/wall-clock.ts";
import type { Statement } from "../official/statement.ts";
import type { Halt } from "./read-halts.ts";

const FEED_PATH = "/rss.aspx?feed=tradehalts";

/** Address of the current halts. */
export function currentUrl(origin: string): string {
  return `${origin}${FEED_PATH}`;
}

/** Address of the halts of a day. */
export function urlOfDay(origin: string, day: Day): string {
  const [year = "", month = "", dayOfMonth = ""] = day.split("-");
  return `${currentUrl(origin)}&haltdate=${month}${dayOfMonth}${year}`;
}

/** Time and reason of the halts on the evening before a reverse split: rule 4120 of Nasdaq, rule 123D(f) of NYSE. */
const PRE_SPLIT_MINUTE = 19 * 60 + 50;
/** `T1` on the evening, `T3` once the resumption is posted on the ex date. A row that changes to another code is no split. */
const PRE_SPLIT_REASONS: ReadonlySet<string> = new Set(["T1", "T3"]);

/** A halt at the time of a reverse split, with a valid symbol and date. */
interface EveningHalt extends Halt {
  readonly ticker: Ticker;
  readonly day: Day;
}

export function haltStatements(halts: readonly Halt[], origin: string): readonly Statement[] {
  const preSplitHalts = halts.flatMap((halt) => toEveningHalt(halt) ?? []).filter(isBeforeSplit);
  const halted = new Set(preSplitHalts.map(({ ticker, day }) => `${ticker} ${day}`));
  const shareHalts = preSplitHalts.filter((halt) => !isWarrant(halt, halted));
  const statements = shareHalts.map((halt) => statementOf(halt, origin));
  return [...new Map(statements.map((statement) => [statement.id, statement])).values()];
}

interface StatedHalts {
  /** Of this poll. */
  readonly confirmations: readonly Statement[];
  readonly recorded: Iterable<Observation>;
}

/** Statements without an ex date for the recorded confirmations whose rows have changed to another reason. */
export function retractions(
  halts: readonly Halt[],
  origin: string,
  { confirmations, recorded }: StatedHalts,
): readonly Statement[] {
  const others = halts.flatMap((halt) => toEveningHalt(halt) ?? []).filter((halt) => !isBeforeSplit(halt));
  if (others.length === 0) return [];
  const confirmed = new Set(confirmations.map(({ id }) => id));
  const retracted = new Set([...recorded].map(({ id }) => id).filter((id) => !confirmed.has(id)));
  return others
    .filter((halt) => retracted.has(idOf(halt)))
    .map((halt) => ({ ...statementOf(halt, origin), exDate: null }));
}

export function isBeforeSplit({ reason }: Halt): boolean {
  return PRE_SPLIT_REASONS.has(reason.toUpperCase());
}

/** Null for halts at other times, and for an invalid symbol or date. */
export function toEveningHalt(halt: Halt): EveningHalt | null {
  const { ticker, day, sinceMidnightMs } = halt;
  if (sinceMidnightMs !== PRE_SPLIT_MINUTE * MINUTE_MS || ticker === null || day === null) return null;
  return { ...halt, ticker, day };
}

const WARRANT_NAME = /\b(?:wts?|wrts?|warrants?)\b/i;
/** `QLMRW`, `QLMRWS`, `QLMR.WS` */
const WARRANT_SYMBOL = /^([A-Z]{1,5}?)[./-]?WS?$/;

/** True for a warrant, which is halted together with the share but isn't split. */
function isWarrant({ name, ticker, day }: EveningHalt, halted: ReadonlySet<string>): boolean {
  const share = WARRANT_SYMBOL.exec(ticker)?.[1];
  return WARRANT_NAME.test(name) || (share !== undefined && halted.has(`${share} ${day}`));
}

function statementOf(halt: EveningHalt, origin: string): Statement {
  const { symbol, ticker, day, date, time, reason, market } = halt;
  return {
    id: idOf(halt),
    url: `${urlOfDay(origin, day)}#${encodeURIComponent(symbol)}`,
    kind: "confirmed",
    listings: [{ ticker, exchange: exchangeOf(market) }],
    // The feed abbreviates names.
    company: null,
    ratio: null,
    exDate: nextTradingDay(US_MARKET, day),
    newCusip: null,
    evidence: {
      exDate: `HaltDate: ${date}, HaltTime: ${time}, ReasonCode: ${reason}`,
      ticker: `IssueSymbol: ${symbol}, Market: ${market}`,
    },
    publishedAt: instantAt(day, PRE_SPLIT_MINUTE, MARKET_ZONE),
  };
}

/** The texts of date and time may change their notation. */
export function idOf({ ticker, day }: EveningHalt): string {
  return `${ticker} ${day}`;
}

function exchangeOf(market: string): Exchange | null {
  return parseExchange(market) ?? null;
}
