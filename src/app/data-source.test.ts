import { expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import type { SplitSource } from "../ports/split-source.ts";
import { withEarlyReports } from "./data-source.ts";

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
