import { isSameRatio, type Ratio } from "../domain/split/ratio.ts";
import type { Steps } from "../lib/steps.ts";
import { AMOUNT_PATTERN, type Amount, parseAmount, ratioOfAmounts, withDigits } from "./number-words.ts";
import { agreedRatio, findRatio, NO_RATIO, type RatioResult } from "./ratio.ts";
import { DEPOSITARY } from "./ratio-rules.ts";
import type { Sentence } from "./sentences.ts";
import { flatMapInSteps } from "./steps.ts";
import { findMatches, type TextRule } from "./text-rule.ts";

/** Number of shares that one depositary share represents, as one sentence states it. */
interface UnderlyingCount {
  readonly sentence: Sentence;
  readonly shares: Amount;
  /** Whether the count applies before or after the change; undefined if the text doesn't say. */
  readonly phase: "old" | "new" | undefined;
}

/** Maximum number of matches read from one sentence. Real sentences contain two. */
const MAX_MATCHES = 10;

const ADS =
  "(?:(?:new |existing |current |old )?(?:American |global )?(?:depositary (?:shares?|receipts?)|ADSs?|ADRs?|GDSs?|GDRs?))";
const COUNT = String.raw`(?:\d+\/\d+|${AMOUNT_PATTERN})`;
const NUMBER = String.raw`${COUNT}(?![\d:%/]|[.,]\d)`;
/** Definition in brackets after the name: `("ADSs")`. */
const DEFINED_TERM = String.raw`(?: ?\([^()]{0,40}\))?`;
const SHARES =
  "(?:of (?:an? |its |the company's )?)?(?:(?:new|existing|fully|paid|underlying|deposited|company's|class [a-z]|series [a-z]|h|a|b|of|the|its)[ -]){0,4}(?:ordinary|common|underlying|deposited|equity|h|class [a-z]|preferred)?[ -]?shares?";

/** Confirms that a number counts shares: `shares` or the end of the clause follows. */
const OF_SHARES = `(?=(?: of (?:1|an?))? ?${SHARES}|[.,;)]| to | and |$)`;

/** Wordings for the number of shares that depositary shares represent. Groups: `shares`, and `ads`, by default 1. */
export const UNDERLYING_RULES: readonly TextRule[] = [
  {
    name: "one ADS representing 5 shares",
    pattern: new RegExp(
      `(?:(?<ads>${NUMBER}) )?${ADS}${DEFINED_TERM},?(?: (?:will|shall|which|that|currently|each|now|instead|henceforth))* ?(?:represent(?:s|ing|ed by)?|equals?|equal to|evidenc(?:es|ing)|being) (?:the right to receive |an interest in |be )?(?<shares>${NUMBER})${OF_SHARES}`,
      "gi",
    ),
    example: "13 ADSs representing 10 ordinary shares",
  },
  {
    name: "1 ADS to 5 shares",
    pattern: new RegExp(
      `(?<ads>${NUMBER}) ${ADS}${DEFINED_TERM} ?(?:to|for|per|=|:) ?(?<shares>${NUMBER})${OF_SHARES}`,
      "gi",
    ),
    example: "1 ADS = 15 shares",
  },
  {
    name: "5 shares per ADS",
    pattern: new RegExp(
      `(?<shares>${NUMBER}) ${SHARES}(?: (?:to|per|for|=|represented by|equal to|underlying) (?:each |every |an? )?)(?:(?<ads>${NUMBER}) )?${ADS}`,
      "gi",
    ),
    example: "from 10 ordinary shares per ADS",
  },
];

/** Wordings for the exchange of old depositary shares for new ones. Groups: `before` and `after`. */
export const ADS_EXCHANGE_RULES: readonly TextRule[] = [
  {
    name: "every 10 ADSs for 1 new ADS",
    pattern: new RegExp(
      String.raw`\b(?:every|each) (?<before>${NUMBER}) ${ADS}${DEFINED_TERM}[^.;\d]{0,80}? (?:for|into) (?<after>${NUMBER}) ${ADS}`,
      "gi",
    ),
    example: "exchange every 10 existing ADSs then held for 1 new ADS",
  },
  {
    name: "1 new ADS for every 10 ADSs",
    pattern: new RegExp(
      String.raw`(?<after>${NUMBER}) ${ADS}${DEFINED_TERM}[^.;\d]{0,40}? for (?:every|each) (?<before>${NUMBER}) ${ADS}`,
      "gi",
    ),
    example: "receive 1 new ADS in exchange for every 10 ADSs",
  },
];

/** `from 1:5 to 1:25`, `from 5 to 25`, in a sentence about shares per depositary share. */
const FROM_TO = new RegExp(
  String.raw`\bfrom (?:the (?:current |existing )?(?:ratio of )?|a (?:ratio of )?)?(?:(?<oldLeft>${COUNT}) ?(?::|-to-|to|-for-) ?)?(?<oldRight>${NUMBER})(?: ${SHARES})?,? to (?:the new (?:ratio of )?|a (?:new )?(?:ratio of )?)?(?:(?<newLeft>${COUNT}) ?(?::|-to-|to|-for-) ?)?(?<newRight>${NUMBER})(?! ?(?:million|billion|percent))`,
  "gi",
);
const PER_ADS =
  /(?:ads|adr|gds|depositary)[^.;]{0,60}ratio|ratio[^.;]{0,80}(?:ads|adr|gds|depositary)|shares? (?:represented by|per|underlying|behind|for) (?:each |every |one |1 |an? )?(?:ads|adr|gds|american depositary)|(?:ads|adr|depositary)[^.;]{0,40}represent/i;

/** `the ratio of ordinary shares to ADSs`, which states the shares first. */
const SHARES_FIRST =
  /(?:ordinary|common|class [ab])[- ]shares?[- ](?:to|per|:)[- ](?:each |one |1 )?(?:ads|adr|gds|american)/i;

const CHANGE =
  /\b(?:chang\w*|adjust\w*|from|new ratio|ratio chang\w*|will (?:then )?represent|revis\w*|increas\w*|amend\w*|modif\w*)\b/i;
const OLD_BEFORE =
  /\b(?:from|current(?:ly)?|existing|old|previous(?:ly)?|prior|former|present(?:ly)?|today)\b[^.;\d]{0,60}$/i;
const OLD_WITHIN = /\b(?:currently|presently|existing|current|old)\b/i;
const NEW_BEFORE = /\b(?:to|new|revised|will|after|following|upon|thereafter|now|becomes?)\b[^.;\d]{0,60}$/i;
const NEW_WITHIN = /\b(?:will|shall|new|henceforth)\b/i;

/** A stated ratio with at least this many new shares had decimals: `3.33 old for one new` is 100-for-333. */
const MIN_DECIMAL_NEW_SHARES = 20;
/** Maximum relative difference between an exact ratio and the rounded ratio that the text states. */
const MAX_ROUNDING_ERROR = 0.002;

const ONE: Amount = { numerator: 1, denominator: 1 };

/** Change of the number of shares per depositary share. The ratio is null if the number of depositary shares increases. */
interface Change {
  readonly sentence: Sentence;
  readonly ratio: Ratio | null;
}

/**
 * Returns the ratio of the reverse split that is equivalent to a change of the shares per depositary share: from 1 to 5
 * shares is 1-for-5. A change to fewer shares has no ratio.
 */
export function* findAdsRatio(sentences: readonly Sentence[]): Steps<RatioResult> {
  const adsSentences = sentences.filter(({ plain }) => DEPOSITARY.test(plain));
  if (adsSentences.length === 0) return NO_RATIO;
  const changesWithinSentence = yield* flatMapInSteps(adsSentences, findChange);
  const countChanges =
    changesWithinSentence.length > 0
      ? changesWithinSentence
      : findChangeAcross(yield* flatMapInSteps(adsSentences, findUnderlyingCounts));
  const changes = countChanges.length > 0 ? countChanges : yield* flatMapInSteps(adsSentences, findAdsExchange);
  if (changes.some(({ ratio }) => ratio === null)) return NO_RATIO;
  const statedRatio = yield* findRatio(
    sentences.filter(({ plain }) => DEPOSITARY.test(plain) || /reverse/i.test(plain)),
  );
  if (statedRatio.contradictory) return statedRatio;
  const exactRatios = isRounded(statedRatio, changes) ? [] : [statedRatio];
  return agreedRatio(
    [...changes, ...exactRatios].flatMap(({ ratio, sentence }) => (ratio && sentence ? [{ ratio, sentence }] : [])),
  );
}

/** Whether a sentence states a change that increases the number of depositary shares. */
export function increasesAdsCount(sentence: Sentence): boolean {
  if (!DEPOSITARY.test(sentence.plain)) return false;
  return [...findChange(sentence), ...findAdsExchange(sentence)].some(({ ratio }) => ratio === null);
}

/** Whether the stated ratio is the exact one, rounded: `3.333333 old for one new` for ten to three. */
function isRounded({ ratio }: RatioResult, changes: readonly Change[]): boolean {
  const [exact] = changes;
  if (!ratio || !exact?.ratio || isSameRatio(ratio, exact.ratio)) return false;
  const quotient = (ratio.newShares / ratio.oldShares) * (exact.ratio.oldShares / exact.ratio.newShares);
  return ratio.newShares >= MIN_DECIMAL_NEW_SHARES && Math.abs(quotient - 1) < MAX_ROUNDING_ERROR;
}

/** Change within one sentence. */
function findChange(sentence: Sentence): readonly Change[] {
  if (!CHANGE.test(sentence.plain)) return [];
  const [first, second] = findUnderlyingCounts(sentence);
  if (first && second) {
    const isSwapped = first.phase === "new" && second.phase === "old";
    return changeOf(sentence, isSwapped ? [second.shares, first.shares] : [first.shares, second.shares]);
  }
  return PER_ADS.test(sentence.plain) ? findFromTo(sentence) : [];
}

function findFromTo(sentence: Sentence): readonly Change[] {
  const plain = withDigits(sentence);
  const isSwapped = SHARES_FIRST.test(plain);
  for (const { groups = {} } of findMatches(FROM_TO, plain)) {
    const { oldLeft = "1", oldRight, newLeft = "1", newRight } = groups;
    const before = isSwapped && groups.oldLeft ? perAds(oldLeft, oldRight) : perAds(oldRight, oldLeft);
    const after = isSwapped && groups.newLeft ? perAds(newLeft, newRight) : perAds(newRight, newLeft);
    if (before && after) return changeOf(sentence, [before, after]);
  }
  return [];
}

/** Change across two sentences: `Each ADS currently represents …`, `Each ADS will represent …`. */
function findChangeAcross(counts: readonly UnderlyingCount[]): readonly Change[] {
  const before = counts.find(({ phase }) => phase === "old");
  const after = counts.find(({ phase }) => phase === "new");
  return before && after ? changeOf(after.sentence, [before.shares, after.shares]) : [];
}

/** `every ten existing ADSs will be exchanged for one new ADS`. */
function findAdsExchange(sentence: Sentence): readonly Change[] {
  const plain = withDigits(sentence);
  return ADS_EXCHANGE_RULES.flatMap(({ pattern }) =>
    findMatches(pattern, plain, MAX_MATCHES).flatMap(({ groups: { before = "", after = "" } = {} }) => {
      const [oldAds, newAds] = [parseAmount(before), parseAmount(after)];
      return oldAds && newAds ? changeOf(sentence, [newAds, oldAds]) : [];
    }),
  );
}

function changeOf(sentence: Sentence, [before, after]: readonly [Amount, Amount]): readonly Change[] {
  const ratio = ratioOfAmounts(before, after);
  if (!ratio) return [];
  const isReverse = after.numerator * before.denominator > before.numerator * after.denominator;
  return [{ sentence, ratio: isReverse ? ratio : null }];
}

/** Returns the counts in text order. A later rule doesn't match text that an earlier rule has matched. */
function findUnderlyingCounts(sentence: Sentence): readonly UnderlyingCount[] {
  const plain = withDigits(sentence);
  const matches: RegExpExecArray[] = [];
  for (const { pattern } of UNDERLYING_RULES) {
    const ruleMatches = findMatches(pattern, plain, MAX_MATCHES);
    matches.push(...ruleMatches.filter((match) => matches.every((earlier) => !overlaps(match, earlier))));
  }
  return matches
    .toSorted((a, b) => a.index - b.index)
    .flatMap(({ 0: text, index, groups: { shares, ads } = {} }) => {
      const count = perAds(shares, ads);
      const before = plain.slice(Math.max(0, index - 80), index);
      return count ? [{ sentence, shares: count, phase: phaseOf(text, before) }] : [];
    });
}

function overlaps(a: RegExpExecArray, b: RegExpExecArray): boolean {
  return a.index < b.index + b[0].length && b.index < a.index + a[0].length;
}

function phaseOf(text: string, before: string): UnderlyingCount["phase"] {
  if (OLD_WITHIN.test(text)) return "old";
  if (NEW_WITHIN.test(text)) return "new";
  if (OLD_BEFORE.test(before) && !NEW_BEFORE.test(before)) return "old";
  return NEW_BEFORE.test(before) ? "new" : undefined;
}

/** Shares per depositary share; `ads` is 1 by default. */
function perAds(shares: string | undefined, ads: string | undefined): Amount | undefined {
  const [left, right] = [parseAmount(shares ?? ""), ads ? parseAmount(ads) : ONE];
  return (
    left && right && { numerator: left.numerator * right.denominator, denominator: left.denominator * right.numerator }
  );
}
