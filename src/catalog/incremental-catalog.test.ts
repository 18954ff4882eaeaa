import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyStatements } from "../../test/support/any-statements.ts";
import { finra, inputOf, nasdaq, release, type Statement } from "../../test/support/statements.ts";
import { buildCatalog } from "./catalog.ts";
import { createIncrementalCatalog } from "./incremental-catalog.ts";

/** Returns the statement with changed terms. */
function withChangedTerms(statement: Statement): Statement {
  if ("release" in statement) return { release: { ...statement.release, facts: null } };
  return { notice: { ...statement.notice, exDate: null } };
}

/** States of a store, one after another: each statement is absent, present or replaced. */
const anyStates = anyStatements.chain((statements) => {
  const changed = statements.map(withChangedTerms);
  const anyState = fc
    .array(fc.constantFrom(0, 1, 2), { minLength: statements.length, maxLength: statements.length })
    .map((states) =>
      statements.flatMap((statement, n) => [[], [statement], [changed[n] ?? statement]][states[n] ?? 0] ?? []),
    );
  return fc.array(anyState, { minLength: 1, maxLength: 8 });
});

describe("an incremental catalog", () => {
  it("equals a newly built catalog after any changes", () => {
    fc.assert(
      fc.property(anyStates, (states) => {
        const catalog = createIncrementalCatalog();
        for (const statements of states) {
          const input = inputOf(statements);
          expect(catalog.update(input)).toEqual(buildCatalog(input));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("rebuilds only the splits that a change may concern", () => {
    const statements = Array.from({ length: 50 }, (_, n) => {
      const parts = { company: `Company ${n} Inc.` };
      return [
        release("2026-03-02", { ticker: `T${n}`, ...parts }),
        nasdaq("2026-03-06", { listings: [`NASDAQ: T${n}`], ...parts }),
      ];
    }).flat();
    const catalog = createIncrementalCatalog();
    const before = catalog.update(inputOf(statements));
    const revised = nasdaq("2026-03-07", { listings: ["NASDAQ: T7"], company: null, exDate: "2026-03-12" });
    const after = catalog.update(inputOf([...statements, revised]));
    expect(after.map((split, n) => split === before[n])).toEqual(
      before.map(({ listings }) => listings[0]?.ticker !== "T7"),
    );
  });

  it("returns the same list if no split changed", () => {
    const catalog = createIncrementalCatalog();
    const first = release("2026-03-02");
    const before = catalog.update(inputOf([first]));
    const other = release("2026-03-02", { ticker: "BOLT", company: "Bolt Ltd." }, { kind: "other" });
    expect(catalog.update(inputOf([first, other]))).toBe(before);
    expect(catalog.update(inputOf([first]))).toBe(before);
  });

  it("separates two splits when the notice that links them is removed", () => {
    const catalog = createIncrementalCatalog();
    const [first, second] = [
      nasdaq("2026-03-05"),
      finra("2026-03-05", { listings: ["OTC: ACMX"], company: "Bolt Ltd." }),
    ];
    const link = nasdaq("2026-03-06", { listings: ["NASDAQ: ACME", "NASDAQ: ACMX"] });
    expect(catalog.update(inputOf([first, second, link]))).toHaveLength(1);
    expect(catalog.update(inputOf([first, second]))).toHaveLength(2);
    expect(catalog.update(inputOf([]))).toEqual([]);
  });
});
