import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, day, exchange, ticker } from "../../../test/support/builders.ts";
import { PolledSource } from "../../../test/support/polled-source.ts";
import { parseRatio, ratioCode } from "./ratio.ts";
import { type PastSplit, repeatSplitsOf } from "./repeat-splits.ts";
import type { SplitId } from "./split.ts";

const NOW = aRecord({ exDate: "2026-03-10" });

function aPast(
  parts: {
    id?: string;
    ticker?: string;
    exchange?: string;
    name?: string;
    ratio?: string;
    exDate?: string;
    sample?: boolean;
  } = {},
): PastSplit {
  return {
    id: (parts.id ?? "past") as SplitId,
    ticker: ticker(parts.ticker ?? "ACME"),
    exchange: exchange(parts.exchange ?? "NASDAQ"),
    name: parts.name ?? "acme robotics",
    ratio: parseRatio(parts.ratio ?? "1:120") ?? null,
    exDate: day(parts.exDate ?? "2025-03-10"),
    sample: parts.sample ?? false,
  };
}

/** `3 in 24 months, 1:2400`, or null. */
function serialWords(past: readonly PastSplit[], record = NOW, sample = false): string | null {
  const serial = repeatSplitsOf(record, past, sample);
  if (serial === null) return null;
  const total = serial.total === null ? "unknown" : ratioCode(serial.total);
  return `${serial.count}, ${serial.atLeast ? "at least " : ""}${total}`;
}

describe("the splits of an issuer within 24 months", () => {
  it.each<[string, Parameters<typeof aPast>[0][], string | null]>([
    ["none before", [], null],
    ["one before", [{}], "2, 1:2400"],
    ["two before", [{}, { exDate: "2024-09-10", ratio: "1:5" }], "3, 1:12000"],
    ["a fractional ratio", [{ ratio: "10:77" }], "2, 1:154"],
    ["ratios with a common factor", [{ ratio: "2:3" }], "2, 1:30"],
    ["a split with an unknown ratio", [{}, { exDate: "2025-09-10", ratio: "?" }], "3, at least 1:2400"],
    ["a split exactly 24 months ago", [{ exDate: "2024-03-10" }], "2, 1:2400"],
    ["a split one day more than 24 months ago", [{ exDate: "2024-03-09" }], null],
    ["a split on the same day", [{ exDate: "2026-03-10" }], null],
    ["a later split", [{ exDate: "2026-04-10" }], null],
    ["another exchange that shares its symbols", [{ exchange: "OTC", name: "" }], "2, 1:2400"],
    ["the same symbol in another country", [{ exchange: "TSX", name: "acme gold" }], null],
    ["an earlier symbol of the same company", [{ ticker: "OLDA" }], "2, 1:2400"],
    ["another company", [{ ticker: "BOLT", name: "bolt" }], null],
    ["a company without a name", [{ ticker: "BOLT", name: "" }], null],
    ["a split that two sources list one day apart", [{}, { id: "b", exDate: "2025-03-11" }], "2, 1:2400"],
    ["two listings that split on the same day", [{}, { id: "b", ticker: "ACMEW", ratio: "1:120" }], "2, 1:2400"],
    ["the same split with a corrected date", [{ ratio: "1:20", exDate: "2026-03-04" }], null],
    ["a sample split", [{ sample: true }], null],
  ])("with %s", (_what, past, words) => {
    expect(serialWords(past.map(aPast))).toBe(words);
  });

  it("include sample splits only for a sample split", () => {
    expect(serialWords([aPast({ sample: true }), aPast({ exDate: "2025-09-10" })], NOW, true)).toBe("2, 1:2400");
  });

  it("are counted if the split's own ratio is unknown", () => {
    expect(serialWords([aPast()], aRecord({ ratio: "?" }))).toBe("2, at least 1:120");
    expect(serialWords([aPast({ ratio: "?" })], aRecord({ ratio: "?" }))).toBe("2, at least unknown");
  });

  it("are counted back from February 29", () => {
    expect(serialWords([aPast({ exDate: "2026-02-28" })], aRecord({ exDate: "2028-02-29" }))).toBe("2, 1:2400");
    expect(serialWords([aPast({ exDate: "2026-02-27" })], aRecord({ exDate: "2028-02-29" }))).toBeNull();
  });

  it("have no total beyond safe integers", () => {
    const many = ["2025-03-10", "2025-06-10", "2025-09-10"].map((exDate) => aPast({ ratio: "1:999983", exDate }));
    expect(serialWords(many)).toBe("4, unknown");
  });

  it("have the product of their ratios as total, in any order", () => {
    const years = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 4 });
    const ratios = fc.array(fc.integer({ min: 2, max: 50 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(years, ratios, (months, steps) => {
        const past = months.map((month, index) =>
          aPast({
            id: `${index}`,
            ratio: `1:${steps[index]}`,
            exDate: `${2024 + Math.floor((month + 3) / 12)}-${String(((month + 3) % 12) + 1).padStart(2, "0")}-01`,
          }),
        );
        let product = 20;
        for (const { ratio } of past) product *= ratio?.oldShares ?? 0;
        expect(serialWords(past)).toBe(`${months.length + 1}, 1:${product}`);
        expect(serialWords(past.toReversed())).toBe(serialWords(past));
      }),
    );
  });
});

const OTHERS = ["AAAA", "BBBB", "CCCC", "DDDD"].map((name) =>
  aRecord({ ticker: name, company: `${name} Inc.`, exDate: "2027-09-10" }),
);
const FIRST = aRecord({ exDate: "2026-03-10", ratio: "1:20" });
const SECOND = aRecord({ exDate: "2026-11-10", ratio: "1:120" });

/** The serial in the announcement of ACME's second split. */
function announceSecond(source: PolledSource, options: { source?: string; sample?: boolean } = {}): unknown {
  const [event] = source.poll([...OTHERS, SECOND], 1, options);
  if (event?.kind !== "announced") throw new Error(`announced was expected, got ${event?.kind}`);
  return event.serial;
}

const BOTH = { count: 2, total: parseRatio("1:2400"), atLeast: false };

describe("the past splits", () => {
  it("keep splits that took effect for two years, longer than the followed split", () => {
    const source = PolledSource.settled([...OTHERS, FIRST]);
    source.setTo("2026-03-11T14:00:00Z");
    source.poll([...OTHERS, FIRST]);
    source.poll(OTHERS);
    source.setTo("2026-08-10T14:00:00Z");
    source.poll(OTHERS);
    expect(source.splits.map(({ record }) => record.ticker)).not.toContain("ACME");
    expect(announceSecond(source)).toEqual(BOTH);
  });

  it("drop splits that are too old to count", () => {
    const source = PolledSource.settled([FIRST, aRecord({ ticker: "LATE", company: "Late", exDate: "2028-09-11" })]);
    source.setTo("2026-03-12T14:00:00Z");
    source.poll([FIRST, aRecord({ ticker: "LATE", company: "Late", exDate: "2028-09-11" })]);
    expect([...source.snapshot.past.values()].map((past) => past.ticker)).toEqual(["ACME"]);
    source.setTo("2028-09-12T14:00:00Z");
    source.poll([aRecord({ ticker: "LATE", company: "Late", exDate: "2028-09-11" })]);
    expect([...source.snapshot.past.values()].map((past) => past.ticker)).toEqual(["LATE"]);
  });

  it("are not rewritten by each poll", () => {
    const source = PolledSource.settled([...OTHERS, FIRST]);
    source.setTo("2026-03-11T14:00:00Z");
    source.poll([...OTHERS, FIRST]);
    expect(source.diff([...OTHERS, FIRST]).patch).toBeNull();
  });

  it("include a ratio corrected after the ex date", () => {
    const source = PolledSource.settled([...OTHERS, aRecord({ ratio: "1:25" })]);
    source.setTo("2026-03-11T14:00:00Z");
    source.poll([...OTHERS, aRecord({ ratio: "1:25" })]);
    source.poll([...OTHERS, FIRST]);
    source.poll(OTHERS);
    expect(announceSecond(source)).toEqual(BOTH);
  });

  it("are preserved when the source changes, but sample splits never count for real splits", () => {
    const source = PolledSource.settled([...OTHERS, FIRST]);
    source.setTo("2026-03-11T14:00:00Z");
    source.poll([...OTHERS, FIRST]);
    source.poll(OTHERS, 5, { source: "sample", sample: true });
    expect(announceSecond(source, { source: "sample", sample: true })).toBeNull();
    source.poll(OTHERS, 5, { source: "https://elsewhere.example" });
    expect(announceSecond(source, { source: "https://elsewhere.example" })).toEqual(BOTH);
  });

  it("exclude splits that left the list before their ex date", () => {
    const source = PolledSource.settled([...OTHERS, FIRST]);
    source.poll(OTHERS, 4);
    source.setTo("2026-03-12T14:00:00Z");
    source.poll(OTHERS, 2);
    expect(announceSecond(source)).toBeNull();
  });

  it.each(["cancelled", "postponed"] as const)("exclude splits that a release %s", (kind) => {
    const source = PolledSource.settled([...OTHERS, FIRST]);
    source.readArticles([]);
    source.readArticles([aKnownArticle({ kind, url: "https://wire.example/off", published: day("2026-03-03") })]);
    source.setTo("2026-03-11T14:00:00Z");
    source.poll([...OTHERS, FIRST]);
    source.poll(OTHERS);
    expect([...source.snapshot.past.values()]).toEqual([]);
  });
});
