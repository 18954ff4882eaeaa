import type { Exchange } from "../../src/domain/split/exchange.ts";
import { addDays, type Day, dayInZone } from "../../src/domain/time/day.ts";
import { MARKET_ZONE, nextTradingDay } from "../../src/domain/time/trading-day.ts";
import type { Random } from "../support/random.ts";
import type { RunningClock } from "../support/running-clock.ts";
import { anArticleRow, aSplitRow, type Upstream } from "../support/upstream.ts";

export interface StorySplit {
  readonly ticker: string;
  readonly exchange: string;
  readonly exDate: Day;
  /** Listed before the first poll, so never announced. */
  readonly isInitial: boolean;
  /** Its ratios `1:N`, oldest first. Each number occurs once in a story, so an alert identifies its change. */
  readonly ratios: number[];
  /** Number of the change that listed it, or set the ratio with the same index. */
  readonly changes: number[];
  /** Alert that is due on its first day besides the announcement. */
  readonly due: "reminder" | "effective" | null;
  isRemoved: boolean;
  isWithdrawn: boolean;
}

const EXCHANGES = ["NASDAQ", "NYSE", "OTC"] as const;

/** Far enough ahead that no reminder is due. */
const FIRST_EX_DATE_DAYS = 25;

/** Share of the new splits that take effect today, and of those that do so on the next trading day. */
const DUE_SHARE = 0.12;

/** A split that changes more often within an hour is flapping, and is reported later. */
const MAX_RATIOS = 2;

/** The list of an upstream with the history of its changes. */
export class Story {
  readonly splits: StorySplit[] = [];
  readonly #upstream: Upstream;
  readonly #clock: RunningClock;
  readonly #random: Random;
  readonly #today: Day;
  #ratio = 1;
  #isEmpty = false;
  /** Number of the last change of the list. */
  change = 0;
  /** Number of times that the whole list disappeared, and that it came back. */
  disappearances = 0;
  returns = 0;

  constructor(
    { upstream, clock, random }: { upstream: Upstream; clock: RunningClock; random: Random },
    initial: number,
  ) {
    this.#upstream = upstream;
    this.#clock = clock;
    this.#random = random;
    this.#today = dayInZone(clock.now(), MARKET_ZONE);
    for (let number = 1; number <= initial; number += 1) this.#add(`I${number}`, true);
    this.#show();
  }

  /** Ticker of a split that is announced after `ahead` others, or, if negative, was announced before. */
  tickerOf(ahead: number): string {
    return `K${this.splits.length + ahead}`;
  }

  announce(count: number): void {
    this.change += 1;
    for (let added = 0; added < count; added += 1) this.#add(`K${this.splits.length}`, false);
    this.#show();
  }

  /** Changes the ratio of a split. */
  changeRatio(): void {
    const split = this.#pick(({ ratios, isRemoved, isWithdrawn }) => {
      return ratios.length < MAX_RATIOS && !isRemoved && !isWithdrawn;
    });
    if (!split) return;
    this.change += 1;
    split.ratios.push(this.#nextRatio());
    split.changes.push(this.change);
    this.#show();
  }

  /** Publishes the release of a company that postpones or cancels its split. */
  withdraw(how: "postponed" | "cancelled"): void {
    const split = this.#pick(({ due, isRemoved, isWithdrawn }) => due !== "effective" && !isRemoved && !isWithdrawn);
    if (!split) return;
    this.change += 1;
    split.isWithdrawn = true;
    const { ticker, exchange } = split;
    const company = companyOf(ticker);
    const row = anArticleRow({
      url: `https://wire.example/${this.change}`,
      heading: `${company} ${how === "postponed" ? "Postpones" : "Cancels"} Reverse Stock Split`,
      content: `${company} (${exchange}: ${ticker}) today announced that it has ${how} its previously announced reverse stock split.`,
      date_published: dayInZone(this.#clock.now(), MARKET_ZONE),
    });
    this.#upstream.articles = [row, ...this.#upstream.articles];
  }

  /** Removes a split for good. */
  remove(): void {
    const split = this.#pick(({ due, ratios, isRemoved }) => {
      return due !== "effective" && ratios.length < MAX_RATIOS && !isRemoved;
    });
    if (!split) return;
    this.change += 1;
    split.isRemoved = true;
    this.#show();
  }

  /** Shows an empty list until `reappear`. */
  vanish(): void {
    this.change += 1;
    this.disappearances += 1;
    this.#isEmpty = true;
    this.#show();
  }

  reappear(): void {
    this.change += 1;
    this.returns += 1;
    this.#isEmpty = false;
    this.#show();
  }

  #add(ticker: string, isInitial: boolean): void {
    const due = isInitial ? null : this.#pickDue();
    const exchange = this.#random.pick(EXCHANGES);
    this.splits.push({
      ticker,
      exchange,
      exDate: this.#exDate(due, exchange),
      due,
      isInitial,
      ratios: [this.#nextRatio()],
      changes: [this.change],
      isRemoved: false,
      isWithdrawn: false,
    });
  }

  #pickDue(): StorySplit["due"] {
    if (this.#random.chance(DUE_SHARE)) return "effective";
    return this.#random.chance(DUE_SHARE) ? "reminder" : null;
  }

  #exDate(due: StorySplit["due"], exchange: string): Day {
    if (due === "effective") return this.#today;
    if (due === "reminder") return nextTradingDay(exchange as Exchange, this.#today) as Day;
    return addDays(this.#today, FIRST_EX_DATE_DAYS + this.#random.below(60));
  }

  #nextRatio(): number {
    this.#ratio += 1;
    return this.#ratio;
  }

  #pick(fits: (split: StorySplit) => boolean): StorySplit | undefined {
    const [first, ...others] = this.splits.filter(fits);
    return first && this.#random.pick([first, ...others]);
  }

  #show(): void {
    const listed = this.#isEmpty ? [] : this.splits.filter(({ isRemoved }) => !isRemoved);
    this.#upstream.splits = listed.map(({ ticker, exchange, exDate, ratios }) =>
      aSplitRow({
        ticker,
        exchange,
        company: companyOf(ticker),
        ratio: `1:${ratios.at(-1)}`,
        ex_date: exDate,
        date_announced: this.#today,
      }),
    );
  }
}

function companyOf(ticker: string): string {
  return `${ticker} Holdings Inc.`;
}
