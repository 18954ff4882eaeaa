import type { DocumentReading } from "../document-reading.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { pollResultOf } from "./corporate-actions.ts";
import { readActionsPage } from "./read-actions.ts";

/** Reads a page of the list as one document. Throws a FetchError for any other document, and for an empty page. */
export function readCorporateActionsDocument(document: WebAnswer): DocumentReading {
  const { statements, failures } = pollResultOf({ pages: [readActionsPage(document)], failures: [] });
  return { document: "corporate actions", statements, refusals: failures.map(({ message }) => message) };
}
