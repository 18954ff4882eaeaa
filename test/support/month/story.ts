import type { Wire } from "../../../src/domain/article/wire.ts";
import type { Day, Instant } from "../../../src/domain/time/day.ts";
import { addDays } from "../../../src/domain/time/day.ts";
import { MARKET_ZONE, tradingDayKind } from "../../../src/domain/time/trading-day.ts";
import { instantAt } from "../../../src/domain/time/wall-clock.ts";
import { day, exchange } from "../builders.ts";
import { createRandom, type Random } from "../random.ts";
import type { MonthServers } from "./servers.ts";

/** A split of the month as the catalog states it in the end. */
export interface TrueSplit {
  readonly ticker: string;
  readonly exchange: string;
  readonly company: string;
  /** `1:20` */
  readonly ratio: string;
  readonly exDate: Day;
  readonly announced: Day;
}

/** What a source publishes at a time. */
export interface Publication {
  readonly at: Instant;
  publish(servers: MonthServers): void;
}

/** The splits of a month, and everything that the sources publish about them and beside them, oldest first. */
export interface Month {
  readonly truth: readonly TrueSplit[];
  /** Symbols of the publications that are not about the splits. */
  readonly others: ReadonlySet<string>;
  /** Symbols whose companies the symbol directories list with a former name. */
  readonly renamed: ReadonlySet<string>;
  /** Splits on whose eve trading is halted. */
  readonly halted: readonly TrueSplit[];
  readonly publications: readonly Publication[];
}

export const FIRST_DAY = day("2026-03-02");
/** The last return from a symbol with the suffix D follows the last ex date by twenty trading days. */
const LAST_DAY = day("2026-05-15");
const TRADING_DAYS: readonly Day[] = tradingDaysFrom(FIRST_DAY, LAST_DAY);

function tradingDaysFrom(from: Day, to: Day): readonly Day[] {
  const days: Day[] = [];
  for (let next = from; next <= to; next = addDays(next, 1))
    if (tradingDayKind(exchange("NASDAQ"), next) !== "closed") days.push(next);
  return days;
}

/** Trading days of the month in which splits take effect, by number. */
const EX_DATES = { first: 6, count: 16 } as const;

/** The trading day with the number, from the month's first one. */
export function tradingDay(number: number): Day {
  const found = TRADING_DAYS[number];
  if (found === undefined) throw new Error(`the month has no trading day ${number}`);
  return found;
}

/** The number of a trading day of the month. */
export function tradingDayNumber(date: Day): number {
  return TRADING_DAYS.indexOf(date);
}

/** The time in New York, in minutes after midnight, of the trading day with the number. */
export function at(number: number, minute: number): Instant {
  return instantAt(tradingDay(number), minute, MARKET_ZONE);
}

/** What is planned for a split; its sources vary it. */
export interface Plan {
  readonly ticker: string;
  readonly company: string;
  /** Old shares per new share. */
  readonly old: number;
  /** Number of the trading day of the first stated ex date. */
  readonly ex: number;
  readonly wire: Wire;
  /** Unique in the month. */
  readonly number: number;
  /** Draws one of the known variants of what a source publishes. */
  readonly draw: Random["pick"];
}

const WIRES: readonly [Wire, ...Wire[]] = ["globenewswire", "prnewswire", "businesswire", "accesswire", "newsfile"];

/** Plans splits of different invented companies. */
export function createPlanner(random: Random): () => Plan {
  const used = new Set<string>();
  let number = 0;
  const letters = (from: string): string => from[random.below(from.length)] ?? "";
  const ticker = (): string => {
    const drawn = `${letters("BFGKMPRTV")}${letters("AEIOU")}${letters("BFGKMPRTV")}${letters("QXZ")}`;
    if (used.has(drawn)) return ticker();
    used.add(drawn);
    return drawn;
  };
  return () => {
    number += 1;
    const symbol = ticker();
    const company = `${symbol[0]}${symbol.slice(1).toLowerCase()}ora ${random.pick(["Robotics", "Minerals", "Foods", "Systems"])} Inc.`;
    const old = random.pick([5, 8, 10, 12, 20, 25, 30, 40, 50, 100]);
    const ex = EX_DATES.first + random.below(EX_DATES.count);
    const wire = random.pick(WIRES);
    const variants = createRandom(random.below(2 ** 31));
    return { ticker: symbol, company, old, ex, wire, number, draw: (forms) => variants.pick(forms) };
  };
}

/** The truth of a plan, with what differs from it in the end. */
export function truthOf(plan: Plan, market: string, end: { announced: number; ex?: number; old?: number }): TrueSplit {
  const { ticker, company } = plan;
  const { announced, ex = plan.ex, old = plan.old } = end;
  return {
    ticker,
    exchange: exchange(market),
    company,
    ratio: `1:${old}`,
    exDate: tradingDay(ex),
    announced: tradingDay(announced),
  };
}

/** `March 10, 2026` */
export function longDate(number: number, weekday = false): string {
  return new Date(`${tradingDay(number)}T12:00:00Z`).toLocaleDateString("en-US", {
    month: "long",
    day: "numeric",
    year: "numeric",
    timeZone: "UTC",
    ...(weekday && { weekday: "long" }),
  });
}
