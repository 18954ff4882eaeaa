import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { aKnownArticle, aSplit, day } from "../../../test/support/builders.ts";
import { textsIn } from "../../../test/support/svg.ts";
import { indexArticles } from "../../domain/article/evidence.ts";
import { type CalendarEntry, calendarEntries } from "../../domain/split/calendar-entries.ts";
import type { Split } from "../../domain/split/split.ts";
import { type CalendarPicture, calendarAltText, calendarSvg } from "./calendar-picture.ts";

const AT = { now: Date.parse("2026-03-02T14:00:00Z"), today: day("2026-03-02"), timezone: "America/New_York" };

const ROUNDS_UP = aKnownArticle({ fraction: { treatment: "round_up", level: null, sentence: "Up." } });

function entries(splits: readonly Split[]): readonly CalendarEntry[] {
  return calendarEntries(splits, indexArticles([ROUNDS_UP]), AT.today);
}

function board(splits: readonly Split[], parts: Partial<CalendarPicture> = {}): CalendarPicture {
  return { entries: entries(splits), sample: false, source: "news wires", hasList: true, readAt: AT.now, ...parts };
}

function sizeOf(svg: string): readonly number[] {
  const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  return [Number(width), Number(height)];
}

function many(count: number): readonly Split[] {
  return Array.from({ length: count }, (_, n) =>
    aSplit({ ticker: `T${n}`, exDate: `2026-03-${String(3 + (n % 20)).padStart(2, "0")}` }),
  );
}

describe("the picture of upcoming ex dates", () => {
  it("shows each split under its day with ratio, fraction treatment, company and exchange", () => {
    const splits = [
      aSplit(),
      aSplit({ ticker: "BOLT", exchange: "NYSE", company: "Bolt Marine Corp.", ratio: "1:8", exDate: "2026-03-03" }),
    ];
    expect(textsIn(calendarSvg(board(splits), AT))).toEqual(
      [
        "Upcoming reverse splits | 2 ex dates: Tue 3 Mar 2026 to Tue 10 Mar 2026",
        "EX DATE | TICKER | RATIO | FRACTIONS | COMPANY | EXCHANGE",
        "Tue 3 Mar | tomorrow | BOLT | 1-for-8 | not stated | Bolt Marine Corp. | NYSE",
        "Tue 10 Mar | in 6 trading days | ACME | 1-for-20 | rounded up | Acme Robotics Inc. | Nasdaq",
        "Source: news wires, read Mon 2 Mar 2026, 09:00 EST",
        "Fractions: how fractional shares are treated, if a release states it. | splitwatch",
      ].flatMap((line) => line.split(" | ")),
    );
  });

  it("has an equivalent text alternative", () => {
    const altText = calendarAltText(board([aSplit()]), AT);
    expect(altText).toContain(
      "Tue 10 Mar 2026: ACME 1-for-20 on Nasdaq, fractional shares rounded up to a whole share",
    );
    expect(calendarSvg(board([aSplit()]), AT)).toContain(`<desc>${altText}</desc>`);
  });

  it.each([
    [{ withdrawal: { kind: "postponed", exDate: day("2026-03-10") } } as const, "postponed"],
    [{ withdrawal: { kind: "cancelled", exDate: day("2026-03-10") } } as const, "cancelled"],
    [{ status: "missing", removedAt: AT.now } as const, "no longer listed"],
  ])("shows the state instead of the fraction treatment: %o", (parts, text) => {
    const svg = calendarSvg(board([aSplit({}, parts)]), AT);
    expect(textsIn(svg)).toContain(text);
    expect(svg.includes("line-through")).toBe(text !== "no longer listed");
  });

  it("marks inconsistent terms", () => {
    expect(textsIn(calendarSvg(board([aSplit({ ratio: "one for some" })]), AT))).toEqual(
      expect.arrayContaining(["one for some", "check the data", "rounded up"]),
    );
  });

  it("is 1200 by 630 for few splits, grows with more, and shows at most sixteen", () => {
    expect(sizeOf(calendarSvg(board(many(1)), AT))).toEqual([1_200, 630]);
    expect(sizeOf(calendarSvg(board(many(10)), AT))[1]).toBeGreaterThan(630);
    const svg = calendarSvg(board(many(40)), AT);
    expect(textsIn(svg)).toContain("and 24 more");
    expect(textsIn(svg).filter((text) => /^T\d+$/.test(text))).toHaveLength(16);
    expect(sizeOf(svg)[1]).toBeLessThan(1_600);
  });

  it.each([
    [true, "The source lists no reverse splits with an ex date from today on."],
    [false, "No list of splits has been read yet."],
  ])("explains why it is empty (has list: %s)", (hasList, text) => {
    expect(textsIn(calendarSvg(board([], { hasList }), AT))).toContain(text);
  });

  it("is marked SAMPLE across its whole area if it shows sample data", () => {
    const texts = textsIn(calendarSvg(board(many(12), { sample: true }), AT));
    expect(texts.filter((text) => text.startsWith("SAMPLE")).length).toBeGreaterThan(2);
    expect(calendarAltText(board(many(1), { sample: true }), AT)).toMatch(/^SAMPLE, invented/);
  });

  it("is well-formed, escapes every text, and keeps each text within its column", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 120 }),
        fc.string({ maxLength: 40 }),
        (company, source) => {
          const splits = [
            aSplit({ company: `x${company}` }),
            aSplit({ ticker: "B", company: `<script>"'&${company}]]>` }),
          ];
          const svg = calendarSvg(board(splits, { source }), AT);
          expect(svg).not.toContain("<script");
          // Counts every element: unescaped text would change the tree.
          expect(textsIn(svg)).toHaveLength(23);
          expect(Math.max(...textsIn(svg).map((text) => text.length))).toBeLessThan(140);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each(["W".repeat(60), "i".repeat(400), "株式会社".repeat(20), "שלום ".repeat(30), "👩‍👩‍👧 ".repeat(20)])(
    "truncates %s at the end of its column",
    (company) => {
      const [truncated] = textsIn(calendarSvg(board([aSplit({ company })]), AT)).filter((text) => text.endsWith("…"));
      expect(truncated?.length).toBeLessThan(80);
    },
  );
});
