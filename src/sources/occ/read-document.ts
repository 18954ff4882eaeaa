import type { DocumentReading, ReadContext } from "../document-reading.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { firstDayAt } from "./memo-list.ts";
import { confirmsReverseSplit, endOf, readMemoList } from "./read-memo-list.ts";

/** Reads a captured list. Throws a FetchError for another document. */
export function readMemoDocument(document: WebAnswer, { now }: ReadContext): DocumentReading {
  const { memos, problem } = readMemoList(document, firstDayAt(now));
  return {
    document: "list of memos",
    statements: memos.flatMap(({ statement }) => statement ?? []),
    entries: memos.map(({ number, title, postedOn }) => ({
      id: number,
      title,
      publishedAt: postedOn === null ? null : endOf(postedOn),
      isFollowed: confirmsReverseSplit(title),
    })),
    refusals: problem === null ? [] : [`${document.url.pathname}: ${problem}`],
  };
}
