import { addDays, DAY_MS, type Day, dayInZone, HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { validatorsOf } from "../../http/validators.ts";
import { backoffMs } from "../../lib/backoff.ts";
import type { ProbedPart, Statement, StatementReader, StatementReading } from "../follow-statements.ts";
import type { StatementReaderTools } from "../official-source.ts";
import { isPublishingTime } from "../publishing-hours.ts";
import { type FetchError, isHostFailure, toFetchError } from "../web/fetch-error.ts";
import { type Bulletin, readBulletinList } from "./bulletin-list.ts";
import { announcesConsolidation, statementOf } from "./bulletin-page.ts";

const LIST_PATH = "/api/bulletins?locale=en";
/** Age of the bulletins that are read: longer than the time between a bulletin and its ex date. */
const WINDOW_DAYS = 40;
/** The list holds all bulletins since 2003. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
const PACE_MS = 1_000;
/** Pages per reading; the others follow in the next one. */
const MAX_PAGES = 8;
const BACKLOG_INTERVAL_MS = MINUTE_MS;
const FIRST_RETRY_MS = MINUTE_MS;
const MAX_RETRY_MS = HOUR_MS;
/** Interval after which the page of a pending consolidation is read again: it may be corrected in place. */
const REREAD_MS = DAY_MS;
/** Factor by which polls are less frequent at night, at weekends and on holidays. */
const NIGHT_FACTOR = 4;

type Origins = Readonly<Record<"url" | "pageUrl", string>>;

/** A page of a bulletin that was read. */
interface ReadPage {
  readonly version: string;
  readonly readAt: Instant;
  readonly statement: Statement;
}

/** A page whose last attempts failed. */
interface FailedPage {
  readonly version: string;
  readonly failures: number;
  readonly error: FetchError;
  /** Earliest time of the next attempt, unless its entry changes. */
  readonly notBefore: Instant;
}

/** Last full answer of the list, for conditional requests. */
interface CachedList {
  readonly bulletins: readonly Bulletin[];
  readonly validators: Readonly<Record<string, string>>;
}

/** Reads the list of bulletins, and the pages of those about consolidations. */
export function createBulletinReader(origins: Origins, { web, clock, everyMs }: StatementReaderTools): StatementReader {
  const pages = createBulletinPages(origins.pageUrl, { web, clock });
  let cached: CachedList | null = null;
  let untriedPages = 0;

  async function readList(signal: AbortSignal, today: Day): Promise<CachedList> {
    const site = { origin: origins.pageUrl, referer: `${origins.pageUrl}/` };
    const answer = await web.request(`${origins.url}${LIST_PATH}`, {
      kind: "feed",
      headers: { accept: "application/json", ...site, ...cached?.validators },
      maxBytes: MAX_LIST_BYTES,
      paceMs: PACE_MS,
      signal,
    });
    if (answer.status === 304 && cached !== null) return cached;
    return { bulletins: await readBulletinList(answer, windowStart(today)), validators: validatorsOf(answer) };
  }

  return {
    name: "cse",
    intervalMs(now) {
      const regular = isPublishingTime(now) ? everyMs : everyMs * NIGHT_FACTOR;
      return untriedPages > 0 ? Math.min(regular, BACKLOG_INTERVAL_MS) : regular;
    },
    async read(signal): Promise<StatementReading> {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      cached = await readList(signal, today);
      const bulletins = cached.bulletins.filter(({ date }) => date >= windowStart(today));
      const read = await pages.readDue(bulletins.filter(announcesConsolidation), today, signal);
      untriedPages = read.untriedPages;
      return { items: bulletins, ...read };
    },
    probe: (signal) => {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      return probe(
        async () => (await readList(signal, today)).bulletins,
        (bulletin) => pages.readPage(bulletin, signal),
      );
    },
  };
}

/** The pages of bulletins about consolidations. */
interface BulletinPages {
  /** Reads one page. Throws a FetchError. */
  readPage(bulletin: Bulletin, signal: AbortSignal): Promise<void>;
  /** Reads the pages that are due, and returns the statements of all pages. */
  readDue(consolidations: readonly Bulletin[], today: Day, signal: AbortSignal): Promise<PagesReading>;
}

interface PagesReading extends Pick<StatementReading, "statements" | "failures" | "unresolved"> {
  readonly untriedPages: number;
}

function createBulletinPages(
  origin: string,
  { web, clock }: Pick<StatementReaderTools, "web" | "clock">,
): BulletinPages {
  const readPages = new Map<string, ReadPage>();
  const failedPages = new Map<string, FailedPage>();

  async function readPage(bulletin: Bulletin, signal: AbortSignal): Promise<void> {
    const { slug, version } = bulletin;
    const url = `${origin}/bulletin/${slug}/`;
    const page = await web.request(url, { kind: "page", maxBytes: MAX_PAGE_BYTES, paceMs: PACE_MS, signal });
    readPages.set(slug, { version, readAt: clock.now(), statement: statementOf(bulletin, page) });
    failedPages.delete(slug);
  }

  /** Returns the error of a page that can't be read. */
  async function tryPage(bulletin: Bulletin, signal: AbortSignal): Promise<FetchError | null> {
    try {
      await readPage(bulletin, signal);
      return null;
    } catch (error) {
      const next = afterFailure(failedPages.get(bulletin.slug), bulletin, toFetchError(error), clock.now());
      if (!signal.aborted) failedPages.set(bulletin.slug, next);
      return next.error;
    }
  }

  /** Reads page after page, until the host fails or refuses. */
  async function readUntilRefused(bulletins: readonly Bulletin[], signal: AbortSignal): Promise<readonly FetchError[]> {
    const failures: FetchError[] = [];
    for (const bulletin of bulletins) {
      const error = await tryPage(bulletin, signal);
      if (error !== null) failures.push(error);
      if (signal.aborted || (error !== null && isHostFailure(error))) break;
    }
    return failures;
  }

  /** Bulletins whose pages must be read. Also drops the pages and failures of bulletins that no longer matter. */
  function bulletinsToRead(consolidations: readonly Bulletin[], today: Day): readonly Bulletin[] {
    keepOnly(readPages, consolidations);
    const toRead = consolidations.filter((bulletin) =>
      isDue(bulletin, readPages.get(bulletin.slug), clock.now(), today),
    );
    keepOnly(failedPages, toRead);
    return toRead;
  }

  return {
    readPage,
    async readDue(consolidations, today, signal) {
      const due = withoutBackoff(bulletinsToRead(consolidations, today), { readPages, failedPages }, clock.now());
      const failures = await readUntilRefused(due.slice(0, MAX_PAGES), signal);
      const left = due.slice(MAX_PAGES).filter(({ slug }) => !failedPages.has(slug));
      return {
        statements: [...readPages.values()].map(({ statement }) => statement),
        failures,
        unresolved: [...failedPages.values()].map(({ error }) => error),
        untriedPages: failures.some(isHostFailure) ? 0 : left.length,
      };
    },
  };
}

/** Reads the list and one page, preferably that of a consolidation. */
async function probe(
  readList: () => Promise<readonly Bulletin[]>,
  readPage: (bulletin: Bulletin) => Promise<void>,
): Promise<readonly ProbedPart[]> {
  const list = await settle(readList);
  const bulletin = list.items.find(announcesConsolidation) ?? list.items[0];
  if (bulletin === undefined) return [{ name: "list", reading: list }];
  const page = await settle(async () => {
    await readPage(bulletin);
    return [bulletin];
  });
  return [
    { name: "list", reading: list },
    { name: `bulletin ${bulletin.slug.slice(0, 9)}`, reading: page },
  ];
}

/** The items, or the error of reading them. */
async function settle(
  read: () => Promise<readonly Bulletin[]>,
): Promise<{ readonly items: readonly Bulletin[]; readonly failures: readonly FetchError[] }> {
  try {
    return { items: await read(), failures: [] };
  } catch (error) {
    return { items: [], failures: [toFetchError(error)] };
  }
}

function windowStart(today: Day): Day {
  return addDays(today, -WINDOW_DAYS);
}

/** Whether the page is unread, was changed on the list, or is of a pending consolidation and was read at least a day ago. */
function isDue({ version }: Bulletin, read: ReadPage | undefined, now: Instant, today: Day): boolean {
  if (read === undefined || read.version !== version) return true;
  const { exDate } = read.statement;
  return now - read.readAt >= REREAD_MS && (exDate === null || exDate >= today);
}

interface PageRecords {
  readonly readPages: ReadonlyMap<string, ReadPage>;
  readonly failedPages: ReadonlyMap<string, FailedPage>;
}

/** Pages that did not fail come first, and of those the ones that were never read. */
function withoutBackoff(
  bulletins: readonly Bulletin[],
  { readPages, failedPages }: PageRecords,
  now: Instant,
): readonly Bulletin[] {
  const isWaiting = ({ slug, version }: Bulletin): boolean => {
    const page = failedPages.get(slug);
    return page !== undefined && page.version === version && now < page.notBefore;
  };
  const rank = ({ slug }: Bulletin): number => (failedPages.has(slug) ? 2 : Number(readPages.has(slug)));
  return bulletins.filter((bulletin) => !isWaiting(bulletin)).toSorted((a, b) => rank(a) - rank(b));
}

function keepOnly(pages: Map<string, unknown>, bulletins: readonly Bulletin[]): void {
  const slugs = new Set(bulletins.map(({ slug }) => slug));
  for (const slug of pages.keys()) if (!slugs.has(slug)) pages.delete(slug);
}

/** State after a failed attempt. Its host may have asked for a longer wait. */
function afterFailure(
  before: FailedPage | undefined,
  { version }: Bulletin,
  error: FetchError,
  now: Instant,
): FailedPage {
  const failures = before?.version === version ? before.failures + 1 : 1;
  const delayMs = backoffMs(failures, { firstMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_MS });
  return { version, failures, error, notBefore: now + Math.max(delayMs, error.retryAfterMs ?? 0) };
}
