import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addDays, type Day, MINUTE_MS } from "../../../src/domain/time/day.ts";
import type { Processes, SplitwatchProcess } from "../../support/process.ts";
import type { Random } from "../../support/random.ts";
import { aSplitRow, startUpstream, type Upstream } from "../../support/upstream.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ask, readMetric } from "../../support/web-chat.ts";
import { faults } from "./faults.ts";
import { asText } from "./model.ts";
import { DISCORDS_LIMITS } from "./rate-limits.ts";
import { type FakeDiscord, startDiscord } from "./server.ts";
import { traders } from "./traders.ts";
import type { Channel } from "./world.ts";

const CHANNELS = 25;
const PEOPLE = 25;

/** Longer than Discord knows a nonce: what is sent again after it must have been looked for. */
const LONG_AWAY_MS = 10 * MINUTE_MS;

/** How much goes wrong while a process lives, as shares of all messages. */
const SHARES = { storedThenReset: 0.1, storedThen502: 0.04, reset: 0.04, refused: 0.04 } as const;

const POSTS = { method: "POST", path: /^\/channels\/\d+\/messages$/ };

const OVERLAY = `poll: { splits: "* * * * * *", articles: "*/30 * * * * *" }\n`;

export interface DiscordCrashFigures {
  kills: number;
  /** Kills while a message was under way, by the server's own account. */
  killedWhileSending: number;
  splits: number;
  messages: number;
  /** Messages that were sent again and stood there already. */
  suppressed: number;
  /** Refused requests: two lives within a second share one limit. */
  refused: number;
}

/** One splitwatch on a Discord that forgets nothing, killed again and again in the middle of what it has to tell. */
export class DiscordCrashRun {
  readonly figures: DiscordCrashFigures = {
    kills: 0,
    killedWhileSending: 0,
    splits: 0,
    messages: 0,
    suppressed: 0,
    refused: 0,
  };
  readonly #folder: string;
  readonly #processes: Processes;
  readonly #random: Random;
  readonly #discord: FakeDiscord;
  readonly #upstream: Upstream;
  readonly #time: { ahead: number };
  readonly #places: Channel[] = [];
  readonly #tickers: string[] = [];
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
    this.#time = parts.time;
  }

  /** The first life is a quiet one: it learns what is listed already, and who wants to hear what. */
  static async begin(folder: string, processes: Processes, random: Random): Promise<DiscordCrashRun> {
    const time = { ahead: 0 };
    // What channels bear is not looked at here, and would only make the run longer.
    const limits = { ...DISCORDS_LIMITS, posting: null, others: null };
    const discord = await startDiscord({ limits, now: () => Date.now() + time.ahead });
    const upstream = await startUpstream({ splits: Array.from({ length: 20 }, (_, index) => aRow(`I${index}`)) });
    const run = new DiscordCrashRun({ folder, processes, random, discord, upstream, time });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "every-second.yaml"), OVERLAY);
    const life = run.#start();
    await life.ready;
    await run.#polls(life, 4);
    await run.#listen();
    await run.#end(life);
    return run;
  }

  async killRepeatedly(times: number): Promise<void> {
    this.#disturb();
    for (let kill = 0; kill < times; kill += 1) await this.#liveAndDie();
    this.#discord.faults.clear();
  }

  /** Lets it come to rest, and gives all that was lost, told twice or wrong. */
  async settle(): Promise<readonly string[]> {
    // What waits for another try is due then.
    this.#time.ahead += LONG_AWAY_MS;
    const life = this.#start();
    const address = await life.ready;
    await this.#polls(life, 2);
    const isDone = async (): Promise<boolean> => (await readMetric(address, "splitwatch_outbox_pending")) === 0;
    await waitUntil("nothing waits", isDone, 40_000).catch(async () => {
      const [status] = await ask(address, "ada", "status");
      this.#problems.push(`still waiting: ${JSON.stringify(status)}`);
      const warnings = life.log().filter(({ level }) => level === "warn");
      this.#problems.push(...warnings.slice(-20).map((line) => `log: ${JSON.stringify(line)}`));
    });
    await this.#end(life);
    for (const place of this.#places) this.#check(place);
    const { violations, suppressed, invalid } = this.#discord;
    this.figures.messages = this.#places.flatMap(({ messages }) => messages).length;
    this.figures.suppressed = suppressed;
    this.figures.refused = invalid.length;
    return [...this.#problems, ...violations];
  }

  async stop(): Promise<void> {
    await this.#discord.stop();
    await this.#upstream.stop();
  }

  #start(): SplitwatchProcess {
    // The process lives in a later time than the machine: nothing has to wait for the minutes of a nonce.
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

  async #listen(): Promise<void> {
    const { guild, ada } = traders(this.#discord);
    await waitUntil(
      "it is connected",
      () => this.#discord.gateway.connected === 1 && this.#discord.commands.length > 0,
    );
    const tickers = Array.from({ length: 200 }, (_, number) => `K${number}`).join(" ");
    for (let number = 0; number < CHANNELS; number += 1) {
      const channel = this.#discord.addChannel(guild, `alerts-${number}`);
      await ada.slash("/splits subscribe", {}, channel);
      this.#places.push(channel);
    }
    for (let number = 0; number < PEOPLE; number += 1) {
      const person = this.#discord.addUser(`person-${number}`, guild);
      await person.slash("/splits watch", { tickers }, "dm");
      this.#places.push(person.direct);
    }
  }

  #disturb(): void {
    const { faults: standing } = this.#discord;
    standing.latencyMs = 10;
    const add = (fault: Parameters<typeof standing.add>[0], share: number): void => {
      standing.add(fault, { ...POSTS, chance: () => this.#random.chance(share) });
    };
    add(faults.storedThenReset, SHARES.storedThenReset);
    add(faults.storedThen(502), SHARES.storedThen502);
    add(faults.reset, SHARES.reset);
    add(faults.status(503), SHARES.refused);
  }

  async #liveAndDie(): Promise<void> {
    if (this.#random.chance(0.35)) this.#time.ahead += LONG_AWAY_MS;
    const before = this.#discord.requests.length;
    this.#announce();
    const life = this.#start();
    if (this.#random.chance(0.15)) await pause(this.#random.next() * 600);
    else {
      const wanted = 1 + this.#random.below(CHANNELS + PEOPLE);
      const posts = (): number => this.#posts(before).length;
      await Promise.race([
        waitUntil("enough was sent", () => posts() >= wanted, 8_000).catch(() => undefined),
        life.ended,
      ]);
      await pause(this.#random.next() * 25);
    }
    const underWay = this.#posts(before).filter(({ status }) => status === null).length;
    const { signal } = await life.kill();
    if (signal !== "SIGKILL") this.#problems.push(`it ended by itself: ${life.err()}`);
    this.figures.kills += 1;
    if (underWay > 0) this.figures.killedWhileSending += 1;
    this.#note(life);
  }

  #posts(since: number): FakeDiscord["requests"] {
    return this.#discord.requests.slice(since).filter(({ method, path }) => method === "POST" && POSTS.path.test(path));
  }

  #announce(): void {
    const ticker = `K${this.#tickers.length}`;
    this.#tickers.push(ticker);
    this.#upstream.splits = [...this.#upstream.splits, aRow(ticker)];
    this.figures.splits += 1;
  }

  #note(life: SplitwatchProcess): void {
    const errors = life.log().filter(({ level }) => level === "error");
    this.#problems.push(...errors.map((line) => `log: ${JSON.stringify(line)}`));
    this.#problems.push(...life.stderrOutsideLog().map((line) => `standard error: ${line}`));
  }

  /** Each split is told there in one card, and nothing else is. */
  #check(place: Channel): void {
    // By their titles: the message id in the footer can look like a ticker.
    const told = place.messages.flatMap(({ embeds }) => embeds).map(({ title }) => asText(title));
    for (const ticker of this.#tickers) {
      const times = told.filter((text) => new RegExp(`\\b${ticker}\\b`).test(text)).length;
      if (times !== 1) this.#problems.push(`${place.name} was told ${times} times of ${ticker}`);
    }
    if (told.length !== this.#tickers.length) this.#problems.push(`${place.name} has ${told.length} cards`);
  }

  async #polls(life: SplitwatchProcess, times: number): Promise<void> {
    const polls = (): number => life.log().filter(({ msg }) => msg === "poll completed").length;
    const enough = polls() + times + 1;
    await waitUntil("it has polled often enough", () => polls() >= enough, 20_000);
  }

  async #end(life: SplitwatchProcess): Promise<void> {
    life.signal("SIGTERM");
    const { code } = await life.ended;
    if (code !== 0) this.#problems.push(`it ended with ${code}: ${life.err()}`);
    this.#note(life);
  }
}

function aRow(ticker: string): Record<string, unknown> {
  const exDate = addDays(new Date().toISOString().slice(0, 10) as Day, 40);
  return aSplitRow({ ticker, company: `${ticker} Holdings Inc.`, ex_date: exDate, date_announced: null });
}
