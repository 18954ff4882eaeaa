import * as fc from "fast-check";
import {
  EVENT_KINDS,
  type EventId,
  type EventKind,
  type MatchableEvent,
  NO_EVIDENCE,
} from "../../src/domain/alert/event.ts";
import { type FractionEvidence, TREATMENTS } from "../../src/domain/article/article.ts";
import { WIRES } from "../../src/domain/article/wire.ts";
import type { RuleFilter } from "../../src/domain/settings/rule.ts";
import { changedTerms, type SplitId, type SplitRecord } from "../../src/domain/split/split.ts";
import { aKnownArticle, aRecord, exchange, someTerms, ticker } from "./builders.ts";

/** So few that filters and events often have one in common. */
export const FEW_TICKERS = ["ACME", "BETA", "ZETA"].map(ticker);
const FEW_EXCHANGES = ["NASDAQ", "NYSE", "OTC"].map(exchange);
const RATIOS = ["1:5", "1:20", "1:50"];

const some = <T>(all: readonly T[]): fc.Arbitrary<readonly T[]> =>
  fc.oneof(fc.constant([]), fc.shuffledSubarray([...all]));

/** Filters by the values that `anyEvent` has. */
export const anyFewFilter: fc.Arbitrary<RuleFilter> = fc.record({
  exchanges: some(FEW_EXCHANGES),
  tickers: some(FEW_TICKERS),
  excludeExchanges: some(FEW_EXCHANGES),
  excludeTickers: some(FEW_TICKERS),
  events: fc.oneof(fc.constant([...EVENT_KINDS]), fc.shuffledSubarray([...EVENT_KINDS])),
  sources: some(WIRES.slice(0, 2)),
  fractional: some(TREATMENTS),
  minRatio: fc.constantFrom(null, null, 5, 20, 50),
});

const anyRecord: fc.Arbitrary<SplitRecord> = fc
  .record({
    ticker: fc.constantFrom(...FEW_TICKERS),
    exchange: fc.constantFrom(...FEW_EXCHANGES),
    ratio: fc.constantFrom(...RATIOS),
  })
  .map((parts) => aRecord(parts));

const anyFraction: fc.Arbitrary<FractionEvidence | null> = fc
  .constantFrom(null, ...TREATMENTS)
  .map((treatment) => treatment && { treatment, level: null, sentence: "So it is.", url: "u", source: "newsfile" });

const anyArticle = fc
  .record({
    url: fc.constantFrom("https://wire.example/1", "https://wire.example/2"),
    source: fc.constantFrom(...WIRES.slice(0, 3)),
    concerns: fc.array(
      fc.record({
        ticker: fc.constantFrom(...FEW_TICKERS),
        exchange: fc.constantFrom(null, ...FEW_EXCHANGES),
      }),
      { maxLength: 3 },
    ),
    fraction: anyFraction,
    terms: fc.array(
      fc
        .record({ ticker: fc.constantFrom(...FEW_TICKERS), ratio: fc.constantFrom(...RATIOS) })
        .map((parts) => someTerms({ ...parts, exchange: exchange("OTC") })),
      { maxLength: 2 },
    ),
  })
  .map((parts) => aKnownArticle(parts));

/** An event of any kind. Several events need different ids: see `anyEvents`. */
const anyEvent: fc.Arbitrary<MatchableEvent> = fc
  .record({
    kind: fc.constantFrom(...EVENT_KINDS),
    record: anyRecord,
    was: anyRecord,
    fraction: anyFraction,
    article: anyArticle,
    linked: fc.array(anyRecord, { maxLength: 2 }),
  })
  .map(({ kind, record, was, fraction, article, linked }) => {
    const base = { id: "e" as EventId, at: 0, sample: false };
    const split = { ...base, splitId: "s" as SplitId, record, ...NO_EVIDENCE, fraction };
    const release = { ...base, article, splits: linked.map((one) => ({ record: one })) };
    const withdrawn = { ...split, article, explainsMissing: false };
    const events: { readonly [K in EventKind]: MatchableEvent & { readonly kind: K } } = {
      announced: { ...split, kind: "announced", alreadyEffective: false },
      changed: { ...split, kind: "changed", was, terms: changedTerms(was, record), flapping: false },
      postponed: { ...withdrawn, kind: "postponed" },
      cancelled: { ...withdrawn, kind: "cancelled" },
      missing: { ...split, kind: "missing", pollsMissed: 3, flapping: false, withdrawnBy: null },
      returned: { ...split, kind: "returned", was, flapping: false },
      effective: { ...split, kind: "effective" },
      reminder: { ...split, kind: "reminder", daysLeft: 1 },
      article: { ...release, kind: "article" },
      early: { ...release, kind: "early" },
      stale: { ...base, kind: "stale", state: "begun", since: 0, problem: "unreachable" },
    };
    return events[kind];
  });

/** Events with different ids. */
export const anyEvents: fc.Arbitrary<readonly MatchableEvent[]> = fc
  .array(anyEvent, { minLength: 1, maxLength: 6 })
  .map((events) => events.map((event, index) => ({ ...event, id: `e${index}` as EventId })));
