import { createHash } from "node:crypto";
import { addDays, type Day, dayInZone, HOUR_MS, type Instant, yearOf } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { validatorsOf } from "../../http/validators.ts";
import { BoundedMap } from "../../lib/collections.ts";
import { forEachInSlices } from "../../lib/slices.ts";
import { PACE_MS } from "../nasdaqtrader.ts";
import { checkItemCount } from "../nasdaqtrader-feed.ts";
import { parseFieldDay } from "../notations.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import { nextRetry, type Retry } from "../official/page-schedule.ts";
import { isNewsDay } from "../publishing-hours.ts";
import { decodeText } from "../web/decode-text.ts";
import { type FetchError, toFetchError, unreadable, withPart } from "../web/fetch-error.ts";
import { htmlToText } from "../web/page-text.ts";
import { readFeed as parseFeed } from "../web/read-feed.ts";
import { readJson } from "../web/read-json.ts";
import type { Web, WebAnswer } from "../web/web.ts";
import { titleNamesReverseSplit } from "./notice-title.ts";

/** A notice as the feed or the archive lists it. */
export interface ListedNotice {
  /** `ECA2026-901`. Notices are numbered by year. */
  readonly id: string;
  readonly title: string;
  readonly publishedAt: Instant | null;
  /** Changes when the feed shows the notice as updated. Null in the archive, which has no times. */
  readonly version: string | null;
}

/** Days of the archive that are read: longer than the time between a notice and its split. */
const ARCHIVE_DAYS = 40;
const MAX_LISTED = 2_000;
const MAX_ARCHIVE_RETRY_MS = HOUR_MS;

interface ListsResult {
  /** Notices in the feed, on any subject. */
  readonly items: readonly ListedNotice[];
  readonly failures: readonly FetchError[];
  readonly unresolved: readonly FetchError[];
  /** True if all notices of the feed are newer than those of the previous read: others may have been missed in between. */
  readonly hasGap: boolean;
}

/** The lists of notices: the feed, and the archive at startup and after a gap. */
export interface NoticeLists {
  /** Notices about reverse splits, by id. */
  readonly listed: ReadonlyMap<string, ListedNotice>;
  readonly readFeed: NoticeFeedReader;
  /** Reads the feed, and the archive if it is due. Returns failures, because the other list may still be readable. */
  read(signal: AbortSignal): Promise<ListsResult>;
}

export function createNoticeLists(
  origin: string,
  { web, clock }: Pick<StatementReaderTools, "web" | "clock">,
): NoticeLists {
  const readFeed = createNoticeFeedReader(origin, { web, clock });
  const listed = new BoundedMap<string, ListedNotice>(MAX_LISTED);
  /** `noticeNumber` of the newest notice in a complete feed; 0 before the first complete feed. */
  let newest = 0;
  let needsArchive = true;
  let archiveRetry: Retry | null = null;

  function addToListed(notices: readonly ListedNotice[]): void {
    for (const notice of notices) if (titleNamesReverseSplit(notice.title)) listed.set(notice.id, notice);
  }

  function detectGap(notices: readonly ListedNotice[]): boolean {
    const numbers = notices.map(({ id }) => noticeNumber(id));
    const hasGap = newest > 0 && numbers.length > 0 && Math.min(...numbers) > newest;
    newest = Math.max(newest, ...numbers);
    return hasGap;
  }

  /** Adds the notices of the archive to `listed`. Returns the error of a failure; a later poll tries again. */
  async function fillFromArchive(signal: AbortSignal): Promise<FetchError | null> {
    const to = dayInZone(clock.now(), MARKET_ZONE);
    try {
      const from = addDays(to, -ARCHIVE_DAYS);
      const archived = await readArchive({ web, origin, from, to, attempt: archiveRetry?.failures ?? 0, signal });
      addToListed(archived.filter(({ id }) => !listed.has(id)));
      needsArchive = false;
      archiveRetry = null;
      return null;
    } catch (error) {
      const failure = withPart("archive", toFetchError(error));
      archiveRetry = nextRetry(archiveRetry, failure, clock.monotonic(), MAX_ARCHIVE_RETRY_MS);
      return failure;
    }
  }

  /** Removes the notices that are older than ARCHIVE_DAYS from `listed`. */
  function dropOld(): void {
    const firstDay = addDays(dayInZone(clock.now(), MARKET_ZONE), -ARCHIVE_DAYS);
    for (const { id, publishedAt } of listed.values())
      if (publishedAt !== null && dayInZone(publishedAt, MARKET_ZONE) < firstDay) listed.delete(id);
  }

  return {
    listed,
    readFeed,
    async read(signal) {
      const feed = await readFeed(signal).catch((error: unknown) => ({ notices: [], failure: toFetchError(error) }));
      addToListed(feed.notices);
      dropOld();
      // An incomplete feed doesn't show whether notices were missed.
      const hasGap = feed.failure === null && detectGap(feed.notices);
      needsArchive ||= hasGap;
      const isArchiveDue = needsArchive && (archiveRetry === null || archiveRetry.notBefore <= clock.monotonic());
      const archiveError = isArchiveDue ? await fillFromArchive(signal) : null;
      const failures = [feed.failure, archiveError].filter((error) => error !== null);
      return { items: feed.notices, failures, unresolved: archiveRetry === null ? [] : [archiveRetry.error], hasGap };
    },
  };
}

interface NoticeFeed {
  readonly notices: readonly ListedNotice[];
  /** Error that says why the feed is incomplete; null if it is complete. */
  readonly failure: FetchError | null;
}

const FEED_PATH = "/rss.aspx?feed=currentheadlines&categorylist=105";
const ARCHIVE_RPC_PATH = "/RPCHandler.axd";
const ARCHIVE_PAGE_PATH = "/Trader.aspx?id=archiveheadlines&cat_id=105";

const NOTICE_ID = /\bECA(?:\s|%20|\+)?(\d{4})(?:\s|%20|\+)?-(?:\s|%20|\+)?0{0,4}(\d{1,5})\b/i;
const ID_BEFORE_TITLE = /^\s*ECA\s?(\d{4})\s?-\s?0{0,4}(\d{1,5})\b/i;
/** The archive's column `Alert #`. */
const ALERT_NUMBER = /#\s?(\d{4})\s?[-\u2010-\u2015]\s?0{0,4}(\d{1,5})\b/;
/** A year has about 550 notices. */
const MAX_ROWS = 1_500;
const MAX_CELLS = 12;
const MAX_ROW_LENGTH = 4_000;

/** Sort key that orders notices by year and number. */
export function noticeNumber(id: string): number {
  const [, year = "0", number = "0"] = NOTICE_ID.exec(id) ?? [];
  return Number(year) * 100_000 + Number(number);
}

/** Address of a notice's page. */
export function noticeUrl(origin: string, id: string): string {
  return `${origin}/TraderNews.aspx?id=${id}`;
}

export type NoticeFeedReader = (signal: AbortSignal) => Promise<NoticeFeed>;

/** Creates a reader of the feed that sends conditional requests. The reader throws a FetchError if the feed can't be read. */
function createNoticeFeedReader(
  origin: string,
  { web, clock }: Pick<StatementReaderTools, "web" | "clock">,
): NoticeFeedReader {
  let last: { readonly feed: NoticeFeed; readonly headers: Readonly<Record<string, string>> } | null = null;
  return async (signal) => {
    const headers = last?.headers ?? {};
    const answer = await web.request(`${origin}${FEED_PATH}`, { kind: "feed", headers, paceMs: PACE_MS, signal });
    if (answer.status === 304 && last !== null) return last.feed;
    const feed = await readNoticeFeed(answer, clock.now());
    last = feed.failure === null ? { feed, headers: validatorsOf(answer) } : null;
    return feed;
  };
}

/** Reads the feed. Throws a FetchError for any other answer, and for an empty feed on a working day. */
export async function readNoticeFeed(answer: WebAnswer, now: Instant): Promise<NoticeFeed> {
  const { items } = parseFeed(answer);
  if (items.length === 0 && isNewsDay(dayInZone(now, MARKET_ZONE)))
    throw unreadable(answer, "the feed is empty, although it is a working day");
  const notices = items.flatMap(({ url, heading, teaser, publishedAt, version }) => {
    const id = idIn(url, NOTICE_ID) ?? idIn(heading, ID_BEFORE_TITLE);
    return id === null ? [] : [{ id, title: heading, publishedAt, version: versionOf(version, teaser) }];
  });
  if (items.length > 0 && notices.length === 0)
    throw unreadable(answer, "expected links to notices such as ECA2026-901, got none");
  return { notices, failure: failureIn(() => checkItemCount(answer, items.length)) };
}

/** Version of an item and its description: a notice that is changed in place may change only the latter. */
function versionOf(itemVersion: string, description: string): string {
  return createHash("sha256").update(`${itemVersion}\n${description}`).digest("hex").slice(0, 16);
}

function failureIn(check: () => void): FetchError | null {
  try {
    check();
    return null;
  } catch (error) {
    return toFetchError(error);
  }
}

interface ArchiveRequest {
  readonly web: Web;
  readonly origin: string;
  readonly from: Day;
  readonly to: Day;
  /** Number of failed attempts so far. If it is even, the RPC is tried before the page, else the page before the RPC. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** Reads the archive's notices of the days `from` to `to`. Throws a FetchError if a year can't be read by RPC or as a page. */
async function readArchive({ from, to, ...request }: ArchiveRequest): Promise<readonly ListedNotice[]> {
  const notices: ListedNotice[] = [];
  for (let year = yearOf(from); year <= yearOf(to); year += 1) notices.push(...(await readYear(year, request)));
  const isAfter = (at: Instant): boolean => dayInZone(at, MARKET_ZONE) >= addDays(from, -1);
  return notices.filter(({ publishedAt }) => publishedAt === null || isAfter(publishedAt));
}

type FormRequest = Pick<ArchiveRequest, "web" | "origin" | "signal">;
type YearRequest = FormRequest & Pick<ArchiveRequest, "attempt">;

async function readYear(year: number, { attempt, ...request }: YearRequest): Promise<readonly ListedNotice[]> {
  // The order alternates: if the first request fails, the host may be in backoff, and the second isn't sent.
  const forms = attempt % 2 === 0 ? [readRpc, readArchivePage] : [readArchivePage, readRpc];
  const [first = readRpc, second = readArchivePage] = forms;
  try {
    return await first(year, request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return second(year, request);
  }
}

async function readRpc(year: number, { web, origin, signal }: FormRequest): Promise<readonly ListedNotice[]> {
  const body = JSON.stringify({
    id: 2,
    method: "BL_NewsListing.GetArchiveHeadlinesPageData",
    params: JSON.stringify(["105", year, 0]),
    version: "1.1",
  });
  const headers = {
    "content-type": "application/json",
    origin,
    referer: `${origin}${ARCHIVE_PAGE_PATH}`,
    accept: "application/json, */*;q=0.1",
  };
  const url = `${origin}${ARCHIVE_RPC_PATH}`;
  const answer = await web.request(url, { kind: "feed", method: "POST", headers, body, paceMs: PACE_MS, signal });
  return readRpcAnswer(answer);
}

/** Reads the archive's answer in JSON. Throws a FetchError for any other answer. */
export async function readRpcAnswer(answer: WebAnswer): Promise<readonly ListedNotice[]> {
  const parsed = readJson(answer);
  const table = typeof parsed === "object" && parsed !== null && "result" in parsed ? parsed.result : null;
  if (typeof table !== "string") throw unreadable(answer, "expected JSON with a table as `result`, got another shape");
  return rowsIn(table, answer);
}

async function readArchivePage(year: number, { web, origin, signal }: FormRequest): Promise<readonly ListedNotice[]> {
  const url = `${origin}${ARCHIVE_PAGE_PATH}&year=${year}`;
  const answer = await web.request(url, { kind: "page", paceMs: PACE_MS, signal });
  return readArchiveRows(answer);
}

/** Reads the archive's page. Throws a FetchError for a page without a table. */
export async function readArchiveRows(answer: WebAnswer): Promise<readonly ListedNotice[]> {
  return rowsIn(decodeText(answer.body, answer.header("content-type")), answer);
}

/** An archive always has a table, which is empty in the first days of a year. */
async function rowsIn(html: string, answer: WebAnswer): Promise<readonly ListedNotice[]> {
  if (!/<table\b/i.test(html)) throw unreadable(answer, "expected a table of notices, got none");
  const rows = html.split(/<tr\b/i, MAX_ROWS + 1).slice(1);
  const notices: ListedNotice[] = [];
  await forEachInSlices(rows, (row) => {
    const notice = listedNotice(row.slice(0, MAX_ROW_LENGTH));
    if (notice !== null) notices.push(notice);
  });
  return notices;
}

/** Columns: date (`Sep 25, 2026`), market, number, heading with its link. */
function listedNotice(row: string): ListedNotice | null {
  const cells = row
    .split(/<t[dh]\b[^>]{0,500}>/i, MAX_CELLS + 1)
    .slice(1)
    .map((cell) => htmlToText(cell).replace(/\s+/g, " ").trim());
  const id = idIn(row, NOTICE_ID) ?? idIn(cells.join(" "), ALERT_NUMBER);
  const title = cells.findLast((cell) => cell !== "");
  if (id === null || title === undefined) return null;
  const day = cells.map(parseFieldDay).find((date) => date !== null);
  // The archive states only the day. 16:00 UTC is on the same day in New York.
  return { id, title, publishedAt: day === undefined ? null : Date.parse(`${day}T16:00:00Z`), version: null };
}

/** Id of the notice in an address; null: none. */
export function noticeIdIn(url: string): string | null {
  return idIn(url, NOTICE_ID);
}

function idIn(text: string, pattern: RegExp): string | null {
  const [, year, number] = pattern.exec(text) ?? [];
  return year === undefined || number === undefined ? null : `ECA${year}-${number}`;
}
