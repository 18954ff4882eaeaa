import { describe, expect, it } from "vitest";
import { anArticleRow, aSplitRow } from "../../../test/service/service-under-test.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { createServedCatalog, startEmptySource } from "./served-catalog.ts";

describe("a catalog", () => {
  it("is not ready, and empty, until it is filled", () => {
    const catalog = createServedCatalog({ clock: new ManualClock(), keepAfterExDate: 7 });
    expect([catalog.ready, catalog.splits(), catalog.articles()]).toEqual([false, [], []]);
    catalog.replace({ splits: [aSplitRow()], articles: [anArticleRow()] });
    expect([catalog.ready, catalog.splits(), catalog.articles()]).toEqual([true, [aSplitRow()], [anArticleRow()]]);
  });

  it("calls its listeners after each change, until they are removed", () => {
    const catalog = createServedCatalog({ clock: new ManualClock(), keepAfterExDate: 7 });
    const seen: number[] = [];
    const stop = catalog.onChange(() => seen.push(catalog.splits().length));
    catalog.replace({ splits: [aSplitRow()], articles: [] });
    catalog.replace({ splits: [], articles: [] });
    stop();
    catalog.replace({ splits: [aSplitRow()], articles: [] });
    expect(seen).toEqual([1, 0]);
  });

  it.each([
    [0, "2026-03-02", true],
    [0, "2026-03-01", false],
    [7, "2026-02-23", true],
    [7, "2026-02-22", false],
  ])("if splits are kept for %i days, lists on March 2 a split of %s: %s", (keepAfterExDate, ex_date, listed) => {
    const catalog = createServedCatalog({ clock: new ManualClock("2026-03-02T14:00:00Z"), keepAfterExDate });
    catalog.replace({ splits: [aSplitRow({ ex_date })], articles: [] });
    expect(catalog.splits()).toHaveLength(listed ? 1 : 0);
  });
});

it("returns the same arrays until the content or New York's day changes", () => {
  const clock = new ManualClock("2026-03-02T14:00:00Z");
  const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
  catalog.replace({ splits: [aSplitRow()], articles: [anArticleRow()] });
  const [splits, articles] = [catalog.splits(), catalog.articles()];
  clock.setTo("2026-03-03T04:59:59Z"); // Still March 2 in New York.
  expect([catalog.splits() === splits, catalog.articles() === articles]).toEqual([true, true]);
  clock.setTo("2026-03-03T05:00:00Z");
  expect([catalog.splits() === splits, catalog.articles() === articles]).toEqual([false, true]);
  const nextDay = catalog.splits();
  catalog.replace({ splits: [aSplitRow()], articles: [anArticleRow()] });
  expect([catalog.splits() === nextDay, catalog.articles() === articles]).toEqual([false, false]);
});

it("startEmptySource is ready immediately, without rows", async () => {
  const catalog = createServedCatalog({ clock: new ManualClock(), keepAfterExDate: 7 });
  const source = startEmptySource(catalog, "no source yet");
  expect([catalog.ready, catalog.splits(), catalog.articles(), source.sample, source.problems()]).toEqual([
    true,
    [],
    [],
    false,
    ["no source yet"],
  ]);
  await source.stop();
});
