import type { Fraction, Treatment } from "../domain/article/article.ts";
import {
  CASH_RULES,
  FRACTION,
  HALF_ACTION,
  HALF_RULES,
  NON_ROUNDING_RULES,
  ROUNDING,
  ROUNDING_RULES,
  SMALL_HOLDING_RULE,
  TO_MONEY_AMOUNT,
  TO_WHOLE_SHARE,
} from "./fraction-rules.ts";
import type { Sentence } from "./sentences.ts";
import { findMatches, isNegated, isPastOnly, isPastTense, loosePattern, matchIndexes } from "./text-rule.ts";

/** Other matters whose fractions are not those of the split: events, and contracts with a fraction of their own. */
const OTHER_EVENTS =
  /\bmergers?\b|exchange ratio|rights offering|stock dividend|distribution ratio|forward (?:stock |share )?split|\bcash in lieu of (?:approximately )?\d*\.\d/i;

/** Securities with separate rounding rules. */
const OTHER_SECURITIES =
  /\b(?:options?|contracts?|deliverables?|warrants?|RSUs?|restricted stock units?|exercise prices?|conversion prices?|equity (?:awards?|plans?)|debentures?|convertible notes?)\b/i;

/** Wording for rounding per DTC participant. Tried before `HOLDER`, because it may name holders too. */
const PARTICIPANT = loosePattern(
  `(?:participant|broker|nominee|dtc|depository)(?:'?s'?)?(?: participant)? level|level of (?:the |each )?(?:dtc )?participant|per (?:dtc )?participant|each (?:dtc )?participant`,
);
const ANY_HOLDER =
  "(?:(?:share|stock|unit|ads|adr|etn|etf|note|bond|security)? ?holders?|(?:beneficial )?owners?|investors?|purchasers?)";
const HOLDING_ACTION =
  "(?:who|that|which|otherwise|entitled|(?:would|will|shall|may|must|can)(?! not)|receiv(?:e|es|ed|ing)|hold(?:s|ing)?|owns?|owning|gets?|having|(?:are|is|were|was)(?! not))";
/** A holder who has a fraction, or receives what replaces it. A word about holders in another role isn't enough. */
const HOLDER = loosePattern(
  [
    `(?<![a-z])${ANY_HOLDER}(?: (?:of|with|on|whose)\\b(?:[^.;,]|, ?\\d{4}){0,120}?)?,? ${HOLDING_ACTION}(?![a-z])`,
    `(?:each|any|such) (?:[a-z]+ )?${ANY_HOLDER}(?!'|[a-z])`,
    `${ANY_HOLDER}'s? (?:[a-z]+ ){0,2}(?:fraction|partial|account)`,
    `(?:pay|paid|payable|payout|distribut[a-z]+|remit[a-z]*|sen[dt]|credit[a-z]*|deliver[a-z]*|pass(?:ed)?|forward(?:ed)?)(?: [^.;,]{0,60}?)? to (?:the |all |its |those ){0,2}(?:[a-z]+ )?${ANY_HOLDER}(?!'|[a-z])`,
    `(?:per|by|at the|on a) (?:[a-z]+ )?(?:${ANY_HOLDER}|account)(?: level)?(?![a-z])`,
    "(?:holder|owner|account) level",
  ].join("|"),
);

/** Treatment of fractional shares. `contradictory`: two sentences state different treatments, so neither is accepted. */
export interface FractionResult {
  readonly fraction: Fraction | null;
  /** The sentence that says whether fractions are rounded per participant or per holder. */
  readonly levelSentence: string | null;
  readonly contradictory: boolean;
}

/** One statement about fractional shares in one sentence. */
interface FractionCandidate {
  readonly sentence: Sentence;
  readonly treatment: Treatment;
  /** An aside such as `except for the rounding up of fractions` counts only if there is no direct statement. */
  readonly isAside: boolean;
}

/** Start of a sentence that continues the previous one. */
const CONTINUATION =
  /^(?:no, )?(?:instead|therefore|thus|accordingly|as a result|in lieu|rather|in place|such|these|those|any such|this|it|they|the (?:net )?(?:cash |sales? )?proceeds|each|all|holders|stockholders|shareholders|any (?:share|stock)?holder|the company will|we will|registered|beneficial)\b/i;

/** Marks a sentence about the shares themselves, even if it also names other securities. */
const ABOUT_SHARES =
  /(?:share|stock)holder|^(?:all |any )?(?:resulting )?fractional (?:common |ordinary )?shares?(?: resulting from the (?!exercise|conversion|vesting)[a-z ]{3,40})? (?:will|shall|would) be (?:rounded|paid|settled|redeemed|cancel)/i;
/** Refers to an earlier split: `in the split of 2023`. */
const NAMES_YEAR = /\b(?:in|of|since) (?:\w+ )?(?:19|20)\d\d\b/i;
/** Text before a payment that is replaced or excluded: `in lieu of cash`, `without any payment in cash`. */
const INSTEAD_OF =
  /(?:in lieu of|instead of|rather than|in place of|without)(?: (?:any|a|the|paying|receiving|making|payments?|of|in))* ?$/i;

/** A payment that is denied after its noun: `cash will not be paid`. */
const NOT_PAID_AFTER = /^(?:cash|payments?)(?: payments?)? (?:will|shall|would|is|are) (?:not|never)\b/i;

/** Length of the text that the rounding rules read, from the start of the rounding word, in characters. */
const ROUNDING_CONTEXT = 160;

const NO_FRACTION: FractionResult = { fraction: null, levelSentence: null, contradictory: false };

/**
 * Finds the treatment of fractional shares in the sentences of one release. Sentences in the past tense describe an earlier
 * split, unless the announced split is itself completed.
 */
export function findFraction(sentences: readonly Sentence[], isCompleted: boolean): FractionResult {
  const fractionSentences = selectFractionSentences(sentences);
  const currentCandidates = fractionSentences.flatMap((sentence) => findCandidates(sentence, { allowPast: false }));
  const usePast = isCompleted && currentCandidates.length === 0;
  const allCandidates = usePast
    ? fractionSentences.flatMap((sentence) => findCandidates(sentence, { allowPast: true }))
    : currentCandidates;
  const directCandidates = allCandidates.filter(({ isAside }) => !isAside);
  const candidates = directCandidates.length > 0 ? directCandidates : allCandidates;
  const [treatment, ...otherTreatments] = distinctTreatments(candidates);
  if (otherTreatments.length > 0) return { ...NO_FRACTION, contradictory: true };
  const first = candidates.find((candidate) => candidate.treatment === treatment);
  if (!first) return NO_FRACTION;
  const level = findLevel(fractionSentences, candidates);
  return {
    fraction: { treatment: first.treatment, level: level?.level ?? null, sentence: first.sentence.verbatim },
    levelSentence: level?.sentence.verbatim ?? null,
    contradictory: false,
  };
}

/**
 * Cash in lieu implies rounding down. A release that rounds up accounts at a broker and pays the other holders counts as cash in
 * lieu.
 */
function distinctTreatments(candidates: readonly FractionCandidate[]): readonly Treatment[] {
  const treatments = [...new Set(candidates.map(({ treatment }) => treatment))];
  if (!treatments.includes("cash_in_lieu")) return treatments;
  return treatments.filter((treatment) => treatment !== "round_down" && treatment !== "round_up");
}

/** Selects sentences about fractions, sentences that continue them, and sentences about rounding to whole shares. */
function selectFractionSentences(sentences: readonly Sentence[]): readonly Sentence[] {
  let isContinuation = false;
  return sentences.filter(({ plain }) => {
    isContinuation = FRACTION.test(plain) || (isContinuation && CONTINUATION.test(plain));
    return (isContinuation || roundsToWholeShares(plain)) && !isOtherMatter(plain);
  });
}

function roundsToWholeShares(plain: string): boolean {
  if (matchIndexes(SMALL_HOLDING_RULE, plain).length > 0) return true;
  return roundingPhrases(plain).some(({ phrase }) => TO_WHOLE_SHARE.test(phrase));
}

function isOtherMatter(plain: string): boolean {
  if (OTHER_EVENTS.test(plain)) return true;
  return OTHER_SECURITIES.test(plain) && !ABOUT_SHARES.test(plain);
}

function findCandidates(
  sentence: Sentence,
  { allowPast }: { readonly allowPast: boolean },
): readonly FractionCandidate[] {
  const { plain } = sentence;
  if (allowPast ? NAMES_YEAR.test(plain) : isPastOnly(plain)) return [];
  const isExcluded: IndexTest = (at) => isNegated(plain, at) || (!allowPast && isPastTense(plain, at));
  const toCandidate = (treatment: Treatment): FractionCandidate => ({ sentence, treatment, isAside: false });
  const cashCandidates = paysCash(plain, isExcluded) ? [toCandidate("cash_in_lieu")] : [];
  if (HALF_ACTION.test(plain) && HALF_RULES.some(({ pattern }) => pattern.test(plain))) {
    return [toCandidate("round_nearest"), ...cashCandidates];
  }
  const matchingRules = NON_ROUNDING_RULES.filter((rule) =>
    matchIndexes(rule, plain).some((at) => !isNegated(plain, at)),
  );
  const candidates = [
    ...findRoundings(sentence, isExcluded),
    ...matchingRules.map(({ category }) => toCandidate(category)),
    ...cashCandidates,
  ];
  if (CHOICE.test(plain) && candidates.some(({ treatment }) => treatment !== candidates[0]?.treatment)) return [];
  return OF_LESS_THAN_A_SHARE.test(plain) ? candidates.map((one) => ({ ...one, isAside: true })) : candidates;
}

/** Marks treatments of which the company will choose one. */
const CHOICE =
  /\beither\b[^.;]{0,160}\bor\b|\bor,? (?:at|in) (?:the|its|our) (?:[\w']+ ){0,3}(?:option|discretion|election)\b/i;
/** Exception for holders who would have no whole share. */
const OF_LESS_THAN_A_SHARE =
  /\bholders?\b[^.;]{0,80}\b(?:less|fewer) than (?:one|1|a)(?: \(1\))? (?:whole |full |new |post[\w-]* )?(?:share|ads|unit)\b/i;

type IndexTest = (at: number) => boolean;

function findRoundings(sentence: Sentence, isExcluded: IndexTest): readonly FractionCandidate[] {
  return roundingPhrases(sentence.plain).flatMap(({ at, phrase }) => {
    if (isExcluded(at)) return [];
    const treatment = classifyRounding(phrase);
    const isAside = /^rounding/i.test(phrase);
    // Releases that round up also say `the rounding of shares to the nearest whole share`.
    if (!treatment || (isAside && treatment === "round_nearest")) return [];
    return [{ sentence, treatment, isAside }];
  });
}

/** Texts that start with a rounding word. */
function roundingPhrases(plain: string): readonly { readonly at: number; readonly phrase: string }[] {
  return findMatches(ROUNDING, plain).map(({ index: at }) => ({
    at,
    phrase: plain.slice(at, at + ROUNDING_CONTEXT),
  }));
}

/** Returns undefined for an amount of money and for a rounding without a direction. */
function classifyRounding(phrase: string): Treatment | undefined {
  const treatment = ROUNDING_RULES.find(({ pattern }) => pattern.test(phrase))?.category;
  const isNotOfShares = TO_MONEY_AMOUNT.test(phrase) || treatment === "round_nearest";
  return isNotOfShares && !TO_WHOLE_SHARE.test(phrase) ? undefined : treatment;
}

function paysCash(plain: string, isExcluded: IndexTest): boolean {
  return CASH_RULES.some((rule) =>
    matchIndexes(rule, plain).some(
      (at) =>
        !isExcluded(at) &&
        !NOT_PAID_AFTER.test(plain.slice(at, at + 60)) &&
        !INSTEAD_OF.test(plain.slice(Math.max(0, at - 50), at)),
    ),
  );
}

interface LevelResult {
  readonly level: NonNullable<Fraction["level"]>;
  readonly sentence: Sentence;
}

/** Finds `per participant` in any sentence about fractions, else `per holder` in a sentence that states the treatment. */
function findLevel(
  fractionSentences: readonly Sentence[],
  candidates: readonly FractionCandidate[],
): LevelResult | undefined {
  const participant = fractionSentences.find(({ plain }) => isAsserted(PARTICIPANT, plain));
  if (participant) return { level: "participant", sentence: participant };
  const holder = candidates.find(({ isAside, sentence }) => !isAside && isAsserted(HOLDER, sentence.plain));
  return holder && { level: "holder", sentence: holder.sentence };
}

function isAsserted(pattern: RegExp, plain: string): boolean {
  const at = plain.search(pattern);
  return at >= 0 && !isNegated(plain, at);
}
