import type { DocumentReading } from "../document-reading.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { pollResultOf } from "./daily-list.ts";
import { readDailyListPage } from "./read-daily-list.ts";

/** Reads an answer as one document. Throws a FetchError for any other document. */
export function readDailyListDocument(document: WebAnswer): DocumentReading {
  const { statements, failures } = pollResultOf([readDailyListPage(document)], new Map());
  return { document: "daily list", statements, refusals: failures.map(({ message }) => message) };
}
