import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addDays, type Day, MINUTE_MS } from "../../../src/domain/time/day.ts";
import { shownIn } from "../../faults/discord-chat.ts";
import { alertsIn } from "../../faults/model.ts";
import type { Processes, SplitwatchProcess } from "../../support/process.ts";
import type { Random } from "../../support/random.ts";
import { aSplitRow, startUpstream, type Upstream } from "../../support/upstream.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ask, readMetric } from "../../support/web-chat-client.ts";
import { Releases } from "../releases.ts";
import { faults } from "./faults.ts";
import { DISCORDS_LIMITS } from "./rate-limits.ts";
import type { Recorded } from "./rest.ts";
import { type FakeDiscord, startDiscord } from "./server.ts";
import { traders } from "./traders.ts";
import type { DiscordUser } from "./user.ts";
import type { Channel } from "./world.ts";

const CHANNELS = 25;
const PEOPLE = 25;

/** Longer than Discord keeps a nonce: messages that are resent later must have been searched for. */
const LONG_AWAY_MS = 10 * MINUTE_MS;

/** Faults while a process runs, as shares of all messages. */
const SHARES = { storedThenReset: 0.1, storedThen502: 0.04, reset: 0.04, unavailable: 0.04, refused: 0.04 } as const;

const POSTS = { method: "POST", path: /^\/channels\/\d+\/messages$/ };

const EDITS = { method: "PATCH", path: /^\/channels\/\d+\/messages\/\d+$/ };

/** Messages with cards; the same alerts as text are accepted. */
const CARDS = { ...POSTS, body: /"embeds":\[\{/ };

const OVERLAY = `poll: { splits: "* * * * * *", articles: "* * * * * *" }\n`;

export interface DiscordCrashFigures {
  kills: number;
  /** Kills while the server was handling a message. */
  killedWhileSending: number;
  /** Kills while the server was handling an edit: it was made, or will be, but wasn't saved. */
  killedWhileEditing: number;
  splits: number;
  messages: number;
  /** Messages that were edited: the second half of an announcement joined them. */
  edited: number;
  /** Messages that were stored without an answer. */
  unanswered: number;
  /** Messages that were refused because of their cards. */
  refusedCards: number;
  /** Rejected requests: two processes within a second share one limit. */
  refused: number;
}

/** One installation on Discord that is killed and restarted repeatedly while it sends alerts. */
export class DiscordCrashRun {
  readonly figures: DiscordCrashFigures = {
    kills: 0,
    killedWhileSending: 0,
    killedWhileEditing: 0,
    splits: 0,
    messages: 0,
    edited: 0,
    unanswered: 0,
    refusedCards: 0,
    refused: 0,
  };
  readonly #folder: string;
  readonly #processes: Processes;
  readonly #random: Random;
  readonly #discord: FakeDiscord;
  readonly #upstream: Upstream;
  readonly #time: { ahead: number };
  readonly #destinations: Channel[] = [];
  readonly #tickers: string[] = [];
  readonly #releases: Releases;
  readonly #problems: string[] = [];

  private constructor(parts: {
    folder: string;
    processes: Processes;
    random: Random;
    discord: FakeDiscord;
    upstream: Upstream;
    time: { ahead: number };
  }) {
    this.#folder = parts.folder;
    this.#processes = parts.processes;
    this.#random = parts.random;
    this.#discord = parts.discord;
    this.#upstream = parts.upstream;
    this.#releases = new Releases(parts);
    this.#time = parts.time;
  }

  /** Starts the first process, which reads the initial list and saves the subscriptions. */
  static async begin(folder: string, processes: Processes, random: Random): Promise<DiscordCrashRun> {
    const time = { ahead: 0 };
    // Limits per channel are not the subject, and would make the run longer.
    const limits = { ...DISCORDS_LIMITS, posting: null, others: null };
    const discord = await startDiscord({ limits, now: () => Date.now() + time.ahead });
    const upstream = await startUpstream({ splits: Array.from({ length: 20 }, (_, index) => aRow(`I${index}`)) });
    const run = new DiscordCrashRun({ folder, processes, random, discord, upstream, time });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "every-second.yaml"), OVERLAY);
    const splitwatch = run.#start();
    await splitwatch.ready;
    await run.#polls(splitwatch, 4);
    await run.#subscribe();
    await run.#end(splitwatch);
    return run;
  }

  async killRepeatedly(times: number): Promise<void> {
    this.#disturb();
    for (let kill = 0; kill < times; kill += 1) await this.#runAndKill();
    this.#discord.faults.clear();
  }

  /** Waits until nothing is pending, and returns all alerts that were lost, sent twice or wrong. */
  async settle(): Promise<readonly string[]> {
    // Scheduled retries are due then.
    this.#time.ahead += LONG_AWAY_MS;
    const splitwatch = this.#start();
    const address = await splitwatch.ready;
    await this.#polls(splitwatch, 2);
    const isDone = async (): Promise<boolean> => (await readMetric(address, "splitwatch_outbox_pending")) === 0;
    await waitUntil("no delivery is pending", isDone).catch(async () => {
      const [status] = await ask(address, "ada", "status");
      this.#problems.push(`still waiting: ${JSON.stringify(status)}`);
      const warnings = splitwatch.log().filter(({ level }) => level === "warn");
      this.#problems.push(...warnings.slice(-20).map((line) => `log: ${JSON.stringify(line)}`));
    });
    await this.#end(splitwatch);
    for (const destination of this.#destinations) this.#check(destination);
    const { violations, invalid } = this.#discord;
    this.figures.messages = this.#destinations.flatMap(({ messages }) => messages).length;
    this.figures.edited = this.#destinations.flatMap(({ messages }) =>
      messages.filter(({ original }) => original),
    ).length;
    this.figures.refused = invalid.length;
    return [...this.#problems, ...violations];
  }

  async stop(): Promise<void> {
    await this.#discord.stop();
    await this.#upstream.stop();
  }

  #start(): SplitwatchProcess {
    // The time of the process is ahead of the machine's, so that nonces expire without waiting.
    const later = `const now = Date.now; Date.now = () => now() + ${this.#time.ahead};`;
    return this.#processes.start({
      cwd: this.#folder,
      env: {
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(later)}`,
        SPLITS_API_URL: this.#upstream.url,
        SPLITS_API_KEY: this.#upstream.key,
        SPLITWATCH_CONFIG: join(this.#folder, "every-second.yaml"),
        DISCORD_TOKEN: this.#discord.token,
        DISCORD_API_URL: this.#discord.apiUrl,
      },
    });
  }

  async #subscribe(): Promise<void> {
    const { guild, ada } = traders(this.#discord);
    await waitUntil(
      "the process is connected",
      () => this.#discord.gateway.connected === 1 && this.#discord.commands.length > 0,
    );
    const tickers = Array.from({ length: 200 }, (_, number) => `K${number}`).join(" ");
    for (let number = 0; number < CHANNELS; number += 1) {
      const channel = this.#discord.addChannel(guild, `alerts-${number}`);
      await expectAnswer(ada.slash("/splits subscribe", {}, channel), /Rule 1 is set/);
      this.#destinations.push(channel);
    }
    for (let number = 0; number < PEOPLE; number += 1) {
      const person = this.#discord.addUser(`person-${number}`, guild);
      await expectAnswer(person.slash("/splits watch", { tickers }, "dm"), /You now watch/);
      this.#destinations.push(person.direct);
    }
  }

  #disturb(): void {
    const { faults: active } = this.#discord;
    active.latencyMs = 10;
    const add = (fault: Parameters<typeof active.add>[0], share: number): void => {
      const chance = (): boolean => {
        const occurs = this.#random.chance(share);
        if (occurs && fault.when === "after") this.figures.unanswered += 1;
        return occurs;
      };
      active.add(fault, { ...POSTS, chance });
    };
    active.add(faults.storedThenReset, { ...EDITS, chance: () => this.#random.chance(SHARES.storedThenReset) });
    add(faults.storedThenReset, SHARES.storedThenReset);
    add(faults.storedThen(502), SHARES.storedThen502);
    add(faults.reset, SHARES.reset);
    add(faults.status(503), SHARES.unavailable);
    const isRefused = (): boolean => {
      const occurs = this.#random.chance(SHARES.refused);
      this.figures.refusedCards += Number(occurs);
      return occurs;
    };
    active.add(faults.refusal(400, 50_035, "Invalid Form Body"), { ...CARDS, chance: isRefused });
  }

  async #runAndKill(): Promise<void> {
    if (this.#random.chance(0.35)) this.#time.ahead += LONG_AWAY_MS;
    const before = this.#discord.requests.length;
    const isEdited = this.#announce() && this.#random.chance(0.5);
    const splitwatch = this.#start();
    if (this.#random.chance(0.15)) await pause(this.#random.next() * 600);
    else {
      const wanted = 1 + this.#random.below(CHANNELS + PEOPLE);
      const isMoment = (): boolean =>
        isEdited ? this.#edits(before).some(isUnderWay) : this.#posts(before).length >= wanted;
      await Promise.race([waitUntil("the moment has come", isMoment, 8_000).catch(() => undefined), splitwatch.ended]);
      if (!isEdited) await pause(this.#random.next() * 25);
    }
    const [isSending, isEditing] = [this.#posts(before).some(isUnderWay), this.#edits(before).some(isUnderWay)];
    const { signal } = await splitwatch.kill();
    if (signal !== "SIGKILL") this.#problems.push(`splitwatch ended unexpectedly: ${splitwatch.err()}`);
    this.figures.kills += 1;
    if (isSending) this.figures.killedWhileSending += 1;
    if (isEditing) this.figures.killedWhileEditing += 1;
    this.#note(splitwatch);
  }

  #posts(since: number): FakeDiscord["requests"] {
    return this.#discord.requests.slice(since).filter(({ method, path }) => method === "POST" && POSTS.path.test(path));
  }

  #edits(since: number): FakeDiscord["requests"] {
    return this.#discord.requests
      .slice(since)
      .filter(({ method, path }) => method === "PATCH" && EDITS.path.test(path));
  }

  /** Lists a split. Returns whether it joins the messages of its release. */
  #announce(): boolean {
    const ticker = `K${this.#tickers.length}`;
    const isReleased = this.#releases.has(ticker);
    this.#tickers.push(ticker);
    this.#upstream.splits = [...this.#upstream.splits, aRow(ticker)];
    this.figures.splits += 1;
    this.#releases.publish(ticker, `K${this.#tickers.length}`);
    return isReleased;
  }

  #note(splitwatch: SplitwatchProcess): void {
    const errors = splitwatch.log().filter(({ level }) => level === "error");
    this.#problems.push(...errors.map((line) => `log: ${JSON.stringify(line)}`));
    this.#problems.push(...splitwatch.stderrOutsideLog().map((line) => `standard error: ${line}`));
  }

  /** Each split must be announced exactly once, on a card or in a list, and nothing else. */
  #check(destination: Channel): void {
    const texts = destination.messages.map(shownIn);
    const alerts = texts.flatMap(alertsIn);
    for (const ticker of this.#tickers) {
      const times = alerts.filter((alert) => alert.kind === "announced" && alert.ticker === ticker).length;
      if (times !== 1) this.#problems.push(`${destination.name} received ${ticker} ${times} times`);
    }
    const missing = destination.recipient === null ? [] : this.#releases.missingIn(texts, this.#tickers);
    this.#problems.push(...missing.map((ticker) => `${destination.name} lacks the release of ${ticker}`));
    if (alerts.length !== this.#tickers.length) this.#problems.push(`${destination.name} has ${alerts.length} alerts`);
  }

  async #polls(splitwatch: SplitwatchProcess, times: number): Promise<void> {
    const polls = (): number => splitwatch.log().filter(({ msg }) => msg === "poll completed").length;
    const enough = polls() + times + 1;
    await waitUntil("the process has polled", () => polls() >= enough);
  }

  async #end(splitwatch: SplitwatchProcess): Promise<void> {
    splitwatch.signal("SIGTERM");
    const { code } = await splitwatch.ended;
    if (code !== 0) this.#problems.push(`splitwatch ended with ${code}: ${splitwatch.err()}`);
    this.#note(splitwatch);
  }
}

/** Whether a request has no answer yet. */
function isUnderWay({ status }: Recorded): boolean {
  return status === null;
}

/** The run expects alerts at every destination, so the subscription must have succeeded. */
async function expectAnswer(answer: ReturnType<DiscordUser["slash"]>, expected: RegExp): Promise<void> {
  const { text } = await answer;
  if (!expected.test(text)) throw new Error(`subscription failed: the answer was ${JSON.stringify(text)}`);
}

function aRow(ticker: string): Record<string, unknown> {
  const exDate = addDays(new Date().toISOString().slice(0, 10) as Day, 40);
  return aSplitRow({ ticker, company: `${ticker} Holdings Inc.`, ex_date: exDate, date_announced: null });
}
