import type { WireRules } from "./wire-rules.ts";

/**
 * Its feeds show 20 releases, with a teaser and no ticker:
 * https://www.prnewswire.com/rss/news-releases-list.rss
 * https://www.prnewswire.com/rss/financial-services-latest-news/financial-services-latest-news-list.rss
 */
export const PRNEWSWIRE: WireRules = {
  paceMs: 1_000,
  containers: ["section.release-body", "div.release-body"],
};
