import { setTimeout as pause } from "node:timers/promises";
import type { Card } from "../../src/chat/web/page/protocol.ts";
import type { Random } from "./random.ts";
import { ask, RefusedError, rethrowUnlessDisconnected, type WebDestination } from "./web-chat.ts";

/** Rules that one channel holds at most, less some. */
const RULES_PER_CHANNEL = 20;

const WALKER = "walker";
const BIRD = "bird";
const TESTS: WebDestination = { channel: "tests" };

/** Commands that were cut off may have worked or not; acknowledged ones have. */
class PossibleStates {
  readonly #states = new Map<string, readonly boolean[]>();

  acknowledged(key: string, is: boolean): void {
    this.#states.set(key, [is]);
  }

  cutOff(key: string, is: boolean): void {
    this.#states.set(key, [...(this.#states.get(key) ?? [false]), is]);
  }

  /** The keys that are not as any command can have left them. */
  wrong(actual: readonly string[]): readonly string[] {
    const unknown = actual.filter((key) => !this.#states.has(key));
    const doubled = actual.filter((key, index) => actual.indexOf(key) !== index);
    const others = [...this.#states].flatMap(([key, states]) => (states.includes(actual.includes(key)) ? [] : [key]));
    return [...unknown, ...doubled, ...others];
  }
}

/** Somebody who types one command after the other, whatever becomes of the process, and remembers which were answered. */
export class CommandTraffic {
  sent = 0;
  answered = 0;
  /** Test cards that the answer called delivered, or on their way. */
  testsAnswered = 0;
  testsSent = 0;
  /** Tickers that the early bird asked to watch before there was news of them, oldest first. */
  readonly earlyTickers: string[] = [];
  readonly #random: Random;
  readonly #watched = new PossibleStates();
  readonly #rules = new PossibleStates();
  readonly #birdWatched = new PossibleStates();
  readonly #watching: string[] = [];
  #cutOffWatch: string | null = null;
  #channel = 1;
  #rulesInChannel = 0;
  #onSent: () => void = () => undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Resolves when the next command is on its way. */
  nextCommand(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSent = resolve;
    });
  }

  /** Goes on until a command is not answered any more. */
  async sendCommands(address: string): Promise<void> {
    try {
      for (;;) {
        await this.#command(address);
        await pause(this.#random.below(40));
      }
    } catch (error) {
      rethrowUnlessDisconnected(error);
    }
  }

  /** Commands that no answer came to. */
  get cutOff(): number {
    return this.sent - this.answered;
  }

  /** What does not stand as it was acknowledged, and what the bird watches. */
  async checkSettings(
    address: string,
  ): Promise<{ readonly wrong: readonly string[]; readonly bird: readonly string[] }> {
    const walker = await watchlistOf(address, WALKER);
    const bird = await watchlistOf(address, BIRD);
    const rules: string[] = [];
    for (let channel = 1; channel <= this.#channel; channel += 1) {
      const [card] = await ask(address, WALKER, "subscriptions", { channel: `rules-${channel}` });
      rules.push(...(card?.rows ?? []).map(({ detail }) => /; for (\w+)/.exec(detail)?.[1] ?? detail));
    }
    const wrong = [...this.#watched.wrong(walker), ...this.#birdWatched.wrong(bird), ...this.#rules.wrong(rules)];
    return { wrong, bird };
  }

  async #command(address: string): Promise<void> {
    const kind = this.#random.below(5);
    if (kind === 0) return this.#watch(address);
    if (kind === 1) return this.#unwatch(address);
    if (kind === 2) return this.#subscribe(address);
    if (kind === 3) return this.#test(address);
    return this.#watchEarly(address);
  }

  /** A watch that was cut off is tried again, as people do. */
  async #watch(address: string): Promise<void> {
    const ticker = this.#cutOffWatch ?? `W${this.sent}`;
    this.#watched.cutOff(ticker, true);
    this.#cutOffWatch = ticker;
    await this.#say(address, `watch ${ticker}`, /^You (now )?watch /);
    this.#cutOffWatch = null;
    this.#watched.acknowledged(ticker, true);
    this.#watching.push(ticker);
  }

  async #unwatch(address: string): Promise<void> {
    const ticker = this.#watching.shift();
    if (ticker === undefined) return;
    this.#watched.cutOff(ticker, false);
    await this.#say(address, `unwatch ${ticker}`, /^You no longer watch /);
    this.#watched.acknowledged(ticker, false);
  }

  /** Sometimes it takes the rule off again at once: its number is certain then. */
  async #subscribe(address: string): Promise<void> {
    if (this.#rulesInChannel === RULES_PER_CHANNEL) this.#nextChannel();
    const ticker = `S${this.sent}`;
    const place = { channel: `rules-${this.#channel}` };
    this.#rulesInChannel += 1;
    this.#rules.cutOff(ticker, true);
    const { title } = await this.#say(address, `subscribe tickers:${ticker}`, /^Rule \d+ is set/, place);
    this.#rules.acknowledged(ticker, true);
    if (!this.#random.chance(0.3)) return;
    this.#rules.cutOff(ticker, false);
    await this.#say(address, `unsubscribe ${/\d+/.exec(title)?.[0]}`, /^Rule \d+ removed/, place);
    this.#rules.acknowledged(ticker, false);
  }

  #nextChannel(): void {
    this.#channel += 1;
    this.#rulesInChannel = 0;
  }

  async #test(address: string): Promise<void> {
    this.testsSent += 1;
    await this.#say(address, "test", /^The test card (was delivered|is on its way)$/, TESTS);
    this.testsAnswered += 1;
  }

  async #watchEarly(address: string): Promise<void> {
    const ticker = `B${this.earlyTickers.length + 1}`;
    this.#birdWatched.cutOff(ticker, true);
    try {
      await this.#say(address, `watch ${ticker}`, /^You now watch /, { person: BIRD });
      this.#birdWatched.acknowledged(ticker, true);
    } finally {
      this.earlyTickers.push(ticker);
    }
  }

  async #say(
    address: string,
    line: string,
    expected: RegExp,
    place: WebDestination = { person: WALKER },
  ): Promise<Card> {
    const name = "person" in place ? place.person : WALKER;
    this.sent += 1;
    const answer = ask(address, name, line, place);
    this.#onSent();
    const [card] = await answer;
    if (!card || !expected.test(card.title)) throw new RefusedError(200, `${line} was answered "${card?.title}"`);
    this.answered += 1;
    return card;
  }
}

async function watchlistOf(address: string, name: string): Promise<readonly string[]> {
  const tickers: string[] = [];
  let line: string | undefined = "watchlist";
  while (line !== undefined) {
    const [card]: readonly Card[] = await ask(address, name, line);
    tickers.push(...(card?.rows ?? []).map(({ title }) => title));
    line = card?.buttons.find(({ label }) => label === "Next")?.command;
  }
  return tickers;
}
