import type { WireRules } from "./wire-rules.ts";

/**
 * ACCESS Newswire has no feed that is known to show all releases. Its newsroom asks this listing, and so do we:
 * https://www.accessnewswire.com/newsroom/api?pageindex=0&pageSize=20 (see access-listing.ts)
 */
export const ACCESSWIRE: WireRules = {
  paceMs: 2_000,
  containers: ["div.mw-100", "div.release-body", "article"],
};
