import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { type ArticleFacts, extractFacts } from "../extraction/extract.ts";
import type { Release } from "./release.ts";

/** Extracts facts from a release's text, or from its feed item if there is no text. */
export function extractReleaseFacts(
  { heading, teaser, text, published }: Pick<Release, "heading" | "teaser" | "text" | "published">,
  directory: SymbolDirectory | null,
): ArticleFacts {
  return extractFacts({ heading, content: text ?? dropTruncatedSentence(teaser), published }, directory);
}

/** Drops a truncated last sentence: the first half of "1-for-5 to 1-for-20" could be read as the ratio. */
function dropTruncatedSentence(teaser: string): string {
  const text = teaser.trimEnd();
  const isWhole = /[.!?]["”’)]?$/.test(text.slice(-2)) && !text.endsWith("...");
  if (isWhole) return text;
  const end = Math.max(...[". ", "! ", "? "].map((stop) => text.lastIndexOf(stop)));
  return text.slice(0, end + 1);
}
