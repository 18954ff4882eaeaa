import { addDays, type Day, dayInZone, HOUR_MS, type Instant, yearOf } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { validatorsOf } from "../../http/validators.ts";
import { BoundedMap } from "../../lib/collections.ts";
import { PACE_MS } from "../nasdaqtrader.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import { nextRetry, type Retry } from "../official/page-schedule.ts";
import { FetchError, toFetchError, withPart } from "../web/fetch-error.ts";
import { noticeNumber } from "./notice-id.ts";
import type { ListedNotice } from "./read-lists.ts";
import { NASDAQ_READERS } from "./readers.ts";

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
  tools: Pick<StatementReaderTools, "web" | "reader" | "clock">,
): NoticeLists {
  const { clock } = tools;
  const readFeed = createNoticeFeedReader(origin, tools);
  const listed = new BoundedMap<string, ListedNotice>(MAX_LISTED);
  /** `noticeNumber` of the newest notice in a complete feed; 0 before the first complete feed. */
  let newest = 0;
  let needsArchive = true;
  let archiveRetry: Retry | null = null;

  function addToListed(notices: readonly ListedNotice[]): void {
    for (const notice of notices) if (notice.isFollowed) listed.set(notice.id, notice);
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
      const archived = await readArchive({ ...tools, origin, from, to, attempt: archiveRetry?.failures ?? 0, signal });
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

/** The feed as a poll reads it. */
interface FeedRead {
  readonly notices: readonly ListedNotice[];
  /** Error that says why the feed is incomplete; null if it is complete. */
  readonly failure: FetchError | null;
}

const FEED_PATH = "/rss.aspx?feed=currentheadlines&categorylist=105";
const ARCHIVE_RPC_PATH = "/RPCHandler.axd";
const ARCHIVE_PAGE_PATH = "/Trader.aspx?id=archiveheadlines&cat_id=105";

export type NoticeFeedReader = (signal: AbortSignal) => Promise<FeedRead>;

/** Creates a reader of the feed that sends conditional requests. The reader throws a FetchError if the feed can't be read. */
function createNoticeFeedReader(
  origin: string,
  { web, reader, clock }: Pick<StatementReaderTools, "web" | "reader" | "clock">,
): NoticeFeedReader {
  let last: { readonly feed: FeedRead; readonly headers: Readonly<Record<string, string>> } | null = null;
  return async (signal) => {
    const headers = last?.headers ?? {};
    const answer = await web.request(`${origin}${FEED_PATH}`, { kind: "feed", headers, paceMs: PACE_MS, signal });
    if (answer.status === 304 && last !== null) return last.feed;
    const { notices, problem } = await reader.read(NASDAQ_READERS, "readNoticeFeed", answer, clock.now());
    const feed = { notices, failure: problem === null ? null : new FetchError("unreadable", problem) };
    last = feed.failure === null ? { feed, headers: validatorsOf(answer) } : null;
    return feed;
  };
}

interface ArchiveRequest extends Pick<StatementReaderTools, "web" | "reader"> {
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

type FormRequest = Pick<ArchiveRequest, "web" | "reader" | "origin" | "signal">;
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

async function readRpc(year: number, { web, reader, origin, signal }: FormRequest): Promise<readonly ListedNotice[]> {
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
  return reader.read(NASDAQ_READERS, "readRpcAnswer", answer);
}

async function readArchivePage(
  year: number,
  { web, reader, origin, signal }: FormRequest,
): Promise<readonly ListedNotice[]> {
  const url = `${origin}${ARCHIVE_PAGE_PATH}&year=${year}`;
  const answer = await web.request(url, { kind: "page", paceMs: PACE_MS, signal });
  return reader.read(NASDAQ_READERS, "readArchiveRows", answer);
}
