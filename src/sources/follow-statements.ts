import type { Observation } from "../catalog/observation.ts";
import { sameRatio } from "../domain/split/ratio.ts";
import { dayInZone, type Instant } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { plausibleStatement } from "./plausible-statement.ts";
import type { RecordCache } from "./record-cache.ts";
import type { OpenSource, SourceParts } from "./source-definition.ts";
import { initialStatus, logStatus, nextStatus, type SourceReading } from "./source-status.ts";
import { toFetchError } from "./web/fetch-error.ts";

/** Statement of a notice or row about one split, before it is recorded as an observation. */
export interface Statement
  extends Pick<
    Observation,
    "id" | "url" | "kind" | "listings" | "company" | "ratio" | "exDate" | "newCusip" | "evidence"
  > {
  /** Null if the source states no time. */
  readonly publishedAt: Instant | null;
}

/** Result of reading a source's notices once. */
export interface StatementReading extends SourceReading {
  /** Statements of the items about splits. An unchanged source may repeat its statements or omit them. */
  readonly statements: readonly Statement[];
  /** Number of notices whose pages have not been requested yet. */
  readonly untriedPages?: number;
}

/** A part of a source that `splitwatch doctor` reports on its own, such as the feed. */
export interface ProbedPart {
  readonly name: string;
  readonly reading: SourceReading;
}

/** Reads the notices of one exchange or regulator. */
export interface StatementReader {
  /** Id of the source, and `source` of its observations. */
  readonly name: string;
  /** Time until the next reading, in milliseconds. */
  intervalMs(now: Instant): number;
  /** Throws a FetchError if nothing can be read. */
  read(signal: AbortSignal): Promise<StatementReading>;
  /** Reads each part of the source once; missing if one reading shows whether it can be read. */
  probe?(signal: AbortSignal): Promise<readonly ProbedPart[]>;
}

/** Polls a reader, and records its statements with all their revisions. */
export function followStatements(
  reader: StatementReader,
  { observations, clock, log }: Pick<SourceParts, "observations" | "clock" | "log">,
): OpenSource {
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  const { name } = reader;
  let status = initialStatus(name, clock.now());
  let untriedPages = 0;
  const latestById = latestObservations(name, observations);

  async function pollOnce(): Promise<void> {
    const reading = await readStatements(reader, stopping.signal);
    if (stopping.signal.aborted) return;
    const found = await record(reading.statements);
    untriedPages = reading.untriedPages ?? 0;
    const before = status;
    status = nextStatus(before, { found, ...reading }, clock.now());
    logStatus(before, status, log);
    for (const listener of listeners) listener();
  }

  /** Stores what is new, in one durable write, and returns the number of new statements. */
  async function record(statements: readonly Statement[]): Promise<number> {
    const now = clock.now();
    const added = new Map<string, Observation>();
    const found: Observation[] = [];
    for (const stated of statements) {
      const statement = plausibleStatement(stated, now);
      const latest = added.get(statement.id) ?? latestById.get(statement.id) ?? null;
      const observation = observationOf(statement, name, latest, now);
      if (observation === null) continue;
      added.set(observation.id, observation);
      found.push(observation);
    }
    await observations.put(found);
    for (const [id, observation] of added) latestById.set(id, observation);
    for (const { id, kind, url } of found) log.info("notice read", { source: name, id, kind, url });
    return found.length;
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      // What can't be saved is read again by the next poll.
      await pollOnce().catch((error: unknown) => log.error("source follow failed", { source: name, error }));
      await clock.sleep(reader.intervalMs(clock.now()), stopping.signal);
    }
  }

  const ended = poll();
  return {
    statuses: () => [status],
    hasUntriedPages: () => untriedPages > 0,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Reads the notices once. An error is reported in `failures`. */
export async function readStatements(reader: StatementReader, signal: AbortSignal): Promise<StatementReading> {
  try {
    return await reader.read(signal);
  } catch (error) {
    return { items: [], statements: [], failures: [toFetchError(error)] };
  }
}

/** The observation of a statement; null if the source stated the same before. */
function observationOf(
  { publishedAt, ...statement }: Statement,
  source: string,
  latest: Observation | null,
  now: Instant,
): Observation | null {
  if (latest !== null && statesSame(latest, statement)) return null;
  // If the clock was set back, a revision still follows the one that it replaces.
  const observedAt = latest === null ? now : Math.max(now, latest.observedAt + 1);
  const issuedAt = isDated(publishedAt, latest) ? Math.min(publishedAt, observedAt) : observedAt;
  return {
    ...statement,
    source,
    issuedOn: dayInZone(issuedAt, MARKET_ZONE),
    publishedAt: issuedAt,
    observedAt,
  };
}

/** Whether the source states when it published this revision: some revise notices that keep their first time. */
function isDated(publishedAt: Instant | null, latest: Observation | null): publishedAt is Instant {
  return publishedAt !== null && (latest === null || publishedAt > latest.publishedAt);
}

/** The latest revision of each notice of the source. */
function latestObservations(source: string, observations: RecordCache<Observation>): Map<string, Observation> {
  const latest = new Map<string, Observation>();
  for (const observation of observations.all()) {
    if (observation.source !== source) continue;
    const known = latest.get(observation.id);
    if (known === undefined || known.observedAt < observation.observedAt) latest.set(observation.id, observation);
  }
  return latest;
}

type Stated = Omit<Statement, "publishedAt">;

/** Whether two statements are of one row and have the same terms. The evidence may be worded differently. */
export function statesSame(a: Stated, b: Stated): boolean {
  return (
    a.url === b.url &&
    a.kind === b.kind &&
    a.exDate === b.exDate &&
    a.company === b.company &&
    a.newCusip === b.newCusip &&
    sameRatio(a.ratio, b.ratio) &&
    JSON.stringify(a.listings) === JSON.stringify(b.listings)
  );
}
