import { addDays, DAY_MS, type Day, dayInZone, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { validatorsOf } from "../../http/validators.ts";
import { groupBy } from "../../lib/collections.ts";
import { pollIntervalMs } from "../publishing-hours.ts";
import { type FetchError, isHostFailure, toFetchError } from "../web/fetch-error.ts";
import type { WebRequest } from "../web/web.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import type { ProbedPart, StatementPollResult, StatementReader } from "./follow-statements.ts";
import type { StatementReaderTools } from "./official-source.ts";
import { createPageSchedule, type ReadPage, type ScheduledPage } from "./page-schedule.ts";
import type { Statement } from "./statement.ts";

/** Maximum age of the bulletins that are read; longer than the time between a bulletin and its ex date. */
export const WINDOW_DAYS = 40;
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
const PACE_MS = 1_000;
/** Maximum number of pages per poll; the next poll continues with the others. */
const MAX_PAGES = 8;
const BACKLOG_INTERVAL_MS = MINUTE_MS;
/** Interval after which the page of a pending consolidation is reread, because it may be corrected in place. */
const REREAD_MS = DAY_MS;
/** Days after the ex date during which a page is reread if it could not be read on the ex date. */
const LATE_REREAD_DAYS = 14;
/** Factor by which polls are less frequent at night, at weekends and on holidays. */
const QUIET_FACTOR = 4;

/** An entry of a list of bulletins. The id has no spaces. */
export interface ListedBulletin extends ScheduledPage {
  /** Null if the list states no date. */
  readonly date: Day | null;
  /** Whether the page is read, because it may be about a consolidation. */
  readonly isFollowed: boolean;
}

/** Bulletins of an exchange: a list, and a page for each bulletin. */
export interface BulletinSource<Bulletin extends ListedBulletin> {
  /** Id of the source. */
  readonly name: string;
  readonly list: Pick<WebRequest, "headers" | "maxBytes"> & { readonly url: string };
  /** Bulletins of the day `since` and later, in the order in which their pages are read. Rejects with a FetchError. */
  readList(answer: WebAnswer, since: Day): Promise<readonly Bulletin[]>;
  pageUrl(bulletin: Bulletin): string;
  /**
   * Statements of a page: one per consolidation, whose ids are the bulletin's, or begin with it and a space. None if the
   * bulletin is about something else. Rejects with a FetchError.
   */
  readPage(bulletin: Bulletin, page: WebAnswer): Promise<readonly Statement[]>;
}

/** Last full answer of the list, for conditional requests. */
interface CachedList<Bulletin> {
  readonly bulletins: readonly Bulletin[];
  readonly validators: Readonly<Record<string, string>>;
}

/** Reads the list of bulletins, and the pages of bulletins that may be about consolidations. */
export function createBulletinReader<Bulletin extends ListedBulletin>(
  source: BulletinSource<Bulletin>,
  tools: StatementReaderTools,
): StatementReader {
  const { web, clock, everyMs } = tools;
  const pages = createPageSchedule<readonly Statement[]>(clock);
  const isFinal = createFinalityCheck(tools);
  const readList = createListReader(source, tools);
  let untriedPages = 0;

  async function readPage(bulletin: Bulletin, signal: AbortSignal): Promise<readonly Statement[]> {
    const request = { kind: "page", maxBytes: MAX_PAGE_BYTES, paceMs: PACE_MS, signal } as const;
    return source.readPage(bulletin, await web.request(source.pageUrl(bulletin), request));
  }

  /** Reads the pages that are due, and returns the statements of all pages. */
  async function readPages(followed: readonly Bulletin[], today: Day, signal: AbortSignal): Promise<PagesResult> {
    const candidates = followed.filter(
      (bulletin) => !isFinal(bulletin) && needsReading(bulletin, pages.get(bulletin.id), today, clock.now()),
    );
    const due = pages.due(candidates.toSorted((a, b) => Number(pages.isTried(a.id)) - Number(pages.isTried(b.id))));
    const request = (bulletin: Bulletin): Promise<readonly Statement[]> => readPage(bulletin, signal);
    const { failures, documents } = await pages.read(due.slice(0, MAX_PAGES), { request, signal });
    return {
      statements: followed.flatMap(({ id }) => pages.get(id)?.value ?? []),
      failures,
      documents,
      unresolved: pages.unresolved(),
      // While the host fails, unread pages don't shorten the poll interval.
      untriedPages: failures.some(isHostFailure)
        ? 0
        : due.slice(MAX_PAGES).filter(({ id }) => !pages.isTried(id)).length,
    };
  }

  return {
    name: source.name,
    intervalMs(now) {
      const regular = pollIntervalMs(now, { everyMs, quietMs: QUIET_FACTOR * everyMs });
      return untriedPages > 0 ? Math.min(regular, BACKLOG_INTERVAL_MS) : regular;
    },
    async read(signal): Promise<StatementPollResult> {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      const bulletins = await readList(signal);
      const followed = bulletins.filter(({ isFollowed }) => isFollowed);
      const result = await readPages(followed, today, signal);
      untriedPages = result.untriedPages;
      return { items: bulletins, isListRead: true, ...result };
    },
    probe: (signal) => probe({ readList: () => readList(signal), readPage: (one) => readPage(one, signal) }),
  };
}

/** Creates a function that reads the recent bulletins with conditional requests. The function throws a FetchError. */
function createListReader<Bulletin extends ListedBulletin>(
  source: BulletinSource<Bulletin>,
  { web, clock }: Pick<StatementReaderTools, "web" | "clock">,
): (signal: AbortSignal) => Promise<readonly Bulletin[]> {
  const { url, ...list } = source.list;
  let cached: CachedList<Bulletin> | null = null;
  return async (signal) => {
    const firstDay = addDays(dayInZone(clock.now(), MARKET_ZONE), -WINDOW_DAYS);
    const headers = { ...list.headers, ...cached?.validators };
    const answer = await web.request(url, { ...list, kind: "feed", headers, paceMs: PACE_MS, signal });
    if (answer.status !== 304 || cached === null)
      cached = { bulletins: await source.readList(answer, firstDay), validators: validatorsOf(answer) };
    return cached.bulletins.filter(({ date }) => date === null || date >= firstDay);
  };
}

/**
 * Returns a check whether a bulletin needs no reading: an earlier run polled the source after the ex dates that the bulletin
 * states, and pages aren't corrected after the ex date. The check fails once the bulletin's list entry changes during this run.
 */
function createFinalityCheck({
  recordedObservations,
  lastReadAt,
}: Pick<StatementReaderTools, "recordedObservations" | "lastReadAt">): (bulletin: ListedBulletin) => boolean {
  const lastReadOn = lastReadAt === null ? null : dayInZone(lastReadAt, MARKET_ZONE);
  const latest = new Map(
    [...recordedObservations()]
      .toSorted((a, b) => a.observedAt - b.observedAt)
      .map((observation) => [observation.id, observation]),
  );
  const byBulletin = groupBy([...latest.values()], ({ id }) => id.split(" ", 1)[0] ?? id);
  const versions = new Map<string, string | null>();
  return ({ id, version }) => {
    const recorded = byBulletin.get(id);
    if (lastReadOn === null || recorded === undefined) return false;
    if (recorded.some(({ exDate }) => exDate === null || exDate >= lastReadOn)) return false;
    const firstVersion = versions.get(id) ?? version;
    versions.set(id, firstVersion);
    return firstVersion === version;
  };
}

interface PagesResult extends Pick<StatementPollResult, "statements" | "failures" | "unresolved" | "documents"> {
  readonly untriedPages: number;
}

interface ProbeParts<Bulletin> {
  readonly readList: () => Promise<readonly Bulletin[]>;
  readonly readPage: (bulletin: Bulletin) => Promise<unknown>;
}

/** Reads the list and one page, preferably of a bulletin about a consolidation. */
async function probe<Bulletin extends ListedBulletin>({
  readList,
  readPage,
}: ProbeParts<Bulletin>): Promise<readonly ProbedPart[]> {
  const list = await settle(readList);
  const bulletin = list.items.find(({ isFollowed }) => isFollowed) ?? list.items[0];
  if (bulletin === undefined) return [{ name: "list", result: list }];
  const page = await settle(async () => {
    await readPage(bulletin);
    return [bulletin];
  });
  return [
    { name: "list", result: list },
    { name: `bulletin ${bulletin.id.slice(0, 9)}`, result: page },
  ];
}

/** Returns the items, or the error if reading them fails. */
async function settle<Item>(
  read: () => Promise<readonly Item[]>,
): Promise<{ readonly items: readonly Item[]; readonly failures: readonly FetchError[] }> {
  try {
    return { items: await read(), failures: [] };
  } catch (error) {
    return { items: [], failures: [toFetchError(error)] };
  }
}

/**
 * True if the page is unread, its list entry changed, or it was read at least a day ago and may have changed since. A page that
 * was read on or after its ex dates is final, and so is one without a statement.
 */
function needsReading(
  { version }: ListedBulletin,
  read: ReadPage<readonly Statement[]> | null,
  today: Day,
  now: Instant,
): boolean {
  if (read === null || read.version !== version) return true;
  // The clock was wrong if the time of the read is in the future.
  const isOld = read.readAt > now || now - read.readAt >= REREAD_MS;
  return isOld && read.value.some(({ exDate }) => canStillChange(exDate, dayInZone(read.readAt, MARKET_ZONE), today));
}

function canStillChange(exDate: Day | null, readOn: Day, today: Day): boolean {
  if (exDate === null) return true;
  return (readOn < exDate || today < exDate) && today <= addDays(exDate, LATE_REREAD_DAYS);
}
