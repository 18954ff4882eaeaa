import { isSameRatio, oldPerNew, type Ratio, ratioCode } from "../domain/split/ratio.ts";
import { type Amount, parseAmount, ratioOfAmounts, withDigits } from "./number-words.ts";
import {
  ALTERNATIVE_BEFORE,
  BOUND_ACROSS,
  BOUND_AFTER,
  BOUND_BEFORE,
  BOUND_CONNECTOR,
  CHANGED_FROM,
  CHANGED_TO,
  COMPLETED_AFTER,
  COMPLETED_BEFORE,
  DENIAL_BEFORE,
  DEPOSITARY,
  EARLIER_AFTER,
  EARLIER_BEFORE,
  FORWARD_WORDS,
  HOLDING_AFTER,
  ILLUSTRATIVE,
  OTHER_SECURITY,
  OTHER_TRANSACTION,
  RANGE_BOUND,
  RANGE_CONNECTOR,
  RATIO_RULES,
  RATIO_WORD_AFTER,
  RATIO_WORD_BEFORE,
  type RatioRule,
  REPLACED_AFTER,
  REPLACED_BEFORE,
  RETROSPECTIVE,
  REVERSE_WORDS,
  REVISED_BEFORE,
  SHARE_CONVERSION,
  SPLIT_CONTEXT,
  UNDERLYING_SHARES,
} from "./ratio-rules.ts";
import { leadSentences, oncePerSentence, type Sentence } from "./sentences.ts";
import { COMBINES_SHARES, isRange } from "./split-patterns.ts";
import { contains, findMatches } from "./text-rule.ts";

/** Ratio of a reverse split with its sentence. `contradictory`: the text states two ratios, so neither is accepted. */
export interface RatioResult {
  readonly ratio: Ratio | null;
  readonly sentence: Sentence | null;
  readonly contradictory: boolean;
}

export const NO_RATIO: RatioResult = { ratio: null, sentence: null, contradictory: false };

/** Reliability of a statement, in ascending order. Only statements of the highest rank in a text are compared. */
const RANKS = ["completed", "plain", "revised"] as const;
type Rank = (typeof RANKS)[number];

/** Length of the text beside a candidate that determines its rank, in characters. */
const RANK_CONTEXT = 120;
const FUTURE = /\b(?:will|shall|expect\w*|scheduled|today|to be)\b/i;
const YEAR_ALONE = /\b(?:in|of|since|during|late|early) (?:19|20)\d\d\b/i;
const YEARS_ALONE = new RegExp(YEAR_ALONE.source, "gi");
const YEAR = /\b(?:19|20)\d\d\b/g;

/** A pair of share numbers in one sentence. */
interface RatioCandidate {
  readonly sentence: Sentence;
  readonly ratio: Ratio;
  /** Text of the sentence before and after the pair, with its numbers as digits. */
  readonly before: string;
  readonly after: string;
  /** A bound of a range, not a ratio. */
  readonly isBound: boolean;
  readonly start: number;
  readonly end: number;
}

/** A pair that a rule matched, with its text. */
interface Pair {
  readonly rule: RatioRule;
  readonly plain: string;
  readonly start: number;
  readonly end: number;
  readonly left: Amount;
  readonly right: Amount;
  readonly between: string;
}

/** Length of the text beside a pair that determines its meaning, in characters. */
const PAIR_CONTEXT = 90;
/** Maximum number of matches of one rule in one sentence. A sentence with more is a table. */
const MAX_MATCHES = 40;
/** Maximum number of new shares in a ratio. Pairs of larger numbers are counts of shares. */
const MAX_NEW_SHARES = 100;
const MAX_OLD_SHARES = 1_000_000;
const ONE: Amount = { numerator: 1, denominator: 1 };
/** Text before the last clause. */
const CLAUSES_BEFORE = /^.*[;,]/;
/** Figures directly after a pair in words: `one ADS to four (1-4) ordinary shares`. */
const FIGURES = /^ ?\([\d.:,\s-]{1,15}\)/;
/** Text between a pair and its repetition, as in `one-for-ten (1-for-10)`. */
const REPETITION = /^ ?(?:\(|, or |or )$/;

/** Removed before matching: a par value contains digits, and `Inc.` and `Corp.` contain full stops. */
const PAR_VALUE =
  /,? ?\(?(?:(?:with|of|having|at) )?(?:an? )?(?:nominal or )?(?:par|nominal|stated) value(?: of)? (?:[A-Z]{0,3}\$|[A-Z]{3} ?|[£€])? ?\d[\d.,]*\d?(?: ?(?:per|each|a)(?: [a-z]+)?)?(?: (?:ordinary |common )?share)?\)?,?| of (?:[A-Z]{0,3}\$|[A-Z]{3} ?|[£€])? ?\d[\d.,]*\d ?(?:pence |p |cents? |c )?(?:par value )?each\b/gi;
const STOP_IN_NAME = /\b(Inc|Corp|Ltd|Co|Cos|S\.A|N\.V|plc|No)\.(?= )/g;

/** Finds the ratio of the reverse split in a release, excluding the bounds of ranges and the ratios of earlier splits. */
export function findRatio(sentences: readonly Sentence[]): RatioResult {
  if (!sentences.some(({ plain }) => contains(REVERSE_WORDS, plain) || contains(COMBINES_SHARES, plain)))
    return NO_RATIO;
  const lead = new Set(leadSentences(sentences));
  const year = yearOf(lead);
  const rankedCandidates = sentences.flatMap((sentence) =>
    withoutRanges(findRatioCandidates(sentence)).flatMap((candidate) => {
      const rank = rankOf(candidate, { inLead: lead.has(sentence), year });
      return rank ? [{ candidate, rank }] : [];
    }),
  );
  const highestRank = RANKS.findLast((rank) =>
    rankedCandidates.some((rankedCandidate) => rankedCandidate.rank === rank),
  );
  return agreedRatio(rankedCandidates.filter(({ rank }) => rank === highestRank).map(({ candidate }) => candidate));
}

/** Range from which a ratio is to be chosen. */
export interface RangeResult {
  /** The less and the more steep bound; null if the sentence states only one, or none as a ratio. */
  readonly bounds: readonly [Ratio, Ratio] | null;
  readonly sentence: Sentence;
}

/** Finds the first range of ratios with both bounds; without one, the first sentence that limits the ratio. */
export function findRange(sentences: readonly Sentence[]): RangeResult | null {
  const ranges = sentences.flatMap((sentence) => rangeIn(sentence) ?? []);
  return ranges.find(({ bounds }) => bounds !== null) ?? ranges[0] ?? null;
}

function rangeIn(sentence: Sentence): RangeResult | null {
  const candidates = findRatioCandidates(sentence);
  const ratios = withoutRanges(candidates);
  const bounds = candidates
    .filter((candidate) => !ratios.includes(candidate))
    .map(({ ratio }) => ratio)
    .toSorted((a, b) => oldPerNew(a) - oldPerNew(b));
  const [least, steepest] = [bounds[0], bounds.at(-1)];
  if (least && steepest && !isSameRatio(least, steepest)) return { bounds: [least, steepest], sentence };
  const isLimited = bounds.length > 0 || (SPLIT_CONTEXT.test(sentence.plain) && isRange(sentence.plain));
  return isLimited ? { bounds: null, sentence } : null;
}

/** Returns the ratio that all candidates share, preferably with a sentence of the body. */
export function agreedRatio(
  candidates: readonly { readonly ratio: Ratio; readonly sentence: Sentence }[],
): RatioResult {
  const ratios = new Map(candidates.map(({ ratio }) => [ratioCode(ratio), ratio]));
  const exact = ratios.size > MAX_ROUNDED ? [...ratios.values()] : withoutRounded([...ratios.values()]);
  const [ratio] = exact;
  if (!ratio) return NO_RATIO;
  if (exact.length > 1) return { ...NO_RATIO, contradictory: true };
  const stated = candidates.filter((candidate) => isSameRatio(candidate.ratio, ratio));
  const first = stated.find((candidate) => !candidate.sentence.inHeading) ?? stated[0];
  return { ratio, sentence: first?.sentence ?? null, contradictory: false };
}

/** Maximum number of ratios that are compared. A text with more is a list. */
const MAX_ROUNDED = 8;

function withoutRounded(ratios: readonly Ratio[]): readonly Ratio[] {
  return ratios.filter((ratio) => !ratios.some((other) => isRounded(ratio, other)));
}

/** Minimum number of new shares of a ratio that was a decimal: 0.0333 is 333:10000. */
const MIN_DECIMAL_SHARES = 10;

/** Whether a ratio is the other one, rounded to decimals: `1-for-30` and `0.0333 of a share`. */
function isRounded({ newShares, oldShares }: Ratio, exact: Ratio): boolean {
  if (newShares < MIN_DECIMAL_SHARES || exact.newShares !== 1) return false;
  return Math.abs(newShares / oldShares - 1 / exact.oldShares) < 1 / oldShares;
}

/** Removes the bounds of ranges: candidates marked as bounds, and different ratios joined by a connector. */
function withoutRanges(candidates: readonly RatioCandidate[]): readonly RatioCandidate[] {
  const result: RatioCandidate[] = [];
  let inRange = false;
  for (const [index, candidate] of candidates.entries()) {
    const isUpperBound: boolean = candidate.isBound || inRange;
    const next = candidates[index + 1];
    const isLowerBound: boolean =
      next !== undefined && !isSameRatio(candidate.ratio, next.ratio) && isConnected(candidate, next);
    inRange = isLowerBound && !isChangedFrom(candidate);
    if (!isUpperBound && !isLowerBound) result.push(candidate);
  }
  return result;
}

function isConnected(first: RatioCandidate, second: RatioCandidate): boolean {
  const gap = first.after.slice(0, second.start - first.end);
  return (first.isBound ? BOUND_CONNECTOR : RANGE_CONNECTOR).test(gap);
}

/** `changed the ratio from 1-for-30 to 1-for-25` is not a range but an old ratio and a new one. */
function isChangedFrom({ before }: RatioCandidate): boolean {
  return CHANGED_FROM.test(before.slice(-RANK_CONTEXT));
}

interface ReleaseContext {
  readonly inLead: boolean;
  /** The year of the release, as stated in its first lines. */
  readonly year: number | undefined;
}

/** Returns undefined for the ratio of another split and for a replaced ratio. */
function rankOf(candidate: RatioCandidate, context: ReleaseContext): Rank | undefined {
  const before = candidate.before.slice(-RANK_CONTEXT);
  const after = candidate.after.slice(0, RANK_CONTEXT);
  if (REPLACED_BEFORE.test(before) || REPLACED_AFTER.test(after)) return undefined;
  if (CHANGED_TO.test(before) || REVISED_BEFORE.test(before)) return "revised";
  const isCompleted = COMPLETED_BEFORE.test(before) || COMPLETED_AFTER.test(after);
  if (isCompleted) return isNews(candidate.sentence, context) ? "completed" : undefined;
  if (RETROSPECTIVE.test(`${before} ${after}`) && !FUTURE.test(candidate.sentence.plain)) return undefined;
  return wasAnnounced(before, after) ? "completed" : "plain";
}

/** Whether a ratio was announced earlier, in a sentence that states nothing new: not `the previously announced split will …`. */
function wasAnnounced(before: string, after: string): boolean {
  return (EARLIER_BEFORE.test(before) && !FUTURE.test(after)) || EARLIER_AFTER.test(after);
}

/** A completed split is news if it is in the lead of a release and its sentence names no earlier year, nor a year alone. */
function isNews({ plain }: Sentence, { inLead, year }: ReleaseContext): boolean {
  const latestYear = yearsIn(plain).at(-1);
  const isEarlier = latestYear !== undefined && (year === undefined ? YEAR_ALONE.test(plain) : latestYear < year);
  return inLead && !RETROSPECTIVE.test(plain) && !isEarlier;
}

function yearOf(lead: ReadonlySet<Sentence>): number | undefined {
  return [...lead]
    .filter(({ inHeading }) => !inHeading)
    .slice(0, 3)
    .flatMap(({ plain }) => yearsIn(plain.replaceAll(YEARS_ALONE, "")))[0];
}

function yearsIn(plain: string): readonly number[] {
  return findMatches(YEAR, plain)
    .map(([year]) => Number(year))
    .toSorted((a, b) => a - b);
}

/** Finds the pairs of a sentence that could be the ratio of a reverse split, including bounds of ranges. */
const findRatioCandidates = oncePerSentence((sentence): readonly RatioCandidate[] => {
  if (!(SPLIT_CONTEXT.test(sentence.plain) || SHARE_CONVERSION.test(sentence.plain))) return [];
  const plain = withDigits(sentence).replaceAll(PAR_VALUE, " ").replaceAll(STOP_IN_NAME, "$1");
  const candidates = findPairs(plain).flatMap((pair): RatioCandidate[] => {
    const ratio = ratioOfAmounts(pair.left, pair.right);
    if (!ratio || !isReverseSplit(pair)) return [];
    const { start, end } = pair;
    return [
      { sentence, ratio, before: plain.slice(0, start), after: plain.slice(end), isBound: isBound(pair), start, end },
    ];
  });
  return mergeRepetitions(candidates);
});

/** Merges `one-for-ten (1-for-10)` into one candidate, with the context of both. */
function mergeRepetitions(candidates: readonly RatioCandidate[]): readonly RatioCandidate[] {
  const merged: RatioCandidate[] = [];
  for (const candidate of candidates) {
    const last = merged.at(-1);
    const gap = last?.after.slice(0, candidate.start - last.end) ?? "";
    const isRepetition = last && isSameRatio(last.ratio, candidate.ratio) && REPETITION.test(gap);
    if (!isRepetition) merged.push(candidate);
    else {
      const bracket = candidate.after.startsWith(")") ? 1 : 0;
      merged.splice(-1, 1, {
        ...last,
        after: candidate.after.slice(bracket),
        isBound: last.isBound || candidate.isBound,
        end: candidate.end + bracket,
      });
    }
  }
  return merged;
}

/** Returns the pairs in text order. A later rule doesn't match text that an earlier rule has matched. */
function findPairs(plain: string): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const rule of RATIO_RULES) {
    for (const pair of matchRule(rule, plain)) {
      if (pairs.every(({ start, end }) => pair.end <= start || end <= pair.start)) pairs.push(pair);
    }
  }
  return pairs.toSorted((a, b) => a.start - b.start);
}

function matchRule(rule: RatioRule, plain: string): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const match of findMatches(rule.pattern, plain)) {
    if (pairs.length === MAX_MATCHES) break;
    const { left = "", right = "", between = "" } = match.groups ?? {};
    const [leftAmount, rightAmount] = [parseAmount(left) ?? ONE, parseAmount(right)];
    const end = match.index + match[0].length;
    if (!rightAmount || !isPlausible(leftAmount, rightAmount)) continue;
    const pair = { rule, plain, start: match.index, end, left: leftAmount, right: rightAmount, between };
    if (matchesRuleContext(pair)) pairs.push(pair);
  }
  return pairs;
}

function isPlausible(left: Amount, right: Amount): boolean {
  const [a, b] = [left.numerator / left.denominator, right.numerator / right.denominator];
  return Math.min(a, b) <= MAX_NEW_SHARES && Math.max(a, b) <= MAX_OLD_SHARES;
}

function matchesRuleContext({ rule, plain, start, end, left, right, between }: Pair): boolean {
  const [before, after] = contextOf(plain, start, end);
  if (rule.between?.test(between) === false) return false;
  const needsRatioWord = rule.form === "digits" && !(isOne(left) || isOne(right));
  if (needsRatioWord && !(RATIO_WORD_BEFORE.test(before) || RATIO_WORD_AFTER.test(after))) return false;
  return !rule.notBefore?.test(before) && !rule.notAfter?.test(after);
}

function isOne({ numerator, denominator }: Amount): boolean {
  return numerator === denominator;
}

/** Text before and after a pair. */
function contextOf(plain: string, start: number, end: number): readonly [string, string] {
  return [plain.slice(Math.max(0, start - PAIR_CONTEXT), start), plain.slice(end, end + PAIR_CONTEXT)];
}

/** Whether a pair describes a reduction of the number of shares. */
function isReverseSplit(pair: Pair): boolean {
  const isOutcome = pair.rule.form === "outcome" || (pair.rule.form === "sides" && HOLDING_AFTER.test(pair.plain));
  if (!isOutcome && !SPLIT_CONTEXT.test(pair.plain)) return false;
  return !(isOtherSecurity(pair) || isOtherTransaction(pair) || isForwardSplit(pair) || isDeniedOrIllustrative(pair));
}

function isOtherSecurity({ rule, plain, start, end, between }: Pair): boolean {
  if (rule.form === "digits") {
    const clause = plain.slice(Math.max(0, start - PAIR_CONTEXT), start).replace(CLAUSES_BEFORE, "");
    return OTHER_SECURITY.test(clause) && !contains(REVERSE_WORDS, clause);
  }
  const [tail = ""] = plain
    .slice(end, end + 60)
    .replace(FIGURES, "")
    .slice(0, 45)
    .split(/\d/);
  if (OTHER_SECURITY.test(between.slice(0, 60)) || OTHER_SECURITY.test(tail.slice(0, 25))) return true;
  return isAdsToShares(between, tail) || isAdsToShares(tail, between);
}

/** Whether one side names depositary shares and the other the underlying shares. */
function isAdsToShares(left: string, right: string): boolean {
  return DEPOSITARY.test(left) && UNDERLYING_SHARES.test(right) && !DEPOSITARY.test(right);
}

function isOtherTransaction({ plain, start, end }: Pair): boolean {
  const context = plain.slice(Math.max(0, start - PAIR_CONTEXT), end + PAIR_CONTEXT);
  return OTHER_TRANSACTION.test(context) && !contains(REVERSE_WORDS, context);
}

/** Whether the nearest word for a direction is forward; without one, whether the larger number is first: `20-for-1 split`. */
function isForwardSplit({ plain, start, end, left, right, rule }: Pair): boolean {
  const forwardDistance = distanceTo(FORWARD_WORDS, plain, { start, end });
  const reverseDistance = distanceTo(REVERSE_WORDS, plain, { start, end });
  if (forwardDistance < reverseDistance) return true;
  const isOldFirst = left.numerator * right.denominator > right.numerator * left.denominator;
  if (!isOldFirst || rule.form !== "digits" || reverseDistance < Number.POSITIVE_INFINITY) return false;
  return /\bsplit/i.test(plain) || !/ratio|basis/i.test(plain);
}

/** `for example`, `no plans for a 1-for-20 reverse split`, `every 20, or 10, shares`. */
function isDeniedOrIllustrative({ rule, plain, start, end }: Pair): boolean {
  const [before] = contextOf(plain, start, end);
  if (rule.form !== "digits" && ALTERNATIVE_BEFORE.test(before)) return true;
  return ILLUSTRATIVE.test(plain) || DENIAL_BEFORE.test(before);
}

function isBound({ plain, start, end, between }: Pair): boolean {
  const [before, after] = contextOf(plain, start, end);
  return RANGE_BOUND.test(between) || BOUND_BEFORE.test(before) || BOUND_ACROSS.test(before) || BOUND_AFTER.test(after);
}

/** Distance from a range of the text to the nearest match of `words`, in characters. */
function distanceTo(words: RegExp, plain: string, { start, end }: { start: number; end: number }): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const { 0: word, index } of findMatches(words, plain)) {
    const gap = index >= end ? index - end : Math.max(0, start - index - word.length);
    nearest = Math.min(nearest, gap);
  }
  return nearest;
}
