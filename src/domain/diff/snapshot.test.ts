import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord } from "../../../test/support/builders.ts";
import { PolledSource } from "../../../test/support/polled-source.ts";
import type { Split } from "../split/split.ts";
import { applyPatch, EMPTY_SNAPSHOT, headerOf, headerPatch, type SnapshotPatch } from "./snapshot.ts";

const SPLITS: readonly Split[] = PolledSource.settled(
  ["AAAA", "BBBB", "CCCC", "DDDD"].map((ticker) => aRecord({ ticker })),
).splits;
const ARTICLES = [1, 2, 3, 4].map((number) => aKnownArticle({ url: `https://wire.example/${number}` }));

const somePatch: fc.Arbitrary<SnapshotPatch> = fc.record({
  header: fc.record({ nextSplit: fc.nat(), settlingPolls: fc.nat(3) }).map((parts) => ({
    ...headerOf(EMPTY_SNAPSHOT),
    ...parts,
  })),
  replaces: fc.boolean(),
  splits: fc.subarray([...SPLITS]),
  removedSplits: fc.subarray(SPLITS.map(({ id }) => id)),
  articles: fc.subarray(ARTICLES),
  removedArticles: fc.subarray(ARTICLES.map(({ url }) => url)),
});

const FULL = {
  ...EMPTY_SNAPSHOT,
  splits: new Map(SPLITS.map((split) => [split.id, split])),
  articles: new Map(ARTICLES.map((article) => [article.url, article])),
};

describe("applyPatch", () => {
  it("is idempotent", () => {
    fc.assert(
      fc.property(somePatch, fc.constantFrom(EMPTY_SNAPSHOT, FULL), (patch, before) => {
        const once = applyPatch(before, patch);
        expect(applyPatch(once, patch)).toEqual(once);
      }),
    );
  });

  it("does not modify its argument", () => {
    fc.assert(
      fc.property(somePatch, (patch) => {
        applyPatch(FULL, patch);
        expect(FULL.splits.size).toBe(SPLITS.length);
        expect(FULL.articles.size).toBe(ARTICLES.length);
      }),
    );
  });

  it("drops everything except the past splits if the patch replaces the snapshot", () => {
    const patch = { ...headerPatch(headerOf(FULL)), replaces: true, articles: ARTICLES.slice(0, 1) };
    const after = applyPatch(FULL, patch);
    expect(after.splits.size).toBe(0);
    expect([...after.articles.keys()]).toEqual(["https://wire.example/1"]);
  });

  it("adds and removes by id and URL, and keeps other entries", () => {
    const [first, second] = SPLITS;
    if (!first || !second) throw new Error("the test has no splits");
    const patch = {
      ...headerPatch({ ...headerOf(FULL), nextSplit: 99 }),
      splits: [{ ...second, revision: 7 }],
      removedSplits: [first.id],
      removedArticles: ["https://wire.example/1"],
    };
    const after = applyPatch(FULL, patch);
    expect(after.nextSplit).toBe(99);
    expect(after.splits.has(first.id)).toBe(false);
    expect(after.splits.get(second.id)?.revision).toBe(7);
    expect(after.splits.size).toBe(SPLITS.length - 1);
    expect(after.articles.size).toBe(ARTICLES.length - 1);
  });
});

it("keeps the maps of the parts that a patch doesn't change", () => {
  const [split] = SPLITS;
  if (!split) throw new Error("the test has no splits");
  const after = applyPatch(FULL, { ...headerPatch(headerOf(FULL)), splits: [{ ...split, revision: 7 }] });
  expect(after.splits).not.toBe(FULL.splits);
  expect(after.articles).toBe(FULL.articles);
  expect(after.past).toBe(FULL.past);
});

describe("headerPatch", () => {
  it("changes the header only", () => {
    const after = applyPatch(FULL, headerPatch({ ...headerOf(FULL), settlingPolls: 2 }));
    expect(after).toEqual({ ...FULL, settlingPolls: 2 });
  });
});
