import type { Sentence } from "./sentences.ts";
import { findMatches } from "./text-rule.ts";

/** CUSIP of the new shares. Null if the text states none or several. */
export interface CusipResult {
  /** Nine characters, without spaces. */
  readonly newCusip: string | null;
  readonly sentence: Sentence | null;
  readonly contradictory: boolean;
}

/** Nine characters, optionally grouped by single spaces or hyphens. The last is a check digit. */
const NINE_CHARACTERS = /(?<![A-Za-z0-9])[0-9A-Z](?:[ -]?[0-9A-Z]){7}[ -]?\d(?![A-Za-z0-9])/g;
const CUSIP = /cusips?/i;

const MAX_CUSIPS = 200;
/** Length of the text beside a number that determines its meaning, in characters. */
const CUSIP_CONTEXT = 160;

/** Text before the CUSIP of the old shares. */
const OLD_BEFORE =
  /\b(?:(?:old|current|existing|previous|former|prior|present|pre-(?:split|consolidation)):?(?: (?!new\b)[\w'-]+){0,4} cusip[^.;]{0,60}|(?:from|replac(?:es|ing|ed?)|instead of|in place of|previously|formerly)(?: (?:the|its|our|old|current|existing|previous|former|prior|cusip|number|no\.?|of)){0,7}:?) ?\(?$/i;
const OTHER_SECURITY =
  /\b(?:warrants?|rights|notes|debentures|preferred|preference|units?)\b(?:(?!\b(?:common|ordinary|class [a-z]|ads|shares|stock)\b)[^.;]){0,110}$/i;
const NEW_BEFORE = /\bnew\b|\bpost-?(?:split|consolidation)|\b(?:revised|replacement)\b/i;
/** Text before a new CUSIP without the word `new`: `the CUSIP following the consolidation will be …`. */
const BECOMES_BEFORE =
  /\b(?:following|will (?:be|become|change|have)|chang(?:e[ds]?|ing)(?: [\w']+){0,7} to|cusip(?: numbers?| no\.?| identifier)? to|assigned)\b[^.;]{0,90}$|\b(?:begin|commence|start)\w* trading\b[^.;]{0,130}$|\btrad(?:e|ing) on an? [^.;]{0,40}basis\b[^.;]{0,90}$/i;
/** `a change of its CUSIP number to `, whatever else of the shares remains the same. */
const CHANGES_CUSIP_BEFORE =
  /(?<!\b(?:no|not|any) )\bchang\w*(?: [\w']+){0,5} cusip(?: numbers?| no| identifier)?,? to(?: no)?[ #:(]{0,3}$/i;
const UNDER_CUSIP_BEFORE = /\bunder (?:the |an? |its )?cusip(?: numbers?| no| identifier)?[ #:(]{0,3}$/i;
/** Words about the shares after the split, in a sentence with `under CUSIP`. */
const AFTER_SPLIT =
  /\b(?:split|consolidation|consolidated|adjusted|post)\b|\b(?:begin|commenc|start|open)\w*\b|\bwill (?:then )?(?:trade|be (?:quoted|listed|traded))\b|\bbut under\b|\b(?:from|effective) [A-Z][a-z]{2,8}\.? \d/i;
const BEFORE_SPLIT =
  /\b(?:currently|presently|today|until|before|prior to|traded|was|were|existing|pre-?split)\b|\b(?:continue|remain)\w*\b(?![^.;]{0,90}\b(?:but|and)\b)/i;
const UNCHANGED_BEFORE = /\b(?:not|remains?|remaining|continues?|unchanged|same)\b[^.;]{0,70}$/i;
const UNCHANGED_AFTER =
  /^[^.;\d]{0,60}\b(?:(?:will|does|do|shall) not (?:be )?chang|(?:remain|stay|continue)s?\b[^.;]{0,30}\b(?:same|unchanged)|unchanged)/i;
const NEW_AFTER =
  /^["\s]{0,2}(?:\(?(?:the |as (?:the |its )?)?new\b|\((?:previously|formerly|replac|old)|is (?:the|its) new\b|(?:will|shall) (?:be (?:the|in use|used|in effect|assigned)|replace|become)\b|,? ?(?:following|after|post)\b(?![^.;]{0,60}\b(?:chang|replac|cancel)))/i;
const OLD_AFTER = /^["\s]{0,2}\((?:the )?(?:old|current|former|existing|pre-)/i;

/** Column headings of the old and new numbers in a table. */
const NEW_HEADING = /^\W*(?:new|post-?\s?(?:reverse )?(?:split|consolidation)) cusips?\b[^|]{0,20}$/i;
const OLD_HEADING =
  /^\W*(?:old|current|existing|previous|pre-?\s?(?:reverse )?(?:split|consolidation)) cusips?\b[^|]{0,20}$/i;
/** Maximum number of sentences after the column headings that may belong to the table. */
const MAX_TABLE_SENTENCES = 12;

/** Issuer, issue and check digit in the usual groups, with at least four digits to exclude words in capitals. */
const GROUPED = /^(?=(?:\D*\d){4})[0-9A-Z]{6}[\s-]?[0-9A-Z]{2}[\s-]?\d$/i;

/** Returns the CUSIP without spaces, or undefined. Unusual groups require a correct check digit. */
export function parseCusip(text: string): string | undefined {
  const characters = text.replace(/[\s-]/g, "").toUpperCase();
  if (GROUPED.test(text.trim())) return characters;
  const isWellFormed = /^[0-9A-Z*@#]{8}\d$/.test(characters) && /\d/.test(characters.slice(0, 8));
  return isWellFormed && checkDigit(characters) === characters[8] ? characters : undefined;
}

/** CUSIP check digit: every second value counts double, letters have the values from 10, and the digits are added. */
function checkDigit(characters: string): string {
  let sum = 0;
  for (const [index, character] of Array.from(characters.slice(0, 8)).entries()) {
    const value = characterValue(character) * (index % 2 === 0 ? 1 : 2);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return String((10 - (sum % 10)) % 10);
}

function characterValue(character: string): number {
  const special = "*@#".indexOf(character);
  return special < 0 ? Number.parseInt(character, 36) : 36 + special;
}

interface CusipCandidate {
  readonly cusip: string;
  /** Class of shares named before the number, in lower case. */
  readonly shareClass: string | undefined;
  readonly sentence: Sentence;
}

/** Class of shares, before its CUSIP or in a statement that the class trades. */
const SHARE_CLASS =
  /\b(class [a-z]|series [a-z]|subordinate voting|multiple voting|restricted voting|limited voting|non-voting)\b/gi;
const TRADES = /\btrad(?:e|es|ed|ing)\b|\blisted\b|\bunder the (?:\w+ )?symbol\b/i;
const NOT_LISTED = /\bnot (?:be )?(?:listed|traded|publicly)\b/i;
/** Text before a CUSIP that stays the same: `will revert to`, `remains`. */
const REVERTS_BEFORE = /\b(?:revert\w*|remain\w*|unchanged|not (?:be )?chang\w*|stays?)\b[^.;]{0,60}$/i;
/** Headings `Old CUSIP | New CUSIP`. Of the two numbers after them, the first one is old. */
const OLD_AND_NEW_BEFORE = /\b(?:old|current|existing)\s+cusips?\W{1,4}new\s+cusips?\b/i;
const NUMBER_FOLLOWS = /^[\s|]{1,3}[0-9A-Z]{6}[ -]?[0-9A-Z]{2}[ -]?\d(?![A-Za-z0-9])/;

/**
 * Finds the new CUSIP of the shares that are split. If several classes of shares have a new CUSIP, returns that of the class that
 * trades. In an exchange's notice (`isNotice`), a CUSIP without the word "new" counts too.
 */
export function findNewCusip(
  sentences: readonly Sentence[],
  { isNotice = false }: { readonly isNotice?: boolean } = {},
): CusipResult {
  const labeled = [...findInProse(sentences, isNewNumber), ...findInTable(sentences)];
  const numbers = labeled.length === 0 && isNotice ? findInProse(sentences, isNewNumberInNotice) : labeled;
  const candidates = selectTradedClass(numbers, sentences);
  const cusips = new Set(candidates.map(({ cusip }) => cusip));
  const [first] = candidates;
  if (!first) return { newCusip: null, sentence: null, contradictory: false };
  if (cusips.size > 1) return { newCusip: null, sentence: first.sentence, contradictory: true };
  return { newCusip: first.cusip, sentence: first.sentence, contradictory: false };
}

/** Returns the candidates of the class that trades if several classes have a number, otherwise all candidates. */
function selectTradedClass(
  candidates: readonly CusipCandidate[],
  sentences: readonly Sentence[],
): readonly CusipCandidate[] {
  const classes = new Set(candidates.map(({ shareClass }) => shareClass));
  if (classes.size < 2 || classes.has(undefined)) return candidates;
  const tradedClasses = new Set(
    sentences
      .filter(({ plain }) => TRADES.test(plain) && !CUSIP.test(plain) && !NOT_LISTED.test(plain))
      .flatMap(({ plain }) => classesIn(plain)),
  );
  const tradedCandidates = candidates.filter(({ shareClass = "" }) => tradedClasses.has(shareClass));
  return new Set(tradedCandidates.map(({ shareClass }) => shareClass)).size === 1 ? tradedCandidates : candidates;
}

function classesIn(text: string): readonly string[] {
  return findMatches(SHARE_CLASS, text).map(([name]) => name.toLowerCase());
}

/** Whether the text before and after a CUSIP shows that it is the new one. */
type NumberTest = (before: string, after: string) => boolean;

function findInProse(sentences: readonly Sentence[], isNew: NumberTest): readonly CusipCandidate[] {
  const candidates: CusipCandidate[] = [];
  for (const sentence of sentences) {
    if (CUSIP.test(sentence.plain)) candidates.push(...newCusipsOf(sentence, isNew));
    if (candidates.length > MAX_CUSIPS) break;
  }
  return candidates;
}

function newCusipsOf(sentence: Sentence, isNew: NumberTest): readonly CusipCandidate[] {
  const { plain } = sentence;
  const candidates: CusipCandidate[] = [];
  let previousEnd = 0;
  for (const { 0: text, index } of findMatches(NINE_CHARACTERS, plain)) {
    const cusip = parseCusip(text);
    if (cusip === undefined) continue;
    const before = withoutStop(plain.slice(Math.max(previousEnd, index - CUSIP_CONTEXT), index));
    const end = index + text.length;
    const isChangedTo = previousEnd > 0 && /\b(?:to|with|by)\W*$/.test(before);
    const isSecond = previousEnd > 0 && /^[\s|]*$/.test(before);
    if (isChangedTo || isSecond || isNew(before, plain.slice(end, end + CUSIP_CONTEXT))) {
      candidates.push({ cusip, shareClass: classesIn(before).at(-1), sentence });
    }
    previousEnd = end;
    if (candidates.length > MAX_CUSIPS) break;
  }
  return candidates;
}

/** `CUSIP No.` doesn't end a clause. */
function withoutStop(before: string): string {
  return before.replaceAll(/\bno\.(?=\s|$)/gi, (word) => word.slice(0, -1));
}

function isNewNumber(before: string, after: string): boolean {
  if (OTHER_SECURITY.test(before) || OLD_BEFORE.test(before)) return false;
  if (UNCHANGED_AFTER.test(after) || OLD_AFTER.test(after)) return false;
  if (OLD_AND_NEW_BEFORE.test(before) && NUMBER_FOLLOWS.test(after)) return false;
  return NEW_BEFORE.test(before) || NEW_AFTER.test(after) || becomesNumber(before, after);
}

/** Whether a sentence without the word `new` states the number after the split. */
function becomesNumber(before: string, after: string): boolean {
  if (CHANGES_CUSIP_BEFORE.test(before)) return true;
  if (UNDER_CUSIP_BEFORE.test(before) && !BEFORE_SPLIT.test(before + after)) return AFTER_SPLIT.test(before + after);
  return BECOMES_BEFORE.test(before) && !UNCHANGED_BEFORE.test(before);
}

function isNewNumberInNotice(before: string): boolean {
  return !(OTHER_SECURITY.test(before) || OLD_BEFORE.test(before) || REVERTS_BEFORE.test(before));
}

interface Cell {
  readonly text: string;
  readonly sentence: Sentence;
}

/** Reads a table with one row. In a table with more rows each number belongs to a fund. */
function findInTable(sentences: readonly Sentence[]): readonly CusipCandidate[] {
  const headingIndex = sentences.findIndex(({ plain }) => plain.split("|").some((cell) => NEW_HEADING.test(cell)));
  if (headingIndex < 0) return [];
  const cells = sentences.slice(Math.max(0, headingIndex - 2), headingIndex + MAX_TABLE_SENTENCES).flatMap(cellsOf);
  const newIndex = cells.findIndex(({ text }) => NEW_HEADING.test(text));
  const oldIndex = cells.findIndex(({ text }) => OLD_HEADING.test(text));
  const numbers = cells.slice(newIndex).flatMap(({ text, sentence }) => {
    const cusip = parseCusip(text);
    return cusip === undefined ? [] : [{ cusip, shareClass: undefined, sentence }];
  });
  if (numbers.length !== (oldIndex < 0 ? 1 : 2)) return [];
  const number = oldIndex < newIndex ? numbers.at(-1) : numbers[0];
  return number ? [number] : [];
}

function cellsOf(sentence: Sentence): readonly Cell[] {
  return sentence.plain.split("|").map((text) => ({ text, sentence }));
}
