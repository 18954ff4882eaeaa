import { z } from "zod";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import type { Day } from "../../domain/time/day.ts";
import { compareText } from "../../lib/collections.ts";
import { parseJson } from "../../lib/json.ts";
import { parseFieldDay } from "../notations.ts";
import type { ListedBulletin } from "../official/bulletin-reader.ts";
import { textVersion } from "../official/text-version.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web-answer.ts";

/** An entry of the list of bulletins. */
export interface Bulletin extends ListedBulletin {
  /** Slug: the last part of the page's URL. */
  readonly id: string;
  /** Changes if the entry is corrected. */
  readonly version: string;
  readonly title: string;
  readonly date: Day;
  readonly symbols: readonly Ticker[];
}

const entrySchema = z.object({
  title: z.string().min(1).max(1_000),
  date: z.string().transform((text) => parseFieldDay(text)),
  slug: z.string().regex(/^[\w.~%-]{1,300}$/),
  symbol: z.unknown().optional(),
  symbols: z.unknown().optional(),
});

/** The list in an object, or alone. */
const LIST_START = /"list"\s{0,20}:\s{0,20}\[|^(?:\xef\xbb\xbf)?\s{0,20}\[/;
const MAX_LIST_START_BYTES = 4_096;
/** The list begins in 2003 and grows by a few hundred bulletins per year. */
const MAX_ENTRIES = 200_000;
const MAX_RECENT = 5_000;

const CONSOLIDATION =
  /\bconsolidations?\b|\breverse[\s-]+(?:(?:stock|share)[\s-]+)?split|\b(?:stock|share)[\s-]+roll-?back/i;

export function announcesConsolidation(title: string): boolean {
  return CONSOLIDATION.test(title);
}

/**
 * Bulletins of the day `since` and later, newest first. Throws a FetchError if the list is incomplete, has too many entries, or
 * if half of the entries or more have no title, date or slug.
 */
export function readBulletinList(answer: WebAnswer, since: Day): readonly Bulletin[] {
  const bulletins: Bulletin[] = [];
  let [entryCount, readableCount] = [0, 0];
  for (const text of objectsOfList(answer)) {
    entryCount += 1;
    if (entryCount > MAX_ENTRIES) throw unreadable(answer, `the list has more than ${MAX_ENTRIES} entries`);
    const bulletin = bulletinOf(text);
    readableCount += bulletin === null ? 0 : 1;
    if (bulletin !== null && bulletin.date >= since) bulletins.push(bulletin);
    if (bulletins.length > MAX_RECENT) throw unreadable(answer, `more than ${MAX_RECENT} bulletins since ${since}`);
  }
  if (entryCount === 0) throw unreadable(answer, "expected a list of bulletins, got an empty list");
  if (readableCount <= entryCount / 2)
    throw unreadable(answer, `only ${readableCount} of ${entryCount} entries have a title, date and slug`);
  return bulletins.toSorted((a, b) => compareText(b.date, a.date));
}

function bulletinOf(text: string): Bulletin | null {
  const { data } = entrySchema.safeParse(parseJson(text));
  if (!data?.date) return null;
  const { title, date, slug, symbol, symbols } = data;
  const symbolTexts = [symbols, symbol].flat().filter((value) => typeof value === "string");
  const tickers = new Set(symbolTexts.flatMap((symbolText) => parseTicker(symbolText) ?? []));
  const entry = { id: slug, version: textVersion(text), title, date, symbols: [...tickers] };
  return { ...entry, isFollowed: announcesConsolidation(title) };
}

/** Yields the text of each object in the array `list`. */
function* objectsOfList(answer: WebAnswer): Generator<string> {
  const { body } = answer;
  const head = LIST_START.exec(body.toString("latin1", 0, MAX_LIST_START_BYTES));
  if (head === null) throw unreadable(answer, "expected a JSON object with the bulletins in `list`, got another shape");
  let at = skipSeparators(body, head.index + head[0].length);
  while (body[at] === OPEN) {
    const end = objectEnd(body, at);
    if (end < 0) break;
    yield body.toString("utf8", at, end);
    at = skipSeparators(body, end);
  }
  if (body[at] !== END) throw unreadable(answer, "the list is truncated, or has an entry of another shape");
}

const MAX_ENTRY_BYTES = 64 * 1024;

const [QUOTE, BACKSLASH, OPEN, CLOSE, END] = Buffer.from('"\\{}]');
const SEPARATORS: ReadonlySet<number | undefined> = new Set(Buffer.from(", \t\r\n"));

function skipSeparators(body: Buffer, start: number): number {
  let at = start;
  while (SEPARATORS.has(body[at])) at += 1;
  return at;
}

/** Position after the object that starts at `start`; -1 if it does not end within MAX_ENTRY_BYTES. */
function objectEnd(body: Buffer, start: number): number {
  const limit = Math.min(body.length, start + MAX_ENTRY_BYTES);
  let depth = 0;
  for (let at = start; at < limit; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = stringEnd(body, at, limit);
    else if (byte === OPEN) depth += 1;
    else if (byte === CLOSE) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** Position of the quotation mark that ends the string. */
function stringEnd(body: Buffer, start: number, limit: number): number {
  let at = start + 1;
  while (at < limit && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}
