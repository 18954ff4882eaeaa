import type { Fraction, Treatment } from "../domain/article/article.ts";
import type { Sentence } from "./sentences.ts";
import {
  type Classified,
  findMatches,
  isNegated,
  isPastOnly,
  isPastTense,
  loosePattern,
  matchIndexes,
  type NounRule,
  type TextRule,
} from "./text-rule.ts";

/** Names a fraction of a share. */
const FRACTION =
  /fraction|\bpartials\b|\bpartial (?:etns?|etfs?|ads|shares?|units?|securit|holding|amount|entitlement)|\bodd (?:number|lots?)\b|\bnot (?:be )?(?:an? )?(?:exact |whole |integral |even )?multiple of\b|\bremainder\b|\b(?:fewer|less) than [a-z\d-]+ (?:[a-z-]+ )?(?:shares|units|adss)\b|\b(?:not|n't) (?:be )?(?:evenly )?divisible\b|\bless than (?:one|1|a) (?:\(1\) )?(?:whole |full |new )?(?:share|ads|unit)\b/i;

/** Whole shares, but not `the nearest whole cent`. */
const WHOLE =
  "(?:whole|full|integral|entire) ?(?:number|share|unit|ads|common|ordinary|class|subordinate|voting|security|post|new|consolidated|integer)" +
  "|(?:nearest|next|closest) (?:higher |highest |lower |lowest |greater |larger |largest )?(?:(?:whole|full)(?! cent| penn| dollar)|integer|number|share|post|common share|ordinary share)";
const MONEY = "(?:cents?(?![a-z])|penn|dollar|thousand|million|percent|decimal|hundredth|tenth)";
const TO_WHOLE = `(?:(?!${MONEY})[^.;]){0,70}?(?:${WHOLE})`;
const TO_MONEY = `(?:(?!${WHOLE})[^.;]){0,50}?${MONEY}`;

/** `rounded` and `rounding`, but not `ground` or `surrounded`. */
const ROUNDING = /(?<![ga]|sur)round(?:ed|ing|s|(?= |-))/gi;

/** Directions of rounding, matched against text that starts with the word `rounded`. The first match counts. */
export const ROUNDING_RULES: readonly Classified<TextRule, Treatment>[] = [
  {
    name: "rounded up or down",
    category: "round_nearest",
    pattern: loosePattern("^round(?:ed|ing|s)?,?(?: either)?,? (?:up or down|down or up|up and down|up ,?or,? down)"),
    example: "rounded either up or down to the nearest whole share",
  },
  {
    name: "rounded up",
    category: "round_up",
    pattern: /^round(?:ed|ing|s)?(?:-?|(?:(?!down|\bto\b)[^.;,]){0,45}?\s)up(?!on|per|date)/i,
    example: "rounding any such fraction up",
  },
  {
    name: "rounded down",
    category: "round_down",
    pattern: /^round(?:ed|ing|s)?(?:-?|(?:(?!\bto\b)[^.;,]){0,45}?\s)down/i,
    example: "rounded down",
  },
  {
    name: "rounded to the next higher",
    category: "round_up",
    pattern: loosePattern(
      "^round(?:ed|ing|s)? to (?:the |a )?(?:next|nearest) (?:higher|highest|greater|larger|largest|upper)",
    ),
    example: "rounded to the next higher whole share",
  },
  {
    name: "rounded to the next lower",
    category: "round_down",
    pattern: loosePattern("^round(?:ed|ing|s)? to (?:the |a )?(?:next|nearest) (?:lower|lowest|smaller)"),
    example: "rounded to the next lower number of shares",
  },
  {
    name: "rounded to the nearest",
    category: "round_nearest",
    pattern: loosePattern(
      String.raw`^round(?:ed|ing|s)?(?:(?!\bto\b)[^.;,]){0,40}? to (?:the |a )?(?:nearest|closest)`,
    ),
    example: "rounded to the nearest whole share",
  },
  {
    name: "rounded to the next",
    category: "round_up",
    pattern: loosePattern("^round(?:ed|ing|s)? to (?:the |a )?next"),
    example: "rounded to the next whole share",
  },
];

/** Object of the rounding: shares or an amount of money. */
const TO_WHOLE_SHARE = loosePattern(`^${TO_WHOLE}`);
const TO_MONEY_AMOUNT = loosePattern(`^${TO_MONEY}`);

const HALF = String.raw`(?:half|1\/2|½|50 ?%|50 percent|0?\.50?(?!\d))`;

/** A threshold at one half. Together with a rounding word it means rounding to the nearest share. */
export const HALF_RULES: readonly TextRule[] = [
  {
    name: "less than half",
    pattern: loosePattern(`(?:less|lower|smaller|fewer) than (?:a |one )?${HALF}`),
    example: "fractions smaller than one-half are dropped",
  },
  {
    name: "half or more",
    pattern: loosePattern(
      `${HALF}(?: of (?:a|one)[\\w\\s-]{0,40}?(?:share|unit))? (?:\\(?${HALF}\\)? )?or (?:more|greater|less|higher|larger|above|over)`,
    ),
    example: "0.5 or more counts as one",
  },
  {
    name: "at least half",
    pattern: loosePattern(
      `(?:at least|more than|greater than|larger than|exceeds?|exceeding|equal to or (?:greater|more|higher) than|greater than or equal to|not less than|is equal to) (?:a |one )?${HALF}`,
    ),
    example: "fractions of at least one half",
  },
  {
    name: "exactly half",
    pattern: loosePattern(`${HALF}(?: of (?:a|one) share| shares?)?,? (?:(?:is|are|being|will be|shall be) )?rounded`),
    example: "with one-half rounded up",
  },
];
/** Required beside a threshold: a word for what happens to the fraction. */
const HALF_ACTION = loosePattern("round|cancel|disregard|eliminat|dropp|whole|full share|ignored");

/** If a holding too small for one new share receives one, all fractions are rounded up, even if the sentence names none. */
const SMALL_HOLDING_RULE: Classified<NounRule, Treatment> = {
  name: "small holdings receive one share",
  category: "round_up",
  noun: loosePattern(String.raw`(?:with|holding|owning|hold|own|holds|owns|of) (?:less|fewer) than (?:\d|one|a)`, "g"),
  after: loosePattern(
    String.raw`^[\d,]*[^.;]{0,40}? (?:will|shall|would) (?:each )?(?:receive|be issued|be given|be entitled to|get) (?:one|1|a)(?: \(1\))?[^.;\d]{0,25}? share`,
  ),
  example: "Holders owning fewer than 60 shares will receive one share",
};

/** Wordings without a rounding word. They count only in sentences about fractions. */
export const NON_ROUNDING_RULES: readonly Classified<NounRule, Treatment>[] = [
  {
    name: "a whole share instead",
    category: "round_up",
    noun: loosePattern(String.raw`(?:one|1|a)(?: \(1\))? (?:additional |new |such )?(?:whole|full)`, "g"),
    before: /(?:issu|receiv|given|entitled|granted|credited|deliver)(?:(?!half)[^.;]){0,80}$/i,
    after: /^[^.;]{0,50}(?:share|unit|ads)/i,
    example: "holders of a fraction will receive one whole share",
  },
  {
    name: "the next whole number",
    category: "round_up",
    noun: loosePattern("next (?:higher |highest |larger )?(?:whole|full) (?:number|share|unit|ads)", "g"),
    before: /\b(?:receiv|get|given|issued|entitled to)\w*(?: (?:the|up|to|a)){0,3} $/i,
    example: "holders of a fraction will get the next whole share",
  },
  {
    name: "the nearest whole number",
    category: "round_nearest",
    noun: loosePattern("(?:nearest|closest) (?:whole|full) (?:number|share|unit|ads)", "g"),
    before: /\b(?:receiv|get|given|issued|entitled to)\w*(?: (?:the|to|a)){0,2} $/i,
    example: "holders otherwise entitled to a fraction will receive the nearest whole number of shares",
  },
  {
    name: "a fraction becomes a whole share",
    category: "round_up",
    noun: /\bfraction/gi,
    after: /^[^.;]{0,40}? becomes? (?:a|one|1) (?:whole|full)\b/i,
    example: "a fraction becomes one full share",
  },
  {
    name: "an additional share instead",
    category: "round_up",
    noun: loosePattern(String.raw`(?:one|1|an)(?: \(1\))? additional (?:new |common |ordinary )?share`, "g"),
    near: /(?:instead|in lieu|in place)[^.;]{0,120}$|^[^.;]{0,40}\b(?:instead|in lieu|in place) of\b/i,
    example: "holders of a fraction will instead get one additional share",
  },
  {
    name: "increased to the next whole share",
    category: "round_up",
    noun: loosePattern(
      "(?:increase|raise|bring|increas(?:ed|es|ing)|rais(?:ed|es|ing)|brought|adjust(?:ed)? up(?:ward)?|topp(?:ed|ing) up)(?: (?:the|an?|such|any|each|his|its|their) [^.;,]{0,40}?)?(?: up)? to (?:the (?:next|nearest) (?:higher |highest )?|a )(?:whole|full)",
      "g",
    ),
    example: "a fraction is raised to the next whole share",
  },
  {
    name: "cancelled without payment",
    category: "round_down",
    noun: loosePattern("(?:cancell?ed|cancell?ation|disregarded|eliminated|forfeited|extinguished|dropped|lapse)", "g"),
    after: loosePattern(
      "^[^.;]{0,40}?(?:without|for no|and no)(?: any| the| further)? (?:payment|compensation|consideration|cash|repayment)",
    ),
    example: "any fraction will be cancelled without compensation",
  },
  SMALL_HOLDING_RULE,
];

/** Cash payments. The noun is the payment, so that a negation before it can be found. */
export const CASH_RULES: readonly NounRule[] = [
  {
    name: "cash in lieu",
    noun: /cash/gi,
    after: loosePattern(
      "^(?: (?:payment|amount|consideration|settlement|sum|value|equivalent|redemption|compensation)s?)?(?: due)?,? (?:in|of (?:any|such|the|their|its|his|each)|lieu|instead|equal|(?:for|on) (?:any|such|their|the|each|its|his|fraction|partial))",
    ),
    example: "cash in lieu of a fraction",
  },
  {
    name: "redeems fractions",
    noun: /\bfraction/gi,
    before:
      /\b(?:redeem|repurchas|purchas|buy|bought)(?:e|es|s|ed|ing)?\b(?: (?:back|out|the|these|those|such|any|all|resulting|their|its)){0,3} $/i,
    example: "the issuer will redeem these fractional securities",
  },
  {
    name: "offers a cash redemption",
    noun: /cash (?:redemption|compensation|payout|refund)/gi,
    before: /\b(?:offer|provide|pay|make|receive|get|give)\w*(?: an?)? $/i,
    example: "the issuer will instead offer cash redemption for fractions",
  },
  {
    name: "compensates for fractions",
    noun: /\b(?:fraction|partials)/gi,
    near: /\b(?:compensat(?:e|ed|es|ing)|reimburs(?:e|ed|es|ing))(?: (?:holders|them|investors))? (?:for|in respect of)(?: (?:the|these|those|such|any|all|resulting|their|its)){0,3} $|^[^.;]{0,40}\b(?:(?:will|shall|would|to) be|are|is) (?:[a-z]+ly )?(?:compensated|reimbursed|bought(?: back| out)?|repurchased|purchased|redeemed|liquidated|moneti[sz]ed|paid out)\b/i,
    notNear: /^[^.;]{0,80}\b(?:for|without) (?:no |any )?consideration\b/i,
    example: "holders are compensated for fractions at the closing price",
  },
  {
    name: "paid in cash",
    noun: /cash/gi,
    before:
      /(?:pay|paid|receiv|\bgets? |\bgiven? |fractions?: |fractional (?:shares?|interests?|entitlements?|units?): |settle|redeem|redempti|purchas|bought|compensat|entitle|convert|exchange|in lieu)[^.;]{0,80}$/i,
    notNear: /^ (?:flows?|positions?|equivalents|balances?)/i,
    example: "the Fund redeems fractions for cash",
  },
  {
    name: "cash payment",
    noun: /cash/gi,
    after:
      /^(?:ed[ -]?out|[ -]?out|[^.;]{0,40}(?:paid|payable|payment|distributed|remitted|credited|passed|forwarded))/i,
    example: "cash for fractions will be paid",
  },
  {
    name: "check for the value",
    noun: /cheque|check/gi,
    before: /(?:receive|get|sent|mail|issued)[^.;]{0,60}$/i,
    example: "holders receive a cheque for the value of their fraction",
  },
  {
    name: "an amount equal to the value",
    noun: /\b(?:money|sum|amount)\b/gi,
    before: /\b(?:pay|paid|receiv|get|given)\w*\b[^.;]{0,60}$/i,
    after: /^ (?:equal|equivalent|in lieu|for (?:the|their|any|such))/i,
    example: "holders of a fraction are paid an amount equal to its value",
  },
  {
    name: "proceeds of the sale",
    noun: /proceeds/gi,
    before: /aggregat|sold|sale|sell|liquidat/i,
    after: /^[^.;]{0,120}(?:paid|pay|distribut|remit|deliver|holders|pro rata)/i,
    example: "fractions are aggregated and sold and the net proceeds distributed",
  },
  {
    name: "proceeds from the sale",
    noun: /proceeds/gi,
    after:
      /^ (?:from|of) (?:the |these |this |such |those |any |that )?(?:[a-z]+ ){0,2}(?:sales?|sold)\b[^.;]{0,120}\b(?:paid|pay|distribut|remit|deliver|pro rata)/i,
    example: "the net proceeds from these sales will be distributed to holders of fractions",
  },
  {
    name: "share of the sale proceeds",
    noun: /proceeds/gi,
    before: /(?:aggregat|sold|sale|sell)[^.;]{0,160}(?:pay|paid|distribut|remit|receiv|deliver)/i,
    example: "the agent will sell all fractions and pay each holder a part of the proceeds",
  },
];

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
