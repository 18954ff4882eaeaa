import type { Observation } from "../../catalog/observation.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { DAY_MS } from "../../domain/time/day.ts";
import { groupBy } from "../../lib/collections.ts";
import { FetchError } from "../web/fetch-error.ts";

/** Limit per poll, including statements of earlier polls that are repeated. The largest first poll has about 400. */
const MAX_STATEMENTS = 2_000;
/** Limit per poll and per day. The largest first poll has about 400 new statements, a day about ten. */
const MAX_NEW_STATEMENTS = 1_000;
/** Limit per source, symbol and day. The catalog compares all notices of a symbol with each other. */
const MAX_NOTICES_PER_SYMBOL = 30;

/** The new statements to record, and errors for the others. */
export interface LimitedStatements {
  readonly accepted: readonly Observation[];
  readonly failures: readonly FetchError[];
}

/** Error of a poll with an implausible number of statements, none of which is recorded; null: the number is plausible. */
export function statementCountFailure(count: number): FetchError | null {
  if (count <= MAX_STATEMENTS) return null;
  return tooMany(`got ${count} statements in one poll, expected at most ${MAX_STATEMENTS}: none was recorded`);
}

/**
 * Protects the catalog from an implausible number of statements. A poll above the limit is rejected as a whole; statements
 * above the limit of the day are accepted later if the source still lists them.
 * @param recorded Statements of earlier polls of the source.
 */
export function limitNewStatements(
  statements: readonly Observation[],
  recorded: readonly Observation[],
): LimitedStatements {
  if (statements.length > MAX_NEW_STATEMENTS)
    return {
      accepted: [],
      failures: [
        tooMany(
          `got ${statements.length} new statements in one poll, expected at most ${MAX_NEW_STATEMENTS}: none was recorded`,
        ),
      ],
    };
  const since = Math.max(...statements.map(({ observedAt }) => observedAt)) - DAY_MS;
  const ofLastDay = recorded.filter(({ observedAt }) => observedAt > since);
  const recordedIds = new Set(recorded.map(({ id }) => id));
  const crowdedTickers = findCrowdedTickers([...ofLastDay, ...statements]);
  const plausible = statements.filter(
    ({ id, listings }) => recordedIds.has(id) || !listings.some(({ ticker }) => crowdedTickers.has(ticker)),
  );
  const accepted = plausible.slice(0, Math.max(0, MAX_NEW_STATEMENTS - ofLastDay.length));
  const failures = [
    ...(plausible.length < statements.length
      ? [
          tooMany(
            `got more than ${MAX_NOTICES_PER_SYMBOL} notices of ${[...crowdedTickers][0]} in a day: the others were not recorded`,
          ),
        ]
      : []),
    ...(accepted.length < plausible.length
      ? [tooMany(`got more than ${MAX_NEW_STATEMENTS} new statements in a day: the others were not recorded`)]
      : []),
  ];
  return { accepted, failures };
}

/** Returns the tickers with more notices than the limit. */
function findCrowdedTickers(observations: readonly Observation[]): ReadonlySet<Ticker> {
  const mentions = observations.flatMap(({ id, listings }) => listings.map(({ ticker }) => ({ ticker, id })));
  const byTicker = [...groupBy(mentions, ({ ticker }) => ticker)];
  return new Set(
    byTicker.flatMap(([ticker, ofTicker]) => (countIds(ofTicker) > MAX_NOTICES_PER_SYMBOL ? [ticker] : [])),
  );
}

function countIds(mentions: readonly { readonly id: string }[]): number {
  return new Set(mentions.map(({ id }) => id)).size;
}

function tooMany(problem: string): FetchError {
  return new FetchError("too-large", problem);
}
