import { addDays, DAY_MS, type Day, dayInZone, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { validatorsOf } from "../../http/validators.ts";
import type { ProbedPart, Statement, StatementPollResult, StatementReader } from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import { createPageSchedule, type ReadPage } from "../official/page-schedule.ts";
import { pollIntervalMs } from "../publishing-hours.ts";
import { type FetchError, isHostFailure, toFetchError } from "../web/fetch-error.ts";
import { type Bulletin, readBulletinList } from "./bulletin-list.ts";
import { announcesConsolidation, statementOf } from "./bulletin-page.ts";

const LIST_PATH = "/api/bulletins?locale=en";
/** Maximum age of the bulletins that are read; longer than the time between a bulletin and its ex date. */
const WINDOW_DAYS = 40;
/** The list contains all bulletins since 2003. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;
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

type Origins = Readonly<Record<"url" | "pageUrl", string>>;

/** Last full answer of the list, for conditional requests. */
interface CachedList {
  readonly bulletins: readonly Bulletin[];
  readonly validators: Readonly<Record<string, string>>;
}

/** Reads the list of bulletins, and the pages of bulletins about consolidations. */
export function createBulletinReader(origins: Origins, tools: StatementReaderTools): StatementReader {
  const { web, clock, everyMs } = tools;
  const pages = createPageSchedule<Statement>(clock);
  const isFinal = createFinalityCheck(tools);
  const readList = createListReader(origins, { web, clock });
  let untriedPages = 0;

  async function readPage(bulletin: Bulletin, signal: AbortSignal): Promise<Statement> {
    const url = `${origins.pageUrl}/bulletin/${bulletin.id}/`;
    const page = await web.request(url, { kind: "page", maxBytes: MAX_PAGE_BYTES, paceMs: PACE_MS, signal });
    return statementOf(bulletin, page);
  }

  /** Reads the pages that are due, and returns the statements of all pages. */
  async function readPages(consolidations: readonly Bulletin[], today: Day, signal: AbortSignal): Promise<PagesResult> {
    const candidates = consolidations.filter(
      (bulletin) => !isFinal(bulletin) && needsReading(bulletin, pages.get(bulletin.id), today, clock.now()),
    );
    const due = pages.due(candidates.toSorted((a, b) => Number(pages.isTried(a.id)) - Number(pages.isTried(b.id))));
    const request = (bulletin: Bulletin): Promise<Statement> => readPage(bulletin, signal);
    const failures = await pages.read(due.slice(0, MAX_PAGES), { request, signal });
    return {
      statements: consolidations.flatMap(({ id }) => pages.get(id)?.value ?? []),
      failures,
      unresolved: pages.unresolved(),
      // While the host fails, unread pages don't shorten the poll interval.
      untriedPages: failures.some(isHostFailure)
        ? 0
        : due.slice(MAX_PAGES).filter(({ id }) => !pages.isTried(id)).length,
    };
  }

  return {
    name: "cse",
    intervalMs(now) {
      const regular = pollIntervalMs(now, { everyMs, quietMs: QUIET_FACTOR * everyMs });
      return untriedPages > 0 ? Math.min(regular, BACKLOG_INTERVAL_MS) : regular;
    },
    async read(signal): Promise<StatementPollResult> {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      const bulletins = await readList(signal);
      const result = await readPages(bulletins.filter(announcesConsolidation), today, signal);
      untriedPages = result.untriedPages;
      return { items: bulletins, ...result };
    },
    probe: (signal) =>
      probe(
        () => readList(signal),
        (bulletin) => readPage(bulletin, signal),
      ),
  };
}

/** Creates a function that reads the recent bulletins with conditional requests. The function throws a FetchError. */
function createListReader(
  { url, pageUrl }: Origins,
  { web, clock }: Pick<StatementReaderTools, "web" | "clock">,
): (signal: AbortSignal) => Promise<readonly Bulletin[]> {
  let cached: CachedList | null = null;
  return async (signal) => {
    const firstDay = addDays(dayInZone(clock.now(), MARKET_ZONE), -WINDOW_DAYS);
    const headers = { accept: "application/json", origin: pageUrl, referer: `${pageUrl}/`, ...cached?.validators };
    const request = { kind: "feed", headers, maxBytes: MAX_LIST_BYTES, paceMs: PACE_MS, signal } as const;
    const answer = await web.request(`${url}${LIST_PATH}`, request);
    if (answer.status !== 304 || cached === null)
      cached = { bulletins: await readBulletinList(answer, firstDay), validators: validatorsOf(answer) };
    return cached.bulletins.filter(({ date }) => date >= firstDay);
  };
}

/**
 * Returns a check whether a bulletin needs no reading: an earlier run polled the source after the bulletin's ex date, and
 * pages aren't corrected after the ex date. The check fails once the bulletin's list entry changes during this run.
 */
function createFinalityCheck({
  recordedObservations,
  lastReadAt,
}: Pick<StatementReaderTools, "recordedObservations" | "lastReadAt">): (bulletin: Bulletin) => boolean {
  const lastReadOn = lastReadAt === null ? null : dayInZone(lastReadAt, MARKET_ZONE);
  const latest = new Map(
    [...recordedObservations()]
      .toSorted((a, b) => a.observedAt - b.observedAt)
      .map((observation) => [observation.id, observation]),
  );
  const versions = new Map<string, string>();
  return ({ id, version }) => {
    const exDate = latest.get(id)?.exDate ?? null;
    if (lastReadOn === null || exDate === null || exDate >= lastReadOn) return false;
    const firstVersion = versions.get(id) ?? version;
    versions.set(id, firstVersion);
    return firstVersion === version;
  };
}

interface PagesResult extends Pick<StatementPollResult, "statements" | "failures" | "unresolved"> {
  readonly untriedPages: number;
}

/** Reads the list and one page, preferably of a bulletin about a consolidation. */
async function probe(
  readList: () => Promise<readonly Bulletin[]>,
  readPage: (bulletin: Bulletin) => Promise<unknown>,
): Promise<readonly ProbedPart[]> {
  const list = await settle(readList);
  const bulletin = list.items.find(announcesConsolidation) ?? list.items[0];
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
async function settle(
  read: () => Promise<readonly Bulletin[]>,
): Promise<{ readonly items: readonly Bulletin[]; readonly failures: readonly FetchError[] }> {
  try {
    return { items: await read(), failures: [] };
  } catch (error) {
    return { items: [], failures: [toFetchError(error)] };
  }
}

/**
 * True if the page is unread, its list entry changed, or it was read at least a day ago and may have changed since. A page that
 * was read on or after its ex date is final.
 */
function needsReading({ version }: Bulletin, read: ReadPage<Statement> | null, today: Day, now: Instant): boolean {
  if (read === null || read.version !== version) return true;
  // The clock was wrong if the time of the read is in the future.
  const isOld = read.readAt > now || now - read.readAt >= REREAD_MS;
  return isOld && canStillChange(read, today);
}

function canStillChange({ value: { exDate }, readAt }: ReadPage<Statement>, today: Day): boolean {
  if (exDate === null) return true;
  const isReadBefore = dayInZone(readAt, MARKET_ZONE) < exDate || today < exDate;
  return isReadBefore && today <= addDays(exDate, LATE_REREAD_DAYS);
}
