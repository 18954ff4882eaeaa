import type { Exchange } from "../domain/split/exchange.ts";
import { type Day, daysBetween } from "../domain/time/day.ts";
import {
  type DateCandidate,
  type DateContext,
  findDateCandidates,
  isMarketClosed,
  nextTradingDay,
  releaseDay,
  type SentenceDates,
} from "./date-candidates.ts";
import {
  ABOUT_SYMBOL,
  CONDITIONAL_AFTER,
  DEFERRED,
  FUTURE_TENSE,
  NEGATED_BEFORE,
  PAST_TENSE,
  RECALLS_ANNOUNCEMENT,
  REPORTED_SPEECH,
  SPLIT_NAME,
  TAKES_EFFECT,
  TENTATIVE_BEFORE,
  TRADING_HINT,
  TRADING_RULES,
} from "./ex-date-rules.ts";
import { findLastListingExchange } from "./exchange-names.ts";
import { withoutForwardPart } from "./forward-split.ts";
import type { Sentence } from "./sentences.ts";
import { matchIndexes } from "./text-rule.ts";

/** The first trading day on the new basis, as one release tells it. */
export interface ExDateResult {
  readonly exDate: Day | null;
  /** The sentence that tells it. */
  readonly sentence: Sentence | null;
  /** The text tells two days, or one that cannot be: `exDate` is null. */
  readonly contradictory: boolean;
  /** The text speaks of the day as of one to come, whenever that is. */
  readonly isFuture: boolean;
}

/**
 * What a statement rests on, the firmest first. `trading`: shares trade on the new basis. `open`: the split takes
 * effect before a market opens. `moved`: its day was moved there. `close`: it takes effect after a market's close.
 */
const GROUNDS = ["trading", "open", "moved", "close"] as const;

type Ground = (typeof GROUNDS)[number];

/** One telling of the first trading day; null where the text slips on it. */
interface ExDateCandidate {
  readonly day: Day | null;
  readonly ground: Ground;
  readonly sentence: Sentence;
  readonly isFuture: boolean;
}

const NONE: ExDateResult = { exDate: null, sentence: null, contradictory: false, isFuture: false };

/** How far from the words on trading their date may stand, in characters. */
const REACH = 260;
/** What began longer ago than this, in days, is another split. */
const LONGEST_AGO = 10;
/** A repost of an announcement may come late, and no split is announced more than a year ahead. */
const LONGEST_REPOST = 45;
const LONGEST_AHEAD = 366;
const MOST_STATEMENTS = 100;
/** How far from a day its verb may stand. */
const TENSE_REACH = 160;
/** How far behind a day the name of its exchange may stand. */
const EXCHANGE_REACH = 70;
const ON_MARKET = /^,? (?:on|at) (?:the )?[A-Z]/;

/** The first trading day on the new basis. It is not the day on which the split takes legal effect, unless the text says so. */
export function findExDate(sentences: readonly Sentence[], calendar: DateContext): ExDateResult {
  const ofReverse = withoutForwardPart(sentences);
  const statements = collectStatements(findDateCandidates(ofReverse, calendar), calendar.exchange).filter(
    ({ day, isFuture: ahead }) => ahead || day === null || isRecent(day, releaseDay(calendar)),
  );
  const latest = statements.filter(({ sentence }) => !RECALLS_ANNOUNCEMENT.test(sentence.plain));
  const counted = latest.length > 0 ? latest : statements;
  const ground = GROUNDS.find((one) => counted.some((stated) => stated.ground === one));
  const firmest = ofExchange(
    counted.filter((one) => one.ground === ground),
    calendar.exchange,
  );
  const told = firmest.find(({ sentence }) => !sentence.inHeading) ?? firmest[0];
  if (!told) return NONE;
  const { day, sentence, isFuture: ahead } = told;
  const days = new Set(firmest.map((one) => one.day));
  const slips = days.size > 1 || day === null || !canBe(day, calendar) || isTooEarly(day, statements);
  return slips
    ? { exDate: null, sentence, contradictory: true, isFuture: ahead }
    : { exDate: day, sentence, contradictory: false, isFuture: ahead };
}

function isRecent(day: Day, today: Day | null): boolean {
  return today !== null && daysBetween(day, today) <= LONGEST_AGO;
}

function canBe(day: Day, { dateline, exchange }: DateContext): boolean {
  if (isMarketClosed(exchange, day)) return false;
  const ahead = dateline === null ? 0 : daysBetween(dateline, day);
  return -LONGEST_REPOST <= ahead && ahead <= LONGEST_AHEAD;
}

/** No share trades on the new basis before a market opens on it. */
function isTooEarly(day: Day, statements: readonly ExDateCandidate[]): boolean {
  return statements.some((one) => one.ground === "open" && one.day !== null && one.day > day);
}

/** Of a share listed twice, the days on the exchange in question, where the text tells them apart. */
function ofExchange(statements: readonly ExDateCandidate[], exchange: Exchange | null): readonly ExDateCandidate[] {
  const days = new Set(statements.map(({ day }) => day));
  if (days.size < 2 || exchange === null) return statements;
  const own = statements.filter(({ sentence }) => findLastListingExchange(sentence.plain) === exchange);
  return own.length > 0 ? own : statements;
}

function collectStatements(sentences: readonly SentenceDates[], exchange: Exchange | null): readonly ExDateCandidate[] {
  const statements: ExDateCandidate[] = [];
  for (const [index, one] of sentences.entries()) {
    const before = sentences[index - 1];
    statements.push(...readTrading(one, before, exchange), ...readEffect(one, before, exchange));
    if (statements.length > MOST_STATEMENTS) break;
  }
  return statements;
}

/** `will begin trading on a split-adjusted basis on …`. */
function readTrading(
  one: SentenceDates,
  before: SentenceDates | undefined,
  exchange: Exchange | null,
): readonly ExDateCandidate[] {
  const { plain } = one.sentence;
  if (!TRADING_HINT.test(plain)) return [];
  const places = TRADING_RULES.flatMap((rule) => matchIndexes(rule, plain)).filter((at) => isSaid(plain, at));
  return places.flatMap((at) => {
    const own = dateOfTrading(one, at, exchange);
    if (own) return [statement(own, "trading", one, exchange)];
    const waits = own === null || DEFERRED.test(plain) || !isAhead(plain, at);
    const borrowed = waits ? undefined : dateOfEffect(one, before);
    return borrowed ? [statement(borrowed, "open", one, exchange)] : [];
  });
}

/** The date of the trading that is told at `at`: behind it, else before it. Null where the text only bounds it. */
function dateOfTrading(
  { sentence: { plain }, dates }: SentenceDates,
  at: number,
  exchange: Exchange | null,
): DateCandidate | null | undefined {
  const behind = dates.filter(({ start }) => start > at && start - at < REACH);
  const counted = behind.filter(
    ({ exclusion: refusal, time: hour }) => refusal === "bound" || (refusal === null && hour !== "evening"),
  );
  const told = ofOwnExchange(counted, { plain, at, exchange }) ?? counted[0];
  if (told) return told.exclusion === null ? told : null;
  if (DEFERRED.test(plain.slice(at, at + REACH))) return null;
  return dates.findLast(
    ({ end, exclusion: refusal, time: hour }) =>
      end <= at && at - end < REACH && refusal === null && hour !== "evening",
  );
}

interface Telling {
  readonly plain: string;
  readonly at: number;
  readonly exchange: Exchange | null;
}

/** `on May 3 on one exchange and on May 4 on another`: the day of the exchange in question, whichever stands first. */
function ofOwnExchange(days: readonly DateCandidate[], { plain, at, exchange }: Telling): DateCandidate | undefined {
  if (exchange === null || days.length < 2) return undefined;
  return days.find(({ start, end }, index) => {
    const before = plain.slice(days[index - 1]?.end ?? at, start);
    const behind = plain.slice(end, Math.min(days[index + 1]?.start ?? plain.length, end + EXCHANGE_REACH));
    return findLastListingExchange(ON_MARKET.test(behind) ? behind : before) === exchange;
  });
}

/** `The split takes effect on May 4. The shares will begin trading on a split-adjusted basis at the open.` */
function dateOfEffect(one: SentenceDates, before: SentenceDates | undefined): DateCandidate | undefined {
  if (!before || before.sentence.inHeading !== one.sentence.inHeading || one.dates.length > 0) return undefined;
  const { plain } = before.sentence;
  if (!SPLIT_NAME.test(plain) || !TAKES_EFFECT.test(plain)) return undefined;
  return before.dates.findLast(
    ({ exclusion: refusal, time: hour }) => refusal === null && (hour === null || hour === "open"),
  );
}

/** `The split takes effect before the market opens on …`, `… after it closes on …`, `… is postponed to …`. */
function readEffect(
  one: SentenceDates,
  before: SentenceDates | undefined,
  exchange: Exchange | null,
): readonly ExDateCandidate[] {
  const { plain } = one.sentence;
  if (one.dates.length === 0 || !isOnSplit(one, before) || ABOUT_SYMBOL.test(plain)) return [];
  return one.dates.flatMap((date) => {
    const ground = groundOf(date);
    const around = plain.slice(Math.max(0, date.start - REACH), date.end + REACH);
    if (!ground || !(date.moved || TAKES_EFFECT.test(around)) || !isSaid(plain, date.start)) return [];
    const told = statement(date, ground, one, exchange);
    // Legal effect may come on a Saturday.
    return ground === "open" && told.day !== null && isMarketClosed(exchange, told.day) ? [] : [told];
  });
}

/** Also as `it`, right behind a sentence that names it. */
function isOnSplit({ sentence: { plain } }: SentenceDates, before: SentenceDates | undefined): boolean {
  return SPLIT_NAME.test(plain) || (/^(?:it|this) /i.test(plain) && SPLIT_NAME.test(before?.sentence.plain ?? ""));
}

function groundOf({ exclusion: refusal, time: hour, moved }: DateCandidate): Ground | undefined {
  if (refusal !== null || hour === "evening") return undefined;
  if (hour === "open") return "open";
  if (hour === "session_close") return "close";
  return moved ? "moved" : undefined;
}

function statement(
  date: DateCandidate,
  ground: Ground,
  { sentence }: SentenceDates,
  exchange: Exchange | null,
): ExDateCandidate {
  const ahead = isAhead(sentence.plain, date.start);
  if (date.time !== "session_close") return { day: date.day, ground, sentence, isFuture: ahead };
  return { day: date.day && nextTradingDay(exchange, date.day), ground: "close", sentence, isFuture: ahead };
}

function isSaid(plain: string, at: number): boolean {
  const before = plain.slice(Math.max(0, at - TENSE_REACH), at);
  if (NEGATED_BEFORE.test(before)) return false;
  return !TENTATIVE_BEFORE.test(before) || (REPORTED_SPEECH.test(before) && !CONDITIONAL_AFTER.test(plain.slice(at)));
}

function isAhead(plain: string, at: number): boolean {
  const around = plain.slice(Math.max(0, at - TENSE_REACH), at + TENSE_REACH);
  return FUTURE_TENSE.test(around) || !PAST_TENSE.test(around);
}
