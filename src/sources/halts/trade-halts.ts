import type { Observation } from "../../catalog/observation.ts";
import { type Exchange, parseExchange, US_MARKET } from "../../domain/split/exchange.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { type Day, HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE, nextTradingDay, tradingDayBefore } from "../../domain/time/trading-day.ts";
import { instantAt, wallClockAt } from "../../domain/time/wall-clock.ts";
import type { DocumentEntry, DocumentReading } from "../document-reading.ts";
import { checkItemCount, feedText, PACE_MS } from "../nasdaqtrader.ts";
import { parseFieldDay, parseFieldTime, parseTimeOfDay } from "../notations.ts";
import type { Statement, StatementPollResult, StatementReader } from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import { isNewsDay } from "../publishing-hours.ts";
import { type FetchError, toFetchError, unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web.ts";

const FEED_PATH = "/rss.aspx?feed=tradehalts";

/** The feed has 17 to 100 items. */
const MAX_ITEMS = 500;
const MAX_ITEM_LENGTH = 10_000;
/** Number of trading days before today whose halts are read at startup. */
const CATCH_UP_DAYS = 3;

/** Reads the current halts at each poll, and the halts of each recent trading day once, in case they were missed. */
export function createHaltsReader(
  origin: string,
  { web, clock, everyMs, recordedObservations }: StatementReaderTools,
): StatementReader {
  /** Days whose halts were read after the last evening halts of the day were published. */
  const completeDays = new Set<Day>();

  async function readHalts(day: Day | null, signal: AbortSignal): Promise<readonly Halt[]> {
    const url = day === null ? `${origin}${FEED_PATH}` : urlOfDay(origin, day);
    return haltsIn(await web.request(url, { kind: "feed", paceMs: PACE_MS, signal }));
  }

  /** Adds the halts of the days that are not complete yet to `pastHalts`. Returns the errors. */
  async function catchUp(days: readonly Day[], pastHalts: Halt[], signal: AbortSignal): Promise<readonly FetchError[]> {
    const failures: FetchError[] = [];
    for (const day of days.filter((past) => !completeDays.has(past))) {
      try {
        pastHalts.push(...(await readHalts(day, signal)));
        completeDays.add(day);
      } catch (error) {
        failures.push(toFetchError(error));
      }
    }
    return failures;
  }

  return {
    name: "halts",
    intervalMs: (now) => intervalAt(now, everyMs),
    async read(signal): Promise<StatementPollResult> {
      const { day: today, minute } = wallClockAt(clock.now(), MARKET_ZONE);
      const days = tradingDaysBefore(today);
      const current = await readHalts(null, signal);
      if (minute >= EVENING_END_MINUTE) completeDays.add(today);
      const pastHalts: Halt[] = [];
      const failures = await catchUp(days, pastHalts, signal);
      for (const day of completeDays) if (day !== today && !days.includes(day)) completeDays.delete(day);
      const halts = [...current, ...pastHalts];
      const confirmations = haltStatements(halts, origin);
      const statements = [
        ...confirmations,
        ...retractions(halts, origin, { confirmations, recorded: recordedObservations() }),
      ];
      return { items: current, statements, failures };
    },
  };
}

/** The last CATCH_UP_DAYS trading days before a day, newest first. All US exchanges have the same trading days. */
function tradingDaysBefore(day: Day): readonly Day[] {
  return Array.from({ length: CATCH_UP_DAYS }, (_, n) => tradingDayBefore(US_MARKET, day, n + 1));
}

function urlOfDay(origin: string, day: Day): string {
  const [year = "", month = "", dayOfMonth = ""] = day.split("-");
  return `${origin}${FEED_PATH}&haltdate=${month}${dayOfMonth}${year}`;
}

/** A halt, with the texts of the feed. */
interface Halt {
  readonly symbol: string;
  readonly name: string;
  readonly market: string;
  readonly date: string;
  /** `19:50:00` or `19:50:00.000`, in New York's time zone. */
  readonly time: string;
  readonly reason: string;
}

const FEED_END = /<\/rss>\s*$/i;
const FEED = /^\s*(?:<\?xml[^>]{0,200}>\s*)?<rss[\s>]/i;

/** Throws a FetchError if the answer is not the feed, or is incomplete. */
function haltsIn(answer: WebAnswer): readonly Halt[] {
  const text = feedText(answer);
  if (!FEED.test(text)) throw unreadable(answer, "expected an RSS feed, got another format");
  if (!FEED_END.test(text)) throw unreadable(answer, "the feed is truncated");
  const items = text.split(/<item[\s>]/i, MAX_ITEMS + 1).slice(1);
  checkItemCount(answer, items.length);
  const halts = items.map((item) => haltOf(item.slice(0, MAX_ITEM_LENGTH)));
  if (halts.length > 0 && !halts.some(isIdentified))
    throw unreadable(answer, "expected halts with IssueSymbol, HaltDate and HaltTime, got items without them");
  return halts;
}

function isIdentified({ symbol, date, time }: Halt): boolean {
  return symbol !== "" && date !== "" && time !== "";
}

function haltOf(item: string): Halt {
  const field = (name: string): string =>
    new RegExp(String.raw`<(?:[\w-]{1,20}:)?${name}(?:\s[^>]{0,100})?>\s{0,20}(?:<!\[CDATA\[)?([^<\]]{0,100})`, "i")
      .exec(item)?.[1]
      ?.trim() ?? "";
  return {
    symbol: field("IssueSymbol"),
    name: field("IssueName"),
    market: field("Market"),
    date: field("HaltDate"),
    time: field("HaltTime"),
    reason: field("ReasonCode"),
  };
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

function haltStatements(halts: readonly Halt[], origin: string): readonly Statement[] {
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
function retractions(
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

function isBeforeSplit({ reason }: Halt): boolean {
  return PRE_SPLIT_REASONS.has(reason.toUpperCase());
}

/** Null for halts at other times, and for an invalid symbol or date. */
function toEveningHalt(halt: Halt): EveningHalt | null {
  if (parseTimeOfDay(halt.time) !== PRE_SPLIT_MINUTE * MINUTE_MS) return null;
  const day = parseFieldDay(halt.date);
  const ticker = parseTicker(halt.symbol);
  return day === null || ticker === undefined ? null : { ...halt, ticker, day };
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
function idOf({ ticker, day }: EveningHalt): string {
  return `${ticker} ${day}`;
}

function exchangeOf(market: string): Exchange | null {
  return parseExchange(market) ?? null;
}

/** Minutes of the day at which halts are read: shortly before trading resumes, and while the evening halts are published. */
const READING_MINUTES = [9 * 60 + 5, 19 * 60 + 51, 19 * 60 + 56, 20 * 60 + 1, 20 * 60 + 5] as const;
const EVENING_END_MINUTE = 20 * 60 + 5;

/** The configured interval, shortened if it would miss the next of READING_MINUTES; at least an hour on days without trading. */
function intervalAt(now: Instant, everyMs: number): number {
  const { day } = wallClockAt(now, MARKET_ZONE);
  if (!isNewsDay(day)) return Math.max(everyMs, HOUR_MS);
  const next = READING_MINUTES.map((minute) => instantAt(day, minute, MARKET_ZONE)).find((instant) => instant > now);
  const untilNext = next === undefined ? Number.POSITIVE_INFINITY : next - now;
  return Math.max(Math.min(everyMs, untilNext), Math.min(everyMs, MINUTE_MS));
}

const ORIGIN = "https://www.nasdaqtrader.com";

/** Reads the feed as one document. Throws a FetchError for any other document. */
export function readHaltsDocument(document: WebAnswer): DocumentReading {
  const halts = haltsIn(document);
  const statements = haltStatements(halts, ORIGIN);
  const confirming = new Set(statements.map(({ id }) => id));
  return { document: "feed", statements, entries: halts.map((halt) => entryOf(halt, confirming)) };
}

function entryOf(halt: Halt, confirming: ReadonlySet<string>): DocumentEntry {
  const { symbol, name, market, date, time, reason } = halt;
  const eveningHalt = toEveningHalt(halt);
  return {
    id: `${symbol} ${date} ${time}`,
    title: `${name}, ${market}, ${reason}`,
    publishedAt: parseFieldTime(`${date} ${time}`),
    isFollowed: eveningHalt !== null && isBeforeSplit(halt) && confirming.has(idOf(eveningHalt)),
  };
}
