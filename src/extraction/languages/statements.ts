import type { Day } from "../../domain/time/day.ts";
import { memoize } from "../../lib/collections.ts";
import { decodeMarkup } from "../markup.ts";
import { toPlainText } from "../plain-text.ts";
import type { Sentence } from "../sentences.ts";
import { findMatches } from "../text-rule.ts";
import type { Language } from "./language.ts";

/** Number of statements that state the news of a text. */
export const MAX_LEAD = 6;

export interface Text {
  readonly heading: string;
  readonly content: string;
  readonly published: Day | null;
}

/** A sentence of a text, with its numbers as digits. */
export interface Statement {
  readonly sentence: Sentence;
  readonly digits: string;
}

/** Text of a release in another language. */
export interface Release {
  readonly language: Language;
  readonly statements: readonly Statement[];
  /** Statements that name a split. */
  readonly aboutSplit: readonly Statement[];
  readonly published: Day | null;
}

export function statementsOf({ heading, content }: Text, language: Language): readonly Statement[] {
  const writeDigits = digitsWriter(language);
  const text = content.trimStart();
  const body = text.startsWith(heading) ? text.slice(heading.length) : text;
  const sentences = [...sentencesOf(heading, true), ...sentencesOf(body, false)];
  return sentences.map((sentence) => ({ sentence, digits: writeDigits(sentence.plain) }));
}

/** End of a sentence. A number before a full stop may be the day of a date: `11. November`, and a name: `Acme inc. (TSXV: ACME)`. */
const SENTENCE_END =
  /\n|[。！？]|(?<=\p{Ll}{2}|[)%"']|\p{Lu}{2}|\d)[.!?](?!(?<=\b(?:[Ii]nc|[Cc]orp|[Ll]tda?|[Cc]o)\.)\s\()(?=\s+(?!(?:Jan|Feb|M[äa]r|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez))["(]?\p{Lu}|$)/gu;
/** Digits, letters and punctuation of the width of ideographs. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
/** Line break before a label: `Kortnamn: ACME`. */
const LABEL_LINE = /\n(?=\p{Lu}[^\n:]{1,60}: ?\S)/gu;
const MAX_SENTENCE_LENGTH = 1_500;
const MAX_SENTENCES = 400;

function sentencesOf(raw: string, inHeading: boolean): readonly Sentence[] {
  const halfWidth = decodeMarkup(raw).replace(FULL_WIDTH, (character) => character.normalize("NFKC"));
  const text = toPlainText(halfWidth.replace(LABEL_LINE, "\n\n"));
  const sentences: Sentence[] = [];
  let from = 0;
  for (const end of [
    ...findMatches(SENTENCE_END, text.plain, MAX_SENTENCES).map((match) => match.index + match[0].length),
    text.plain.length,
  ]) {
    const piece = text.plain.slice(from, Math.min(end, from + MAX_SENTENCE_LENGTH));
    const start = from + piece.length - piece.trimStart().length;
    const last = start + piece.trim().length;
    if (last > start)
      sentences.push({
        plain: text.plain.slice(start, last),
        verbatim: text.verbatim(start, last),
        inHeading,
        start,
        end: last,
      });
    from = end;
  }
  return sentences;
}

const CJK_NUMBER =
  /[一二三四五六七八九十百千]+(?=股|株|[并併合])|(?<=[并併合为為成])一(?=股)|(?<=[并併合])一(?!\p{Script=Han})/gu;
const CJK_DIGITS = "一二三四五六七八九";
const CJK_UNITS: readonly (readonly [string, number])[] = [
  ["千", 1000],
  ["百", 100],
  ["十", 10],
];

function valueOfCjk(word: string): number {
  let rest = word;
  let value = 0;
  for (const [unit, size] of CJK_UNITS) {
    const at = rest.indexOf(unit);
    if (at < 0) continue;
    value += size * (at === 0 ? 1 : CJK_DIGITS.indexOf(rest.charAt(at - 1)) + 1);
    rest = rest.slice(at + 1);
  }
  return value + (rest === "" ? 0 : CJK_DIGITS.indexOf(rest) + 1);
}

const THOUSANDS = /(?<![\d.,])\d{1,3}(?:[. ]\d{3})+(?![\d,.]*\d)/g;
/** Amounts of money and par values: `0,30`, `1.50`. */
const DECIMAL = /(?<![\d.,])\d{1,9}[.,](?:\d{1,2}|0\d{2,4})(?![\d.,]*\d)/g;
const REPEATED_IN_WORDS = /(?<=(?<!\d)\d{1,6}) ?\(\p{L}[\p{L} -]{1,30}\)/gu;
const REPEATED_IN_DIGITS = /(?<=(?<!\d)\d{1,6}) ?\(\d{1,6}\)/g;

/** Clause about an earlier plan: `em vez do grupamento de 50 ações`, `statt 50 zu 1`. */
const INSTEAD =
  /(?<!\p{L})(?:em (?:vez|lugar) d|en (?:vez|lugar) de|au lieu d|invece d|anzich[eé]|statt|anstelle|in plaats van|i ?stället för|i ?stedet for|αντί)(?!\p{Ll}{3})[^,;.]{0,80}/giu;

/** Words between the parts of a number: `vinte e cinco`. */
const NUMBER_JOINER = "[ -]|(?: (?:e|y|et|og|och|en|und) )";

/** Returns a function that writes numbers as digits without separators, and removes dates and amounts with decimals. */
const digitsWriter = memoize(({ numbers, date }: Language) => {
  const words = Object.keys(numbers).toSorted((a, b) => b.length - a.length);
  const word = `(?:${words.join("|")})(?!\\p{L})`;
  const pattern =
    words.length > 0 ? new RegExp(`(?<![\\p{L}-])${word}(?:(?:${NUMBER_JOINER})${word}){0,5}(?!-)`, "giu") : CJK_NUMBER;
  return (plain: string): string =>
    plain
      .replace(date, "")
      .replace(INSTEAD, "")
      .replace(REPEATED_IN_WORDS, "")
      .replace(THOUSANDS, (number) => number.replace(/\D/g, ""))
      .replace(DECIMAL, "")
      .replace(pattern, (text) =>
        words.length > 0 ? valueOfWords(text.toLowerCase(), numbers) : String(valueOfCjk(text)),
      )
      .replace(REPEATED_IN_DIGITS, "");
});

/** Value of number words: `vingt-deux` is 22, `cinq cents` 500. Empty if their order has another form. */
function valueOfWords(text: string, numbers: Language["numbers"]): string {
  const exact = numbers[text];
  if (exact !== undefined) return String(exact);
  const parts = text.split(/[ -](?:(?:e|y|et|og|och|en|und) )?/).map((part) => numbers[part]);
  const [first, second, ...others] = parts;
  if (first === undefined || second === undefined || others.length > 0) return "";
  if (second >= 100 && first < 10) return String(first * second);
  return first >= 20 && first < 100 && second < 10 ? String(first + second) : "";
}
