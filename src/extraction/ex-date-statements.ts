import type { Exchange } from "../domain/split/exchange.ts";
import { type Day, daysBetween } from "../domain/time/day.ts";
import { nextTradingDay } from "../domain/time/trading-day.ts";
import {
  calendarOf,
  type DateCandidate,
  type DateContext,
  isMarketClosed,
  releaseDay,
  type SentenceDates,
} from "./date-candidates.ts";
import { ASKS_FOR_DAY } from "./date-rules.ts";
import {
  ABOUT_SYMBOL,
  ADS_WILL_REPRESENT,
  AFTER_SPLIT,
  AS_IT_TAKES_EFFECT,
  DAY_FIRST,
  DEFERRED,
  EFFECTIVE_AFTER,
  EFFECTIVE_BEFORE,
  EFFECTS_BEFORE,
  IN_EARLIER_YEAR,
  IS_EFFECTIVE_DATE,
  NEGATED_BEFORE,
  OTHER_DAY_OF_SPLIT,
  OTHER_EFFECT_BEFORE,
  OTHER_TRANSACTIONS,
  SHARES_BECOME,
  SPLIT_AT_TIME,
  SPLIT_NAME,
  SPLIT_TERM_DEFINITION,
  TAKES_EFFECT,
  TENTATIVE_BEFORE,
  TRADING_HINT,
  TRADING_RULES,
  TRANSACTION,
} from "./ex-date-rules.ts";
import { findLastListingExchange } from "./exchange-names.ts";
import type { ExDateBasis } from "./facts.ts";
import { leadSentences, type Sentence } from "./sentences.ts";
import { hasFutureTense, hasPastTense, withStatedPlans } from "./tense.ts";
import { findMatches, matchesAny, matchIndexes } from "./text-rule.ts";

/**
 * Kinds of evidence for the first trading day, the strongest first. `trading`: shares trade on the adjusted basis. `open`: the
 * split takes effect before a market open. `moved`: the day was moved. `close`: the split takes effect after a market close.
 * `effective`: the split takes effect on a day, without a word about trading. `only`: the only coming day that the text names with the split.
 */
export const GROUNDS = ["trading", "open", "moved", "close", "effective", "only"] as const;

type Ground = (typeof GROUNDS)[number];

/** One statement of the first trading day. The day is null if the statement contradicts itself. */
export interface ExDateStatement {
  readonly day: Day | null;
  /** The day in the text, from which `day` may differ because of its time. */
  readonly stated: Day | null;
  readonly ground: Ground;
  readonly basis: ExDateBasis;
  readonly sentence: Sentence;
  readonly isFuture: boolean;
}

/** Maximum distance between a wording and its date, in characters. */
const MAX_DATE_DISTANCE = 260;
/** Length of the text beside a wording that determines its tense and certainty, in characters. */
const TENSE_CONTEXT = 160;
/** Length of the text beside a date that states that the split takes effect, in characters. */
const EFFECT_CONTEXT = 200;
/** Length of the text after a date in which its exchange may be named, in characters. */
const EXCHANGE_CONTEXT = 70;
/** Maximum days ahead of a day that a text about a split names without saying what happens on it. */
const MAX_COMING_DAYS = 90;
const MAX_CANDIDATES = 100;
/** Sentence whose `it` or `this` may be the split that the previous sentence names. */
const REFERS_BACK = /^\W{0,3}(?:it|this) |, (?:it|this) (?:will|shall|is|becomes|takes)\b/i;
const TRADING_BEGINS = /\b(?:begin|commence|start|resume)s? trading\b/i;
/** Sentence about the last day on the basis before the split. */
const LAST_DAY = /\blast (?:trading )?day\b/i;
/** Text after a date that names its exchange: `on May 3 on the Nasdaq`. */
const ON_MARKET = /^,? (?:on|at) (?:the )?[A-Z]/;

export function findStatements(
  sentences: readonly SentenceDates[],
  {
    exchange,
    namesSplit,
    isNotice = false,
    isAboutSplit: areAllAboutSplit = false,
    dateline,
    published = null,
  }: DateContext & { readonly namesSplit: NamesSplit },
): readonly ExDateStatement[] {
  const candidates: ExDateStatement[] = [];
  const today = releaseDay({ dateline, published });
  for (const [index, current] of sentences.entries()) {
    const pair = { current, previous: sentences[index - 1], exchange, isNotice, areAllAboutSplit, namesSplit, today };
    candidates.push(...findTradingStatements(pair), ...findEffectStatements(pair), ...findConfirmedTrading(pair));
    if (candidates.length > MAX_CANDIDATES) break;
  }
  return candidates;
}

/** Test for the names of the split in a sentence. */
export type NamesSplit = (plain: string) => boolean;

/** A sentence with the one before it, to which it may refer. */
interface SentencePair {
  readonly current: SentenceDates;
  readonly previous: SentenceDates | undefined;
  readonly exchange: Exchange | null;
  readonly isNotice: boolean;
  /** Whether each sentence of the text is about the split, even if it doesn't name it. */
  readonly areAllAboutSplit: boolean;
  readonly today: Day | null;
  /** Whether a sentence names the split. */
  readonly namesSplit: NamesSplit;
}

/** Returns a test for the names of the split, including terms that the text defines: `the Transaction`. */
export function splitNameTest(sentences: readonly Sentence[]): NamesSplit {
  const naming = sentences.filter(({ plain }) => SPLIT_NAME.test(plain));
  const terms = new Set(
    naming.flatMap(({ plain }) => findMatches(SPLIT_TERM_DEFINITION, plain).map(([, term = ""]) => term)),
  );
  const isOnlyTransaction =
    naming.length > 0 && !leadSentences(sentences).some(({ plain }) => OTHER_TRANSACTIONS.test(plain));
  return (plain) =>
    SPLIT_NAME.test(plain) ||
    [...terms].some((term) => plain.includes(term)) ||
    (isOnlyTransaction && TRANSACTION.test(plain) && !OTHER_TRANSACTIONS.test(plain));
}

/** `will begin trading on a split-adjusted basis on …`. */
function findTradingStatements({ current, previous, exchange, namesSplit }: SentencePair): readonly ExDateStatement[] {
  const { plain } = current.sentence;
  const isAnswered = answersTradingQuestion(previous) || isValueOfTrading(current, previous);
  const answer = isAnswered ? current.dates.find(canBeTrading) : undefined;
  if (answer) return [toCandidate(answer, "trading", current, exchange)];
  if (!TRADING_HINT.test(plain) || ASKS_FOR_DAY.test(plain)) return [];
  const effectDate = dateOfEffect(current, previous, namesSplit);
  if (current.dates.length === 0 && effectDate === undefined) return [];
  const indexes = TRADING_RULES.flatMap((rule) => matchIndexes(rule, plain)).filter((at) => isAsserted(plain, at));
  return indexes.flatMap((at) => {
    const date = dateOfTrading(current, at, exchange);
    if (date) return [toCandidate(date, "trading", current, exchange)];
    const isUndetermined = date === null || DEFERRED.test(plain) || !isFutureTense(plain, at);
    return effectDate && !isUndetermined
      ? [{ ...toCandidate(effectDate, "open", current, exchange), basis: "trading" }]
      : [];
  });
}

/** `When will the shares trade on a split-adjusted basis? On May 4.` */
function answersTradingQuestion(previous: SentenceDates | undefined): boolean {
  const question = previous?.sentence.plain ?? "";
  return ASKS_FOR_DAY.test(question) && statesTrading(question);
}

/** Maximum length of a line with a date and nothing else than its weekday, without the date. */
const MAX_BESIDE_DATE = 14;

/** `Trading on a consolidated basis commences`, and on the next line its date. */
function isValueOfTrading({ sentence, dates }: SentenceDates, previous: SentenceDates | undefined): boolean {
  const [date, ...others] = dates;
  if (date === undefined || others.length > 0 || previous === undefined || previous.dates.length > 0) return false;
  return sentence.plain.length - (date.end - date.start) <= MAX_BESIDE_DATE && statesTrading(previous.sentence.plain);
}

function statesTrading(plain: string): boolean {
  return TRADING_HINT.test(plain) && matchesAny(TRADING_RULES, plain);
}

/** Date of the trading wording at `at`, preferably after it. Null if the text states only a bound or defers the day. */
function dateOfTrading(
  { sentence: { plain }, dates }: SentenceDates,
  at: number,
  exchange: Exchange | null,
): DateCandidate | null | undefined {
  const laterDates = dates.filter(({ start }) => start > at && start - at < MAX_DATE_DISTANCE);
  const usableDates = laterDates.filter((date) => date.exclusion === "bound" || canBeTrading(date));
  const date = dateOnExchange(usableDates, { plain, at, exchange }) ?? usableDates[0];
  if (date) return date.exclusion === null ? date : null;
  if (DEFERRED.test(plain.slice(at, at + MAX_DATE_DISTANCE))) return null;
  return dates.findLast(
    (earlierDate) => earlierDate.end <= at && at - earlierDate.end < MAX_DATE_DISTANCE && canBeTrading(earlierDate),
  );
}

function canBeTrading({ exclusion, time }: DateCandidate): boolean {
  return exclusion === null && time !== "evening";
}

interface TradingPosition {
  readonly plain: string;
  readonly at: number;
  readonly exchange: Exchange | null;
}

/** Returns the date for the given exchange from `on May 3 on one exchange and on May 4 on another`. */
function dateOnExchange(
  dates: readonly DateCandidate[],
  { plain, at, exchange }: TradingPosition,
): DateCandidate | undefined {
  if (exchange === null || dates.length < 2) return undefined;
  return dates.find(({ start, end }, index) => {
    const before = plain.slice(dates[index - 1]?.end ?? at, start);
    const after = plain.slice(end, Math.min(dates[index + 1]?.start ?? plain.length, end + EXCHANGE_CONTEXT));
    return findLastListingExchange(ON_MARKET.test(after) ? after : before) === exchange;
  });
}

/** Date of `The split takes effect on May 4. The shares will begin trading on a split-adjusted basis at the open.` */
function dateOfEffect(
  current: SentenceDates,
  previous: SentenceDates | undefined,
  namesSplit: NamesSplit,
): DateCandidate | undefined {
  if (!previous || previous.sentence.inHeading !== current.sentence.inHeading) return undefined;
  const { plain } = previous.sentence;
  if (current.dates.length > 0 || !namesSplit(plain) || !TAKES_EFFECT.test(plain) || LAST_DAY.test(plain))
    return undefined;
  return previous.dates.findLast(
    ({ exclusion, time }) => exclusion === null && (time === null || time === "open" || time === "morning"),
  );
}

/** `The split takes effect before the market opens on …`, `… after it closes on …`, `… is postponed to …`, `… is effective …`. */
function findEffectStatements(pair: SentencePair): readonly ExDateStatement[] {
  const { current, exchange } = pair;
  const { plain } = current.sentence;
  if (current.dates.length === 0) return [];
  if (ABOUT_SYMBOL.test(plain) && !(pair.namesSplit(plain) && TAKES_EFFECT.test(plain))) return [];
  if (!isAboutSplit(pair) && !isAnswer(pair)) return [];
  return current.dates.flatMap((date) => {
    const ground = groundOfEffect(date, pair);
    return ground && isAsserted(plain, date.start) ? [toCandidate(date, ground, current, exchange)] : [];
  });
}

function groundOfEffect(date: DateCandidate, pair: SentencePair): Ground | undefined {
  if (date.exclusion !== null) return undefined;
  const { plain } = pair.current.sentence;
  const ground = groundAtTime(date, pair);
  if (ground) return ground;
  if (isDayOfEffect(plain, date) || isAnswer(pair)) return "effective";
  return isOnlyDay(date, pair) ? "only" : undefined;
}

/** Ground of a split that takes effect on a day at a time, or on a day to which it was moved. */
function groundAtTime(date: DateCandidate, { current, exchange, isNotice }: SentencePair): Ground | undefined {
  const { plain } = current.sentence;
  const ground = groundOf(date) ?? (isNotice ? "open" : undefined);
  const context = plain.slice(Math.max(0, date.start - MAX_DATE_DISTANCE), date.end + MAX_DATE_DISTANCE);
  const isSplitAtTime = SPLIT_AT_TIME.test(plain.slice(Math.max(0, date.start - TENSE_CONTEXT), date.start));
  const takesEffect = date.isMoved || isSplitAtTime || TAKES_EFFECT.test(context);
  // A day without trading is only the day of the legal effect, which may be a Saturday.
  const isClosedDay = ground === "open" && date.day !== null && isMarketClosed(exchange, date.day);
  return takesEffect && !isClosedDay ? ground : undefined;
}

/** Whether a sentence about the split names a coming day, and no other matter that may take place on it. */
function isOnlyDay({ day, start }: DateCandidate, { current, today }: SentencePair): boolean {
  const { plain } = current.sentence;
  const nearby = plain.slice(Math.max(0, start - TENSE_CONTEXT), start + TENSE_CONTEXT);
  // The day of the page may stand in the same sentence.
  const isBesideOther = current.dates.some((other) => other.day !== today && isComingDay(other.day, today));
  if (day === today && isBesideOther) return false;
  return isComingDay(day, today) && hasFutureTense(nearby) && !OTHER_DAY_OF_SPLIT.test(plain);
}

function isComingDay(day: Day | null, today: Day | null): boolean {
  if (day === null || today === null) return false;
  const daysAhead = daysBetween(today, day);
  return 0 <= daysAhead && daysAhead <= MAX_COMING_DAYS;
}

/** Whether a sentence states that the split takes effect on a day. */
function isDayOfEffect(plain: string, { start, end }: DateCandidate): boolean {
  const before = plain.slice(Math.max(0, start - EFFECT_CONTEXT), start);
  if (OTHER_EFFECT_BEFORE.test(before)) return false;
  const after = plain.slice(end, end + EFFECT_CONTEXT);
  if (EFFECTIVE_BEFORE.test(before) || EFFECTS_BEFORE.test(before) || IS_EFFECTIVE_DATE.test(after)) return true;
  if (AFTER_SPLIT.test(before) || AS_IT_TAKES_EFFECT.test(after)) return true;
  return DAY_FIRST.test(before) && EFFECTIVE_AFTER.test(after);
}

/** `The consolidation is effective May 4. The shares will commence trading on May 4.`, or on the next trading day. */
function findConfirmedTrading({ current, previous, exchange, namesSplit }: SentencePair): readonly ExDateStatement[] {
  if (current.dates.length === 0 || !previous) return [];
  const at = current.sentence.plain.search(TRADING_BEGINS);
  if (at < 0 || !isAsserted(current.sentence.plain, at)) return [];
  const { plain } = previous.sentence;
  if (!namesSplit(plain) || !TAKES_EFFECT.test(plain)) return [];
  const days = new Set(
    previous.dates
      .filter(isEffective)
      .flatMap(({ day }) => (day === null ? [] : [day, nextTradingDay(calendarOf(exchange), day)])),
  );
  const date = current.dates.find(
    (candidate) => isEffective(candidate) && candidate.day !== null && days.has(candidate.day),
  );
  return date ? [toCandidate(date, "trading", current, exchange)] : [];
}

function isEffective({ day, exclusion, time }: DateCandidate): boolean {
  return day !== null && exclusion === null && (time === null || time === "open" || time === "morning");
}

/** Whether a sentence answers when the split takes effect: `When does the reverse split take effect? On May 4.` */
function isAnswer({ previous, namesSplit }: SentencePair): boolean {
  const question = previous?.sentence.plain ?? "";
  return (
    ASKS_FOR_DAY.test(question) && (namesSplit(question) || /\bit\b/i.test(question)) && TAKES_EFFECT.test(question)
  );
}

/** Whether a sentence names the split, or refers with `it` or `this` to the previous sentence, which names it. */
function isAboutSplit({
  current: {
    sentence: { plain },
  },
  previous,
  areAllAboutSplit,
  namesSplit,
}: SentencePair): boolean {
  if (areAllAboutSplit || namesSplit(plain) || SHARES_BECOME.test(plain) || ADS_WILL_REPRESENT.test(plain)) return true;
  return REFERS_BACK.test(plain) && namesSplit(previous?.sentence.plain ?? "");
}

function groundOf({ time, isMoved }: DateCandidate): Ground | undefined {
  if (time === "evening" || time === "session") return undefined;
  if (time === "open" || time === "morning") return "open";
  if (time === "session_close") return "close";
  return isMoved ? "moved" : undefined;
}

function toCandidate(
  { day, start, time }: DateCandidate,
  ground: Ground,
  { sentence }: SentenceDates,
  exchange: Exchange | null,
): ExDateStatement {
  const isFuture = isFutureTense(sentence.plain, start);
  const basis = basisOf(ground, time, sentence.plain);
  if (day === null || (time !== "session_close" && ground !== "effective" && ground !== "only"))
    return { day, stated: day, ground, basis, sentence, isFuture };
  const isLater = time === "session_close" || time === "evening" || time === "session";
  const isFirstDay = !isLater && !isMarketClosed(exchange, day);
  return {
    day: isFirstDay ? day : nextTradingDay(calendarOf(exchange), day),
    stated: day,
    ground: time === "session_close" ? "close" : ground,
    basis,
    sentence,
    isFuture,
  };
}

/** An effect at a market open is an effect on trading. At another time of day it isn't. */
function basisOf(ground: Ground, time: DateCandidate["time"], plain: string): ExDateBasis {
  if (ground === "close" || ground === "effective" || ground === "only") return "effective";
  if (ground === "moved" && !statesTrading(plain)) return "effective";
  return ground === "open" && time === "morning" ? "effective" : "trading";
}

/** Whether the statement at `at` is neither negated nor only a possibility. */
function isAsserted(plain: string, at: number): boolean {
  const before = withStatedPlans(plain, at).slice(-TENSE_CONTEXT);
  return !NEGATED_BEFORE.test(before) && !TENTATIVE_BEFORE.test(before);
}

function isFutureTense(plain: string, at: number): boolean {
  const context = plain.slice(Math.max(0, at - TENSE_CONTEXT), at + TENSE_CONTEXT);
  return !IN_EARLIER_YEAR.test(plain) && (hasFutureTense(context) || !hasPastTense(context));
}
