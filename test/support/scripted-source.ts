import { createServedCatalog } from "../../src/data-service/server/served-catalog.ts";
import { DAY_MS, type Instant, MINUTE_MS } from "../../src/domain/time/day.ts";
import type { SourceReads } from "../../src/ports/state-records.ts";
import { followStatements, type StatementPollResult } from "../../src/sources/official/follow-statements.ts";
import type { Statement } from "../../src/sources/official/statement.ts";
import { createHostQueue } from "../../src/sources/web/host-queue.ts";
import { day } from "./builders.ts";
import { directReader } from "./direct-reader.ts";
import { type FollowedLiveSources, followSources } from "./follow-sources.ts";
import { ManualClock } from "./manual-clock.ts";
import { type RecordedLog, recordedLog } from "./recorded-log.ts";
import { mention } from "./releases.ts";
import { type MemorySourceRecords, memorySourceRecords } from "./source-records.ts";

/** A source whose readings the test sets. */
export class ScriptedSource {
  readonly name: string;
  result: Partial<StatementPollResult> = {};

  readonly intervalMs: () => number;

  constructor(name = "bulletin", everyMs = MINUTE_MS) {
    this.name = name;
    this.intervalMs = () => everyMs;
  }

  readonly read = async (): Promise<StatementPollResult> => {
    const { statements = [], failures = [] } = this.result;
    return { items: statements, statements, failures, ...this.result };
  };

  /** Shows a notice of a split of each ticker, published at that time. */
  publish(publishedAt: Instant, ...tickers: readonly string[]): void {
    const { statements = [] } = this.result;
    this.result = { statements: [...statements, ...tickers.map((ticker) => aStatement(ticker, { publishedAt }))] };
  }
}

export function aStatement(ticker: string, parts: Partial<Statement> = {}): Statement {
  return {
    id: `notice ${ticker}`,
    url: `https://bulletin.example/${ticker}`,
    kind: "announced",
    listings: [mention(`NASDAQ: ${ticker}`)],
    company: `${ticker} Robotics Inc.`,
    ratio: { newShares: 1, oldShares: 20 },
    exDate: day("2026-06-01"),
    newCusip: null,
    evidence: {},
    publishedAt: null,
    ...parts,
  };
}

export interface FollowedSources {
  readonly live: FollowedLiveSources;
  readonly clock: ManualClock;
  readonly store: MemorySourceRecords;
  readonly log: RecordedLog;
  /** Tickers of listed splits that cause no alert. */
  readonly silent: () => readonly string[];
  /** Tickers of the other listed splits. */
  readonly news: () => readonly string[];
  readonly reads: (source?: string) => SourceReads | undefined;
}

/** Follows the sources on the stored records, serves them, and lets each be read once. */
export async function followScripted(
  sources: readonly ScriptedSource[],
  { clock = new ManualClock("2026-03-02T14:00:00Z"), store = memorySourceRecords() } = {},
): Promise<FollowedSources> {
  const log = recordedLog();
  const openers = sources.map(
    (source) => async (parts: Parameters<typeof followStatements>[1]) => followStatements(source, parts),
  );
  const client = { clock, log, queue: createHostQueue(clock), reader: directReader, version: "0.0.0", contact: null };
  const live = await followSources(openers, { ...client, store, keepTextsMs: 400 * DAY_MS });
  const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
  const source = live.serve(catalog);
  await clock.advance(0);
  const tickers = (isSilent: boolean): readonly string[] =>
    catalog
      .splits()
      .filter(({ ticker }) => [...source.backfilledRows()].some((row) => row.includes(`:${ticker} `)) === isSilent)
      .map(({ ticker }) => ticker);
  return {
    live,
    clock,
    store,
    log,
    silent: () => tickers(true),
    news: () => tickers(false),
    reads: (name = "bulletin") => store.sourceReads.stored.get(name),
  };
}
