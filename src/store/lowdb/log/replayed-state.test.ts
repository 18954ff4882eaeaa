import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aPastSplit, listedSplit, patchOf, splitId } from "../../../../test/contract/store-builders.ts";
import { aKnownArticle, day } from "../../../../test/support/builders.ts";
import { applyPatch, EMPTY_SNAPSHOT, type SnapshotPatch } from "../../../domain/diff/snapshot.ts";
import { foldPatches } from "./replayed-state.ts";

const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 3 });

const patches: fc.Arbitrary<SnapshotPatch> = fc
  .record({ replaces: fc.boolean(), set: names, removed: names, ticker: fc.constantFrom("ACME", "BETA") })
  .map(({ replaces, set, removed, ticker }) =>
    patchOf({
      header: { ...patchOf().header, source: `${ticker} ${set.join()}` },
      replaces,
      splits: set.map((name) => listedSplit(name, ticker)),
      removedSplits: removed.map((name) => splitId(name)),
      articles: set.map((url) => aKnownArticle({ url, heading: ticker })),
      removedArticles: removed,
      past: {
        joining: set.map((name) => aPastSplit(name, ticker === "ACME" ? "2026-02-10" : "2023-02-10")),
        from: day("2024-01-01"),
      },
    }),
  );

describe("foldPatches", () => {
  it("has the same effect as the patches applied in order", () => {
    fc.assert(
      fc.property(fc.array(patches, { maxLength: 6 }), fc.array(patches, { maxLength: 6 }), (earlier, later) => {
        let before = EMPTY_SNAPSHOT;
        for (const patch of earlier) before = applyPatch(before, patch);
        let expected = before;
        for (const patch of later) expected = applyPatch(expected, patch);

        const folded = foldPatches(later);
        const got = folded ? applyPatch(before, folded) : before;
        expect(got).toEqual(expected);
        expect([...got.past.keys()].toSorted()).toEqual([...expected.past.keys()].toSorted());
        expect([...got.splits.keys()]).toEqual([...expected.splits.keys()]);
        expect([...got.articles.keys()]).toEqual([...expected.articles.keys()]);
      }),
    );
  });
});
