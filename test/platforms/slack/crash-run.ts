import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addDays, dayInZone } from "../../../src/domain/time/day.ts";
import { MARKET_ZONE } from "../../../src/domain/time/trading-day.ts";
import { stopGracefully, waitForPolls } from "../../support/polling-process.ts";
import type { Processes, SplitwatchProcess } from "../../support/process.ts";
import type { Random } from "../../support/random.ts";
import { aSplitRow, startUpstream, type Upstream } from "../../support/upstream.ts";
import { readMetric } from "../../support/web-chat.ts";
import { type Slack, startSlack } from "./server/server.ts";
import type { SlackTeam } from "./server/team.ts";
import type { SlackMessage } from "./server/workspace.ts";
import { openBrowser } from "./users/browser.ts";
import { shownText } from "./users/message-text.ts";

export interface SlackCrashFigures {
  kills: number;
  /** Kills while a message was with Slack, and not answered yet. */
  hit: number;
  splits: number;
  places: number;
  posts: number;
  /** Posts that Slack kept and did not confirm. */
  unconfirmed: number;
  /** Tokens that were asked for in the place of others. */
  renewals: number;
}

const CHANNELS = Array.from({ length: 40 }, (_, index) => `channel-${index + 1}`);
const PEOPLE = Array.from({ length: 20 }, (_, index) => `person-${index + 1}`);

const SETTINGS = `
poll: { splits: "* * * * * *", articles: "* * * * * *" }
slack: { messagesPerMinute: 6000 }
`;

/** What was aimed at may never come: the process is killed all the same. In milliseconds. */
const AIM_PATIENCE_MS = 1_500;

const SETTLING_MS = 120_000;

/** So soon after it asks for a connection, a process is at work. */
const LATEST_KILL_MS = 600;

/** Tokens that end so soon are renewed in each life. In milliseconds. */
const SHORT_LIFE_MS = 3_000;

/** One splitwatch on Slack that is killed again and again while it tells of splits, and started on the same folder. */
export class SlackCrashRun {
  readonly figures: SlackCrashFigures = {
    kills: 0,
    hit: 0,
    splits: 0,
    places: 0,
    posts: 0,
    unconfirmed: 0,
    renewals: 0,
  };
  readonly #folder: string;
  readonly #processes: Processes;
  readonly #random: Random;
  readonly #slack: Slack;
  readonly #teams: readonly SlackTeam[];
  /** Both of two workspaces have installed it; else it has the token of one. */
  readonly #isMany: boolean;
  readonly #upstream: Upstream;
  readonly #problems: string[] = [];
  readonly #tickers: string[] = [];

  private constructor(parts: {
    folder: string;
    processes: Processes;
    random: Random;
    slack: Slack;
    upstream: Upstream;
    isMany: boolean;
  }) {
    this.#folder = parts.folder;
    this.#processes = parts.processes;
    this.#random = parts.random;
    this.#slack = parts.slack;
    this.#isMany = parts.isMany;
    this.#teams = parts.isMany ? [parts.slack, parts.slack.addTeam()] : [parts.slack];
    this.#upstream = parts.upstream;
  }

  /** The first life is a quiet one: each channel sets a rule, and so does each person for themselves. */
  static async begin(
    folder: string,
    processes: Processes,
    random: Random,
    { isMany = false }: { readonly isMany?: boolean } = {},
  ): Promise<SlackCrashRun> {
    const slack = await startSlack({ channels: CHANNELS, people: PEOPLE, random });
    const upstream = await startUpstream({ splits: [aRow("OLD", 1)] });
    const run = new SlackCrashRun({ folder, processes, random, slack, upstream, isMany });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "every-second.yaml"), SETTINGS);
    const life = run.#start();
    await waitForPolls(life, 4);
    for (const team of run.#teams) {
      if (isMany) await run.#install(await life.ready, team);
      for (const channel of CHANNELS) await team.user("person-1").slash("subscribe", { channel });
      for (const person of PEOPLE) await team.user(person).slash("subscribe");
    }
    await stopGracefully(life);
    return run;
  }

  async #install(address: string, team: SlackTeam): Promise<void> {
    const { oauth } = this.#slack;
    Object.assign(oauth, { rotates: true, lifetimeMs: SHORT_LIFE_MS });
    await openBrowser({ address, slack: this.#slack }).install(team);
  }

  async killRepeatedly(times: number): Promise<void> {
    const { faults } = this.#slack;
    const method = "chat.postMessage";
    faults.add({ method, share: 0.06, does: { kind: "stored-then", end: "reset" } });
    faults.add({ method, share: 0.04, does: { kind: "stored-then", end: "500" } });
    faults.add({ method, share: 0.01, does: { kind: "stored-then", end: "hang" } });
    faults.add({ method, share: 0.04, does: { kind: "status", status: 503 } });
    faults.add({ method, share: 0.04, does: { kind: "reset" } });
    faults.add({ method: "oauth.v2.access", share: 0.1, does: { kind: "stored-then", end: "reset" } });
    faults.add({ method: "oauth.v2.access", share: 0.5, does: { kind: "latency", ms: 30 } });
    faults.add({ method: "conversations.history", share: 0.05, does: { kind: "status", status: 503 } });
    // Long enough to be killed in between.
    faults.add({ method, share: 0.7, does: { kind: "latency", ms: 15 } });
    for (let kill = 0; kill < times; kill += 1) await this.#liveAndDie();
    faults.clear();
  }

  /** Lets it come to rest, and gives all that was lost, told twice or wrong. */
  async settle(): Promise<readonly string[]> {
    const life = this.#start();
    await waitForPolls(life, 3);
    await this.#nothingWaits(await life.ready);
    await stopGracefully(life);
    this.#note(life);
    this.figures.splits = this.#tickers.length;
    this.figures.places = (CHANNELS.length + PEOPLE.length) * this.#teams.length;
    const posts = this.#slack.calls.filter(({ method }) => method === "chat.postMessage");
    this.figures.posts = posts.length;
    this.figures.unconfirmed = posts.filter(({ outcome }) => outcome.startsWith("stored")).length;
    this.figures.renewals = this.#slack.calls.filter(({ args }) => args.grant_type === "refresh_token").length;
    return [...this.#problems, ...this.#slack.violations, ...this.#check()];
  }

  async stop(): Promise<void> {
    await this.#slack.stop();
    await this.#upstream.stop();
  }

  /** What failed late waits as long as it is old before it is tried again. */
  async #nothingWaits(address: string): Promise<void> {
    const end = performance.now() + SETTLING_MS;
    while ((await readMetric(address, "splitwatch_outbox_pending")) > 0 && performance.now() < end) await pause(100);
    const left = await readMetric(address, "splitwatch_outbox_pending");
    if (left > 0) this.#problems.push(`${left} deliveries still wait after ${SETTLING_MS} ms`);
  }

  #start(): SplitwatchProcess {
    return this.#processes.start({
      cwd: this.#folder,
      env: {
        SPLITS_API_URL: this.#upstream.url,
        SPLITS_API_KEY: this.#upstream.key,
        SPLITWATCH_CONFIG: join(this.#folder, "every-second.yaml"),
        ...(this.#isMany ? this.#slack.envOfMany("socket") : this.#slack.env("socket")),
      },
    });
  }

  async #liveAndDie(): Promise<void> {
    this.#list();
    const before = this.#posts();
    const life = this.#start();
    await this.#moment(life, before);
    if (this.#slack.calls.some(({ method, outcome }) => method === "chat.postMessage" && outcome === ""))
      this.figures.hit += 1;
    const { signal } = await life.kill();
    if (signal !== "SIGKILL") this.#problems.push(`it ended by itself: ${life.err().slice(-500)}`);
    this.figures.kills += 1;
    this.#note(life);
  }

  /** Somewhere in the start, in the middle of the fan-out, or behind it. */
  async #moment(life: SplitwatchProcess, before: number): Promise<void> {
    if (this.#random.chance(0.15)) return pause(this.#random.next() * LATEST_KILL_MS);
    const enough = before + 1 + this.#random.below((CHANNELS.length + PEOPLE.length) * this.#teams.length);
    await Promise.race([life.ready.catch(() => undefined), life.ended]);
    const end = performance.now() + AIM_PATIENCE_MS;
    while (this.#posts() < enough && performance.now() < end) await pause(3);
    return pause(this.#random.next() * 10);
  }

  #posts(): number {
    return this.#slack.calls.filter(({ method }) => method === "chat.postMessage").length;
  }

  #list(): void {
    const ticker = `K${this.#tickers.length + 1}`;
    this.#tickers.push(ticker);
    this.#upstream.splits = [...this.#upstream.splits, aRow(ticker, this.#tickers.length + 1)];
  }

  #note(life: SplitwatchProcess): void {
    const errors = life.log().filter(({ level }) => level === "error");
    for (const line of errors) this.#problems.push(`log: ${JSON.stringify(line)}`);
    for (const line of life.stderrOutsideLog()) this.#problems.push(`standard error: ${line}`);
  }

  /** Each split is told once at each place. */
  #check(): readonly string[] {
    const places = this.#teams.flatMap((team) => {
      const of = team.workspace.team.name;
      return [
        ...CHANNELS.map((name) => ({ name: `#${name} of ${of}`, messages: team.messages(name) })),
        ...PEOPLE.map((name) => ({ name: `${name} of ${of}`, messages: team.directMessages(name) })),
      ];
    });
    return places.flatMap(({ name, messages }) => {
      const told = announcedIn(messages);
      return [...new Set([...this.#tickers, ...told])].flatMap((ticker) => {
        const times = told.filter((other) => other === ticker).length;
        if (times === 1 && this.#tickers.includes(ticker)) return [];
        return [`${ticker} was told ${times} times at ${name}`];
      });
    });
  }
}

/** The tickers of the splits that these messages announce, each as often as it stands there. */
function announcedIn(messages: readonly SlackMessage[]): readonly string[] {
  return messages
    .flatMap((message) => shownText(message).split("\n"))
    .flatMap((line) => /^\P{L}*([A-Z]+\d*) 1-for-\d+ reverse split, /u.exec(line)?.[1] ?? []);
}

function aRow(ticker: string, oldShares: number): Record<string, unknown> {
  const today = dayInZone(Date.now(), MARKET_ZONE);
  return aSplitRow({
    ticker,
    company: `${ticker} Holdings Inc.`,
    ratio: `1:${oldShares + 1}`,
    ex_date: addDays(today, 30),
    date_announced: today,
  });
}
