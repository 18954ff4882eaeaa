import type { Release } from "../../catalog/release.ts";
import { articlesOf } from "../../catalog/served-articles.ts";
import type { SplitRow } from "../../data-service/schema.ts";
import type { CatalogContent, CatalogSource, WritableCatalog } from "../../data-service/server/served-catalog.ts";
import { linkAbort } from "../../lib/abort.ts";
import { memoize } from "../../lib/collections.ts";
import { subscribeAll } from "../../lib/listeners.ts";
import { yieldToEventLoop } from "../../lib/slices.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import { sourceLabel } from "../index.ts";
import { LIVE_SOURCE_ID } from "../source-definition.ts";
import { backfilledReleases, backfilledRows } from "./backfill.ts";
import type { FirstFill } from "./first-fill.ts";
import type { LiveState } from "./live-state.ts";
import { articleRowOf, earlyReportOf, splitRowsOf } from "./served-rows.ts";
import { problemsOf } from "./source-problems.ts";
import { noSourceProblem } from "./split-sources.ts";

/** Minimum time between two publications. Each rebuilds the catalog, and readers poll too rarely to notice the delay. */
const MIN_INTERVAL_MS = 1_000;

/** Fills the catalog as soon as there is data to serve, and keeps it up to date. */
export function serve(catalog: WritableCatalog, state: LiveState, fill: FirstFill): CatalogSource {
  const { releases, observations, directory, splits } = state;
  const stopping = linkAbort(state.signal);
  const publish = createPublisher(catalog, state);
  const publishIfFilled = (): void => {
    if (!stopping.signal.aborted && fill.isDone) publish();
  };
  const schedulePublish = throttle(MIN_INTERVAL_MS, publishIfFilled, { clock: state.clock, signal: stopping.signal });
  const unsubscribe = subscribeAll([releases, observations, directory], schedulePublish);
  void fill.filled.then(publishIfFilled);
  // Synchronously, so that rows of a replaced source are never served under this source's id.
  publishIfFilled();
  return {
    id: LIVE_SOURCE_ID,
    name: "live sources",
    sample: false,
    problems: () => problemsOf(state),
    readError: () => noSourceProblem(state),
    backfilledRows: () => backfilledRows(splits(), state),
    backfilledArticles: () => backfilledReleases(state),
    stop: () => {
      unsubscribe();
      stopping.abort();
      stopping.unlink();
      return Promise.resolve();
    },
  };
}

/**
 * Returns a function that schedules a run of the action: in the next turn of the event loop, but at least `intervalMs` after
 * the last run. Calls while a run is scheduled are ignored.
 */
function throttle(
  intervalMs: number,
  action: () => void,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): () => void {
  let isScheduled = false;
  let lastRunAt: MonotonicTime | null = null;
  const run = async (): Promise<void> => {
    await yieldToEventLoop();
    if (lastRunAt !== null) await clock.sleep(lastRunAt + intervalMs - clock.monotonic(), signal);
    isScheduled = false;
    lastRunAt = clock.monotonic();
    action();
  };
  return () => {
    if (isScheduled || signal.aborted) return;
    isScheduled = true;
    void run();
  };
}

/** Replaces the catalog's content if it changed. */
function createPublisher(catalog: WritableCatalog, { splits, releases }: LiveState): () => void {
  // The row of an unchanged object is the same object as before.
  const rowsOf = memoize(splitRowsOf);
  const rowOf = memoize(articleRowOf);
  const reportOf = memoize((release: Release) => earlyReportOf(release, sourceLabel));
  let published: Required<CatalogContent> | null = null;
  return () => {
    const articles = articlesOf(releases.all());
    const content = {
      splits: splits().flatMap((split) => rowsOf(split)),
      articles: articles.map((release) => rowOf(release)).filter((row) => row !== null),
      earlyReports: articles.map((release) => reportOf(release)).filter((report) => report !== null),
    };
    if (published !== null && isSame(content, published)) return;
    published = content;
    catalog.replace(content);
  };
}

function isSame(a: Required<CatalogContent>, b: Required<CatalogContent>): boolean {
  const isUnchanged = hasSameMembers(a.articles, b.articles) && hasSameMembers(a.earlyReports, b.earlyReports);
  return isUnchanged && hasSameMembers(a.splits, b.splits, isSameRow);
}

function hasSameMembers<T>(a: readonly T[], b: readonly T[], isSameMember = (x: T, y: T): boolean => x === y): boolean {
  return a.length === b.length && a.every((member, n) => isSameMember(member, b[n] as T));
}

/** Compares rows by content too, because deriving an unchanged split again makes new row objects. */
function isSameRow(a: SplitRow, b: SplitRow): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
