import { DAY_MS, dayInZone, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { instantAt } from "../../domain/time/wall-clock.ts";
import { parseFieldDay, parseFieldTime, parseTimeOfDay } from "../notations.ts";
import { decodeText } from "../web/decode-text.ts";
import { unreadable } from "../web/fetch-error.ts";
import { firstElement } from "../web/html-scan.ts";
import { type FeedItem, feedItem } from "../web/read-feed.ts";
import type { WebAnswer } from "../web/web-answer.ts";

/** Twice as many as a page lists. */
const MAX_CARDS = 200;

const CARD_START = /<div\b[^>]{0,300}?aria-label="News Release"/i;
/** Start of a card's link; used if no card has the label. */
const LINK_START = /<a\b(?=[^>]{0,300}?newsreleaseconsolidatelink)/i;
const LINK = /href\s{0,5}=\s{0,5}["']([^"']{0,300}\/news-releases\/[^"'/]{1,1000}\.html)["']/i;
const MAX_TITLE_LENGTH = 3_000;
const MAX_SUMMARY_LENGTH = 5_000;
const TIME = /<small\b[^>]{0,300}>([^<]{1,60})<\/small>/i;
/** A time in other markup. */
const TIME_TEXT = />\s{0,100}((?:[A-Za-z]{3,9}\.? \d{1,2}, \d{4},? )?\d{1,2}:\d{2} ET)\b/i;

/** Parses the releases on a page of the list. Throws a FetchError if there are none. */
export function readReleaseList(answer: WebAnswer, now: Instant): FeedItem[] {
  const html = decodeText(answer.body, answer.header("content-type"));
  const labeled = html.split(CARD_START, MAX_CARDS).slice(1);
  const cards = labeled.length > 0 ? labeled : html.split(LINK_START, MAX_CARDS).slice(1);
  const items = cards.flatMap((card) => readCard(card, answer.url, now) ?? []);
  if (items.length === 0) throw unreadable(answer, "expected a list of releases, got none");
  return items;
}

function readCard(card: string, list: URL, now: Instant): FeedItem | null {
  const entry = {
    link: LINK.exec(card)?.[1],
    heading: firstElement(card, "h[1-6]", MAX_TITLE_LENGTH)?.replace(TIME, ""),
    teaser: firstElement(card, "p", MAX_SUMMARY_LENGTH),
    publishedAt: parseListTime((TIME.exec(card) ?? TIME_TEXT.exec(card))?.[1] ?? "", now),
    tickers: [],
  };
  return feedItem(entry, list);
}

/** Tolerance for a local clock that is behind the wire's clock. */
const MAX_AHEAD_MS = 5 * MINUTE_MS;

/** Parses `Oct 05, 2026, 14:30 ET`, or `14:30 ET` for a release from today. Null for other texts. */
function parseListTime(text: string, now: Instant): Instant | null {
  const sinceMidnightMs = parseTimeOfDay(text);
  if (sinceMidnightMs === null || parseFieldDay(text) !== null) return parseFieldTime(text);
  const today = instantAt(dayInZone(now, MARKET_ZONE), sinceMidnightMs / MINUTE_MS, MARKET_ZONE);
  // A time in the future is a time of yesterday: the page was generated before midnight.
  return today - now > MAX_AHEAD_MS ? today - DAY_MS : today;
}
