import { mentionsSplit } from "../split-keywords.ts";
import { documentText } from "../web/page-text.ts";
import type { WebAnswer } from "../web/web-answer.ts";

/** Text of a document of a filing; null if it names no reverse split. Throws a FetchError for another kind of file. */
export function readDocumentText(document: WebAnswer): string | null {
  const text = documentText(document);
  return mentionsSplit(text) ? text : null;
}
