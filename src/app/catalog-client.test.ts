import { expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import type { SplitsClient } from "../data-service/client/client.ts";
import type { ArticleRow } from "../data-service/schema.ts";
import { createServedCatalog, type WritableCatalog } from "../data-service/server/served-catalog.ts";
import { withCatalog } from "./catalog-client.ts";

const REPORT = { source: "EDGAR", heading: "Approval", url: "https://edgar.example/1", content: "Text" };

function aClient(): SplitsClient {
  return {
    id: "wires",
    sample: false,
    listSplits: async () => ({ records: [], quarantined: [] }),
    lookUp: async () => ({ records: [], quarantined: [] }),
    searchArticles: async () => ({ articles: [], urls: new Set(), quarantined: [], complete: true }),
    close: async () => undefined,
  };
}

const NEVER = new AbortController().signal;

function aCatalog(): WritableCatalog {
  return createServedCatalog({ clock: new ManualClock(), keepAfterExDate: 7 });
}

it("adds early reports since the first searched day to the articles", async () => {
  const earlyReports = ["2026-03-01", "2026-03-02"].map((published, index) => ({
    ...REPORT,
    url: `https://edgar.example/${index}`,
    published: day(published),
  }));
  const catalog = aCatalog();
  catalog.replace({ splits: [], articles: [], earlyReports });
  const source = withCatalog(aClient(), catalog, {});
  const { articles, urls } = await source.searchArticles(day("2026-03-02"), NEVER);
  expect(articles).toEqual([earlyReports[1]]);
  expect(urls).toEqual(new Set(["https://edgar.example/1"]));
});

function rowOf(name: string, text: string, published = "2026-02-01"): ArticleRow {
  return {
    source: "accesswire",
    heading: name,
    url: `https://wire.example/${name}`,
    content: text,
    date_published: published,
  };
}

it("returns the articles that the catalog has changed, in the order of the changes, until they are saved", async () => {
  const catalog = aCatalog();
  const source = withCatalog(aClient(), catalog, {});
  const show = (articles: readonly ArticleRow[], reports: readonly string[] = []): void =>
    catalog.replace({
      splits: [],
      articles,
      earlyReports: reports.map((name) => ({ ...REPORT, url: name, published: day("2026-02-01") })),
    });
  const read = async (): Promise<readonly [readonly string[], () => void]> => {
    const range = { from: day("2026-01-01"), today: day("2026-03-02") };
    const changes = await source.changedArticles?.(range, NEVER);
    if (changes === undefined) throw new Error("the source reports no changes");
    return [changes.articles.map(({ url, content }) => `${url.split("/").at(-1)}: ${content}`), changes.saved];
  };
  show([rowOf("a", "1"), rowOf("b", "1"), rowOf("old", "1", "2025-12-31")]);
  const [, saved] = await read();
  expect((await read())[0]).toEqual(["a: 1", "b: 1"]);
  saved();
  expect((await read())[0]).toEqual([]);
  show([rowOf("a", "1"), rowOf("b", "2"), rowOf("c", "1")]);
  show([rowOf("a", "2"), rowOf("b", "2"), rowOf("c", "1")], ["report"]);
  show([rowOf("a", "2"), rowOf("b", "2")], ["report"]);
  const [articles, savedChanges] = await read();
  expect(articles).toEqual(["b: 2", "a: 2", "report: Text"]);
  savedChanges();
  expect((await read())[0]).toEqual([]);
});
