import { expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { EMPTY_SNAPSHOT } from "../domain/diff/snapshot.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { SplitSource } from "../ports/split-source.ts";
import { openExternal, withEarlyReports } from "./data-source.ts";

const REPORT = { source: "EDGAR", heading: "Approval", url: "https://edgar.example/1", content: "Text" };

function aSource(): SplitSource {
  return {
    id: "wires",
    sample: false,
    listSplits: async () => ({ records: [], quarantined: [] }),
    lookUp: async () => ({ records: [], quarantined: [] }),
    searchArticles: async () => ({ articles: [], urls: new Set(), quarantined: [], complete: true }),
  };
}

it("adds early reports since the first searched day to the articles", async () => {
  const reports = ["2026-03-01", "2026-03-02"].map((published) => ({ ...REPORT, published: day(published) }));
  const source = withEarlyReports(aSource(), () => reports);
  const { articles, urls } = await source.searchArticles(day("2026-03-02"), new AbortController().signal);
  expect(articles).toEqual([reports[1]]);
  expect(urls).toEqual(new Set([REPORT.url]));
});

it("adopts the kind of data that another process polls from an external service", async () => {
  const url = "https://splits.example.com";
  let source = "unknown";
  const snapshot = {
    read: async () => ({ ...EMPTY_SNAPSHOT, source }),
    commit: () => Promise.reject(new Error("unexpected")),
  };
  const parts = { store: { snapshot }, isShared: true, clock: new ManualClock(), log: SILENT_LOG };
  const external = await openExternal({ url, key: null }, parts);
  const kinds: unknown[] = [];
  for (source of ["unknown", `sample:${url}`, `sample:${url}`, url]) {
    await external.follow(true);
    kinds.push(external.info.id);
    await external.follow(false);
    kinds.push([external.info.id, external.info.sample]);
  }
  expect(kinds).toEqual([
    url,
    [url, false],
    url,
    [`sample:${url}`, true],
    `sample:${url}`,
    [`sample:${url}`, true],
    `sample:${url}`,
    [url, false],
  ]);
});
