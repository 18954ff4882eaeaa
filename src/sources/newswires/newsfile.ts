import type { WireRules } from "./wire-rules.ts";

/**
 * Its feed shows 25 releases, without tickers: https://feeds.newsfilecorp.com/global/Last25Stories
 * Who asks more than twice a second is shut out for a quarter of an hour, so its readers leave ten seconds.
 */
export const NEWSFILE: WireRules = {
  paceMs: 10_000,
  containers: ["article#release", "div#release"],
};
