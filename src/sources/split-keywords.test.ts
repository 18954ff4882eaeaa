import { describe, expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import { aRelease, mention } from "../../test/support/releases.ts";
import { buildCatalog } from "../catalog/catalog.ts";
import type { Release } from "../catalog/release.ts";
import { extractFacts } from "../extraction/extract.ts";
import { readText } from "./reading/release-facts.ts";
import {
  concernsPendingSplit,
  concernsReverseSplit,
  KEYWORD_RULES,
  mayConcernSplit,
  mentionsSplit,
} from "./split-keywords.ts";
import type { FeedItem } from "./web/read-feed.ts";

function anItem(parts: Partial<FeedItem> = {}): FeedItem {
  return {
    url: "https://wire.example/1",
    heading: "Orders Rise",
    teaser: "",
    publishedAt: null,
    tickers: [],
    version: "1",
    ...parts,
  };
}

describe("the keyword rules", () => {
  it.each(KEYWORD_RULES.map((rule) => [rule.name, rule] as const))("match %s, as in the example", (_, rule) => {
    expect(rule.pattern.test(rule.example)).toBe(true);
    expect(rule.pattern.test("Quarterly orders rise as consolidated revenue grows")).toBe(false);
  });

  it.each([
    "Delvex Announces Reverse Stock Split",
    "Delvex Announces 1‑for‑15 Reverse Split to Regain Compliance",
    "Kestor Mines Announces 10-for-1 Consolidation of Common Shares",
    "Kestor Mines announces share consolidaton",
    "Plenor plc Announces Plan to Implement ADS Ratio Change",
    "Auvix Receives Nasdaq Notification Regarding Minimum Bid Price",
    "Auvix Adjourns Special Meeting of Stockholders",
    "Auvix annonce le regroupement de ses actions",
    "Auvix Completes Capital Reorganization and Name Change",
  ])("match %j", (heading) => {
    expect(mayConcernSplit(anItem({ heading }))).toBe(true);
    expect(mayConcernSplit(anItem({ teaser: `Today: ${heading}.` }))).toBe(true);
  });

  it.each([
    "Auvix Reports Third Quarter Consolidated Results",
    "Auvix Completes Reverse Takeover of Plenor",
    "Auvix Opens a New Plant in Ohio",
    "",
  ])("do not match %j", (heading) => {
    expect(mayConcernSplit(anItem({ heading }))).toBe(false);
  });

  it("recognize a reverse split in repeated calls", () => {
    for (let call = 0; call < 3; call += 1) expect(mentionsSplit("the reverse stock split of Auvix")).toBe(true);
    expect(mentionsSplit("Auvix opens a plant")).toBe(false);
  });
});

describe("the filter for companies with a pending split", () => {
  const splits = buildCatalog({ releases: [aRelease()], observations: [] });

  it.each([
    ["an item with the company's ticker", anItem({ tickers: [mention("NASDAQ: ACME")] }), true],
    ["an item with the company's name", anItem({ heading: "ACME ROBOTICS provides an update" }), true],
    ["another company", anItem({ heading: "Bolt Ltd. provides an update", tickers: [mention("NYSE: BOLT")] }), false],
  ])("classifies %s", (_, item, isRelevant) => {
    expect(concernsPendingSplit(item, splits, day("2026-03-05"))).toBe(isRelevant);
  });

  it("folds the names once for all items of a catalog", () => {
    let nameReads = 0;
    const counted = splits.map((split) => ({
      ...split,
      get company() {
        nameReads += 1;
        return split.company;
      },
    }));
    const isRelevant = (heading: string): boolean =>
      concernsPendingSplit(anItem({ heading }), counted, day("2026-03-05"));
    expect(isRelevant("Bolt Ltd. provides an update")).toBe(false);
    const initialNameReads = nameReads;
    expect(["Orders Rise", "Acme Robotics provides an update"].map(isRelevant)).toEqual([false, true]);
    expect(nameReads).toBe(initialNameReads);
  });

  it("ends after the ex date", () => {
    const item = anItem({ tickers: [mention("NASDAQ: ACME")] });
    expect(concernsPendingSplit(item, splits, day("2026-03-10"))).toBe(true);
    expect(concernsPendingSplit(item, splits, day("2026-03-11"))).toBe(false);
  });
});

it("mentionsSplit doesn't affect the extraction of the next text", () => {
  const text = "Acme Robotics, Inc. (NASDAQ: ACME) will effect a 1-for-20 reverse stock split on March 10, 2026.";
  const release = {
    heading: "Acme Robotics Announces Reverse Stock Split",
    content: text,
    published: day("2026-03-02"),
  };
  const before = extractFacts(release);
  expect(mentionsSplit(`${"A long introduction. ".repeat(20)}${text}`)).toBe(true);
  expect(extractFacts(release)).toEqual(before);
  expect(before.kind).toBe("reverse_split");
});

const LONG = `${"A long introduction. ".repeat(300)}Auvix completed a reverse stock split in 2025.`;

function concerns(parts: Partial<Release>): boolean {
  return concernsReverseSplit({ ...aRelease({ heading: "Auvix Opens a Plant", facts: { kind: "other" } }), ...parts });
}

describe("a release of another kind", () => {
  it("concerns a reverse split if its text names one", () => {
    expect(concerns({ text: LONG.slice(-60) })).toBe(true);
    expect(concerns({ text: "A plant opens." })).toBe(false);
  });

  it("concerns a reverse split if the thread has found one in its long text", () => {
    expect(concerns({ text: LONG, mentionsSplit: true })).toBe(true);
    expect(concerns({ text: LONG, mentionsSplit: false })).toBe(false);
    expect(concerns({ text: LONG })).toBe(false);
    expect(readText({ url: "", heading: "", content: LONG }, day("2026-03-02"), null).mentionsSplit).toBe(true);
  });
});
