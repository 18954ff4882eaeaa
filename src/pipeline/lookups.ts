import type { PolledList } from "../domain/diff/snapshot.ts";
import { type SplitRecord, shownSymbol } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { MINUTE_MS } from "../domain/time/day.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { SourceError, type SplitSource } from "../ports/split-source.ts";

/** Maximum number and total duration of the lookups of one poll; the others wait for the next poll. */
const MAX_LOOKUPS = 100;
const MAX_LOOKUPS_MS = MINUTE_MS / 2;

export interface LookupParts {
  readonly source: Pick<SplitSource, "lookUp">;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

type LookupResult = "found" | "not-found" | "unknown";

/** Lookups of splits that are about to count as missing. Results are kept in memory only, so a restart repeats the lookups. */
export class Lookups {
  readonly #results = new Map<Ticker, LookupResult>();

  /**
   * Adds the candidates that a lookup finds to the list. A candidate with an unknown result counts as neither listed nor missing.
   * No candidate counts as missing until all were looked up, so that splits that disappear together are reported together.
   */
  async completeList(parts: LookupParts, polled: PolledList, candidates: readonly SplitRecord[]): Promise<PolledList> {
    const results = this.#results;
    const symbols = new Map(candidates.map((record) => [record.ticker, shownSymbol(record)]));
    const tickers = new Set(symbols.keys());
    for (const ticker of results.keys()) if (!tickers.has(ticker)) results.delete(ticker);
    const pending = [...tickers].filter((ticker) => results.get(ticker) !== "not-found");
    for (const ticker of pending) if (results.has(ticker)) results.set(ticker, "unknown");
    // Tickers without a result first, so that a lookup that always fails doesn't delay the others.
    const foundRecords = await this.#lookUp(
      parts,
      pending.toSorted((a, b) => Number(results.has(a)) - Number(results.has(b))),
      symbols,
    );
    const areAllLookedUp = tickers.size === results.size;
    const unknown = [...tickers].filter((ticker) => !areAllLookedUp || results.get(ticker) === "unknown");
    return {
      ...polled,
      records: [...polled.records, ...foundRecords],
      unreadableTickers: new Set([...polled.unreadableTickers, ...unknown]),
    };
  }

  /** `symbols`: the tickers as the list writes them. */
  async #lookUp(
    parts: LookupParts,
    pending: readonly Ticker[],
    symbols: ReadonlyMap<Ticker, string>,
  ): Promise<readonly SplitRecord[]> {
    const records: SplitRecord[] = [];
    const deadline = parts.clock.monotonic() + MAX_LOOKUPS_MS;
    for (const ticker of pending.slice(0, MAX_LOOKUPS)) {
      const answer = await lookUp(parts, symbols.get(ticker) ?? ticker);
      records.push(...answer.records);
      this.#results.set(ticker, answer.result);
      if (answer.isSlow || parts.clock.monotonic() > deadline) break;
    }
    return records;
  }
}

/** `isSlow` is true if further lookups would probably time out too. */
async function lookUp(
  { source, signal, log }: LookupParts,
  symbol: string,
): Promise<{ readonly records: readonly SplitRecord[]; readonly result: LookupResult; readonly isSlow: boolean }> {
  try {
    const { records, quarantined } = await source.lookUp(symbol, signal);
    const result = records.length > 0 ? "found" : "not-found";
    return { records, result: quarantined.length > 0 ? "unknown" : result, isSlow: false };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    log.warn("lookup failed", { symbol, problem: error.message });
    const isSlow = error.failure === "timeout" || error.failure === "unreachable";
    return { records: [], result: "unknown", isSlow };
  }
}
