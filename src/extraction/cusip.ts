import type { Sentence } from "./sentences.ts";

/** The number of the new shares; null where the text tells none, or two. */
export interface CusipResult {
  /** Nine signs, without blanks. */
  readonly newCusip: string | null;
  readonly sentence: Sentence | null;
  readonly contradictory: boolean;
}

/** Nine signs, which may be grouped by single blanks or hyphens. The last is a check digit. */
const NINE = /(?<![A-Za-z0-9])[0-9A-Z](?:[ -]?[0-9A-Z]){7}[ -]?\d(?![A-Za-z0-9])/g;
const CUSIP = /cusips?/i;

const MOST_CUSIPS = 200;
/** How far from a number the words that tell its meaning may stand, in characters. */
const REACH = 160;

/** What stands before the number of the shares that are replaced. */
const OLD =
  /\b(?:(?:old|current|existing|previous|former|prior|present|pre-(?:split|consolidation))(?: (?!new\b)[\w'-]+){0,4} cusip[^.;]{0,60}|(?:from|replac(?:es|ing|ed?)|instead of|in place of|previously|formerly)(?: (?:the|its|our|old|current|existing|previous|former|prior|cusip|number|no\.?|of)){0,7}:?) ?\(?$/i;
const OTHER_SECURITY =
  /\b(?:warrants?|rights|notes|debentures|preferred|preference|units?)\b(?:(?!\b(?:common|ordinary|class [a-z]|ads|shares|stock)\b)[^.;]){0,110}$/i;
const NEW = /\bnew\b|\bpost-?(?:split|consolidation)|\b(?:revised|replacement)\b/i;
/** Said without the word `new`: `the CUSIP following the consolidation will be …`. */
const BECOMES =
  /\b(?:following|will (?:be|become|change|have)|chang(?:e[ds]?|ing)(?: [\w']+){0,7} to|cusip(?: numbers?| no\.?| identifier)? to|assigned)\b[^.;]{0,90}$|\b(?:begin|commence|start)\w* trading\b[^.;]{0,130}$/i;
const STAYS = /\b(?:not|remains?|remaining|continues?|unchanged|same)\b[^.;]{0,70}$/i;
const STAYS_BEHIND =
  /^[^.;\d]{0,60}\b(?:(?:will|does|do|shall) not (?:be )?chang|(?:remain|stay|continue)s?\b[^.;]{0,30}\b(?:same|unchanged)|unchanged)/i;
const SAID_NEW_BEHIND =
  /^["\s]{0,2}(?:\(?(?:the |as (?:the |its )?)?new\b|\((?:previously|formerly|replac|old)|is (?:the|its) new\b|(?:will|shall) (?:be (?:the|in use|used|in effect|assigned)|replace|become)\b|,? ?(?:following|after|post)\b(?![^.;]{0,60}\b(?:chang|replac|cancel)))/i;
const SAID_OLD_BEHIND = /^["\s]{0,2}\((?:the )?(?:old|current|former|existing|pre-)/i;

/** The heads of two columns, as tables of funds have them. */
const NEW_HEAD = /^\W*(?:new|post-?\s?(?:reverse )?(?:split|consolidation)) cusips?\b[^|]{0,20}$/i;
const OLD_HEAD =
  /^\W*(?:old|current|existing|previous|pre-?\s?(?:reverse )?(?:split|consolidation)) cusips?\b[^|]{0,20}$/i;
/** A table of one security ends within so many cells. */
const CELLS_BELOW = 12;

/** As CUSIPs are written: the issuer, the issue, the check digit. Words in capitals hold fewer digits. */
const GROUPED = /^(?=(?:\D*\d){4})[0-9A-Z]{6}[\s-]?[0-9A-Z]{2}[\s-]?\d$/i;

/** The CUSIP in `text`, without blanks; undefined where it is none. One in strange groups needs its check digit. */
export function parseCusip(text: string): string | undefined {
  const signs = text.replace(/[\s-]/g, "").toUpperCase();
  if (GROUPED.test(text.trim())) return signs;
  return /^[0-9A-Z*@#]{8}\d$/.test(signs) && /\d/.test(signs.slice(0, 8)) && checkDigit(signs) === signs[8]
    ? signs
    : undefined;
}

/** Every second sign counts double, letters from 10 on; the digits of the results are added up. */
function checkDigit(signs: string): string {
  let sum = 0;
  for (const [index, sign] of Array.from(signs.slice(0, 8)).entries()) {
    const value = worthOf(sign) * (index % 2 === 0 ? 1 : 2);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return String((10 - (sum % 10)) % 10);
}

function worthOf(sign: string): number {
  const special = "*@#".indexOf(sign);
  return special < 0 ? Number.parseInt(sign, 36) : 36 + special;
}

interface CusipCandidate {
  readonly cusip: string;
  readonly sentence: Sentence;
}

/** The new number of the shares that are split; not the old one, nor that of a warrant. */
export function findNewCusip(sentences: readonly Sentence[]): CusipResult {
  const told = [...readProse(sentences), ...readColumns(sentences)];
  const cusips = new Set(told.map(({ cusip }) => cusip));
  const [first] = told;
  if (!first) return { newCusip: null, sentence: null, contradictory: false };
  if (cusips.size > 1) return { newCusip: null, sentence: first.sentence, contradictory: true };
  return { newCusip: first.cusip, sentence: first.sentence, contradictory: false };
}

function readProse(sentences: readonly Sentence[]): readonly CusipCandidate[] {
  const told: CusipCandidate[] = [];
  for (const sentence of sentences) {
    if (CUSIP.test(sentence.plain)) told.push(...readNew(sentence));
    if (told.length > MOST_CUSIPS) break;
  }
  return told;
}

function readNew(sentence: Sentence): readonly CusipCandidate[] {
  const { plain } = sentence;
  const told: CusipCandidate[] = [];
  let from = 0;
  for (const { 0: written, index } of plain.matchAll(NINE)) {
    const cusip = parseCusip(written);
    if (cusip === undefined) continue;
    const before = plain.slice(Math.max(from, index - REACH), index);
    const end = index + written.length;
    const isChangedTo = from > 0 && /\b(?:to|with|by)\W*$/.test(before);
    if (isChangedTo || isNew(before, plain.slice(end, end + REACH))) told.push({ cusip, sentence });
    from = end;
    if (told.length > MOST_CUSIPS) break;
  }
  return told;
}

function isNew(before: string, behind: string): boolean {
  if (OTHER_SECURITY.test(before) || OLD.test(before)) return false;
  if (STAYS_BEHIND.test(behind) || SAID_OLD_BEHIND.test(behind)) return false;
  if (NEW.test(before) || SAID_NEW_BEHIND.test(behind)) return true;
  return BECOMES.test(before) && !STAYS.test(before);
}

interface Cell {
  readonly text: string;
  readonly sentence: Sentence;
}

/** Two columns, the old number and the new one. With more rows than one, a number goes with its fund. */
function readColumns(sentences: readonly Sentence[]): readonly CusipCandidate[] {
  const head = sentences.findIndex(({ plain }) => plain.split("|").some((cell) => NEW_HEAD.test(cell)));
  if (head < 0) return [];
  const cells = sentences.slice(Math.max(0, head - 2), head + CELLS_BELOW).flatMap(cellsOf);
  const newHead = cells.findIndex(({ text }) => NEW_HEAD.test(text));
  const oldHead = cells.findIndex(({ text }) => OLD_HEAD.test(text));
  const numbers = cells.slice(newHead).flatMap(({ text, sentence }) => {
    const cusip = parseCusip(text);
    return cusip === undefined ? [] : [{ cusip, sentence }];
  });
  if (numbers.length !== (oldHead < 0 ? 1 : 2)) return [];
  const told = oldHead < newHead ? numbers.at(-1) : numbers[0];
  return told ? [told] : [];
}

function cellsOf(sentence: Sentence): readonly Cell[] {
  return sentence.plain.split("|").map((text) => ({ text, sentence }));
}
