import { describe, expect, it } from "vitest";
import {
  catalogOf,
  differences,
  history,
  nasdaq,
  onlySplit,
  postponed,
  release,
  type Statement,
} from "../../test/support/statements.ts";
import type { CatalogSplit } from "./catalog-split.ts";

const EFFECTIVE = "2026-03-09";
const TRADING = "2026-03-10";

function effective(published: string, exDate = EFFECTIVE): Statement {
  return release(published, { exDate, exDateBasis: "effective" }, { source: "newsfile" });
}

function trading(published: string, exDate = TRADING): Statement {
  return release(published, { exDate, exDateBasis: "trading" });
}

function exDateOf(split: CatalogSplit): readonly unknown[] {
  return [split.exDate, split.facts.exDate[0]?.source, split.facts.exDate[0]?.basis ?? "trading"];
}

describe("an ex date from an effective date", () => {
  it("applies, with its mark, if no source states a trading date", () => {
    expect(exDateOf(onlySplit(effective("2026-03-02")))).toEqual([EFFECTIVE, "newsfile", "effective"]);
  });

  it.each([
    ["before it", [trading("2026-03-02"), effective("2026-03-03")]],
    ["on the same day", [effective("2026-03-02"), trading("2026-03-02")]],
    ["after it", [effective("2026-03-02"), trading("2026-03-04")]],
  ])("yields to the trading date of a release %s, in any order of arrival", (_, statements) => {
    for (const arrived of [statements, statements.toReversed()]) {
      const split = onlySplit(...arrived);
      expect(exDateOf(split)).toEqual([TRADING, "globenewswire", "trading"]);
      expect(split.conflicts).toEqual([]);
    }
  });

  it("yields to a trading date that is many days away", () => {
    const statements = [trading("2026-03-02"), effective("2026-03-03", "2026-03-17")];
    expect(exDateOf(onlySplit(...statements))).toEqual([TRADING, "globenewswire", "trading"]);
  });

  it("yields to the notice of an exchange without a conflict", () => {
    const split = onlySplit(effective("2026-03-02"), nasdaq("2026-03-04", { exDate: TRADING }));
    expect(exDateOf(split)).toEqual([TRADING, "nasdaq", "trading"]);
    expect(differences(split)).toEqual([]);
  });

  it("loses its mark when a release states the same day as the first trading day", () => {
    const split = onlySplit(effective("2026-03-02", TRADING), trading("2026-03-03"));
    expect(exDateOf(split)).toEqual([TRADING, "globenewswire", "trading"]);
    expect(history(split)).toHaveLength(1);
  });

  it("is the new date of a postponed split", () => {
    const delayed = release(
      "2026-03-06",
      { ratio: null, exDate: "2026-03-17", exDateBasis: "effective" },
      { kind: "postponed" },
    );
    expect(exDateOf(onlySplit(trading("2026-03-02"), delayed))).toEqual(["2026-03-17", "globenewswire", "effective"]);
    const undated = postponed("2026-03-06");
    const dated = effective("2026-03-08", "2026-03-17");
    expect(exDateOf(onlySplit(trading("2026-03-02"), undated, dated))).toEqual(["2026-03-17", "newsfile", "effective"]);
  });

  it("reads facts of an earlier version, without a basis, as trading dates", () => {
    const [split] = catalogOf(effective("2026-03-02"), release("2026-03-03"));
    expect(split && exDateOf(split)).toEqual([TRADING, "globenewswire", "trading"]);
  });
});
