import type { WireRules } from "./wire-rules.ts";

/**
 * Its feeds show 20 releases; their categories name the tickers:
 * https://www.globenewswire.com/RssFeed/orgclass/1/feedTitle/GlobeNewswire%20-%20News%20about%20Public%20Companies
 * https://www.globenewswire.com/RssFeed/subjectcode/61-Corporate%20Action/feedTitle/GlobeNewswire%20-%20Corporate%20Action
 */
export const GLOBENEWSWIRE: WireRules = {
  paceMs: 1_000,
  containers: ['[itemprop="articleBody"]', "#main-body-container", ".main-body-container"],
};
