import { articlesOf } from "../catalog/articles.ts";
import type { CatalogSplit, Conflict } from "../catalog/catalog-split.ts";
import { describeDifference } from "../catalog/conflicts.ts";
import { createCatalog } from "../catalog/incremental-catalog.ts";
import type { Observation } from "../catalog/observation.ts";
import { isPending, isUntried, type Release } from "../catalog/release.ts";
import type { CatalogContent, CatalogSource, WritableCatalog } from "../data-service/server/served-catalog.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { addDays, DAY_MS, dayInZone, type Instant, MINUTE_MS } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { type KeyOf, observationKey, releaseKey, type Store } from "../ports/store.ts";
import { backfilledRows } from "./backfill.ts";
import { sourceLabel } from "./index.ts";
import { openRecordCache, type RecordCache } from "./record-cache.ts";
import { articleRowOf, concernsReverseSplit, earlyReportOf, splitOfRow, splitRowsOf } from "./served-rows.ts";
import { type ConfiguredSource, LIVE_SOURCE_ID, type OpenSource, type SourceParts } from "./source-definition.ts";
import { describeProblem, type LabeledStatus, logUnreached } from "./source-status.ts";
import { listingProblems } from "./symbol-check.ts";
import { createSymbolTable } from "./symbol-table.ts";

/** Maximum time that a start waits for the first readable wire. */
const REACH_TIMEOUT_MS = 5_000;
/** Maximum time that a fill waits for the slowest wire, if an earlier run completed its first fill. */
const FILL_TIMEOUT_MS = 5_000;
/**
 * Maximum time that the first fill waits for the wires and the pages of their releases, which are old and must not cause
 * alerts. A feed about splits shows some 25 releases, whose pages take about two seconds each.
 */
const FIRST_FILL_TIMEOUT_MS = MINUTE_MS;
/** The first polls of all wires start together and end within this time, because some hosts require pauses. */
const FIRST_POLLS_WITHIN_MS = 30_000;
/** Problems of older releases are not reported. */
const PROBLEM_MAX_AGE_DAYS = 10;

/** Retention of records about splits: users search them, and they distinguish an issuer's second split from its first. */
const SPLIT_RETENTION_MS = 731 * DAY_MS;
/** Retention of other releases: as long as a feed may show them, so that their pages are read only once. */
const OTHER_RELEASE_RETENTION_MS = 30 * DAY_MS;

/** All live sources, which fill one catalog together. */
export interface LiveSources {
  /** Whether a source can be read or there is data of an earlier run. Resolves within seconds. */
  readonly reached: Promise<boolean>;
  /** Resolves when there is data to serve. */
  readonly filled: Promise<void>;
  statuses(): readonly LabeledStatus[];
  /** The catalog's split of a listed row; null if no source states it any more. */
  splitOf(record: SplitRecord): CatalogSplit | null;
  /** Current problems, for users. */
  problems(): readonly string[];
  /** Fills the catalog, immediately if there is data to serve, and keeps it up to date. */
  serve(catalog: WritableCatalog): CatalogSource;
  stop(): Promise<void>;
}

export interface LiveSourcesParts extends Omit<SourceParts, "releases" | "observations" | "splits" | "directory"> {
  readonly store: Pick<Store, "releases" | "observations">;
  /** Time after which the text of a release is deleted; the facts stay. */
  readonly keepTextsMs: number;
}

/** Follows the configured sources. */
export function openLiveSources(sources: readonly ConfiguredSource[], parts: LiveSourcesParts): Promise<LiveSources> {
  const openers = sources.map(
    ({ definition, settings }) =>
      (shared: SourceParts): Promise<OpenSource> =>
        definition.open(settings, shared),
  );
  return followSources(openers, parts);
}

/** Opens the sources on shared records and follows them. */
export async function followSources(
  openers: readonly ((parts: SourceParts) => Promise<OpenSource>)[],
  { store, keepTextsMs, ...client }: LiveSourcesParts,
): Promise<LiveSources> {
  const { clock, log } = client;
  const releases = await openRecordCache(store.releases, releaseKey);
  const observations = await openRecordCache(store.observations, observationKey);
  const records = { releases, observations };
  const earlier = earlierState(records);
  const splits = await openCatalog(records);
  const directory = createSymbolTable();
  const opened = await openAll(openers, { ...client, ...records, splits, directory });
  const stopping = new AbortController();
  const { signal } = stopping;
  const state: LiveState = { ...records, ...earlier, opened, splits, directory, clock, openedAt: clock.now(), signal };
  const purging = purgeDaily({ ...records, keepTextsMs, clock, log }, signal);
  const fill = { done: false };
  const filled = (async () => {
    await waitForFill(state);
    fill.done = true;
  })();
  const problems = (): readonly string[] => problemsOf(state);
  const reached = waitForReach(state);
  void reportReach(state, reached, log);
  return {
    reached,
    filled,
    statuses: () => statusesOf(state),
    splitOf: (record) => splitOfRow(splits(), record),
    problems,
    serve: (catalog) => serve(catalog, { ...state, fill, filled, problems }),
    async stop() {
      stopping.abort();
      await Promise.all([...opened.map((source) => source.stop()), purging]);
    },
  };
}

/** Opens all sources, or none: if one fails, the others are stopped. */
async function openAll(
  openers: readonly ((parts: SourceParts) => Promise<OpenSource>)[],
  parts: SourceParts,
): Promise<readonly OpenSource[]> {
  const results = await Promise.allSettled(openers.map((open) => open(parts)));
  const opened = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = results.find((result) => result.status === "rejected");
  if (failed === undefined) return opened;
  await Promise.all(opened.map((source) => source.stop()));
  throw failed.reason;
}

type Records = Pick<SourceParts, "releases" | "observations">;

/** Records that the first build of the catalog adds at a time, within some 10 to 20 ms. */
const RECORDS_PER_TURN = 300;

/** Catalog of the records, updated after a change. Its first build yields to other events between slices of the records. */
async function openCatalog({ releases, observations }: Records): Promise<() => readonly CatalogSplit[]> {
  const catalog = createCatalog();
  const [allReleases, allObservations] = [[...releases.all()], [...observations.all()]];
  const turns = Math.ceil((allReleases.length + allObservations.length) / RECORDS_PER_TURN);
  for (let turn = 1; turn < turns; turn += 1) {
    const part = <T>(all: readonly T[]): readonly T[] => all.slice(0, Math.ceil((all.length * turn) / turns));
    catalog.update({ releases: part(allReleases), observations: part(allObservations) });
    await new Promise(setImmediate);
  }
  let built: { readonly revision: number; readonly splits: readonly CatalogSplit[] } | null = null;
  return () => {
    const revision = releases.revision + observations.revision;
    if (built?.revision !== revision) {
      const splits = catalog.update({ releases: releases.all(), observations: observations.all() });
      built = { revision, splits };
    }
    return built.splits;
  };
}

interface PurgeParts extends Records, Pick<LiveSourcesParts, "keepTextsMs" | "clock" | "log"> {}

async function purgeDaily(
  { releases, observations, keepTextsMs, clock, log }: PurgeParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const now = clock.now();
    const purges = [
      purge(releases, (release) => isExpired(release, now), releaseKey),
      purge(observations, ({ observedAt }) => now - observedAt > SPLIT_RETENTION_MS, observationKey),
    ];
    await Promise.all([...purges, purgeTexts(releases, now - keepTextsMs)]).catch((error: unknown) =>
      log.error("source record purge failed", { error }),
    );
    await clock.sleep(DAY_MS, signal);
  }
}

async function purge<T>(records: RecordCache<T>, isOld: (record: T) => boolean, keyOf: KeyOf<T>): Promise<void> {
  const keys = [...records.all()].filter(isOld).map(keyOf);
  if (keys.length > 0) await records.remove(keys);
}

/** Deletes the texts of releases that were found before the given time. */
async function purgeTexts(releases: RecordCache<Release>, foundBefore: Instant): Promise<void> {
  const old = [...releases.all()].filter(({ foundAt, text }) => text !== null && foundAt < foundBefore);
  for (const release of old) await releases.put({ ...release, text: null });
}

function isExpired(release: Release, now: Instant): boolean {
  const retentionMs = concernsReverseSplit(release) ? SPLIT_RETENTION_MS : OTHER_RELEASE_RETENTION_MS;
  return now - release.foundAt > retentionMs;
}

/** State of an earlier run. */
interface EarlierState {
  /** Whether it completed its first fill. */
  readonly wasFilled: boolean;
  /** Whether its releases can be served before a wire has been read. */
  readonly isUsable: boolean;
}

function earlierState(records: Records): EarlierState {
  const releases = [...records.releases.all()];
  const observations = [...records.observations.all()];
  const wasFilled = readingPeriodMs(releases, observations) > FIRST_FILL_TIMEOUT_MS;
  // A run that was stopped before it had tried all pages left an incomplete list.
  const isComplete = wasFilled || !releases.some(isUntried);
  const hasData = releases.some(({ facts }) => facts !== null) || observations.length > 0;
  return { wasFilled, isUsable: isComplete && hasData };
}

/** Time between the first and the last record; short if the run ended before its first fill. */
function readingPeriodMs(releases: readonly Release[], observations: readonly Observation[]): number {
  const times = [
    ...releases.flatMap(({ foundAt, readAt }) => [foundAt, readAt ?? foundAt]),
    ...observations.map(({ observedAt }) => observedAt),
  ].toSorted((a, b) => a - b);
  return (times.at(-1) ?? 0) - (times[0] ?? 0);
}

/** The open sources with what they share. */
interface LiveState extends Records, EarlierState {
  readonly opened: readonly OpenSource[];
  readonly splits: () => readonly CatalogSplit[];
  readonly directory: SymbolDirectory;
  readonly clock: Clock;
  readonly openedAt: Instant;
  /** Aborts when the sources are stopped. */
  readonly signal: AbortSignal;
}

function statusesOf({ opened }: LiveState): readonly LabeledStatus[] {
  const statuses = opened.flatMap((source) => source.statuses());
  return statuses.map((status) => ({ ...status, label: sourceLabel(status.name) }));
}

async function waitForReach(state: LiveState): Promise<boolean> {
  const { clock, signal } = state;
  const isKnown = (): boolean => isReached(state) || arePolled(state, 0);
  await Promise.race([waitUntil(state, isKnown), clock.sleep(REACH_TIMEOUT_MS, signal)]);
  return isReached(state);
}

/** Logs the sources that can't be read, when each has been tried. */
async function reportReach(state: LiveState, reached: Promise<boolean>, log: Log): Promise<void> {
  const { clock, signal } = state;
  const allPolled = waitUntil(state, () => arePolled(state, 0));
  if (await reached) await Promise.race([allPolled, clock.sleep(FIRST_POLLS_WITHIN_MS, signal)]);
  if (!signal.aborted) logUnreached(statusesOf(state), log);
}

/** Resolves when there is data to serve, as complete as it gets within the time limit. */
async function waitForFill(state: LiveState): Promise<void> {
  const { opened, clock, openedAt, signal, isUsable, wasFilled } = state;
  await waitUntil(state, () => isReached(state));
  const reachedAt = clock.now();
  // After a long outage, all sources must be polled again: their earlier polls failed or are outdated.
  const since = isUsable || reachedAt - openedAt <= FIRST_POLLS_WITHIN_MS ? 0 : reachedAt;
  const isComplete = (): boolean =>
    arePolled(state, since) && (wasFilled || !opened.some((source) => source.hasUntriedPages()));
  const timeoutMs = wasFilled ? FILL_TIMEOUT_MS : FIRST_FILL_TIMEOUT_MS;
  await Promise.race([waitUntil(state, isComplete), clock.sleep(timeoutMs, signal)]);
}

function isReached(state: LiveState): boolean {
  return state.isUsable || statusesOf(state).some(({ lastOkAt }) => lastOkAt !== null);
}

function arePolled(state: LiveState, since: Instant): boolean {
  return statusesOf(state).every(({ lastReadAt }) => lastReadAt !== null && lastReadAt >= since);
}

/** Resolves when the condition is true; it is checked after every change. */
function waitUntil(state: LiveState, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!condition()) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = subscribe(state, check);
    check();
  });
}

/** Calls `listener` after every change of a status or record. Returns a function that unsubscribes. */
function subscribe({ opened, releases, observations }: LiveState, listener: () => void): () => void {
  const unsubscribes = [releases, observations, ...opened].map((subject) => subject.onChange(listener));
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}

interface Serving extends LiveState {
  readonly fill: { readonly done: boolean };
  readonly filled: Promise<void>;
  readonly problems: () => readonly string[];
}

function serve(catalog: WritableCatalog, serving: Serving): CatalogSource {
  const { splits, fill, filled, problems } = serving;
  const publish = createPublisher(catalog, serving);
  let isServing = true;
  const publishIfFilled = (): void => {
    if (isServing && fill.done) publish();
  };
  subscribe(serving, oncePerTurn(publishIfFilled));
  void filled.then(publishIfFilled);
  // Synchronously, so that rows of a replaced source are never served under this source's id.
  publishIfFilled();
  return {
    id: LIVE_SOURCE_ID,
    sample: false,
    problems,
    readError: () => readErrorOf(statusesOf(serving), catalog),
    backfilledRows: () => backfilledRows(splits(), serving),
    stop: () => {
      isServing = false;
      return Promise.resolve();
    },
  };
}

/** Runs the action once after all changes of one turn of the event loop: records that are saved together cost one catalog. */
function oncePerTurn(action: () => void): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      action();
    });
  };
}

/** Replaces the catalog's content if it changed: each replacement makes readers poll. */
function createPublisher(catalog: WritableCatalog, { splits, releases }: LiveState): () => void {
  const rowOf = cachedBy(articleRowOf);
  const reportOf = cachedBy((release) => earlyReportOf(release, sourceLabel));
  let published: Required<CatalogContent> | null = null;
  return () => {
    const content = {
      splits: splits().flatMap(splitRowsOf),
      articles: articlesOf(releases.all())
        .map(rowOf)
        .filter((row) => row !== null),
      earlyReports: [...releases.all()].map(reportOf).filter((report) => report !== null),
    };
    if (published !== null && isSame(content, published)) return;
    published = content;
    catalog.replace(content);
  };
}

/** The function, with the same result for the same release, so that an unchanged row is recognized. */
function cachedBy<T>(make: (release: Release) => T | null): (release: Release) => T | null {
  const made = new WeakMap<Release, { readonly value: T | null }>();
  return (release) => {
    const { value } = made.get(release) ?? { value: make(release) };
    made.set(release, { value });
    return value;
  };
}

function isSame(a: Required<CatalogContent>, b: Required<CatalogContent>): boolean {
  const isUnchanged = hasSameMembers(a.articles, b.articles) && hasSameMembers(a.earlyReports, b.earlyReports);
  return isUnchanged && JSON.stringify(a.splits) === JSON.stringify(b.splits);
}

function hasSameMembers<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((member, n) => member === b[n]);
}

const READABLE: ReadonlySet<LabeledStatus["condition"]> = new Set(["waiting", "ok", "stale"]);

/** Null while at least one source can be read or is still being read for the first time. */
function readErrorOf(statuses: readonly LabeledStatus[], { ready }: WritableCatalog): string | null {
  const [first] = statuses;
  if (!first) return "No source is configured: see newswires and sources in the settings.";
  if (statuses.some(({ condition }) => READABLE.has(condition))) return null;
  const served = ready ? ": the last known data is served" : "";
  return `No source can be read${served}. ${first.label}: ${first.problem}`;
}

/** Problems of the sources, then those of single releases and splits, as sentences. */
function problemsOf(state: LiveState): readonly string[] {
  const now = state.clock.now();
  const today = dayInZone(now, MARKET_ZONE);
  const since = addDays(today, -PROBLEM_MAX_AGE_DAYS);
  const recent = [...state.releases.all()].filter((release) => release.published >= since);
  return [
    ...statusesOf(state).flatMap((status) => describeProblem(status, now, status.label) ?? []),
    ...recent.flatMap((release) => unreadPage(release) ?? []),
    ...recent.flatMap((release) => contradiction(release) ?? []),
    ...state
      .splits()
      .flatMap((split) =>
        split.conflicts.filter(({ day }) => day >= since).map((conflict) => disagreement(split, conflict)),
      ),
    ...state
      .splits()
      .filter(({ status, exDate }) => status === "announced" && exDate !== null && exDate >= today)
      .flatMap((split) => listingProblems(split, state.directory)),
  ];
}

function unreadPage(release: Release): string | null {
  const { url, problem, facts } = release;
  if (problem === null || !isPending(release) || !concernsReverseSplit(release)) return null;
  const consequence = facts === null ? "it will be retried" : "the text of its feed is used instead";
  return `The page of a release could not be read: ${url} (${problem}); ${consequence}`;
}

function contradiction({ url, facts }: Release): string | null {
  if (facts === null || facts.contradictions.length === 0) return null;
  return `A release contradicts itself on ${facts.contradictions.join(" and ")}, so it counts as not stated: ${url}`;
}

function disagreement({ listings, company }: CatalogSplit, conflict: Conflict): string {
  const name = listings[0]?.ticker ?? company ?? "A split";
  const { kind, url, against } = conflict;
  switch (kind) {
    case "same-day":
      return `${name}: two releases of the same day state different terms; ${url} is used, ${against} is not`;
    case "outdated":
      return `${name}: ${url} repeats terms that ${against} had replaced; it is ignored`;
    case "differs":
      return `${name}: ${describeDifference(conflict, sourceLabel)} (${against}), the other is not (${url})`;
  }
}
