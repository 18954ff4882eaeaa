import type { Release } from "../../catalog/release.ts";
import type { SymbolTable } from "../symbol-table.ts";
import type { DocumentReader } from "./document-reader.ts";
import type { ReleaseFacts } from "./release-facts.ts";
import { SHARED_READERS } from "./shared-readers.ts";

/** Parts for reading the facts of a release. */
export interface FactsParts {
  readonly reader: DocumentReader;
  readonly directory: SymbolTable | null;
}

/** Reads the facts of a release's text, or of its feed item if there is no text. Rejects with a FetchError if that is quarantined. */
export function readFacts(
  { url, heading, teaser, text, published }: Release,
  { reader, directory }: FactsParts,
): Promise<ReleaseFacts> {
  const content = text ?? teaser;
  const name = text === null ? "readFeedItem" : "readText";
  return reader.read(SHARED_READERS, name, { url, heading, content }, published, directory);
}

/** Reads the facts of a release again, as `readFacts` does. A release without facts, or with a purged text, stays as it is. */
export async function readFactsAgain(release: Release, parts: FactsParts): Promise<Release> {
  const isTextPurged = !release.text && release.readVersion !== null;
  if (release.facts === null || isTextPurged) return release;
  return { ...release, ...(await readFacts(release, parts)) };
}
