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
  const snapshot = { read: async () => EMPTY_SNAPSHOT, commit: () => Promise.reject(new Error("unexpected")) };
  const parts = { store: { snapshot }, clock: new ManualClock(), log: SILENT_LOG };
  const { info, followSnapshot } = await openExternal({ url, key: null }, parts);
  const kinds = ["unknown", `sample:${url}`, `sample:${url}`, url].map((source) => {
    followSnapshot?.({ source });
    return [info.id, info.sample];
  });
  expect(kinds).toEqual([
    [url, false],
    [`sample:${url}`, true],
    [`sample:${url}`, true],
    [url, false],
  ]);
});
