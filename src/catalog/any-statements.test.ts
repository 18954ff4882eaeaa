import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyStatements } from "../../test/support/any-statements.ts";
import { day } from "../../test/support/builders.ts";
import { anObservation } from "../../test/support/observations.ts";
import {
  catalogOf,
  finra,
  type NoticeParts,
  nasdaq,
  release,
  rows,
  type Statement,
} from "../../test/support/statements.ts";
import { growthFactor } from "../../test/support/timing.ts";
import { addDays, MINUTE_MS } from "../domain/time/day.ts";
import { marketOf, purgeableRevisions } from "./catalog-observation.ts";
import { completeSplits } from "./catalog-split.ts";
import { MAX_LEGAL_DATE_GAP_DAYS, tradingDaysApart } from "./ex-dates.ts";
import type { Observation } from "./observation.ts";
import { observationsOf } from "./release-observations.ts";

/** Everything that was stated, as the facts of a split must name it. */
function statedIn(statements: readonly Statement[]): readonly Observation[] {
  return statements.flatMap((statement): readonly Observation[] =>
    "release" in statement ? observationsOf(statement.release) : [statement.notice],
  );
}

describe("any statements of all sources", () => {
  it("give the same catalog in any order", () => {
    const orders = anyStatements.chain((statements) =>
      fc.tuple(fc.constant(statements), fc.shuffledSubarray(statements, { minLength: statements.length })),
    );
    fc.assert(
      fc.property(orders, ([statements, shuffled]) => {
        expect(catalogOf(...shuffled)).toEqual(catalogOf(...statements));
      }),
      { numRuns: 400 },
    );
  });

  it("give one row per split and market, and never two rows of a listing for one day", () => {
    fc.assert(
      fc.property(anyStatements, (statements) => {
        const splits = catalogOf(...statements).map(completeSplits);
        for (const listed of splits) {
          const markets = listed.map(({ exchange }) => marketOf(exchange));
          expect(new Set(markets).size).toBe(markets.length);
        }
        const dated = splits
          .flat()
          .map(({ ticker, exchange, exDate }) => ({ listing: `${exchange}:${ticker}`, exDate }));
        const repeated = dated.filter((a, index) =>
          dated
            .slice(index + 1)
            .some((b) => a.listing === b.listing && tradingDaysApart(a.exDate, b.exDate) <= MAX_LEGAL_DATE_GAP_DAYS),
        );
        expect(repeated).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it("give facts that name an existing statement, the first of which applies", () => {
    fc.assert(
      fc.property(anyStatements, (statements) => {
        const stated = statedIn(statements);
        for (const { facts, ratio, exDate, company, announced } of catalogOf(...statements)) {
          const applied = [facts.ratio, facts.exDate, facts.company, facts.announced];
          expect(applied.map(([first]) => first?.value ?? null)).toEqual([ratio, exDate, company, announced]);
          for (const term of ["ratio", "exDate", "company", "newCusip"] as const)
            for (const { source, url, value } of facts[term])
              expect(stated).toContainEqual(expect.objectContaining({ source, url, [term]: value }));
          for (const { source, url } of [...facts.announced, ...facts.listing])
            expect(stated).toContainEqual(expect.objectContaining({ source, url }));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("give a history that ends with the terms of the split", () => {
    fc.assert(
      fc.property(anyStatements, (statements) => {
        for (const { events, ratio, exDate, observations } of catalogOf(...statements)) {
          if (observations.every(({ source }) => source === "prnewswire" || source === "globenewswire")) continue;
          expect(events.at(-1)?.terms).toMatchObject({ ratio, exDate });
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** One notice that a source changes at each poll, back and forth. */
const anyFlapping = fc
  .array(
    fc.constantFrom<NoticeParts>(
      {},
      { exDate: "2026-03-12" },
      { kind: "postponed", exDate: null },
      { kind: "cancelled" },
      { ratio: "1:25" },
    ),
    { minLength: 25, maxLength: 60 },
  )
  .map((revisions) =>
    revisions.map((parts, n) => {
      const at = Date.parse("2026-03-05T15:00:00Z") + n * MINUTE_MS;
      return anObservation({ issuedOn: "2026-03-05", publishedAt: at, observedAt: at, ...parts });
    }),
  );

it("gives the same rows without the surplus revisions of a notice", () => {
  const releases = [release("2026-03-02"), release("2026-03-09", { exDate: "2026-03-12" })];
  fc.assert(
    fc.property(anyFlapping, fc.subarray(releases), (revisions, others) => {
      const rowsWith = (observations: readonly Observation[]): readonly string[] =>
        rows(...others, ...observations.map((one) => ({ notice: one })));
      const surplus = purgeableRevisions(revisions);
      const kept = revisions.filter((revision) => !surplus.includes(revision));
      expect(kept.length).toBeLessThanOrEqual(40);
      expect(rowsWith(kept)).toEqual(rowsWith(revisions));
    }),
    { numRuns: 200 },
  );
});

/** Builds a catalog of `size` releases and as many notices, on a quarter as many splits. */
function buildLargeCatalog(size: number, market: string): void {
  const statements = Array.from({ length: size }, (_, n) => {
    const symbol = `T${(n % (size / 4)).toString(36).toUpperCase()}`;
    const company = `C${n % (size / 4)} Co. Ltd.`;
    const parts = { listings: [`${market}${symbol}`], company, id: `${n % (size / 2)}`, observedAt: n };
    return [release("2026-03-02", { ticker: symbol, company }), nasdaq("2026-03-06", parts)];
  });
  expect(catalogOf(...statements.flat())).toHaveLength(size / 4);
}

it.each([
  ["with an exchange", "NASDAQ: "],
  ["without one", ""],
])("builds a catalog in time linear to releases and notices %s", async (_, market) => {
  expect(await growthFactor((size) => buildLargeCatalog(size, market), 2_400)).toBeLessThan(7);
});

it.each([
  ["ex dates of one symbol", (n: number) => ({ exDate: addDays(day("2025-12-01"), n % 1_000) })],
  ["symbols of one company", (n: number) => ({ listings: [`OTC: T${n.toString(36).toUpperCase()}`] })],
])("builds a catalog in time linear to notices that state different %s", async (_, partsOf) => {
  const build = (size: number): void => {
    const notices = Array.from({ length: size }, (__, n) => finra("2026-03-02", { id: `${n}`, ...partsOf(n) }));
    expect(catalogOf(...notices)).not.toEqual([]);
  };
  expect(await growthFactor(build, 1_000)).toBeLessThan(7);
});
