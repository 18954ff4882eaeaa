import { parseExchange } from "../../domain/split/exchange.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import type { Day } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { instantAt, MINUTES_PER_DAY } from "../../domain/time/wall-clock.ts";
import { extractFacts } from "../../extraction/extract.ts";
import type { Statement } from "../official/statement.ts";
import { decodeText } from "../web/decode-text.ts";
import { unreadable } from "../web/fetch-error.ts";
import { firstElement } from "../web/html-scan.ts";
import { createPageReader, htmlToText } from "../web/page-text.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import type { Bulletin } from "./bulletin-list.ts";

const CSE = parseExchange("CSE") ?? null;
const MAX_LISTINGS = 4;
/** Minimum length of a page's text in characters: a title and one sentence, as in a cancellation. */
const MIN_BULLETIN_LENGTH = 120;
const readText = createPageReader([], { minPageLength: MIN_BULLETIN_LENGTH });

/** A bulletin whose date may be unknown. */
interface KnownBulletin extends Pick<Bulletin, "id" | "title" | "symbols"> {
  readonly date: Day | null;
}

/** Statement of a bulletin about a consolidation. Throws a FetchError if its page has no text or is another bulletin's. */
export function readBulletinPage(page: WebAnswer, bulletin: KnownBulletin): Statement {
  const { id, title, date } = bulletin;
  checkNumber(bulletin, page);
  // A blank line after each line makes a labeled line (`Effective date: …`) a sentence of its own.
  const content = readText(page, title).replaceAll("\n", "\n\n");
  const facts = extractFacts({ heading: title, content, published: date });
  const { security, splits, kind, evidence } = facts;
  const [split] = splits;
  const tickers = sharesOf(bulletin);
  return {
    id,
    url: `https://thecse.com/bulletin/${id}/`,
    kind: kindOf(title, content, kind),
    listings: tickers.map((ticker) => ({ ticker, exchange: CSE })),
    company: security.company ?? companyOf(title),
    ratio: split?.ratio ?? null,
    exDate: split?.exDate ?? null,
    newCusip: split?.newCusip ?? null,
    evidence: { ...evidence, ...split?.evidence, ticker: title },
    // The list states only the day, so the time is the last minute of the day.
    publishedAt: date === null ? null : instantAt(date, MINUTES_PER_DAY - 1, MARKET_ZONE),
  };
}

/** Number before the title of a bulletin: `2026-9901`. */
const NUMBER = /^\s{0,20}(20\d\d)\s?[-\u2010-\u2015]\s?(\d{3,5})\b/;

/** Throws a FetchError if the page's heading has the number of another bulletin. */
function checkNumber({ id, title }: KnownBulletin, page: WebAnswer): void {
  const [expected, got] = [NUMBER.exec(id) ?? NUMBER.exec(title), NUMBER.exec(bulletinTitleIn(page))].map((match) =>
    match ? `${match[1]}-${match[2]}` : null,
  );
  if (expected && got && expected !== got) throw unreadable(page, `expected bulletin ${expected}, got ${got}`);
}

const MAX_TITLE_LENGTH = 2_000;

/** Heading of a page, else its title; empty if it has neither. */
export function bulletinTitleIn({ body, header }: WebAnswer): string {
  const html = decodeText(body, header("content-type"));
  const title = firstElement(html, "h1", MAX_TITLE_LENGTH) ?? firstElement(html, "title", MAX_TITLE_LENGTH) ?? "";
  return htmlToText(title).replace(/\s+/g, " ").trim();
}

const TITLE_SYMBOL = /\(([A-Z0-9]{1,6}(?:\.[A-Z0-9]{1,2})?)(?:[,/;] ?[A-Z0-9.]{1,8}){0,8}\)\s*$/;
/** Suffix of the symbol of a warrant, right, debenture or note. */
const OTHER_SECURITY = /\.(?:WT|WR|RT|DB|NT)(?:\.?[A-Z])?$/;

/** Tickers of the shares: from the title, then from the list. */
function sharesOf({ title, symbols }: KnownBulletin): readonly Ticker[] {
  const titleTicker = parseTicker(TITLE_SYMBOL.exec(title)?.[1] ?? "");
  const tickers = new Set([...(titleTicker === undefined ? [] : [titleTicker]), ...symbols]);
  return [...tickers].filter((ticker) => !OTHER_SECURITY.test(ticker)).slice(0, MAX_LISTINGS);
}

/** `2026-9901 - Name Change and Consolidation - Brandvale Lithium Corp. (BVLX)` */
function companyOf(title: string): string | null {
  const [, company = ""] = / - ([^()]{2,100}?)\s*\([^()]{1,60}\)\s*$/.exec(title) ?? [];
  return company.split(" - ").at(-1)?.trim() || null;
}

const CANCELLATION = /\bcancel|\brescind|\bwithdr[ae]w|\bwill not (?:be )?proceed/i;
const POSTPONEMENT = /\bpostpone|\bdelay|\breschedul/i;
/** Rest of a sentence after `consolidation`. Ends before `orders`, because every consolidation cancels the open orders. */
const CONSOLIDATION_PREDICATE = /\bconsolidation\b(?:(?!\borders\b)[^.\n]){0,120}/gi;

/** Kind stated by the title, else the extracted kind, else the kind stated by a sentence about the consolidation. */
function kindOf(title: string, content: string, kind: string): Statement["kind"] {
  const titleChange = changeIn(title);
  if (titleChange !== null) return titleChange;
  if (kind === "cancelled" || kind === "postponed") return kind;
  const predicates = content.match(CONSOLIDATION_PREDICATE) ?? [];
  return changeIn(predicates.join("\n")) ?? "announced";
}

function changeIn(text: string): "cancelled" | "postponed" | null {
  if (CANCELLATION.test(text)) return "cancelled";
  return POSTPONEMENT.test(text) ? "postponed" : null;
}
