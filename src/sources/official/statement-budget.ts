import type { Observation } from "../../catalog/observation.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { DAY_MS } from "../../domain/time/day.ts";
import { groupBy } from "../../lib/collections.ts";
import { FetchError } from "../web/fetch-error.ts";

/** New statements of a source in one reading, and in a day. The largest first reading has some 400, a day some ten. */
const MAX_NEW_STATEMENTS = 1_000;
/** Notices of one source about one symbol in a day. The catalog compares all notices of a symbol with each other. */
const MAX_NOTICES_PER_SYMBOL = 30;

/** The new statements that are recorded, and errors that name the others. */
export interface BudgetedStatements {
  readonly accepted: readonly Observation[];
  readonly failures: readonly FetchError[];
}

/**
 * Protects the catalog and its readers from a source that publishes far more than it can have. Of a reading with too many new
 * statements, none is accepted. What exceeds the limit of the day is accepted later if the source still shows it.
 * @param recorded What the source stated before.
 */
export function withinBudget(found: readonly Observation[], recorded: readonly Observation[]): BudgetedStatements {
  if (found.length > MAX_NEW_STATEMENTS)
    return {
      accepted: [],
      failures: [
        tooMany(
          `got ${found.length} new statements at once, expected at most ${MAX_NEW_STATEMENTS}: none was recorded`,
        ),
      ],
    };
  const since = Math.max(...found.map(({ observedAt }) => observedAt)) - DAY_MS;
  const ofLastDay = recorded.filter(({ observedAt }) => observedAt > since);
  const known = new Set(recorded.map(({ id }) => id));
  const crowded = crowdedSymbols([...ofLastDay, ...found]);
  const plausible = found.filter(
    ({ id, listings }) => known.has(id) || !listings.some(({ ticker }) => crowded.has(ticker)),
  );
  const accepted = plausible.slice(0, Math.max(0, MAX_NEW_STATEMENTS - ofLastDay.length));
  const failures = [
    ...(plausible.length < found.length
      ? [
          tooMany(
            `got more than ${MAX_NOTICES_PER_SYMBOL} notices of ${[...crowded][0]} in a day: the others were not recorded`,
          ),
        ]
      : []),
    ...(accepted.length < plausible.length
      ? [tooMany(`got more than ${MAX_NEW_STATEMENTS} new statements in a day: the others were not recorded`)]
      : []),
  ];
  return { accepted, failures };
}

function crowdedSymbols(observations: readonly Observation[]): ReadonlySet<Ticker> {
  const mentions = observations.flatMap(({ id, listings }) => listings.map(({ ticker }) => ({ ticker, id })));
  const byTicker = [...groupBy(mentions, ({ ticker }) => ticker)];
  return new Set(byTicker.flatMap(([ticker, named]) => (countIds(named) > MAX_NOTICES_PER_SYMBOL ? [ticker] : [])));
}

function countIds(named: readonly { readonly id: string }[]): number {
  return new Set(named.map(({ id }) => id)).size;
}

function tooMany(problem: string): FetchError {
  return new FetchError("too-large", problem);
}
