import type { Article } from "../domain/article/article.ts";
import { namesSplit } from "./split-patterns.ts";

/** Headings that don't state the news. */
const EMPTY_HEADING =
  /^\s*(?:(?:news|press|media) ?(?:release)?|ex(?:hibit)?[ -]?\d{1,3}(?:\.\d{1,2})?|(?:form )?(?:8-k|6-k|497)|)\s*$/i;
/** Number of lines at the beginning of a text among which its headline is. */
const MAX_LINES = 12;
/** What sites put before a headline: a date, a mark of its level. */
const PREFIX = /^[\s#*]*(?:date \d{4}-\d\d-\d\d )?/;
/** Ends a headline; a comma, a colon or a bar shows that the line is a part of something else. */
const NOT_A_HEADLINE = /[.,:;|]\s*$|\||^\s*(?:[-•▪●◦·–—]|\d{1,2}[.)])\s|^[a-z(]/;
/** A line of a paragraph that the next line continues. */
const CONTINUED = /^.{50,}[^.!?:"”)\s]\s*$/;
/** A line that continues the one before it. */
const CONTINUATION = /^[a-z(]/;

/** A line of prose, with which the text begins. */
const PROSE = /.{60}[.!?]["”’)]{0,2}\s*$/;

/** The heading of a release; if it says nothing, the headline at the beginning of the text. */
export function headingOf({ heading, content }: Pick<Article, "heading" | "content">): string {
  if (!EMPTY_HEADING.test(heading)) return heading;
  const all = content.slice(0, 4_000).split("\n", 4 * MAX_LINES);
  const lines = all.flatMap((line, index) => (line.trim() === "" ? [] : [{ line, index }]));
  const firstProse = lines.findIndex(({ line }) => PROSE.test(line));
  const headline = lines
    .slice(0, firstProse < 0 ? MAX_LINES : firstProse)
    .filter(({ line, index }) => !isPartOfParagraph(line, all[index - 1], all[index + 1]))
    .map(({ line }) => line.replace(PREFIX, "").trim())
    .find((line) => line.length >= 20 && line.length <= 200 && !NOT_A_HEADLINE.test(line) && namesSplit(line));
  return headline ?? heading;
}

/** Whether the line is one of a paragraph that is divided into lines of similar lengths. */
function isPartOfParagraph(line: string, before = "", after = ""): boolean {
  return CONTINUED.test(before) || (CONTINUED.test(line) && CONTINUATION.test(after));
}
