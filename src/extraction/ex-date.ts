import type { Exchange } from "../domain/split/exchange.ts";
import { type Day, daysBetween } from "../domain/time/day.ts";
import {
  type DateContext,
  findDateCandidates,
  isMarketClosed,
  MAX_PAST_DAYS,
  releaseDay,
  type SentenceDates,
} from "./date-candidates.ts";
import {
  ANNOUNCES_COMPLETION,
  EARLIER_PLAN,
  RECALLS_ANNOUNCEMENT,
  REVISES_DAY,
  TRADING_DAY_FOLLOWS,
} from "./ex-date-rules.ts";
import { type ExDateStatement, findStatements, GROUNDS, type NamesSplit, splitNameTest } from "./ex-date-statements.ts";
import { findLastListingExchange } from "./exchange-names.ts";
import type { ExDateBasis } from "./facts.ts";
import { withoutForwardPart } from "./forward-split.ts";
import { leadSentences, type Sentence } from "./sentences.ts";

/** First trading day on the adjusted basis, as one release states it. */
export interface ExDateResult {
  readonly exDate: Day | null;
  /** Null without an ex date. */
  readonly basis: ExDateBasis | null;
  readonly sentence: Sentence | null;
  /** The text states two days, or an impossible one: `exDate` is null. */
  readonly contradictory: boolean;
  /** The text describes the day as future, regardless of the date of the release. */
  readonly isFuture: boolean;
}

export const NO_EX_DATE: ExDateResult = {
  exDate: null,
  basis: null,
  sentence: null,
  contradictory: false,
  isFuture: false,
};

/** Maximum days from the first trading day to a later dateline. A republished announcement has a later dateline. */
const MAX_REPOST_DAYS = 45;
/** No split is announced more than a year ahead. */
const MAX_AHEAD_DAYS = 366;

/** Finds the first trading day on the adjusted basis, which may differ from the day on which the split takes legal effect. */
export function findExDate(sentences: readonly Sentence[], context: DateContext): ExDateResult {
  const current = context.isPostponed ? sentences.filter(({ plain }) => !EARLIER_PLAN.test(plain)) : sentences;
  const datedSentences = findDateCandidates(withoutForwardPart(current), context);
  const namesSplit = splitNameTest(sentences);
  const candidates = findCurrentCandidates(datedSentences, { ...context, namesSplit });
  const strongest = selectStrongest(candidates, context.exchange);
  const first = strongest.find(({ sentence }) => !sentence.inHeading) ?? strongest[0];
  if (!first || isReplacedLater(first, sentences)) return NO_EX_DATE;
  const { day, ground, sentence, isFuture } = first;
  const isAmbiguous = new Set(strongest.map((candidate) => candidate.day)).size > 1;
  if (isAmbiguous && ground === "only") return NO_EX_DATE;
  const contradictory =
    isAmbiguous || day === null || !isPlausible(day, context) || isBeforeEffectiveOpen(day, candidates);
  if (contradictory) return { ...NO_EX_DATE, sentence, contradictory, isFuture };
  const basis = strongest.some((candidate) => candidate.basis === "trading") ? "trading" : "effective";
  return { exDate: day, basis, sentence, contradictory, isFuture };
}

/** Finds the statements about the announced split: not those about its history, and not the days that the text calls off. */
function findCurrentCandidates(
  datedSentences: readonly SentenceDates[],
  context: DateContext & { readonly namesSplit: NamesSplit },
): readonly ExDateStatement[] {
  const candidates = findStatements(datedSentences, context);
  const today = releaseDay(context) ?? dayOfCompletion(datedSentences, candidates, context.namesSplit);
  const dates = datedSentences.flatMap((sentence) => sentence.dates);
  const superseded = new Set(dates.flatMap(({ day, exclusion }) => (exclusion === "superseded" ? [day] : [])));
  return candidates.filter(
    ({ day, isFuture }) => day === null || (!superseded.has(day) && (isFuture || isRecent(day, today))),
  );
}

/** Returns the latest day of a text without its own that announces a completed split. Earlier days are history. */
function dayOfCompletion(
  datedSentences: readonly SentenceDates[],
  candidates: readonly ExDateStatement[],
  namesSplit: NamesSplit,
): Day | null {
  const lead = leadSentences(datedSentences.map(({ sentence }) => sentence));
  const isNews = lead.some(({ plain }) => namesSplit(plain) && ANNOUNCES_COMPLETION.test(plain));
  const days = candidates.flatMap(({ day, isFuture }) => (day === null || isFuture ? [] : [day]));
  return isNews ? (days.toSorted().at(-1) ?? null) : null;
}

/** Returns the candidates with the strongest ground. An earlier announcement that the text recalls counts only if it is alone. */
function selectStrongest(
  candidates: readonly ExDateStatement[],
  exchange: Exchange | null,
): readonly ExDateStatement[] {
  const current = candidates.filter(({ sentence }) => !RECALLS_ANNOUNCEMENT.test(sentence.plain));
  const relevant = current.length > 0 ? current : candidates;
  const strongestGround = GROUNDS.find((ground) => relevant.some((candidate) => candidate.ground === ground));
  const strongest = withTimes(relevant.filter(({ ground }) => ground === strongestGround));
  return selectForExchange(selectRevised(strongest), exchange);
}

/** Of different days, those that the text states as the new ones. */
function selectRevised(candidates: readonly ExDateStatement[]): readonly ExDateStatement[] {
  if (new Set(candidates.map(({ day }) => day)).size < 2) return candidates;
  const revised = candidates.filter(({ sentence }) => REVISES_DAY.test(sentence.plain));
  return revised.length > 0 ? revised : candidates;
}

/** `effective June 24` says less than `effective at 5:00 p.m. on June 24`, which gives the next trading day. */
function withTimes(candidates: readonly ExDateStatement[]): readonly ExDateStatement[] {
  const later = new Set(candidates.flatMap(({ day, stated }) => (day === stated ? [] : [stated])));
  return candidates.filter(({ day, stated }) => day !== stated || !later.has(stated));
}

/** Whether the company will announce the first trading day, so that the day of the legal effect isn't it. */
function isReplacedLater({ ground }: ExDateStatement, sentences: readonly Sentence[]): boolean {
  if (ground !== "effective" && ground !== "only") return false;
  return sentences.some(({ plain }) => TRADING_DAY_FOLLOWS.test(plain));
}

function isRecent(day: Day, today: Day | null): boolean {
  return today !== null && daysBetween(day, today) <= MAX_PAST_DAYS;
}

function isPlausible(day: Day, { dateline, exchange }: DateContext): boolean {
  if (isMarketClosed(exchange, day)) return false;
  const daysAhead = dateline === null ? 0 : daysBetween(dateline, day);
  return -MAX_REPOST_DAYS <= daysAhead && daysAhead <= MAX_AHEAD_DAYS;
}

/** Whether the text says that the split takes effect before the open of a later day, so that `day` can't be the ex date. */
function isBeforeEffectiveOpen(day: Day, candidates: readonly ExDateStatement[]): boolean {
  return candidates.some((candidate) => candidate.ground === "open" && candidate.day !== null && candidate.day > day);
}

/** Returns the candidates on the given exchange if the text states different days for two listings. */
function selectForExchange(
  candidates: readonly ExDateStatement[],
  exchange: Exchange | null,
): readonly ExDateStatement[] {
  const days = new Set(candidates.map(({ day }) => day));
  if (days.size < 2 || exchange === null) return candidates;
  const matching = candidates.filter(({ sentence }) => findLastListingExchange(sentence.plain) === exchange);
  return matching.length > 0 ? matching : candidates;
}
