import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { type ArticleFacts, extractFacts } from "../extraction/extract.ts";
import type { Release } from "./release.ts";

/** Extracts facts from a release's text, or from its feed item if there is no text. */
export function extractReleaseFacts(
  { heading, teaser, text, published }: Release,
  directory: SymbolDirectory | null,
): ArticleFacts {
  return extractFacts({ heading, content: text ?? wholeSentences(teaser), published }, directory);
}

/** The release with its facts extracted again by the current rules; unchanged if its text was read and is not kept. */
export function reextractRelease(release: Release, directory: SymbolDirectory | null): Release {
  const isTextDropped = !release.text && release.readVersion !== null;
  if (release.facts === null || isTextDropped) return release;
  return { ...release, facts: extractReleaseFacts(release, directory) };
}

/** Drops a truncated last sentence: half of a range could be read as a ratio. */
function wholeSentences(teaser: string): string {
  const text = teaser.trimEnd();
  const isWhole = /[.!?]["”’)]?$/.test(text.slice(-2)) && !text.endsWith("...");
  if (isWhole) return text;
  const end = Math.max(...[". ", "! ", "? "].map((stop) => text.lastIndexOf(stop)));
  return text.slice(0, end + 1);
}
