import type { SplitsClient } from "../data-service/client/client.ts";
import { articleOf } from "../data-service/client/records.ts";
import type { Catalog, CatalogSource } from "../data-service/server/served-catalog.ts";

/**
 * Client of the embedded data service, whose catalog is in this process: reports the changes of its articles immediately, and early reports
 * (filings about splits that are only approved or have only a ratio range), which `/v1/articles` doesn't serve.
 */
export function withCatalog(
  client: SplitsClient,
  catalog: Catalog,
  source: Pick<CatalogSource, "backfilledArticles">,
): SplitsClient {
  let savedRevision = 0;
  return {
    ...client,
    async searchArticles(from, signal, options) {
      const pages = await client.searchArticles(from, signal, options);
      const reports = catalog.earlyReports().filter(({ published }) => published >= from);
      if (reports.length === 0) return pages;
      const urls = new Set([...pages.urls, ...reports.map(({ url }) => url)]);
      return { ...pages, articles: [...pages.articles, ...reports], urls };
    },
    changedArticles({ from }) {
      const { articles, earlyReports, revision } = catalog.changesSince(savedRevision);
      const read = articles.filter((row) => row.date_published >= from).map(articleOf);
      const reports = earlyReports.filter(({ published }) => published >= from);
      return Promise.resolve({
        articles: [...read.filter((article) => article !== null), ...reports],
        urls: new Set([...catalog.articles(), ...catalog.earlyReports()].map(({ url }) => url)),
        backfilled: source.backfilledArticles?.() ?? new Set(),
        saved() {
          savedRevision = revision;
        },
      });
    },
  };
}
