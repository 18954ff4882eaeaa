import { isSameRatio, type Ratio } from "../domain/split/ratio.ts";
import { AMOUNT_PATTERN, type Amount, parseAmount, ratioOfAmounts, withDigits } from "./number-words.ts";
import { agreedRatio, findRatio, NO_RATIO, type RatioResult } from "./ratio.ts";
import { DEPOSITARY } from "./ratio-rules.ts";
import { oncePerSentence, type Sentence } from "./sentences.ts";
import { findMatches, type TextRule } from "./text-rule.ts";

/** Number of shares that one depositary share represents, as one sentence states it. */
interface UnderlyingCount {
  readonly sentence: Sentence;
  readonly shares: Amount;
  /** Position in the text that `textOf` returns. */
  readonly start: number;
  readonly end: number;
  /** Whether the count applies before or after the change; undefined if the text doesn't say. */
  readonly phase: "old" | "new" | undefined;
}

/** Maximum number of matches read from one sentence. Real sentences contain two. */
const MAX_MATCHES = 10;

const ADS =
  "(?:(?:new |existing |current |old )?(?:American |global )?(?:depositary (?:shares?|receipts?)|ADSs?|ADRs?|GDSs?|GDRs?))";
const COUNT = String.raw`(?:\d{1,20}\/\d{1,20}|${AMOUNT_PATTERN})`;
const NUMBER = String.raw`${COUNT}(?![\d:%/]|[.,]\d)`;
/** Definition in brackets after the name: `("ADSs")`. */
const DEFINED_TERM = String.raw`(?: ?\([^()]{0,40}\))?`;
const SHARES =
  "(?:of (?:an? |its |the company's )?)?(?:(?:new|existing|fully|paid|underlying|deposited|company's|class [a-z]|series [a-z]|h|a|b|of|the|its)[ -]){0,4}(?:ordinary|common|underlying|deposited|equity|h|class [a-z]|preferred)?[ -]?shares?";

/** Confirms that a number counts shares: `shares`, a comparison or the end of the clause follows. */
const OF_SHARES = `(?:(?<noun>(?: of (?:1|an?))? ?${SHARES})|(?=[.,;)]| to | and | of (?:them|these|those)| \\(|,? (?:instead|rather|in place|in lieu|no longer|up from)|$))`;

/** Wordings for the number of shares that depositary shares represent. Groups: `shares`, and `ads`, by default 1. */
export const UNDERLYING_RULES: readonly TextRule[] = [
  {
    name: "one ADS representing 5 shares",
    pattern: new RegExp(
      `(?:(?<ads>${NUMBER}) )?${ADS}${DEFINED_TERM},?(?: (?:will|shall|which|that|currently|each|now|instead|henceforth|today|presently|then|previously|formerly|thereafter))* ?(?:represent(?:s|ed by|ed|ing)?|equals?|equal to|evidenc(?:es|ing)|stands? for|corresponds? to|being|(?:is|be)(?= ${NUMBER} ${SHARES})) (?:the right to receive |an interest in |be )?(?<shares>${NUMBER})${OF_SHARES}`,
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

const OF_RATIO = "(?:(?:the|an?|its|current|existing|present|old|previous|new|revised|ads|adr|ratio|of) ){0,6}";
const OLD_PAIR = `(?:(?<oldLeft>${COUNT}) ?(?::|-to-|to|-for-) ?)?(?<oldRight>${NUMBER})(?: ${SHARES})?`;
const NEW_PAIR = `(?:(?<newLeft>${COUNT}) ?(?::|-to-|to|-for-) ?)?(?<newRight>${NUMBER})`;
const NOT_MONEY = "(?! ?(?:million|billion|percent))";

/** Changes in a sentence about shares per depositary share: `from 1:5 to 1:25`, `from 5 to 25`, `to 25, up from 5`. */
const FROM_TO_RULES: readonly RegExp[] = [
  new RegExp(String.raw`\bfrom ${OF_RATIO}${OLD_PAIR},? to ${OF_RATIO}${NEW_PAIR}${NOT_MONEY}`, "gi"),
  new RegExp(
    String.raw`\bto ${OF_RATIO}${NEW_PAIR}(?: ${SHARES})?,? (?:up )?from ${OF_RATIO}${OLD_PAIR}${NOT_MONEY}`,
    "gi",
  ),
];

/** Words before a number of shares that is replaced. */
const REPLACED =
  "(?:instead of|rather than|in place of|in lieu of|no longer|up from|replac(?:es|ing)|compared (?:with|to)|versus)";
/** Old number of shares beside the new one of the same sentence: `instead of 5`, `(currently: 5)`. */
const OLD_COUNT = new RegExp(
  String.raw`\b(?:${REPLACED}|currently|presently|previously|formerly|today|until now)[ :(]{1,3}(?:(?:representing|the|its|current|existing|previous|former|present|old|number|ratio|of|a) ){0,6}(?<shares>${NUMBER})(?=,? ?${SHARES}|[.,;)]| of | to | and | today| currently| at present|$)`,
  "gi",
);
/** New number of shares beside the old one of the same sentence: `, will represent 25`. */
const NEW_COUNT = new RegExp(
  String.raw`\b(?:will|shall) (?:(?:then|instead|henceforth|thereafter|each|now) ){0,2}(?:represent|stand for|correspond to|evidence) (?<shares>${NUMBER})${OF_SHARES}`,
  "gi",
);

/** A number of shares with its ratio in figures: `four (1-4)`, `4 ordinary shares (1:4)`. */
const WITH_FIGURES = new RegExp(
  String.raw`(?<![\d.,])(?<count>${AMOUNT_PATTERN})(?<words>(?: [a-z'-]{1,20}){0,5}) ?\( ?(?<left>${AMOUNT_PATTERN}) ?(?:[-:]|-?(?:to|for)-?) ?(?<right>${AMOUNT_PATTERN}) ?\)`,
  "gi",
);
const PER_ADS =
  /(?:ads|adr|gds|depositary)[^.;]{0,60}ratio|ratio[^.;]{0,80}(?:ads|adr|gds|depositary)|shares? (?:represented by|per|underlying|behind|for) (?:each |every |one |1 |an? )?(?:ads|adr|gds|american depositary)|(?:ads|adr|depositary)[^.;]{0,40}represent/i;

/** `the ratio of ordinary shares to ADSs`, which states the shares first. */
const SHARES_FIRST =
  /(?:ordinary|common|class [ab])[- ]shares?[- ](?:to|per|:)[- ](?:each |one |1 )?(?:ads|adr|gds|american)/i;

const CHANGE =
  /\b(?:chang\w*|adjust\w*|from|new ratio|ratio chang\w*|will (?:then )?represent|revis\w*|increas\w*|amend\w*|modif\w*|becom\w*|rise\w*|rais\w*|mov\w*|replac\w*|instead of|rather than|in (?:place|lieu) of|no longer)\b/i;
const OLD_BEFORE =
  /\b(?:from|current(?:ly)?|existing|old|previous(?:ly)?|prior|former|present(?:ly)?|today)\b[^.;\d]{0,60}$/i;
const REPLACED_BEFORE = new RegExp(String.raw`\b(?:${REPLACED}|until now|so far|to date)\b[^.;\d]{0,30}$`, "i");
const OLD_WITHIN = /\b(?:currently|presently|existing|current|old|previously|formerly|represented(?! by))\b/i;
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
export function findAdsRatio(sentences: readonly Sentence[]): RatioResult {
  const adsSentences = sentences.filter(({ plain }) => DEPOSITARY.test(plain));
  if (adsSentences.length === 0) return NO_RATIO;
  const changesWithinSentence = adsSentences.flatMap(findChange);
  const countChanges =
    changesWithinSentence.length > 0
      ? changesWithinSentence
      : findChangeAcross(adsSentences.flatMap(findUnderlyingCounts));
  const changes = countChanges.length > 0 ? countChanges : adsSentences.flatMap(findAdsExchange);
  if (changes.some(({ ratio }) => ratio === null)) return NO_RATIO;
  const statedRatio = findRatio(
    sentences.filter(({ plain }) => DEPOSITARY.test(plain) || /reverse/i.test(plain)).map(withoutCounts),
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

/** Text of a sentence with all numbers as digits and without the figures that repeat them. */
const textOf = oncePerSentence((sentence) =>
  withDigits(sentence).replaceAll(WITH_FIGURES, (all, ...args) => {
    const { count, words, left, right } = args.at(-1) as Readonly<Record<string, string>>;
    return count === left || count === right ? `${count}${words}` : all;
  }),
);

/** The sentence without the shares per depositary share, which are not the ratio of the split. */
function withoutCounts(sentence: Sentence): Sentence {
  if (!DEPOSITARY.test(sentence.plain)) return sentence;
  const text = textOf(sentence);
  const counts = findUnderlyingCounts(sentence);
  const fromTo = PER_ADS.test(sentence.plain) ? findFromToMatches(text).map(rangeOf) : [];
  const ranges = [...counts, ...fromTo.filter((range) => !counts.some((count) => overlaps(range, count)))];
  let plain = text;
  for (const { start, end } of ranges.toSorted((a, b) => b.start - a.start))
    plain = `${plain.slice(0, start)}; ${plain.slice(end)}`;
  return { ...sentence, plain };
}

/** Change within one sentence. */
function findChange(sentence: Sentence): readonly Change[] {
  if (!CHANGE.test(sentence.plain)) return [];
  const [first, second] = findUnderlyingCounts(sentence);
  if (first && second) {
    const isSwapped =
      first.phase !== second.phase && (first.phase === "new" || (first.phase !== "old" && second.phase === "old"));
    return changeOf(sentence, isSwapped ? [second.shares, first.shares] : [first.shares, second.shares]);
  }
  const change = first && findComparedCount(first);
  if (change) return changeOf(sentence, change);
  return PER_ADS.test(sentence.plain) ? findFromTo(sentence) : [];
}

/** Finds the number with which a sentence compares its only count: `each ADS will represent 25 shares instead of 5`. */
function findComparedCount(count: UnderlyingCount): readonly [Amount, Amount] | undefined {
  const text = textOf(count.sentence);
  const amountIn = (pattern: RegExp): Amount | undefined => {
    const match = findMatches(pattern, text, MAX_MATCHES).find((found) => !overlaps(rangeOf(found), count));
    const { shares = "" } = match?.groups ?? {};
    return parseAmount(shares);
  };
  const before = count.phase === "old" ? undefined : amountIn(OLD_COUNT);
  if (before) return [before, count.shares];
  const after = count.phase === "new" ? undefined : amountIn(NEW_COUNT);
  return after && [count.shares, after];
}

function findFromTo(sentence: Sentence): readonly Change[] {
  const text = textOf(sentence);
  const isSwapped = SHARES_FIRST.test(text);
  for (const { groups = {} } of findFromToMatches(text)) {
    const { oldLeft = "1", oldRight, newLeft = "1", newRight } = groups;
    const before = isSwapped && groups.oldLeft ? perAds(oldLeft, oldRight) : perAds(oldRight, oldLeft);
    const after = isSwapped && groups.newLeft ? perAds(newLeft, newRight) : perAds(newRight, newLeft);
    if (before && after) return changeOf(sentence, [before, after]);
  }
  return [];
}

/** Matches of the first rule that matches the text. */
function findFromToMatches(text: string): readonly RegExpExecArray[] {
  const [fromTo, toFrom] = FROM_TO_RULES.map((pattern) => findMatches(pattern, text, MAX_MATCHES));
  return (fromTo?.length ? fromTo : toFrom) ?? [];
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

/** Returns the counts in text order. Of matches that overlap, the first in the text counts. */
const findUnderlyingCounts = oncePerSentence((sentence): readonly UnderlyingCount[] => {
  const text = textOf(sentence);
  const counts: UnderlyingCount[] = [];
  for (const match of findInTextOrder(UNDERLYING_RULES, text)) {
    const range = rangeOf(match);
    const { shares, ads, noun = "" } = match.groups ?? {};
    const count = perAds(shares, ads);
    if (count === undefined || counts.some((earlier) => overlaps(earlier, range))) continue;
    const before = text.slice(Math.max(0, range.start - 80), range.start);
    counts.push({
      sentence,
      shares: count,
      phase: phaseOf(match[0].slice(0, match[0].length - noun.length), before),
      ...range,
    });
  }
  return counts;
});

function findInTextOrder(rules: readonly TextRule[], text: string): readonly RegExpExecArray[] {
  return rules
    .flatMap(({ pattern }) => findMatches(pattern, text, MAX_MATCHES))
    .toSorted((a, b) => a.index - b.index || b[0].length - a[0].length);
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

function rangeOf({ 0: { length }, index }: RegExpExecArray): TextRange {
  return { start: index, end: index + length };
}

function overlaps(a: TextRange, b: TextRange): boolean {
  return a.start < b.end && b.start < a.end;
}

function phaseOf(text: string, before: string): UnderlyingCount["phase"] {
  if (OLD_WITHIN.test(text) || REPLACED_BEFORE.test(before)) return "old";
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

/** A statement that a split of the shares doesn't change the depositary shares, whose ratio changes with it. */
const ADS_UNCHANGED =
  /\b(?:number of (?:the |its |our )?(?:outstanding |issued )?(?:ADSs?|ADRs?|American depositary (?:shares?|receipts?))|(?:ADSs|ADRs|ADS holders|holders of ADSs|American depositary (?:shares|receipts)))(?: outstanding)? (?:will|would|shall|do|does|are|is)(?: therefore| thus| accordingly)? (?:not (?:change|be (?:changed|affected|impacted|adjusted))|remain (?:unchanged|the same|unaffected)|be unaffected|unaffected|unchanged|not affected)/i;

export function leavesAdsUnchanged(sentences: readonly Sentence[]): boolean {
  return sentences.some(({ plain }) => ADS_UNCHANGED.test(plain));
}
