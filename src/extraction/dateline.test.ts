import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../test/support/sentences.ts";
import { growthFactor, HOSTILE_QUARTER } from "../../test/support/timing.ts";
import {
  DATELINE_RULES,
  findAnnouncementDay,
  findDateline,
  findDatelineWire,
  findPageDay,
  matchesDateline,
} from "./dateline.ts";
import { findDates } from "./dates.ts";
import { findExDate } from "./ex-date.ts";
import { extractFacts } from "./extract.ts";
import type { Sentence } from "./sentences.ts";

function sentencesIn(content: string): readonly Sentence[] {
  return sentencesOf({ heading: "Harbor Mills splits May 9, 2026", content });
}

function dateline(content: string): string | null {
  return findDateline(sentencesIn(content)).day;
}

function announced(content: string): string | null {
  const sentences = sentencesIn(content);
  const { day: issuedOn } = findDateline(sentences);
  const opening = { day: issuedOn, sentence: null };
  const exDate = findExDate(sentences, { dateline: issuedOn, exchange: null });
  return findAnnouncementDay(sentences, opening, exDate).day;
}

describe("findDateline", () => {
  it.each([
    "HARBOR CITY, Ore., May 04, 2026 (GLOBE NEWSWIRE) -- Harbor Mills, Inc. (Nasdaq: HRBM) announced",
    "HARBOR CITY, Ore., May\u00a04, 2026 /PRNewswire/ -- Harbor Mills, Inc. announced",
    "HARBOR CITY, May 4, 2026 /CNW/ - Harbor Mills, Inc. announced",
    "HARBOR CITY, May 4, 2026 /PRNewswire-FirstCall/ -- Harbor Mills, Inc. announced",
    "Harbor City, Oregon--(Newsfile Corp. - May 4, 2026) - Harbor Mills, Inc. announced",
    "Harbor City, Oregon--(BUSINESS WIRE)--May 4, 2026--Harbor Mills, Inc. announced",
    "HARBOR CITY, OR / ACCESSWIRE / May 4, 2026 / Harbor Mills, Inc. announced",
    "HARBOR CITY, OR / ACCESS Newswire / May 4, 2026 / Harbor Mills, Inc. announced",
    "HARBOR CITY, OR - May 4, 2026 (NEWMEDIAWIRE) - Harbor Mills, Inc. announced",
    "HARBOR CITY, Ore. - (NewMediaWire) - May 4, 2026 - Harbor Mills, Inc. announced",
    "HARBOR CITY, ORE. - May 4, 2026 (NEWMEDIAWIRE) - Harbor Mills, Inc. announced",
    "(TheNewswire)\n\n\n\nHARBOR CITY, OR, May 4,\u00a02026– TheNewswire– Harbor Mills, Inc. announces",
    "HARBOR CITY, OR, May 4, 2026 – PRISM MediaWire (Press Release Service) – Harbor Mills, Inc. announced",
    "HARBOR CITY—May 4, 2026— Harbor Mills, a maker of boats, announced",
    "Harbor City, Oregon, May 4, 2026: Harbor Mills, Inc. announced",
    "HARBOR CITY, Ore., Monday, May 4, 2026 (GLOBE NEWSWIRE) -- Harbor Mills, Inc. announced",
    "The reverse split keeps the listing\n\n• It takes effect on May 9, 2026\n\nHARBOR CITY, May 4, 2026 (GLOBE NEWSWIRE) -- Harbor Mills",
    "Harbor Mills splits\n\nPR Newswire\n\nHARBOR CITY, Ore., May 4, 2026\n\nHARBOR CITY, Ore., May 4, 2026 /PRNewswire/ -- Harbor Mills",
    "CONTACT: Ann Lee\n\nFOR IMMEDIATE RELEASE: May 4, 2026\n\nHarbor Mills, Inc. announced",
    "May 4, 2026\n\nHarbor Mills, Inc. announced",
    "May 04, 2026\nHARBOR CITY, OR – Harbor Mills, Inc. announced",
    "Monday, May 4, 2026\nHarbor Mills, Inc. announced",
    "May 4, 2026 08:00 ET | Source: Harbor Mills\nHarbor Mills, Inc. announced",
    "2026-05-04 08:30\nHarbor Mills, Inc. announced",
    "FOR IMMEDIATE RELEASE\nMay 4, 2026\nHarbor Mills, Inc. announced",
    "Date: May 4, 2026\nHarbor Mills, Inc. announced",
    "date 2026-05-04 Harbor Mills Inc. shares fall",
    "May 4, 2026 (Harbor City, OR) Harbor Mills, Inc. announced",
    "Harbor City, Oregon (May 4, 2026) - Harbor Mills, Inc. announced",
    "Trois-Rivières, Québec, le 4 mai 2026 - Harbor Mills, Inc. announced",
    "Érableville, May 4, 2026 - Harbor Mills, Inc. announced",
    "On May 4, 2026 Harbor Mills reported a reverse split.",
    "Harbor Mills, Inc. (Nasdaq: HRBM) today, May 4, 2026, announced a reverse split.",
  ])("finds the dateline in: %s", (content) => {
    expect(dateline(content)).toBe("2026-05-04");
  });

  it.each([
    "HARBOR CITY, Ore.--(BUSINESS WIRE)--Harbor Mills, Inc. announced on May 4, 2026 that it splits.",
    "HARBOR CITY, May 4 /PRNewswire/ -- Harbor Mills, Inc. announced a split.",
    "Harbor Mills, Inc. announced that it filed a report on May 4, 2026.",
    "Effective May 4, 2026, Harbor Mills will do a reverse split.",
    "On May 4, 2026, stockholders approved a reverse split of Harbor Mills.",
    "Harbor Mills, Inc. (Nasdaq: HRBM) today announced that its stock opens on a split-adjusted basis on May 4, 2026.",
    "",
  ])("finds no dateline in: %s", (content) => {
    expect(dateline(content)).toBeNull();
  });

  it("ignores dates far below the opening", () => {
    expect(dateline(`${"A sentence of many. ".repeat(200)}\nHARBOR CITY, May 4, 2026 /PRNewswire/ -- X`)).toBeNull();
  });

  it.each(DATELINE_RULES)("matches the example of the rule: $name", (rule) => {
    const [date] = findDates(rule.example, null);
    expect(date && matchesDateline(rule, rule.example, date)).toBe(true);
  });
});

describe("findPageDay", () => {
  it.each([
    "By Ann Lee - 05/04/2026\nHarbor Mills splits",
    "BY ANN LEE - 05/04/2026\nHARBOR MILLS SPLITS",
    "Home | News | Index 5,123.41\n\ndate 2026-05-04 Harbor Mills splits",
    "Harbor Mills Splits\n\nBy Ann Lee\nMay 4, 2026\nShare: Harbor Mills said",
    "May 4, 2026\n\nHarbor Mills splits its stock",
    'form: "8-K"\nfiled_at: "2026-05-04T23:59:59+00:00"',
    "Last updated on May 4, 2026. Harbor Mills splits.",
    `${"Harbor Mills splits its stock again. ".repeat(40)}This report was first published May 4, 2026.`,
  ])("finds the day of the page in: %s", (content) => {
    expect(findPageDay(sentencesIn(content))).toBe("2026-05-04");
  });

  it.each([
    "Harbor Mills effected a reverse split that was filed on May 4, 2026.",
    "On May 4, 2026, Harbor Mills effected a reverse split.",
    "Harbor Mills has been listed since May 4, 2026.",
    "Effective May 4, 2026, Harbor Mills splits its stock.",
  ])("finds no day of the page in: %s", (content) => {
    expect(findPageDay(sentencesIn(content))).toBeNull();
  });

  it("gives the year of a day without one", () => {
    const content =
      "By Ann Lee - 05/04/2026\nHarbor Mills (NASDAQ: HMIL) will effect a 1-for-20 reverse split on May 11.";
    expect(extractFacts({ heading: "", content }).splits).toMatchObject([{ exDate: "2026-05-11" }]);
  });
});

describe("findAnnouncementDay", () => {
  const NEWS =
    "Harbor Mills, Inc. announced that its stock will begin trading on a split-adjusted basis on May 8, 2026.";

  it.each([
    ["the day of the dateline", `OSLO, May 4, 2026 /PRNewswire/ -- ${NEWS}`, "2026-05-04"],
    ["the day of a dateline on the first trading day", `OSLO, May 8, 2026 /PRNewswire/ -- ${NEWS}`, "2026-05-08"],
    ["null for a repost after the first trading day", `OSLO, May 14, 2026 /PRNewswire/ -- ${NEWS}`, null],
    [
      "the day of the dateline of a release in the past tense",
      "OSLO, May 11, 2026 /PRNewswire/ -- Our stock began trading on a split-adjusted basis on May 8, 2026.",
      "2026-05-11",
    ],
    [
      "the older day of a release with the datelines of two wires",
      `OSLO, May 6, 2026 (GLOBE NEWSWIRE) --\n\nOSLO, May 4, 2026 /PRNewswire/ -- ${NEWS}`,
      "2026-05-04",
    ],
    [
      "the stated first publication",
      `OSLO, May 6, 2026 /PRNewswire/ -- This release was originally issued on May 4, 2026. ${NEWS}`,
      "2026-05-04",
    ],
    [
      "the day of the dateline, not of an earlier release in the text",
      `OSLO, May 4, 2026 /PRNewswire/ -- Further to its news release dated April 2, 2026, ${NEWS}`,
      "2026-05-04",
    ],
    ["null without a dateline", NEWS, null],
  ])("returns %s", (_, content, day) => {
    expect(announced(content)).toBe(day);
  });
});

describe("hostile text", () => {
  it.each([
    "A.",
    "A. ",
    "A.A.A.A.A.A.A.A.A.A.A.A.A.A.A.A.A.A.A.A. May 4, 2026 - ",
    "(GLOBE NEWSWIRE) - ",
    "originally issued ",
  ])("takes linear time: %s", async (piece) => {
    const readPieces = (size: number): unknown => announced(piece.repeat(Math.ceil(size / piece.length)));
    expect(await growthFactor(readPieces, HOSTILE_QUARTER)).toBeLessThan(8);
  });
});

describe("findDatelineWire", () => {
  const HEAD = "EX-99.1\n2\nex99-1.htm\n\nExhibit 99.1\n\nHarbor Mills Announces Reverse Stock Split\n\n";

  it.each([
    ["businesswire", "BOISE, Idaho—(BUSINESS WIRE)—May 4, 2026—Harbor Mills, Inc."],
    ["accesswire", "BOISE, ID / ACCESS Newswire / May 4, 2026 / Harbor Mills, Inc."],
    ["accesswire", "BOISE, ID / ACCESSWIRE / May 4, 2026 / Harbor Mills, Inc."],
    ["prnewswire", "BOISE, Idaho, May 4, 2026 /PRNewswire/ -- Harbor Mills, Inc."],
    ["prnewswire", "BOISE, Idaho, May 4, 2026 /PRNewswire-FirstCall/ -- Harbor Mills, Inc."],
    ["globenewswire", "BOISE, Idaho, May 4, 2026 (GLOBE&nbsp;NEWSWIRE) -- Harbor Mills, Inc."],
    ["newsfile", "Boise, Idaho--(Newsfile Corp. - May 4, 2026) - Harbor Mills, Inc."],
  ])("recognizes %s in an exhibit: %s", (wire, opening) => {
    expect(findDatelineWire(HEAD + opening)).toBe(wire);
  });

  it.each([
    ["no wire", "BOISE, Idaho, May 4, 2026 -- Harbor Mills, Inc. announced"],
    ["another wire", "BOISE, Idaho, May 4, 2026 (NEWMEDIAWIRE) -- Harbor Mills, Inc. announced"],
    [
      "a wire only in its prose",
      "BOISE, May 4, 2026 -- Harbor Mills, Inc. sends its releases by Business Wire and PR Newswire.",
    ],
  ])("returns null for a text that names %s", (_, opening) => {
    expect(findDatelineWire(HEAD + opening)).toBeNull();
  });

  it("selects the first of two datelines", () => {
    const text = "BOISE, May 4, 2026 /PRNewswire/ -- One.\n\nBOISE, May 4, 2026 (GLOBE NEWSWIRE) -- Two.";
    expect(findDatelineWire(text)).toBe("prnewswire");
  });
});
