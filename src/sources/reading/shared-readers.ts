import { defineReaders } from "./document-reader.ts";

/** Readers of documents that belong to no source, or to several. */
export const SHARED_READERS = defineReaders("shared", {
  readRobotsRule: async () => (await import("../web/robots-rule.ts")).readRobotsRule,
  readArticle: async () => (await import("../../extraction/read-article.ts")).readArticle,
  readText: async () => (await import("./release-facts.ts")).readText,
  readFeedItem: async () => (await import("./release-facts.ts")).readFeedItem,
});
