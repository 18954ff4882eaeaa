import type { Day } from "../../domain/time/day.ts";
import { findDates } from "../../extraction/dates.ts";
import { parseFieldDay } from "../notations.ts";
import { unreadable } from "../web/fetch-error.ts";
import { createPageReader } from "../web/page-text.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { isMarkedUpdated, titleNamesReverseSplit, withoutMarks } from "./notice-title.ts";

export interface NoticePage {
  /** `ECA2026-901` */
  readonly id: string;
  /** Day of the first publication, which revisions don't change; null if not stated. */
  readonly day: Day | null;
  readonly title: string;
  /** Plain text: paragraphs separated by a blank line, a table row as `| cell | cell |`. */
  readonly body: string;
}

/** Start of the contact details and links at the end of every notice. */
const FOOTNOTE = /<div\b[^>]{0,200}\bclass\s*=\s*["'][^"'>]{0,100}\bfootnote2\b/i;
/** A notice is short: a title and one sentence. */
const MIN_PAGE_LENGTH = 80;
const readText = createPageReader(["#rightWideCOL"], { end: FOOTNOTE, minPageLength: MIN_PAGE_LENGTH });
/** Words of a page without a known title. */
const USUAL_WORDS = "Corporate Actions Alert";

const MAX_TITLE_LENGTH = 500;
const MAX_DATE_LENGTH = 40;
/** Maximum number of lines from the heading or title to the date below it, including blank ones. */
const MAX_DATE_DISTANCE = 4;
/** Length of a line that may be a heading or a date. */
const MAX_HEADING_LENGTH = 160;
/** `Equity Corporate Actions Alert #2026 - 682`, `ECA2026-682`, `#2026-682 (UPDATED 9/25/2026)` */
const HEADING =
  /^(?:[A-Za-z][A-Za-z .:]{0,60})?#? ?(?:ECA)? ?#? ?(20\d\d) ?- ?0{0,4}(\d{1,5})(?= ?$| ?\([^()]{0,60}\) ?$| - | ?: )/i;
/** A notice that is named anywhere in a text. */
const MENTION = /(?:\bECA ?|# ?)(20\d\d) ?- ?0{0,4}(\d{1,5})\b/gi;
/** A page that names more notices without a heading of its own is a list. */
const MAX_MENTIONS = 2;

interface ExpectedNotice {
  /** Null if the address doesn't name the notice: its heading does. */
  readonly id: string | null;
  /** Listed title; empty if unknown. */
  readonly title: string;
}

/**
 * Reads the page of a notice, which its address identifies. Throws a FetchError for the page of another notice, a list, a
 * page that is not about a notice, and a notice without text.
 */
export function readNoticePage(answer: WebAnswer, expected: ExpectedNotice): NoticePage {
  const text = readText(answer, expected.title || USUAL_WORDS);
  const lines = text.split("\n").map((line) => line.trim());
  const headingAt = lines.findIndex((line) => headingIdIn(line) !== null);
  const statedId = headingIdIn(lines[headingAt] ?? "");
  const id = expected.id ?? statedId;
  if (id === null) throw unreadable(answer, "expected a notice such as ECA2026-901, got a page without its number");
  if (statedId !== null && statedId !== id) throw unreadable(answer, `expected ${id}, got ${statedId}`);
  if (statedId === null) checkUnnumbered(answer, id, text);
  const page = partsOf(lines, headingAt, expected.title);
  if (page.body === "" && !isMarkedUpdated(page.title)) throw unreadable(answer, `${id} has no text yet`);
  return { id, ...page };
}

/** Id of the notice in a heading, such as `ECA2026-682`; null for another line. */
function headingIdIn(line: string): string | null {
  if (line.length > MAX_HEADING_LENGTH) return null;
  const [, year, number] = HEADING.exec(oneKindOfSigns(line)) ?? [];
  return year === undefined || number === undefined ? null : `ECA${year}-${number}`;
}

function oneKindOfSigns(text: string): string {
  return text
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[|\s]+/g, " ")
    .trim();
}

/** Throws a FetchError if a page without a heading isn't the notice: it must name a reverse split, and be no list of notices. */
function checkUnnumbered(answer: WebAnswer, id: string, text: string): void {
  const mentions = new Set([...oneKindOfSigns(text).matchAll(MENTION)].map(([, year, number]) => `${year}-${number}`));
  if (mentions.size > MAX_MENTIONS) throw unreadable(answer, `expected ${id}, got a list of ${mentions.size} notices`);
  if (!titleNamesReverseSplit(text)) throw unreadable(answer, `expected ${id}, got no notice about a reverse split`);
}

/** Splits the lines of a page at its heading and title. Incidental: their order, and the date beside them. */
function partsOf(
  lines: readonly string[],
  headingAt: number,
  listedTitle: string,
): Pick<NoticePage, "day" | "title" | "body"> {
  const titleAt = titleIndex(lines, headingAt, listedTitle);
  const [first, last] = [headingAt, titleAt].filter((index) => index >= 0).toSorted((a, b) => a - b);
  const start = first ?? 0;
  const dateAt = lines.slice(0, (last ?? start) + MAX_DATE_DISTANCE).findLastIndex(isDate);
  const isBody = (_: string, index: number): boolean =>
    index >= start && index !== headingAt && index !== titleAt && index !== dateAt;
  return {
    day: parseFieldDay(lines[dateAt] ?? "") ?? dayIn(lines.slice(0, start)),
    title: (lines[titleAt] ?? listedTitle).replace(/\s+/g, " ").slice(0, MAX_TITLE_LENGTH).trim(),
    body: lines.filter(isBody).join("\n").trim(),
  };
}

/** Index of the title: the listed one, else the first line after the heading, else the first that names a reverse split; or -1. */
function titleIndex(lines: readonly string[], headingAt: number, listedTitle: string): number {
  const listed = wordsOf(listedTitle);
  const same = listed === "" ? -1 : lines.findIndex((line) => wordsOf(line) === listed);
  if (same >= 0) return same;
  const after =
    headingAt < 0 ? -1 : lines.findIndex((line, index) => index > headingAt && line !== "" && !isDate(line));
  if (after >= 0 && !isProse(lines[after] ?? "")) return after;
  return lines.findIndex((line) => !isProse(line) && titleNamesReverseSplit(line));
}

/** Words of a title without its marks and the number before it. */
function wordsOf(title: string): string {
  const words = withoutMarks(title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  return words.replace(/^eca ?\d{4} \d{1,5} /, "");
}

/** Whether a line is a date, and not a heading with the date of an update. */
function isDate(line: string): boolean {
  return line.length <= MAX_DATE_LENGTH && !/[#(]/.test(line) && parseFieldDay(line) !== null;
}

/** A labeled value, such as `Symbol: QLMR`. */
const FIELD = /^[A-Za-z][A-Za-z/#. ]{0,40}:(?:\s|$)/;

/** Whether a line is a sentence, a table row or a labeled value instead of a title. */
function isProse(line: string): boolean {
  if (line.length > MAX_TITLE_LENGTH || line.startsWith("|")) return true;
  return /\bwill\b/.test(line) || FIELD.test(withoutMarks(line));
}

/** The last day that the text before the notice names. */
function dayIn(lines: readonly string[]): Day | null {
  const text = lines.join(" ").slice(-200).replace(/\s+/g, " ");
  return findDates(text, null).at(-1)?.day ?? null;
}
