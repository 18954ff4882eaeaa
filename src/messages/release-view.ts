import type { KnownArticle } from "../domain/article/article.ts";
import { wireName } from "../domain/article/wire.ts";
import { cutText, sanitizeText } from "../lib/external-text.ts";
import { capitalize, formatDay, inQuotes, releaseKindText } from "./format.ts";

/** A press release as a reader sees it. */
export interface ReleaseView {
  readonly heading: string;
  /** `GlobeNewswire, Tue 10 Mar 2026` */
  readonly byline: string;
  readonly url: string;
  readonly isSample: boolean;
  readonly tickers: readonly string[];
  /** What limits its weight, such as another speaker than the issuer, as sentences. */
  readonly warnings: readonly string[];
  /** Sentences that splitwatch takes terms from. */
  readonly quotes: readonly Quotation[];
  /** Paragraphs of the text; null if the text isn't stored. */
  readonly paragraphs: readonly (readonly TextPart[])[] | null;
  /** True if the text is cut at its end. */
  readonly isCut: boolean;
}

/** A sentence of a release and the terms that it states. */
export interface Quotation {
  readonly sentence: string;
  /** `Fractional shares` */
  readonly terms: readonly string[];
}

export interface TextPart {
  readonly text: string;
  /** True if the text is part of a quoted sentence. */
  readonly isQuoted: boolean;
}

/** Longer texts are cut. */
const MAX_TEXT_LENGTH = 100_000;
const MAX_TICKERS = 20;

export interface StoredRelease {
  readonly article: KnownArticle;
  /** Null if it isn't stored. */
  readonly text: string | null;
  /** Sentences that state terms of the release's splits. */
  readonly evidence: readonly { readonly term: string; readonly sentence: string }[];
  readonly marks: readonly string[];
  readonly isSample: boolean;
}

export function releaseView({ article, text, evidence, marks, isSample }: StoredRelease): ReleaseView {
  const { heading, source, published, url, concerns } = article;
  const quotes = quotationsOf(article, evidence);
  const shownText = text === null ? null : sanitizeText(cutText(text, MAX_TEXT_LENGTH));
  return {
    heading: heading.trim() === "" ? inQuotes(url, 80) : cutText(heading, 300),
    byline: `${wireName(source)}, ${formatDay(published)}`,
    url,
    isSample,
    tickers: [...new Set(concerns.map(({ ticker }) => ticker))].slice(0, MAX_TICKERS),
    warnings: marks.map((mark) => `${capitalize(mark)}.`),
    quotes,
    paragraphs: shownText === null ? null : paragraphsOf(shownText, rangesOf(shownText, quotes)),
    isCut: text !== null && text.length > MAX_TEXT_LENGTH,
  };
}

/** Each sentence once, although it may state several terms. */
function quotationsOf(
  { fraction, kind, kindSentence }: KnownArticle,
  evidence: StoredRelease["evidence"],
): readonly Quotation[] {
  const termsBySentence = new Map<string, Set<string>>();
  const add = (term: string, sentence: string | null): void => {
    if (sentence === null || sentence.trim() === "") return;
    termsBySentence.set(sentence, (termsBySentence.get(sentence) ?? new Set()).add(term));
  };
  add("Fractional shares", fraction?.sentence ?? null);
  for (const { term, sentence } of evidence) add(capitalize(term), sentence);
  add(capitalize(releaseKindText(kind)), kindSentence);
  return [...termsBySentence].map(([sentence, terms]) => ({ sentence: sanitizeText(sentence), terms: [...terms] }));
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Ranges of the sentences in the text, in order and without overlaps. White space in the text may differ. */
function rangesOf(text: string, quotes: readonly Quotation[]): readonly Range[] {
  const collapsed = collapseSpaces(text);
  const found = quotes.flatMap(({ sentence }) => {
    const words = sentence.trim().replace(/\s+/g, " ");
    const start = collapsed.text.indexOf(words);
    if (start < 0) return [];
    return { start: collapsed.at[start] ?? 0, end: (collapsed.at[start + words.length - 1] ?? 0) + 1 };
  });
  const ranges: Range[] = [];
  for (const range of found.toSorted((a, b) => a.start - b.start)) {
    const last = ranges.at(-1);
    if (last === undefined || last.end < range.start) ranges.push(range);
    else ranges.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) });
  }
  return ranges;
}

/** The text with single spaces, and the position of each of its characters in the original. */
function collapseSpaces(text: string): { readonly text: string; readonly at: readonly number[] } {
  const at: number[] = [];
  const pieces: string[] = [];
  for (const { 0: piece, index } of text.matchAll(/\s+|\S+/g)) {
    const isSpace = /\s/.test(piece.charAt(0));
    pieces.push(isSpace ? " " : piece);
    for (let offset = 0; offset < (isSpace ? 1 : piece.length); offset += 1) at.push(index + offset);
  }
  return { text: pieces.join(""), at };
}

function paragraphsOf(text: string, ranges: readonly Range[]): ReleaseView["paragraphs"] {
  return [...text.matchAll(/\S[\s\S]*?(?=\n[^\S\n]*\n|$)/g)].map(({ 0: paragraph, index }) =>
    partsOf(text, { start: index, end: index + paragraph.trimEnd().length }, ranges),
  );
}

/** Divides a paragraph at the ends of the quoted ranges in it. */
function partsOf(text: string, paragraph: Range, ranges: readonly Range[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let position = paragraph.start;
  const addPart = (end: number, isQuoted: boolean): void => {
    if (end > position) parts.push({ text: text.slice(position, end), isQuoted });
    position = Math.max(position, end);
  };
  for (const { start, end } of ranges) {
    if (end <= paragraph.start || start >= paragraph.end) continue;
    addPart(Math.max(start, paragraph.start), false);
    addPart(Math.min(end, paragraph.end), true);
  }
  addPart(paragraph.end, false);
  return parts;
}
