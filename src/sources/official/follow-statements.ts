import { purgeableRevisions } from "../../catalog/catalog-observation.ts";
import type { Observation } from "../../catalog/observation.ts";
import { isSameRatio } from "../../domain/split/ratio.ts";
import { dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { groupBy } from "../../lib/collections.ts";
import { forEachInSlices } from "../../lib/slices.ts";
import { pollSource } from "../poll-source.ts";
import type { RecordCache } from "../record-cache.ts";
import { isExpiredStatement } from "../record-retention.ts";
import type { OpenSource, SourceParts } from "../source-definition.ts";
import type { SourcePollResult } from "../source-status.ts";
import { type FetchError, toFetchError } from "../web/fetch-error.ts";
import { plausibleStatement } from "./plausible-statement.ts";
import type { Statement } from "./statement.ts";
import { limitNewStatements, statementCountFailure } from "./statement-budget.ts";

/** Result of reading a source's notices once. */
export interface StatementPollResult extends SourcePollResult {
  /** Statements of the items about splits. An unchanged source may repeat its statements or omit them. */
  readonly statements: readonly Statement[];
}

/** A part of a source that `splitwatch doctor` reports separately, such as the feed. */
export interface ProbedPart {
  readonly name: string;
  readonly result: SourcePollResult;
}

/** Reads the notices of one exchange or regulator. */
export interface StatementReader {
  /** Id of the source, and `source` of its observations. */
  readonly name: string;
  /** Time until the next poll, in milliseconds. */
  intervalMs(now: Instant): number;
  /** Throws a FetchError if nothing can be read. */
  read(signal: AbortSignal): Promise<StatementPollResult>;
  /** Reads each part of the source once. Missing if `read` covers all parts. */
  probe?(signal: AbortSignal): Promise<readonly ProbedPart[]>;
}

type FollowingParts = Pick<SourceParts, "observations" | "clock" | "log">;

/** Polls a reader and records all revisions of its statements. */
export function followStatements(reader: StatementReader, { observations, clock, log }: FollowingParts): OpenSource {
  const { name } = reader;
  const record = createRecorder(name, { observations, clock, log });

  async function read(signal: AbortSignal): Promise<SourcePollResult> {
    const result = await readStatements(reader, signal);
    if (signal.aborted) return result;
    const { newItemCount, failures } = await record(result.statements);
    return { newItemCount, ...result, failures: [...result.failures, ...failures] };
  }

  return pollSource({ name, read, intervalMs: () => reader.intervalMs(clock.now()) }, { clock, log });
}

/** Result of recording a poll. */
interface RecordingResult {
  /** Number of new statements. */
  readonly newItemCount: number;
  /** Errors for statements that were not recorded. */
  readonly failures: readonly FetchError[];
}

/** Creates a function that stores new revisions in one durable write. */
function createRecorder(
  name: string,
  { observations, clock, log }: FollowingParts,
): (statements: readonly Statement[]) => Promise<RecordingResult> {
  const revisionsById = revisionsOf(name, observations);

  /** Removes surplus revisions of the notices. If this fails, a later revision of the same notice removes them. */
  async function removeSurplus(ids: readonly string[]): Promise<void> {
    const surplus = new Set(ids.flatMap((id) => purgeableRevisions(revisionsById.get(id) ?? [])));
    if (surplus.size === 0) return;
    await observations.removeWhere((observation) => surplus.has(observation));
    for (const id of new Set([...surplus].map((revision) => revision.id))) {
      const remaining = revisionsById.get(id)?.filter((revision) => !surplus.has(revision)) ?? [];
      revisionsById.set(id, remaining);
    }
  }

  async function newRevisions(statements: readonly Statement[]): Promise<readonly Observation[]> {
    const now = clock.now();
    const revisions: Observation[] = [];
    const latest = new Map<string, Observation>();
    await forEachInSlices(statements, (statement) => {
      const plausible = plausibleStatement(statement, now);
      const previous = latest.get(plausible.id) ?? revisionsById.get(plausible.id)?.at(-1) ?? null;
      const observation = nextRevision({ statement, plausible, previous }, name, now);
      if (observation === null) return;
      latest.set(observation.id, observation);
      revisions.push(observation);
    });
    return revisions;
  }

  return async (statements) => {
    const failure = statementCountFailure(statements.length);
    if (failure !== null) return { newItemCount: 0, failures: [failure] };
    const revisions = await newRevisions(statements);
    if (revisions.length === 0) return { newItemCount: 0, failures: [] };
    const { accepted, failures } = limitNewStatements(revisions, [...revisionsById.values()].flat());
    await observations.put(accepted);
    for (const observation of accepted)
      revisionsById.set(observation.id, [...(revisionsById.get(observation.id) ?? []), observation]);
    for (const { id, kind, url } of accepted) log.info("notice read", { source: name, id, kind, url });
    await removeSurplus(accepted.map(({ id }) => id));
    return { newItemCount: accepted.length, failures };
  };
}

/** Reads the notices once. An error is reported in `failures`. */
export async function readStatements(reader: StatementReader, signal: AbortSignal): Promise<StatementPollResult> {
  try {
    return await reader.read(signal);
  } catch (error) {
    return { items: [], statements: [], failures: [toFetchError(error)] };
  }
}

interface ReadStatement {
  /** As the source states it. */
  readonly statement: Statement;
  /** Without implausible terms. */
  readonly plausible: Statement;
  /** Latest recorded revision; null: none. */
  readonly previous: Observation | null;
}

/** Revision to record; null if the terms are unchanged or the notice is expired. */
function nextRevision(
  { statement, plausible, previous }: ReadStatement,
  source: string,
  now: Instant,
): Observation | null {
  if (previous === null) return isExpiredStatement(statement, now) ? null : observationOf(plausible, source, null, now);
  // A recorded ex date remains plausible when it is long past.
  const exDate = statement.exDate === previous.exDate ? previous.exDate : plausible.exDate;
  return observationOf({ ...plausible, exDate }, source, previous, now);
}

/** Observation of a statement; null if the terms are unchanged. */
function observationOf(
  { publishedAt, ...statement }: Statement,
  source: string,
  previous: Observation | null,
  now: Instant,
): Observation | null {
  if (previous !== null && hasSameTerms(previous, statement)) return null;
  // A revision is later than its predecessor even if the clock was set back.
  const observedAt = previous === null ? now : Math.max(now, previous.observedAt + 1);
  const issuedAt = isRevisionTime(publishedAt, previous) ? Math.min(publishedAt, observedAt) : observedAt;
  return {
    ...statement,
    source,
    issuedOn: dayInZone(issuedAt, MARKET_ZONE),
    publishedAt: issuedAt,
    observedAt,
  };
}

/** Whether `publishedAt` is the time of this revision. Some sources revise a notice but keep the original time. */
function isRevisionTime(publishedAt: Instant | null, previous: Observation | null): publishedAt is Instant {
  return publishedAt !== null && (previous === null || publishedAt > previous.publishedAt);
}

/** The revisions of each notice of the source, in the order of observation. */
function revisionsOf(source: string, observations: RecordCache<Observation>): Map<string, readonly Observation[]> {
  const stored = [...observations.all()].filter((observation) => observation.source === source);
  return groupBy(
    stored.toSorted((a, b) => a.observedAt - b.observedAt),
    ({ id }) => id,
  );
}

type StatementTerms = Omit<Statement, "publishedAt">;

/** Whether two statements have the same address and terms. The evidence may be worded differently. */
export function hasSameTerms(a: StatementTerms, b: StatementTerms): boolean {
  return (
    a.url === b.url &&
    a.kind === b.kind &&
    a.exDate === b.exDate &&
    a.company === b.company &&
    a.newCusip === b.newCusip &&
    isSameRatio(a.ratio, b.ratio) &&
    JSON.stringify(a.listings) === JSON.stringify(b.listings)
  );
}
