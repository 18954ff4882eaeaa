import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/service/service-under-test.ts";
import { day } from "../../../test/support/builders.ts";
import { WIRES } from "../../domain/article/wire.ts";
import { type Exchange, isKnownExchange } from "../../domain/split/exchange.ts";
import { dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE, tradingDayKind, tradingDaysUntil } from "../../domain/time/trading-day.ts";
import { readArticleRow, readSplitRow } from "../rows.ts";
import { loadSample, publicationTimes, reminderTimes, sampleAt } from "./sample.ts";
import { createServedCatalog } from "./served-catalog.ts";

const sample = await loadSample(join(import.meta.dirname, "../../../config/sample"));
const MONDAY = Date.parse("2026-03-02T14:00:00Z");
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

function tickersAt(ms: number): string[] {
  return sampleAt(sample, MONDAY, MONDAY + ms).splits.map((split) => split.ticker);
}

function splitAt(ticker: string, ms: number) {
  return sampleAt(sample, MONDAY, MONDAY + ms).splits.find((split) => split.ticker === ticker);
}

function urlsAt(ms: number): string[] {
  return sampleAt(sample, MONDAY, MONDAY + ms).articles.map((article) => article.url);
}

describe("the sample at its start", () => {
  const { splits, articles } = sampleAt(sample, MONDAY, MONDAY);

  it("lists past splits and those of today, tomorrow and next week, on several exchanges", () => {
    const exDates = splits.map((split) => split.ex_date);
    expect(splits.length).toBeGreaterThanOrEqual(8);
    expect(exDates).toEqual(expect.arrayContaining(["2026-02-27", "2026-03-02", "2026-03-03", "2026-03-09"]));
    expect(new Set(splits.map((split) => split.exchange)).size).toBeGreaterThanOrEqual(5);
    expect(splits.some((split) => split.ratio === "10:77")).toBe(true);
    expect(splits.some((split) => split.date_announced === null)).toBe(true);
  });

  it("contains articles of all five wires, and one on each of its splits", () => {
    expect(new Set(articles.map((article) => article.source))).toEqual(new Set(WIRES));
    const withoutArticle = splits.filter(
      ({ ticker }) => !articles.some(({ content }) => content.includes(`: ${ticker})`)),
    );
    expect(withoutArticle).toEqual([]);
  });

  it.each([
    "rounded up to the nearest whole share",
    "rounded to the nearest whole share",
    "rounded down to the nearest whole",
    "cash payment in lieu",
    "at the participant level",
  ])("states the treatment of fractions as: %s", (words) => {
    expect(articles.some((article) => article.content.includes(words))).toBe(true);
  });

  it("contains an article that does not mention fractions", () => {
    expect(articles.some((article) => !/fraction/i.test(article.content))).toBe(true);
  });
});

describe("the sample's story", () => {
  it("announces a split after 30 seconds", () => {
    expect(tickersAt(29 * SECOND)).not.toContain("KSTVJ");
    expect(splitAt("KSTVJ", 30 * SECOND)).toMatchObject({ date_announced: "2026-03-02", ex_date: "2026-03-09" });
  });

  it("publishes its article, with the treatment of fractions, after 20 seconds", () => {
    const [news] = urlsAt(20 * SECOND).filter((url) => !urlsAt(19 * SECOND).includes(url));
    const article = sampleAt(sample, MONDAY, MONDAY + MINUTE).articles.find(({ url }) => url === news);
    expect(article?.content).toContain("KSTVJ");
    expect(article?.content).toContain("rounded up to the nearest whole share");
    expect(article?.content).toContain(
      "begin trading on a split-adjusted basis when the market opens on March 9, 2026",
    );
  });

  it("moves an ex date after 90 seconds", () => {
    expect(splitAt("PLMWK", 89 * SECOND)?.ex_date).toBe("2026-03-06");
    expect(splitAt("PLMWK", 90 * SECOND)?.ex_date).toBe("2026-03-10");
  });

  it("removes a split after two minutes and lists it again later", () => {
    expect(tickersAt(119 * SECOND)).toContain("HRWFJ");
    expect(tickersAt(120 * SECOND)).not.toContain("HRWFJ");
    expect(tickersAt(8 * MINUTE)).toContain("HRWFJ");
  });

  it("is published repeatedly after a split has disappeared", () => {
    const published = publicationTimes(sample).filter((time) => time <= 3 * MINUTE);
    expect(published.map((time) => time / SECOND)).toEqual([20, 30, 90, 120, 125, 130, 135, 140, 180]);
  });

  it("changes something at least every two minutes for a quarter of an hour", () => {
    const times = [...publicationTimes(sample), ...reminderTimes(sample)].toSorted((x, y) => x - y);
    const gaps = times.map((time, n) => time - (times[n - 1] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * MINUTE);
    expect(times.at(-1)).toBeGreaterThanOrEqual(15 * MINUTE);
  });
});

it("serves valid rows with trading days as ex dates, whenever it starts", () => {
  const start = fc.integer({ min: Date.parse("2025-01-01"), max: Date.parse("2035-12-31") });
  fc.assert(
    fc.property(start, fc.integer({ min: 0, max: 20 * MINUTE }), (at, ms) => {
      const today = dayInZone(at, MARKET_ZONE);
      const { splits, articles } = sampleAt(sample, at, at + ms);
      expect(sampleAt(sample, at, at + ms)).toEqual({ splits, articles });
      for (const row of splits) {
        expect(readSplitRow(row)).toEqual({ ok: true, row });
        expect(isKnownExchange(row.exchange as Exchange)).toBe(true);
        expect(tradingDayKind("NASDAQ" as Exchange, day(row.ex_date))).not.toBe("closed");
        expect(tradingDaysUntil("NASDAQ" as Exchange, today, day(row.ex_date))).toBeLessThan(15);
        expect((row.date_announced ?? today) <= today).toBe(true);
      }
      for (const row of articles) {
        expect(readArticleRow(row)).toEqual({ ok: true, row });
        expect(row.date_published <= today).toBe(true);
        expect(row.content).not.toMatch(/[{}]/);
      }
      expect(new Set(articles.map((row) => row.url)).size).toBe(articles.length);
    }),
  );
});

it("lists every initial split for the whole first day, whenever it starts", () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.parse("2025-01-01"), max: Date.parse("2035-12-31") }), (at) => {
      const clock = { now: () => at, monotonic: () => at, sleep: () => Promise.resolve() };
      const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
      catalog.replace(sampleAt(sample, at, at));
      expect(catalog.splits()).toHaveLength(sample.splits.length);
    }),
  );
});

it("names the file and the field of an invalid sample", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "splits.yaml"), "[{ ticker: A }]");
  await writeFile(join(folder, "story.yaml"), "[]");
  await writeFile(join(folder, "articles.yaml"), "[]");
  await expect(loadSample(folder)).rejects.toThrow(/splits\.yaml: .*exchange/s);
});
