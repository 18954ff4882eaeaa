import type { Observation } from "../../catalog/observation.ts";
import { type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { wallClockAt } from "../../domain/time/wall-clock.ts";
import { BoundedMap } from "../../lib/collections.ts";
import { PACE_MS } from "../nasdaqtrader.ts";
import {
  hasSameTerms,
  type ProbedPart,
  type StatementPollResult,
  type StatementReader,
} from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import { createPageSchedule } from "../official/page-schedule.ts";
import type { Statement } from "../official/statement.ts";
import { pollIntervalMs } from "../publishing-hours.ts";
import { type FetchError, toFetchError, withPart } from "../web/fetch-error.ts";
import { noticeUrl } from "./notice-id.ts";
import { createNoticeLists, type NoticeFeedReader } from "./notice-lists.ts";
import type { ListedNotice } from "./read-lists.ts";
import { NASDAQ_READERS } from "./readers.ts";
import { latestByNotice, noticesToRead, type TrackedNotice, trackedNotices } from "./tracked-notices.ts";

/** Maximum time for reading pages in one poll, so that pages don't delay the feed. The next poll reads further pages. */
const MAX_PAGES_MS = 20_000;
/** Maximum number of statements that wait to be recorded. A page whose statement is dropped is read again after a day. */
const MAX_UNSAVED = 500;
/** A page is smaller than 100 kB. */
const MAX_PAGE_BYTES = 2_000_000;

const MIN_INTERVAL_MS = MINUTE_MS;
const QUIET_INTERVAL_MS = 15 * MINUTE_MS;

/** Reads the feed, the archive, and the pages of notices about reverse splits that are listed there or were recorded. */
export function createNoticesReader(origin: string, tools: StatementReaderTools): StatementReader {
  const { clock, recordedObservations, everyMs } = tools;
  const lists = createNoticeLists(origin, tools);
  const pages = createPageSchedule<readonly Statement[]>(clock);
  /** Statements that are not recorded yet, by id. */
  const unsaved = new BoundedMap<string, Statement>(MAX_UNSAVED);
  let hasBacklog = false;

  async function readPage(
    notice: Pick<ListedNotice, "id" | "title" | "publishedAt">,
    signal: AbortSignal,
  ): Promise<readonly Statement[]> {
    const request = { kind: "page", maxBytes: MAX_PAGE_BYTES, paceMs: PACE_MS, signal } as const;
    const answer = await tools.web.request(noticeUrl(origin, notice.id), request);
    const { statements } = await tools.reader.read(NASDAQ_READERS, "readNotice", answer, { ...notice, origin });
    return statements;
  }

  async function readTracked({ id, listed }: TrackedNotice, signal: AbortSignal): Promise<readonly Statement[]> {
    try {
      const statements = await readPage(
        { id, title: listed?.title ?? "", publishedAt: listed?.publishedAt ?? null },
        signal,
      );
      for (const statement of statements) unsaved.set(statement.id, statement);
      return statements;
    } catch (error) {
      throw withPart(`notice ${id}`, toFetchError(error));
    }
  }

  return {
    name: "nasdaq",
    intervalMs: (now) => (hasBacklog ? MIN_INTERVAL_MS : intervalAt(now, everyMs)),
    async read(signal): Promise<StatementPollResult> {
      const { items, failures, unresolved, hasGap } = await lists.read(signal);
      const recorded = latestByNotice(recordedObservations());
      dropRecorded(unsaved, recorded);
      const tracked = trackedNotices({ listed: lists.listed, pageOf: (id) => pages.get(id), recorded });
      const due = pages.due(noticesToRead(tracked, clock.now()));
      const startedAt = clock.monotonic();
      const request = (notice: TrackedNotice): Promise<readonly Statement[]> => readTracked(notice, signal);
      const reads = await pages.read(due, { request, signal, maxMs: MAX_PAGES_MS });
      hasBacklog = clock.monotonic() - startedAt >= MAX_PAGES_MS;
      return {
        items,
        statements: [...unsaved.values()],
        failures: [...failures, ...reads.failures],
        isListRead: items.length > 0 || failures.length === 0,
        documents: reads.documents,
        unresolved: [...unresolved, ...pages.unresolved()],
        gaps: hasGap ? 1 : 0,
        untriedPages: due.filter((notice) => !pages.isTried(notice.id) && notice.recorded.length === 0).length,
      };
    },
    probe: (signal) => probe({ readFeed: lists.readFeed, readPage, signal }),
  };
}

function dropRecorded(unsaved: Map<string, Statement>, recorded: ReadonlyMap<string, readonly Observation[]>): void {
  for (const observation of [...recorded.values()].flat()) {
    const statement = unsaved.get(observation.id);
    if (statement !== undefined && hasSameTerms(observation, statement)) unsaved.delete(observation.id);
  }
}

interface ProbeParts {
  readonly readFeed: NoticeFeedReader;
  readonly readPage: (notice: ListedNotice, signal: AbortSignal) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Reads the feed, and the page of a notice in it, preferably about a reverse split. */
async function probe({ readFeed, readPage, signal }: ProbeParts): Promise<readonly ProbedPart[]> {
  try {
    const { notices, failure } = await readFeed(signal);
    const feed = { name: "feed", result: { items: notices, failures: failure === null ? [] : [failure] } };
    const notice = notices.find(({ isFollowed }) => isFollowed) ?? notices[0];
    if (notice === undefined) return [feed];
    const failures: FetchError[] = [];
    try {
      await readPage(notice, signal);
    } catch (error) {
      failures.push(toFetchError(error));
    }
    const items = failures.length === 0 ? [notice] : [];
    return [feed, { name: `notice ${notice.id}`, result: { items, failures } }];
  } catch (error) {
    return [{ name: "feed", result: { items: [], failures: [toFetchError(error)] } }];
  }
}

const MARKET_OPEN_MINUTE = 9 * 60 + 30;

/** Half the interval in the morning before the market opens; at least 15 minutes at night and on days without trading. */
function intervalAt(now: Instant, everyMs: number): number {
  const isBeforeOpen = wallClockAt(now, MARKET_ZONE).minute < MARKET_OPEN_MINUTE;
  const daytimeMs = Math.max(MIN_INTERVAL_MS, isBeforeOpen ? everyMs / 2 : everyMs);
  return pollIntervalMs(now, { everyMs: daytimeMs, quietMs: Math.max(everyMs, QUIET_INTERVAL_MS) });
}
