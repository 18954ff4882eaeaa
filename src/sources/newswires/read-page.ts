import { createPageReader } from "../web/page-text.ts";
import type { WebAnswer } from "../web/web-answer.ts";

/** In characters; no press release is longer. */
const MAX_TEXT_LENGTH = 500_000;

/** Plain text of the release with the heading. Throws a FetchError if the page has none. */
export function readPage(page: WebAnswer, heading: string, containers: readonly string[]): string {
  return createPageReader(containers)(page, heading).slice(0, MAX_TEXT_LENGTH);
}
