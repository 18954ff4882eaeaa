import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import type { Day } from "../../domain/time/day.ts";
import { checkItemCount, feedText } from "../nasdaqtrader-feed.ts";
import { parseFieldDay, parseTimeOfDay } from "../notations.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web-answer.ts";

/** The feed has 17 to 100 items. */
const MAX_ITEMS = 500;
const MAX_ITEM_LENGTH = 10_000;

/** A halt, with the texts of the feed. */
export interface Halt {
  readonly symbol: string;
  readonly name: string;
  readonly market: string;
  readonly date: string;
  /** `19:50:00` or `19:50:00.000`, in New York's time zone. */
  readonly time: string;
  readonly reason: string;
  /** Null: the symbol is invalid. */
  readonly ticker: Ticker | null;
  /** Null: the date is invalid. */
  readonly day: Day | null;
  /** Milliseconds since midnight; null: the time is invalid. */
  readonly sinceMidnightMs: number | null;
}

const FEED_END = /<\/rss>\s*$/i;
const FEED = /^\s*(?:<\?xml[^>]{0,200}>\s*)?<rss[\s>]/i;

/** Reads the feed. Throws a FetchError for any other answer, and for an incomplete feed. */
export function readHalts(answer: WebAnswer): readonly Halt[] {
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
  const [symbol, date, time] = [field("IssueSymbol"), field("HaltDate"), field("HaltTime")];
  return {
    symbol,
    name: field("IssueName"),
    market: field("Market"),
    date,
    time,
    reason: field("ReasonCode"),
    ticker: parseTicker(symbol) ?? null,
    day: parseFieldDay(date),
    sinceMidnightMs: parseTimeOfDay(time),
  };
}
