import { addDays, DAY_MS, type Day, dayInZone, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { isDaytime } from "../daytime.ts";
import type { NoticeReader, NoticeReading, ProbedPart, Statement } from "../follow-notices.ts";
import type { NoticeSourceTools } from "../notice-source.ts";
import { type FetchError, toFetchError } from "../web/fetch-error.ts";
import { validatorsOf } from "../web/validators.ts";
import { announcesConsolidation, statementOf } from "./bulletin.ts";
import { type Bulletin, readBulletinList } from "./bulletin-list.ts";

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
/** Interval after which the page of a pending consolidation is read again: it may be corrected in place. */
const REREAD_MS = DAY_MS;
/** Factor by which polls are less frequent at night, at weekends and on holidays. */
const NIGHT_FACTOR = 4;

type Origins = Readonly<Record<"url" | "pageUrl", string>>;

/** What was read of a bulletin's page. */
interface ReadPage {
  readonly version: string;
  readonly readAt: Instant;
  readonly statement: Statement;
}

/** Last full answer of the list, for conditional requests. */
interface CachedList {
  readonly bulletins: readonly Bulletin[];
  readonly validators: Readonly<Record<string, string>>;
}

/** Reads the list of bulletins, and the pages of those about consolidations. */
export function createBulletinReader(origins: Origins, { web, clock, everyMs }: NoticeSourceTools): NoticeReader {
  const readPages = new Map<string, ReadPage>();
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

  async function readPage(bulletin: Bulletin, signal: AbortSignal): Promise<void> {
    const { slug, version } = bulletin;
    const url = `${origins.pageUrl}/bulletin/${slug}/`;
    const page = await web.request(url, { kind: "page", maxBytes: MAX_PAGE_BYTES, paceMs: PACE_MS, signal });
    readPages.set(slug, { version, readAt: clock.now(), statement: statementOf(bulletin, page) });
  }

  /** Pages that were never read come first. */
  function duePages(bulletins: readonly Bulletin[], today: Day): readonly Bulletin[] {
    const due = bulletins.filter((bulletin) => isDue(bulletin, readPages.get(bulletin.slug), clock.now(), today));
    return due.toSorted((a, b) => Number(readPages.has(a.slug)) - Number(readPages.has(b.slug)));
  }

  return {
    name: "cse",
    intervalMs(now) {
      const regular = isDaytime(now) ? everyMs : everyMs * NIGHT_FACTOR;
      return untriedPages > 0 ? Math.min(regular, BACKLOG_INTERVAL_MS) : regular;
    },
    async read(signal): Promise<NoticeReading> {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      cached = await readList(signal, today);
      const bulletins = cached.bulletins.filter(({ date }) => date >= windowStart(today));
      const consolidations = bulletins.filter(announcesConsolidation);
      const listed = new Set(consolidations.map(({ slug }) => slug));
      for (const slug of readPages.keys()) if (!listed.has(slug)) readPages.delete(slug);
      const due = duePages(consolidations, today);
      const failures = await readUntilRefused(due.slice(0, MAX_PAGES), (bulletin) => readPage(bulletin, signal));
      untriedPages = failures.length === 0 ? Math.max(0, due.length - MAX_PAGES) : 0;
      return {
        items: bulletins,
        statements: [...readPages.values()].map(({ statement }) => statement),
        failures,
        untriedPages,
      };
    },
    probe: (signal) => {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      return probe(
        async () => (await readList(signal, today)).bulletins,
        (bulletin) => readPage(bulletin, signal),
      );
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

/** Whether the page is unread, listed with a change, or that of a pending consolidation and read a day ago. */
function isDue({ version }: Bulletin, read: ReadPage | undefined, now: Instant, today: Day): boolean {
  if (read === undefined || read.version !== version) return true;
  const { exDate } = read.statement;
  return now - read.readAt >= REREAD_MS && (exDate === null || exDate >= today);
}

const HOST_FAILURES: ReadonlySet<FetchError["failure"]> = new Set([
  "refused",
  "rate-limited",
  "unreachable",
  "timeout",
  "server-error",
]);

/** Reads page after page, until the host fails or refuses. Failed pages are due again at the next reading. */
async function readUntilRefused(
  bulletins: readonly Bulletin[],
  read: (bulletin: Bulletin) => Promise<void>,
): Promise<readonly FetchError[]> {
  const failures: FetchError[] = [];
  for (const bulletin of bulletins) {
    try {
      await read(bulletin);
    } catch (error) {
      const failure = toFetchError(error);
      failures.push(failure);
      if (HOST_FAILURES.has(failure.failure)) break;
    }
  }
  return failures;
}
