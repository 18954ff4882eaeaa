import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { type ArticleFacts, extractFacts } from "../extraction/extract.ts";
import type { Release } from "./release.ts";

/** Extracts facts from a release's text, or from its feed item if there is no text. */
export function extractReleaseFacts(
  { heading, teaser, text, published }: Release,
  directory: SymbolDirectory | null,
): ArticleFacts {
  return extractFacts({ heading, content: text ?? dropTruncatedSentence(teaser), published }, directory);
}

/** Extracts the facts of a release again with the current rules. A release without facts, or with a purged text, stays as it is. */
export function reextractRelease(release: Release, directory: SymbolDirectory | null): Release {
  const isTextPurged = !release.text && release.readVersion !== null;
  if (release.facts === null || isTextPurged) return release;
  return { ...release, facts: extractReleaseFacts(release, directory) };
}

/** Drops a truncated last sentence: the first half of "1-for-5 to 1-for-20" could be read as the ratio. */
function dropTruncatedSentence(teaser: string): string {
  const text = teaser.trimEnd();
  const isWhole = /[.!?]["”’)]?$/.test(text.slice(-2)) && !text.endsWith("...");
  if (isWhole) return text;
  const end = Math.max(...[". ", "! ", "? "].map((stop) => text.lastIndexOf(stop)));
  return text.slice(0, end + 1);
}
