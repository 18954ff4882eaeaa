import type { PolledList } from "../domain/diff/snapshot.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { MINUTE_MS } from "../domain/time/day.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { SourceError, type SplitSource } from "../ports/split-source.ts";

/** Lookups of one poll, and how long they may take: further ones wait for the next poll. */
const MAX_LOOKUPS = 100;
const MAX_LOOKUPS_MS = MINUTE_MS / 2;

export interface LookupParts {
  readonly source: Pick<SplitSource, "lookUp">;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

type LookupResult = "found" | "absent" | "unanswered";

/** Lookups of splits that are about to count as missing. Kept in memory: after a restart they are looked up again. */
export class Lookups {
  readonly #results = new Map<Ticker, LookupResult>();

  /**
   * Adds splits that a lookup still finds. A split whose lookup gives no answer counts as neither listed nor missing. Nor does
   * any other until each was looked up once, so that splits that disappear together are reported together.
   */
  async complete(parts: LookupParts, polled: PolledList, candidates: readonly SplitRecord[]): Promise<PolledList> {
    const results = this.#results;
    const tickers = new Set(candidates.map(({ ticker }) => ticker));
    for (const ticker of results.keys()) if (!tickers.has(ticker)) results.delete(ticker);
    const pending = [...tickers].filter((ticker) => results.get(ticker) !== "absent");
    for (const ticker of pending) if (results.has(ticker)) results.set(ticker, "unanswered");
    // New ones first, so that a lookup that always fails delays no other.
    const found = await this.#lookUp(
      parts,
      pending.toSorted((a, b) => Number(results.has(a)) - Number(results.has(b))),
    );
    const areAllAsked = tickers.size === results.size;
    const unknown = [...tickers].filter((ticker) => !areAllAsked || results.get(ticker) === "unanswered");
    return {
      ...polled,
      records: [...polled.records, ...found],
      unreadableTickers: new Set([...polled.unreadableTickers, ...unknown]),
    };
  }

  async #lookUp(parts: LookupParts, pending: readonly Ticker[]): Promise<readonly SplitRecord[]> {
    const found: SplitRecord[] = [];
    const until = parts.clock.now() + MAX_LOOKUPS_MS;
    for (const ticker of pending.slice(0, MAX_LOOKUPS)) {
      const answer = await lookUp(parts, ticker);
      found.push(...answer.records);
      this.#results.set(ticker, answer.result);
      if (answer.isSlow || parts.clock.now() > until) break;
    }
    return found;
  }
}

/** `isSlow`: further lookups would fail as slowly. */
async function lookUp(
  { source, signal, log }: LookupParts,
  ticker: Ticker,
): Promise<{ readonly records: readonly SplitRecord[]; readonly result: LookupResult; readonly isSlow: boolean }> {
  try {
    const { records, quarantined } = await source.lookUp(ticker, signal);
    const result = records.length > 0 ? "found" : "absent";
    return { records, result: quarantined.length > 0 ? "unanswered" : result, isSlow: false };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    log.warn("lookup failed", { ticker, problem: error.message });
    const isSlow = error.failure === "timeout" || error.failure === "unreachable";
    return { records: [], result: "unanswered", isSlow };
  }
}
