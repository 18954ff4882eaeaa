import { extractReleaseFacts } from "../../catalog/extract-release.ts";
import type { Release } from "../../catalog/release.ts";
import type { SymbolDirectory } from "../../domain/split/symbol-directory.ts";
import type { Day } from "../../domain/time/day.ts";
import { mentionsSplit } from "../split-keywords.ts";
import type { ForeignText } from "./document-reader.ts";

/** What a release states. */
export type ReleaseFacts = Pick<Release, "facts" | "mentionsSplit">;

/** Extracts the facts of a release's text. */
export function readText(
  { heading, content: text }: ForeignText,
  published: Day,
  directory: SymbolDirectory | null,
): ReleaseFacts {
  const facts = extractReleaseFacts({ heading, teaser: "", text, published }, directory);
  return { facts, mentionsSplit: mentionsSplit(`${heading}\n${text}`) };
}

/** Extracts the facts of a release's feed item, whose teaser is `content`. */
export function readFeedItem(
  { heading, content: teaser }: ForeignText,
  published: Day,
  directory: SymbolDirectory | null,
): ReleaseFacts {
  const facts = extractReleaseFacts({ heading, teaser, text: null, published }, directory);
  return { facts, mentionsSplit: mentionsSplit(`${heading}\n${teaser}`) };
}
