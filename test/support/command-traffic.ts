import { setTimeout as pause } from "node:timers/promises";
import type { Card } from "../../src/chat/web/page/protocol.ts";
import type { Random } from "./random.ts";
import { ask, RefusedError, rethrowUnlessDisconnected, type WebDestination } from "./web-chat-client.ts";

/** Rules per channel, below the limit of splitwatch. */
const RULES_PER_CHANNEL = 20;

const WATCHER = "watcher";
const EARLY = "early";
const TESTS: WebDestination = { channel: "tests" };

/** Possible states after commands: interrupted ones may have taken effect or not, acknowledged ones have. */
class PossibleStates {
  readonly #states = new Map<string, readonly boolean[]>();

  acknowledged(key: string, is: boolean): void {
    this.#states.set(key, [is]);
  }

  interrupted(key: string, is: boolean): void {
    this.#states.set(key, [...(this.#states.get(key) ?? [false]), is]);
  }

  /** Keys whose state no sequence of the commands can explain. */
  wrong(actual: readonly string[]): readonly string[] {
    const unknown = actual.filter((key) => !this.#states.has(key));
    const doubled = actual.filter((key, index) => actual.indexOf(key) !== index);
    const others = [...this.#states].flatMap(([key, states]) => (states.includes(actual.includes(key)) ? [] : [key]));
    return [...unknown, ...doubled, ...others];
  }
}

/** Sends commands one after another across kills of the process, and records which ones were answered. */
export class CommandTraffic {
  sent = 0;
  answered = 0;
  /** Test cards that an answer reported as delivered or on the way. */
  testsAnswered = 0;
  testsSent = 0;
  /** Tickers that a person watched before their first alert, oldest first. */
  readonly earlyTickers: string[] = [];
  readonly #random: Random;
  readonly #watched = new PossibleStates();
  readonly #rules = new PossibleStates();
  readonly #earlyWatched = new PossibleStates();
  readonly #watching: string[] = [];
  #interruptedWatch: string | null = null;
  #channel = 1;
  #rulesInChannel = 0;
  #onSent: () => void = () => undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Resolves when the next command is sent. */
  nextCommand(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSent = resolve;
    });
  }

  /** Sends commands until one is not answered, or `maxAnswered` were answered. */
  async sendCommands(address: string, maxAnswered = Number.POSITIVE_INFINITY): Promise<void> {
    try {
      while (this.answered < maxAnswered) {
        await this.#command(address);
        await pause(this.#random.below(40));
      }
    } catch (error) {
      rethrowUnlessDisconnected(error);
    }
  }

  /** Number of commands without an answer. */
  get interrupted(): number {
    return this.sent - this.answered;
  }

  /** Returns settings that differ from the acknowledged commands, and the tickers watched early. */
  async checkSettings(
    address: string,
  ): Promise<{ readonly wrong: readonly string[]; readonly early: readonly string[] }> {
    const watched = await watchlistOf(address, WATCHER);
    const early = await watchlistOf(address, EARLY);
    const rules: string[] = [];
    for (let channel = 1; channel <= this.#channel; channel += 1) {
      const [card] = await ask(address, WATCHER, "subscriptions", { channel: `rules-${channel}` });
      rules.push(...(card?.rows ?? []).map(({ detail }) => /; for (\w+)/.exec(detail)?.[1] ?? detail));
    }
    const wrong = [...this.#watched.wrong(watched), ...this.#earlyWatched.wrong(early), ...this.#rules.wrong(rules)];
    return { wrong, early };
  }

  async #command(address: string): Promise<void> {
    const kind = this.#random.below(5);
    if (kind === 0) return this.#watch(address);
    if (kind === 1) return this.#unwatch(address);
    if (kind === 2) return this.#subscribe(address);
    if (kind === 3) return this.#test(address);
    return this.#watchEarly(address);
  }

  /** Adds a ticker; repeats an interrupted command, as people do. */
  async #watch(address: string): Promise<void> {
    const ticker = this.#interruptedWatch ?? `W${this.sent}`;
    this.#watched.interrupted(ticker, true);
    this.#interruptedWatch = ticker;
    await this.#send(address, `watch ${ticker}`, /^You (now|already) watch /);
    this.#interruptedWatch = null;
    this.#watched.acknowledged(ticker, true);
    this.#watching.push(ticker);
  }

  async #unwatch(address: string): Promise<void> {
    const ticker = this.#watching.shift();
    if (ticker === undefined) return;
    this.#watched.interrupted(ticker, false);
    await this.#send(address, `unwatch ${ticker}`, /^You no longer watch /);
    this.#watched.acknowledged(ticker, false);
  }

  /** Adds a rule, and sometimes removes it immediately, while its number is certain. */
  async #subscribe(address: string): Promise<void> {
    if (this.#rulesInChannel === RULES_PER_CHANNEL) this.#nextChannel();
    const ticker = `S${this.sent}`;
    const destination = { channel: `rules-${this.#channel}` };
    this.#rulesInChannel += 1;
    this.#rules.interrupted(ticker, true);
    const { title } = await this.#send(address, `subscribe tickers:${ticker}`, /^Rule \d+ is set/, destination);
    this.#rules.acknowledged(ticker, true);
    if (!this.#random.chance(0.3)) return;
    this.#rules.interrupted(ticker, false);
    await this.#send(address, `unsubscribe ${/\d+/.exec(title)?.[0]}`, /^Rule \d+ was removed$/, destination);
    this.#rules.acknowledged(ticker, false);
  }

  #nextChannel(): void {
    this.#channel += 1;
    this.#rulesInChannel = 0;
  }

  /** Requests a test card. A refusal because of too many is an answer, too. */
  async #test(address: string): Promise<void> {
    this.testsSent += 1;
    const { title } = await this.#send(
      address,
      "test",
      /^(The test card (was delivered|is on its way)|Couldn't run "test".*)$/,
      TESTS,
    );
    if (title.startsWith("The test card")) this.testsAnswered += 1;
    else this.testsSent -= 1;
  }

  async #watchEarly(address: string): Promise<void> {
    const ticker = `B${this.earlyTickers.length + 1}`;
    this.#earlyWatched.interrupted(ticker, true);
    try {
      await this.#send(address, `watch ${ticker}`, /^You now watch /, { person: EARLY });
      this.#earlyWatched.acknowledged(ticker, true);
    } finally {
      this.earlyTickers.push(ticker);
    }
  }

  async #send(
    address: string,
    line: string,
    expected: RegExp,
    destination: WebDestination = { person: WATCHER },
  ): Promise<Card> {
    const name = "person" in destination ? destination.person : WATCHER;
    this.sent += 1;
    const answer = ask(address, name, line, destination);
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
