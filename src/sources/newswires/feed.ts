import type { WireRules } from "./wire-rules.ts";

/** A feed of the operator's own: we know of its pages only what most pages have in common. */
export const FEED: WireRules = {
  paceMs: 2_000,
  containers: ['[itemprop="articleBody"]', "article"],
};
