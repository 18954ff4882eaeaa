import type { WireRules } from "./wire-rules.ts";

/**
 * Its feeds go by keys; this one is Stock Split News, and shows neither ticker nor, at times, a date of the usual name:
 * https://feed.businesswire.com/rss/home/?rss=G1QFDERJXkJeGVtWXg%3D%3D
 * The pages' host turns away many who are no browser. Then it is shown as refusing.
 */
export const BUSINESSWIRE: WireRules = {
  paceMs: 2_000,
  containers: ["div.bw-release-story", "div#bw-release-story"],
};
