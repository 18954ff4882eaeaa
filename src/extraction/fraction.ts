import type { Fraction, Treatment } from "../domain/article/article.ts";
import {
  CASH_RULES,
  FRACTION,
  HALF_ACTION,
  HALF_RULES,
  HOLDER,
  NON_ROUNDING_RULES,
  OTHER_EVENTS,
  OTHER_SECURITIES,
  PARTICIPANT,
  ROUNDING,
  ROUNDING_RULES,
  SMALL_HOLDING_RULE,
  TO_MONEY_AMOUNT,
  TO_WHOLE_SHARE,
} from "./fraction-rules.ts";
import { isNegated, isPastOnly, isPastTense } from "./negation.ts";
import type { Sentence } from "./sentences.ts";
import { matchIndexes } from "./text-rule.ts";

/** What a text says of fractional shares. `contradicts`: two of its sentences say different things, so none is believed. */
export interface FractionResult {
  readonly fraction: Fraction | null;
  /** The sentence that names the level, where there is one. */
  readonly levelSentence: string | null;
  readonly contradictory: boolean;
}

/** What one sentence says of fractional shares, once. */
interface FractionCandidate {
  readonly sentence: Sentence;
  readonly treatment: Treatment;
  /** False for an aside such as `except for the rounding up of fractions`: it counts where nothing else is said. */
  readonly plain: boolean;
}

/** Begins a sentence that goes on from the one before it. */
const GOES_ON =
  /^(?:instead|therefore|thus|accordingly|as a result|in lieu|rather|in place|such|these|those|any such|this|it|they|each|all|holders|stockholders|shareholders|any (?:share|stock)?holder|the company will|we will|registered|beneficial)\b/i;

/** Speaks of the shares themselves, whatever other securities it speaks of further on. */
const OF_SHARES =
  /(?:share|stock)holder|^(?:all |any )?(?:resulting )?fractional (?:common |ordinary )?shares?(?: resulting from the [a-z ]{3,40})? (?:will|shall|would) be (?:rounded|paid|settled|redeemed|cancel)/i;
/** `in the split of 2023`: not of this one. */
const NAMES_YEAR = /\b(?:in|of|since) (?:\w+ )?(?:19|20)\d\d\b/i;

const NONE: FractionResult = { fraction: null, levelSentence: null, contradictory: false };

/**
 * What becomes of fractional shares, by the sentences of one release. Sentences in the past are those of an earlier
 * split, unless this one `isDone`.
 */
export function findFraction(sentences: readonly Sentence[], isDone: boolean): FractionResult {
  const telling = sentencesOnFractions(sentences);
  const ahead = telling.flatMap((sentence) => readTreatments(sentence, false));
  const sayings = isDone && ahead.length === 0 ? telling.flatMap((sentence) => readTreatments(sentence, true)) : ahead;
  const plain = sayings.filter((saying) => saying.plain);
  const counted = plain.length > 0 ? plain : sayings;
  const [treatment, ...others] = treatmentsOf(counted);
  if (others.length > 0) return { ...NONE, contradictory: true };
  const said = counted.find((saying) => saying.treatment === treatment);
  if (!said) return NONE;
  const found = findLevel(telling, counted);
  return {
    fraction: { treatment: said.treatment, level: found?.level ?? null, sentence: said.sentence.verbatim },
    levelSentence: found?.sentence.verbatim ?? null,
    contradictory: false,
  };
}

/**
 * Who is paid for a fraction keeps the whole shares: the same thing, said from its other end. Where those with a broker
 * are rounded up and the others paid, cash is what a release means to say.
 */
function treatmentsOf(sayings: readonly FractionCandidate[]): readonly Treatment[] {
  const treatments = [...new Set(sayings.map(({ treatment }) => treatment))];
  if (!treatments.includes("cash_in_lieu")) return treatments;
  return treatments.filter((treatment) => treatment !== "round_down" && treatment !== "round_up");
}

/** The sentences that could say it: those on fractions, those that go on from them, and those that round. */
function sentencesOnFractions(sentences: readonly Sentence[]): readonly Sentence[] {
  const onFractions: Sentence[] = [];
  let goesOn = false;
  for (const sentence of sentences) {
    const names = FRACTION.test(sentence.plain);
    const follows: boolean = goesOn && GOES_ON.test(sentence.plain);
    goesOn = names || follows;
    if ((goesOn || speaksOfWholeShares(sentence.plain)) && !isElsewhere(sentence.plain)) onFractions.push(sentence);
  }
  return onFractions;
}

function speaksOfWholeShares(plain: string): boolean {
  if (matchIndexes(SMALL_HOLDING_RULE, plain).length > 0) return true;
  return placesOf(ROUNDING, plain).some((at) => TO_WHOLE_SHARE.test(plain.slice(at, at + 160)));
}

function isElsewhere(plain: string): boolean {
  if (OTHER_EVENTS.test(plain)) return true;
  return OTHER_SECURITIES.test(plain) && !OF_SHARES.test(plain);
}

function readTreatments(sentence: Sentence, mayBePast: boolean): readonly FractionCandidate[] {
  const { plain } = sentence;
  if (mayBePast ? NAMES_YEAR.test(plain) : isPastOnly(plain)) return [];
  const isOver = mayBePast ? (): boolean => false : isPastTense;
  const says = (treatment: Treatment): FractionCandidate => ({ sentence, treatment, plain: true });
  const cash = readCash(plain, isOver).map(says);
  if (HALF_ACTION.test(plain) && HALF_RULES.some(({ pattern }) => pattern.test(plain))) {
    return [says("round_nearest"), ...cash];
  }
  const instead = NON_ROUNDING_RULES.filter((rule) => matchIndexes(rule, plain).some((at) => !isNegated(plain, at)));
  return [...readRoundings(sentence, isOver), ...instead.map((rule) => says(rule.category)), ...cash];
}

/** Whether the word at a place tells what was done in a split long over. */
type IsOver = (plain: string, at: number) => boolean;

function readRoundings(sentence: Sentence, isOver: IsOver): readonly FractionCandidate[] {
  const { plain } = sentence;
  return placesOf(ROUNDING, plain).flatMap((at) => {
    if (isNegated(plain, at) || isOver(plain, at)) return [];
    const treatment = readRounding(plain.slice(at, at + 160));
    const aside = /^rounding/i.test(plain.slice(at, at + 8));
    // `the rounding of shares to the nearest whole share` is how releases that round up speak in passing.
    if (!treatment || (aside && treatment === "round_nearest")) return [];
    return [{ sentence, treatment, plain: !aside }];
  });
}

/** The treatment that `rounded …` names; undefined for a sum of money, or where it names no direction. */
function readRounding(text: string): Treatment | undefined {
  const says = ROUNDING_RULES.find(({ pattern }) => pattern.test(text))?.category;
  const toWhole = TO_WHOLE_SHARE.test(text);
  if (!toWhole && (TO_MONEY_AMOUNT.test(text) || says === "round_nearest")) return undefined;
  return says;
}

function readCash(plain: string, isOver: IsOver): readonly Treatment[] {
  const pays = CASH_RULES.some((rule) =>
    matchIndexes(rule, plain).some((at) => !isNegated(plain, at) && !isOver(plain, at) && !isInsteadOf(plain, at)),
  );
  return pays ? ["cash_in_lieu"] : [];
}

/** `in lieu of cash`, `without any payment in cash`. */
function isInsteadOf(plain: string, at: number): boolean {
  return /(?:in lieu of|instead of|rather than|in place of|without)(?: (?:any|a|the|paying|receiving|making|payments?|of|in))* ?$/i.test(
    plain.slice(Math.max(0, at - 50), at),
  );
}

interface LevelFound {
  readonly level: NonNullable<Fraction["level"]>;
  readonly sentence: Sentence;
}

/** The participant may be named beside the treatment; a holder counts only in the sentence that says what he gets. */
function findLevel(telling: readonly Sentence[], counted: readonly FractionCandidate[]): LevelFound | undefined {
  const participant = telling.find(({ plain }) => saysPlainly(PARTICIPANT, plain));
  if (participant) return { level: "participant", sentence: participant };
  const holder = counted.find((saying) => saying.plain && saysPlainly(HOLDER, saying.sentence.plain));
  return holder && { level: "holder", sentence: holder.sentence };
}

function saysPlainly(pattern: RegExp, plain: string): boolean {
  const at = plain.search(pattern);
  return at >= 0 && !isNegated(plain, at);
}

function placesOf(pattern: RegExp, plain: string): readonly number[] {
  return [...plain.matchAll(pattern)].map(({ index }) => index);
}
