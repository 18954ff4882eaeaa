import type { Article } from "../domain/article/article.ts";
import type { SplitSource } from "../ports/split-source.ts";

/**
 * The source with the early reports of the embedded data service among its articles. They come from filings, and its
 * `/v1/articles` serves the wires only.
 */
export function withEarlyReports(source: SplitSource, earlyReports: () => readonly Article[]): SplitSource {
  return {
    id: source.id,
    sample: source.sample,
    listSplits: (signal) => source.listSplits(signal),
    lookUp: (ticker, signal) => source.lookUp(ticker, signal),
    async searchArticles(from, signal) {
      const pages = await source.searchArticles(from, signal);
      const reports = earlyReports().filter(({ published }) => published >= from);
      return reports.length === 0 ? pages : { ...pages, articles: [...pages.articles, ...reports] };
    },
  };
}
