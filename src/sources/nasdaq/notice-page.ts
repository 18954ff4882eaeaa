import type { Day } from "../../domain/time/day.ts";
import { findDates } from "../../extraction/dates.ts";
import { unreadable } from "../web/fetch-error.ts";
import { createPageReader } from "../web/page-text.ts";
import type { WebAnswer } from "../web/web.ts";

export interface NoticePage {
  /** Day of the first publication, which revisions don't change; null if not stated. */
  readonly day: Day | null;
  readonly title: string;
  /** Plain text: paragraphs separated by a blank line, a table row as `| cell | cell |`. */
  readonly body: string;
}

/** Start of the contact details and links at the end of every notice. */
const FOOTNOTE = /<div\b[^>]{0,200}\bclass\s*=\s*["'][^"'>]{0,100}\bfootnote2\b/i;
const readText = createPageReader(["#rightWideCOL"], { end: FOOTNOTE });

const MAX_TITLE_LENGTH = 500;
const HEADING = /(?:Equity )?Corporate Actions? Alert\s{0,3}#?\s{0,3}(?:ECA)?(\d{4})-0*(\d{1,5})/i;

/** Reads the page of the notice `id`. Rejects with a FetchError for the page of another notice. */
export async function readNoticePage(
  answer: WebAnswer,
  { id, title }: { readonly id: string; readonly title: string },
): Promise<NoticePage> {
  const text = await readText(answer, title);
  const heading = HEADING.exec(text);
  const pageId = heading === null ? "no notice" : `ECA${heading[1]}-${heading[2]}`;
  if (heading === null || pageId !== id) throw unreadable(answer, `expected ${id}, got ${pageId}`);
  const [before, after] = [text.slice(0, heading.index), text.slice(heading.index + heading[0].length).trim()];
  const [titleLine = ""] = after.split("\n", 1);
  const dates = findDates(before.slice(-200).replace(/\s+/g, " "), null);
  return {
    day: dates.at(-1)?.day ?? null,
    title: titleLine.replace(/\s+/g, " ").slice(0, MAX_TITLE_LENGTH).trim(),
    body: after.slice(titleLine.length).trim(),
  };
}
