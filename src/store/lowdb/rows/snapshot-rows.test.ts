import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aPastSplit, listedSplit, patchOf, splitId } from "../../../../test/contract/store-builders.ts";
import { aKnownArticle, day } from "../../../../test/support/builders.ts";
import { applyPatch, EMPTY_SNAPSHOT, type SnapshotPatch } from "../../../domain/diff/snapshot.ts";
import { operationsOf, type SnapshotFile, SnapshotRows } from "./snapshot-rows.ts";
import type { Operation } from "./transaction.ts";

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
        from: day(ticker === "ACME" ? "2024-01-01" : "2022-01-01"),
      },
    }),
  );

/** The transactions of the patches and the file after each of them. */
function history(all: readonly SnapshotPatch[]): {
  transactions: Operation[][];
  files: SnapshotFile[];
  rows: SnapshotRows;
} {
  const rows = new SnapshotRows();
  const transactions: Operation[][] = [];
  const files = [rows.file];
  for (const [index, patch] of all.entries()) {
    const ops = [...operationsOf(patch, rows.snapshot.past.values())];
    for (const op of ops) rows.apply(op, index + 1);
    transactions.push(ops);
    files.push(rows.file);
  }
  return { transactions, files, rows };
}

describe("the rows of the snapshot", () => {
  it("have the effect of the patches, and leave earlier snapshots unchanged", () => {
    fc.assert(
      fc.property(fc.array(patches, { maxLength: 6 }), (all) => {
        let expected = EMPTY_SNAPSHOT;
        const rows = new SnapshotRows();
        for (const [index, patch] of all.entries()) {
          const before = rows.snapshot;
          for (const op of operationsOf(patch, before.past.values())) rows.apply(op, index + 1);
          expect(before).toEqual(expected);
          expected = applyPatch(expected, patch);
          expect(rows.snapshot).toEqual(expected);
          for (const kind of ["splits", "past", "articles"] as const)
            expect([...rows.snapshot[kind].keys()]).toEqual([...expected[kind].keys()]);
        }
      }),
    );
  });

  it("are the same after a replay over a file of any age", () => {
    fc.assert(
      fc.property(fc.array(patches, { minLength: 1, maxLength: 6 }), (all) => {
        const { transactions, files, rows } = history(all);
        for (const file of files) {
          const replayed = new SnapshotRows();
          replayed.load(file);
          for (const [index, ops] of transactions.entries()) for (const op of ops) replayed.apply(op, index + 1);
          expect(replayed.file).toEqual(rows.file);
        }
      }),
    );
  });
});
