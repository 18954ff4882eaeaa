import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { type ArticleFacts, extractFacts } from "../extraction/extract.ts";
import type { Release } from "./release.ts";

/** Extracts facts from a release's text, or from its feed item if there is no text. */
export function extractReleaseFacts(
  { heading, teaser, text, published }: Release,
  directory: SymbolDirectory | null = null,
): ArticleFacts {
  return extractFacts({ heading, content: text ?? wholeSentences(teaser), published }, directory);
}

/** The release with its facts extracted again by the current rules. */
export function reextractRelease(release: Release): Release {
  return release.facts === null ? release : { ...release, facts: extractReleaseFacts(release) };
}

/** Drops a truncated last sentence: half of a range could be read as a ratio. */
function wholeSentences(teaser: string): string {
  const text = teaser.trimEnd();
  const isWhole = /[.!?]["”’)]?$/.test(text.slice(-2)) && !text.endsWith("...");
  if (isWhole) return text;
  const end = Math.max(...[". ", "! ", "? "].map((stop) => text.lastIndexOf(stop)));
  return text.slice(0, end + 1);
}
