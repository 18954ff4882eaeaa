import * as fc from "fast-check";
import { EVENT_KINDS } from "../../src/domain/alert/event.ts";
import { TREATMENTS } from "../../src/domain/article/article.ts";
import { WIRES } from "../../src/domain/article/wire.ts";
import type { RuleFilter } from "../../src/domain/settings/rule.ts";
import { type Exchange, KNOWN_EXCHANGES } from "../../src/domain/split/exchange.ts";
import { parseTicker, type Ticker } from "../../src/domain/split/ticker.ts";
import { addDays, type Day, makeDay } from "../../src/domain/time/day.ts";

const letters = fc.string({ unit: fc.constantFrom("A", "B", "C", "Z", "0", "1", "9"), minLength: 1, maxLength: 6 });

/** Includes tickers that resemble exchanges or numbers, and share classes. */
export const anyTicker: fc.Arbitrary<Ticker> = fc
  .oneof(letters, fc.constantFrom("CBOE", "OTC", "CSE", "BRK.B", "ALL", "AND", "ME", "123", "20", "X1"))
  .map((text) => parseTicker(text))
  .filter((one) => one !== undefined);

export const anyExchange: fc.Arbitrary<Exchange> = fc.constantFrom(...KNOWN_EXCHANGES);

export const anyDay: fc.Arbitrary<Day> = fc
  .integer({ min: 0, max: 20_000 })
  .map((days) => addDays(makeDay(2000, 1, 1), days));

const few = <T>(one: fc.Arbitrary<T>, most = 4): fc.Arbitrary<T[]> => fc.uniqueArray(one, { maxLength: most });

/** Subset in the order of `all`. */
function among<T>(all: readonly T[], least = 0): fc.Arbitrary<readonly T[]> {
  return fc.subarray([...all], { minLength: least });
}

const minRatio = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 2, max: 5_000 }),
  fc.tuple(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 41, max: 900 })).map(([now, old]) => old / now),
);

/** Filters that `subscribe` can set, without contradictions. */
export const anyRuleFilter: fc.Arbitrary<RuleFilter> = fc
  .record({
    exchanges: few(anyExchange),
    tickers: few(anyTicker),
    excludeExchanges: few(anyExchange, 2),
    excludeTickers: few(anyTicker, 2),
    events: among(EVENT_KINDS, 1),
    sources: among(WIRES),
    fractional: among(TREATMENTS),
    minRatio,
  })
  .map((filter) => ({
    ...filter,
    excludeExchanges: filter.excludeExchanges.filter((one) => !filter.exchanges.includes(one)),
    excludeTickers: filter.excludeTickers.filter((one) => !filter.tickers.includes(one)),
    sources: filter.events.some((kind) => kind === "article" || kind === "early") ? filter.sources : [],
  }));
