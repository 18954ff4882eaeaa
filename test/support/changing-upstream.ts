import { addDays, type Day, dayInZone } from "../../src/domain/time/day.ts";
import { MARKET_ZONE } from "../../src/domain/time/trading-day.ts";
import type { Random } from "./random.ts";
import { anArticleRow, aSplitRow, startUpstream, type Upstream } from "./upstream.ts";

/** The terms of a split that change: `1:20`, 2026-03-10. */
export interface Terms {
  readonly ratio: string;
  readonly exDate: Day;
}

export interface ListedSplit {
  readonly ticker: string;
  readonly exchange: string;
  /** Listed before the first poll. */
  readonly initial: boolean;
  /** Its terms with the version of the list that introduced them, oldest first. */
  readonly terms: { readonly terms: Terms; readonly since: number }[];
  /** The first version without it; null while it is listed. */
  removedIn: number | null;
}

export interface PublishedRelease {
  readonly url: string;
  readonly ticker: string;
}

const EXCHANGES = ["NASDAQ", "NYSE", "OTC"] as const;

/** More transitions within an hour would make a split flapping. */
const MAX_TRANSITIONS = 3;

/** A larger loss in one poll would make the list suspicious. */
const MAX_REMOVED_SHARE = 0.08;

/** Far enough ahead that no reminder is due during a test. */
const FIRST_EX_DATE_DAYS = 20;

/** An upstream whose list changes with each step, and that records which version each request received. */
export class ChangingUpstream {
  readonly upstream: Upstream;
  readonly splits: ListedSplit[] = [];
  readonly releases: PublishedRelease[] = [];
  /** The version of the list that each request received. */
  readonly served: { readonly at: number; readonly version: number }[] = [];
  /** Tickers of the next new splits. */
  readonly upcoming: string[] = [];
  readonly #random: Random;
  readonly #today = dayInZone(Date.now(), MARKET_ZONE);
  #version = 1;
  #onServed: () => void = () => undefined;

  private constructor(upstream: Upstream, random: Random) {
    this.upstream = upstream;
    this.#random = random;
    upstream.beforeAnswer = ({ path }) => {
      if (path !== "/v1/splits") return;
      this.served.push({ at: Date.now(), version: this.#version });
      this.#onServed();
    };
  }

  static async start(random: Random, initial: number): Promise<ChangingUpstream> {
    const changing = new ChangingUpstream(await startUpstream(), random);
    for (let number = 1; number <= initial; number += 1) changing.#add(`I${number}`, true);
    changing.#updateList();
    return changing;
  }

  get version(): number {
    return this.#version;
  }

  /** Resolves at the next request of the list. */
  nextRequest(): Promise<void> {
    return new Promise((resolve) => {
      this.#onServed = resolve;
    });
  }

  /** Adds, changes or removes a split, or publishes a release. */
  step(): void {
    this.#version += 1;
    const kind = this.#random.next();
    if (kind < 0.25) this.#add(this.upcoming.shift() ?? `K${this.splits.length}`, false);
    else if (kind < 0.7) this.#change();
    else if (kind < 0.75) this.#remove();
    else this.#publish();
    this.#updateList();
  }

  /** The split's terms in a version of the list; null if it is not listed. */
  termsIn(split: ListedSplit, version: number): Terms | null {
    if (split.removedIn !== null && version >= split.removedIn) return null;
    return split.terms.findLast(({ since }) => since <= version)?.terms ?? null;
  }

  async stop(): Promise<void> {
    await this.upstream.stop();
  }

  #add(ticker: string, initial: boolean): void {
    const terms = { ratio: this.#anyRatio(), exDate: this.#anyDate() };
    this.splits.push({
      ticker,
      exchange: this.#random.pick(EXCHANGES),
      initial,
      terms: [{ terms, since: this.#version }],
      removedIn: null,
    });
  }

  #change(): void {
    const split = this.#pickWhere(({ terms, removedIn }) => removedIn === null && terms.length <= MAX_TRANSITIONS);
    if (!split) return;
    split.terms.push({ terms: this.#otherTerms(split), since: this.#version });
  }

  #otherTerms({ terms }: ListedSplit): Terms {
    const [before, now] = [terms.at(-2)?.terms, terms.at(-1)?.terms];
    if (!now) throw new Error("a listed split has no terms");
    if (before && this.#random.chance(0.2)) return before;
    const part = this.#random.below(3);
    return {
      ratio: part === 1 ? now.ratio : this.#anyRatio(now.ratio),
      exDate: part === 0 ? now.exDate : this.#anyDate(now.exDate),
    };
  }

  #remove(): void {
    const gone = this.splits.filter(({ removedIn }) => removedIn !== null).length;
    if (gone >= this.splits.length * MAX_REMOVED_SHARE) return;
    const split = this.#pickWhere(({ terms, removedIn }) => removedIn === null && terms.length < MAX_TRANSITIONS);
    if (split) split.removedIn = this.#version;
  }

  #publish(): void {
    const listed = this.#pickWhere(() => true);
    const split = this.#random.chance(0.8) ? listed : undefined;
    const ticker = split?.ticker ?? `X${this.releases.length}`;
    const withdraws = this.#random.chance(0.3);
    const url = `https://wire.example/${this.releases.length + 1}`;
    this.releases.push({ url, ticker });
    const company = `${ticker} Holdings Inc.`;
    const tag = `${company} (${split?.exchange ?? "NYSE"}: ${ticker})`;
    const row = anArticleRow({
      url,
      heading: `${company} ${withdraws ? "Postpones" : "Announces"} Reverse Stock Split`,
      content: withdraws
        ? `${tag} today announced that it has postponed its previously announced reverse stock split.`
        : `${tag} today announced that it will effect a reverse stock split.`,
      date_published: dayInZone(Date.now(), MARKET_ZONE),
    });
    this.upstream.articles = [row, ...this.upstream.articles];
  }

  #pickWhere(fits: (split: ListedSplit) => boolean): ListedSplit | undefined {
    const [first, ...others] = this.splits.filter(fits);
    return first && this.#random.pick([first, ...others]);
  }

  #anyRatio(except?: string): string {
    const ratio = `1:${2 + this.#random.below(98)}`;
    return ratio === except ? this.#anyRatio(except) : ratio;
  }

  #anyDate(except?: Day): Day {
    const day = addDays(this.#today, FIRST_EX_DATE_DAYS + this.#random.below(90));
    return day === except ? this.#anyDate(except) : day;
  }

  #updateList(): void {
    this.upstream.splits = this.splits.flatMap((split) => {
      const terms = this.termsIn(split, this.#version);
      if (!terms) return [];
      return aSplitRow({
        ticker: split.ticker,
        exchange: split.exchange,
        company: `${split.ticker} Holdings Inc.`,
        ratio: terms.ratio,
        ex_date: terms.exDate,
        date_announced: this.#today,
      });
    });
  }
}
