import { type Ratio, sameRatio } from "../domain/split/ratio.ts";
import { type Amount, normalizeNumbers, parseAmount, ratioOfAmounts } from "./number-words.ts";
import {
  ALTERNATIVE_BEFORE,
  BOUND_ACROSS,
  BOUND_AFTER,
  BOUND_BEFORE,
  DENIAL_BEFORE,
  DEPOSITARY,
  EXCHANGE_OUTCOME,
  FORWARD_WORDS,
  ILLUSTRATIVE,
  OTHER_SECURITY,
  OTHER_TRANSACTION,
  RANGE_BOUND,
  RATIO_RULES,
  RATIO_WORD_AFTER,
  RATIO_WORD_BEFORE,
  type RatioRule,
  REVERSE_WORDS,
  SPLIT_CONTEXT,
  UNDERLYING_SHARES,
} from "./ratio-rules.ts";
import type { Sentence } from "./sentences.ts";

/** A pair of numbers of shares in one sentence. */
export interface RatioCandidate {
  readonly sentence: Sentence;
  readonly ratio: Ratio;
  /** What stands in the sentence before and behind the pair, with its numbers as digits. */
  readonly before: string;
  readonly after: string;
  /** A bound of a range, not a ratio. */
  readonly isBound: boolean;
  readonly start: number;
  readonly end: number;
}

/** A pair as a rule has found it. */
interface Found {
  readonly rule: RatioRule;
  readonly plain: string;
  readonly start: number;
  readonly end: number;
  readonly left: Amount;
  readonly right: Amount;
  readonly between: string;
}

/** Nothing nearer than this says what a pair is about. */
const NEAR = 90;
/** A sentence tells one ratio, in a few ways. More is a table, or made to hurt. */
const MOST_OF_ONE_RULE = 40;
const ONE: Amount = { numerator: 1, denominator: 1 };
/** Between a pair and its repetition. */
const OPENS_REPEAT = /^ ?(?:\(|, or |or )$/;

/** A share's par value tells no ratio, but its digits stand in the way; so do the stops of `Inc.` and `Corp.`. */
const PAR_VALUE =
  /,? ?\(?(?:(?:with|of|having|at) )?(?:an? )?(?:nominal or )?(?:par|nominal|stated) value(?: of)? (?:[A-Z]{0,3}\$|[A-Z]{3} ?|[£€])? ?\d[\d.,]*\d?(?: ?(?:per|each|a)(?: [a-z]+)?)?(?: (?:ordinary |common )?share)?\)?,?/gi;
const STOP_IN_NAME = /\b(Inc|Corp|Ltd|Co|Cos|S\.A|N\.V|plc|No)\.(?= )/g;

/** The pairs of one sentence that could be the ratio of a reverse split, ranges included. */
export function findRatioCandidates(sentence: Sentence): readonly RatioCandidate[] {
  if (!(SPLIT_CONTEXT.test(sentence.plain) || EXCHANGE_OUTCOME.test(sentence.plain))) return [];
  const plain = normalizeNumbers(sentence.plain).replaceAll(PAR_VALUE, " ").replaceAll(STOP_IN_NAME, "$1");
  const sightings = findPairs(plain).flatMap((found): RatioCandidate[] => {
    const ratio = ratioOfAmounts(found.left, found.right);
    if (!ratio || !isOfSplit(found)) return [];
    const before = plain.slice(0, found.start);
    const after = plain.slice(found.end);
    return [{ sentence, ratio, before, after, isBound: isBound(found), start: found.start, end: found.end }];
  });
  return joinRepeats(sightings);
}

/** `one-for-ten (1-for-10)` tells one pair twice: what stands before the first and behind the second speaks of both. */
function joinRepeats(sightings: readonly RatioCandidate[]): readonly RatioCandidate[] {
  const joined: RatioCandidate[] = [];
  for (const sighting of sightings) {
    const last = joined.at(-1);
    const gap = last?.after.slice(0, sighting.start - last.end) ?? "";
    const repeats = last && sameRatio(last.ratio, sighting.ratio) && OPENS_REPEAT.test(gap);
    if (!repeats) joined.push(sighting);
    else {
      const closed = sighting.after.startsWith(")") ? 1 : 0;
      const bound = last.isBound || sighting.isBound;
      const end = sighting.end + closed;
      joined.splice(-1, 1, { ...last, after: sighting.after.slice(closed), isBound: bound, end });
    }
  }
  return joined;
}

/** In order of place; what an earlier rule has read is not read again. */
function findPairs(plain: string): readonly Found[] {
  const all: Found[] = [];
  for (const rule of RATIO_RULES) {
    for (const found of readRule(rule, plain)) {
      if (all.every(({ start, end }) => found.end <= start || end <= found.start)) all.push(found);
    }
  }
  return all.toSorted((a, b) => a.start - b.start);
}

function readRule(rule: RatioRule, plain: string): readonly Found[] {
  const all: Found[] = [];
  for (const match of plain.matchAll(rule.pattern)) {
    if (all.length === MOST_OF_ONE_RULE) break;
    const { left = "", right = "", between = "" } = match.groups ?? {};
    const [leftAmount, rightAmount] = [parseAmount(left) ?? ONE, parseAmount(right)];
    const end = match.index + match[0].length;
    if (!rightAmount || !isLikely(leftAmount, rightAmount)) continue;
    const found = { rule, plain, start: match.index, end, left: leftAmount, right: rightAmount, between };
    if (isWorded(found)) all.push(found);
  }
  return all;
}

/** Nobody makes more than a hundred shares out of others: such numbers are counts of shares. */
function isLikely(left: Amount, right: Amount): boolean {
  const [a, b] = [left.numerator / left.denominator, right.numerator / right.denominator];
  return Math.min(a, b) <= 100 && Math.max(a, b) <= 1_000_000;
}

function isWorded({ rule, plain, start, end, left, right, between }: Found): boolean {
  if (rule.between?.test(between) === false) return false;
  if (rule.form === "digits" && !(isOne(left) || isOne(right)) && !isNamed(plain, start, end)) return false;
  if (rule.notBefore?.test(plain.slice(Math.max(0, start - NEAR), start))) return false;
  return rule.notAfter?.test(plain.slice(end, end + NEAR)) !== true;
}

function isOne({ numerator: over, denominator: under }: Amount): boolean {
  return over === under;
}

function isNamed(plain: string, start: number, end: number): boolean {
  return (
    RATIO_WORD_BEFORE.test(plain.slice(Math.max(0, start - NEAR), start)) ||
    RATIO_WORD_AFTER.test(plain.slice(end, end + NEAR))
  );
}

/** Whether a pair speaks of shares that are made fewer. */
function isOfSplit(found: Found): boolean {
  if (found.rule.form !== "outcome" && !SPLIT_CONTEXT.test(found.plain)) return false;
  return !(isOfOtherSecurity(found) || isOfOtherExchange(found) || isMultiplied(found) || isTold(found));
}

function isOfOtherSecurity({ rule, plain, end, between }: Found): boolean {
  if (rule.form === "digits") return false;
  const [tail = ""] = plain.slice(end, end + 45).split(/\d/);
  if (OTHER_SECURITY.test(between.slice(0, 60)) || OTHER_SECURITY.test(tail.slice(0, 25))) return true;
  return isShareOfAds(between, tail) || isShareOfAds(tail, between);
}

/** One side names depositary shares, the other the shares behind them. */
function isShareOfAds(one: string, other: string): boolean {
  return DEPOSITARY.test(one) && UNDERLYING_SHARES.test(other) && !DEPOSITARY.test(other);
}

function isOfOtherExchange({ plain, start, end }: Found): boolean {
  const near = plain.slice(Math.max(0, start - NEAR), end + NEAR);
  return OTHER_TRANSACTION.test(near) && near.search(REVERSE_WORDS) < 0;
}

/** Direction comes from the noun, not from the digits: the nearer noun counts. */
function isMultiplied({ plain, start, end, left, right, rule }: Found): boolean {
  const more = distanceOf(FORWARD_WORDS, plain, { start, end });
  const fewer = distanceOf(REVERSE_WORDS, plain, { start, end });
  if (more < fewer) return true;
  const oldFirst = left.numerator * right.denominator > right.numerator * left.denominator;
  if (!oldFirst || rule.form !== "digits" || fewer < Number.POSITIVE_INFINITY) return false;
  return /\bsplit/i.test(plain) || !/ratio|basis/i.test(plain);
}

/** `for example`, `no plans for a 1-for-20 reverse split`. */
function isTold({ rule, plain, start }: Found): boolean {
  if (rule.form !== "digits" && ALTERNATIVE_BEFORE.test(plain.slice(Math.max(0, start - NEAR), start))) return true;
  return ILLUSTRATIVE.test(plain) || DENIAL_BEFORE.test(plain.slice(Math.max(0, start - NEAR), start));
}

function isBound({ plain, start, end, between }: Found): boolean {
  const before = plain.slice(Math.max(0, start - NEAR), start);
  if (RANGE_BOUND.test(between) || BOUND_BEFORE.test(before) || BOUND_ACROSS.test(before)) return true;
  return BOUND_AFTER.test(plain.slice(end, end + NEAR));
}

/** How far the nearest of the words stands from a place, in characters. */
function distanceOf(words: RegExp, plain: string, { start, end }: { start: number; end: number }): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const { 0: word, index } of plain.matchAll(words)) {
    const gap = index >= end ? index - end : Math.max(0, start - index - word.length);
    nearest = Math.min(nearest, gap);
  }
  return nearest;
}
