import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addDays, dayInZone } from "../../../src/domain/time/day.ts";
import { MARKET_ZONE } from "../../../src/domain/time/trading-day.ts";
import { alertsIn } from "../../faults/model.ts";
import { stopGracefully, waitForPolls } from "../../support/polling-process.ts";
import type { Processes, SplitwatchProcess } from "../../support/process.ts";
import type { Random } from "../../support/random.ts";
import { aSplitRow, startUpstream, type Upstream } from "../../support/upstream.ts";
import { readMetric } from "../../support/web-chat-client.ts";
import { Releases } from "../releases.ts";
import { OUTSIDE_MARKETPLACE } from "./server/limits.ts";
import { type Slack, startSlack } from "./server/server.ts";
import type { SlackTeam } from "./server/team.ts";
import type { SlackMessage } from "./server/workspace.ts";
import { openBrowser } from "./users/browser.ts";
import { shownText } from "./users/message-text.ts";

export interface SlackCrashFigures {
  kills: number;
  /** Kills while a posted message was unanswered. */
  inFlight: number;
  /** Kills while an edit was unanswered: it was made, or will be, but wasn't saved. */
  editsInFlight: number;
  splits: number;
  destinations: number;
  posts: number;
  /** Posts that Slack stored and did not confirm. */
  unconfirmed: number;
  /** Posts that Slack refused because of their cards. */
  refused: number;
  /** Messages that were edited: the second half of an announcement joined them. */
  edited: number;
  /** Token renewals. */
  renewals: number;
}

const CHANNELS = Array.from({ length: 40 }, (_, index) => `channel-${index + 1}`);
const PEOPLE = Array.from({ length: 20 }, (_, index) => `person-${index + 1}`);

const WATCHLIST = Array.from({ length: 200 }, (_, index) => `K${index + 1}`).join(" ");

const REFUSED_CODE = "invalid_blocks";

/** Calls that show alerts. */
const SENDS: readonly string[] = ["chat.postMessage", "chat.update"];

const SETTINGS = `
poll: { splits: "* * * * * *", articles: "* * * * * *" }
slack: { messagesPerMinute: 6000 }
`;

/** The process is killed after this time if the chosen moment does not come. */
const AIM_TIMEOUT_MS = 1_500;

/** Limit of reading histories for apps outside the Marketplace, in the time of the kills, which follow each other within seconds. */
const READ_LIMIT = { ...OUTSIDE_MARKETPLACE, everyMs: 200 };

/** A message of which two sends were cut off is sent again after five minutes. */
const SETTLE_TIMEOUT_MS = 7 * 60_000;

/** Maximum delay of kills during startup. */
const MAX_STARTUP_KILL_DELAY_MS = 600;

/** Short enough for a renewal in each life of the process. */
const TOKEN_LIFETIME_MS = 3_000;

/** Kills splitwatch repeatedly while it sends alerts to Slack, and restarts it on the same data. */
export class SlackCrashRun {
  readonly figures: SlackCrashFigures = {
    kills: 0,
    inFlight: 0,
    editsInFlight: 0,
    splits: 0,
    destinations: 0,
    posts: 0,
    unconfirmed: 0,
    refused: 0,
    edited: 0,
    renewals: 0,
  };
  readonly #folder: string;
  readonly #processes: Processes;
  readonly #random: Random;
  readonly #slack: Slack;
  readonly #teams: readonly SlackTeam[];
  /** Whether two workspaces install the app. Default: the token of a single workspace. */
  readonly #isMany: boolean;
  readonly #upstream: Upstream;
  readonly #releases: Releases;
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
    this.#releases = new Releases(parts);
  }

  /** Sets a rule in each channel and a watchlist for each person, without kills. `isLimited`: the app is distributed outside the Marketplace. */
  static async begin(
    folder: string,
    processes: Processes,
    random: Random,
    { isMany = false, isLimited = false }: { readonly isMany?: boolean; readonly isLimited?: boolean } = {},
  ): Promise<SlackCrashRun> {
    const slack = await startSlack({
      channels: CHANNELS,
      people: PEOPLE,
      random,
      ...(isLimited && { readLimit: READ_LIMIT }),
    });
    const upstream = await startUpstream({ splits: [aRow("OLD")] });
    const run = new SlackCrashRun({ folder, processes, random, slack, upstream, isMany });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "every-second.yaml"), SETTINGS);
    const life = run.#start();
    await waitForPolls(life, 4);
    for (const team of run.#teams) {
      if (isMany) await run.#install(await life.ready, team);
      for (const channel of CHANNELS) await team.user("person-1").slash("subscribe", { channel });
      for (const person of PEOPLE) await team.user(person).slash(`watch ${WATCHLIST}`);
    }
    await stopGracefully(life);
    return run;
  }

  async #install(address: string, team: SlackTeam): Promise<void> {
    const { oauth } = this.#slack;
    Object.assign(oauth, { rotates: true, lifetimeMs: TOKEN_LIFETIME_MS });
    await openBrowser({ address, slack: this.#slack }).install(team);
  }

  async killRepeatedly(times: number): Promise<void> {
    const { faults } = this.#slack;
    const [method, edit] = ["chat.postMessage", "chat.update"];
    faults.add({ method, share: 0.06, effect: { kind: "stored-then", end: "reset" } });
    faults.add({ method, share: 0.04, effect: { kind: "stored-then", end: "500" } });
    faults.add({ method, share: 0.01, effect: { kind: "stored-then", end: "hang" } });
    faults.add({ method, share: 0.04, effect: { kind: "status", status: 503 } });
    faults.add({ method, share: 0.04, effect: { kind: "reset" } });
    faults.add({ method, share: 0.04, hasBlocks: true, effect: { kind: "error", code: REFUSED_CODE } });
    faults.add({ method: edit, share: 0.1, effect: { kind: "stored-then", end: "reset" } });
    faults.add({ method: edit, share: 0.9, effect: { kind: "latency", ms: 15 } });
    faults.add({ method: "oauth.v2.access", share: 0.1, effect: { kind: "stored-then", end: "reset" } });
    faults.add({ method: "oauth.v2.access", share: 0.5, effect: { kind: "latency", ms: 30 } });
    faults.add({ method: "conversations.history", share: 0.05, effect: { kind: "status", status: 503 } });
    // Long enough for kills during the call.
    faults.add({ method, share: 0.7, effect: { kind: "latency", ms: 15 } });
    for (let kill = 0; kill < times; kill += 1) await this.#liveAndDie();
    faults.clear();
  }

  /** Waits until all deliveries are done; returns all lost, duplicate and wrong alerts and other problems. */
  async settle(): Promise<readonly string[]> {
    const life = this.#start();
    await waitForPolls(life, 3);
    await this.#nothingWaits(await life.ready);
    await stopGracefully(life);
    this.#note(life);
    this.figures.splits = this.#tickers.length;
    this.figures.destinations = (CHANNELS.length + PEOPLE.length) * this.#teams.length;
    const posts = this.#slack.calls.filter(({ method }) => method === "chat.postMessage");
    this.figures.posts = posts.length;
    this.figures.unconfirmed = posts.filter(({ outcome }) => outcome.startsWith("stored")).length;
    this.figures.refused = posts.filter(({ outcome }) => outcome === REFUSED_CODE).length;
    this.figures.edited = this.#teams
      .flatMap(({ workspace }) => workspace.messages)
      .filter(({ original }) => original).length;
    this.figures.renewals = this.#slack.calls.filter(({ args }) => args.grant_type === "refresh_token").length;
    return [...this.#problems, ...this.#slack.violations, ...this.#check()];
  }

  async stop(): Promise<void> {
    await this.#slack.stop();
    await this.#upstream.stop();
  }

  /** Waits for retries, whose delay grows with the age of the delivery. */
  async #nothingWaits(address: string): Promise<void> {
    const end = performance.now() + SETTLE_TIMEOUT_MS;
    while ((await readMetric(address, "splitwatch_outbox_pending")) > 0 && performance.now() < end) await pause(100);
    const left = await readMetric(address, "splitwatch_outbox_pending");
    if (left > 0) this.#problems.push(`${left} deliveries are pending after ${SETTLE_TIMEOUT_MS} ms`);
  }

  #start(): SplitwatchProcess {
    return this.#processes.start({
      cwd: this.#folder,
      env: {
        SPLITS_API_URL: this.#upstream.url,
        SPLITS_API_KEY: this.#upstream.key,
        SPLITWATCH_CONFIG: join(this.#folder, "every-second.yaml"),
        ...(this.#isMany ? this.#slack.envForManyWorkspaces("socket") : this.#slack.env("socket")),
      },
    });
  }

  async #liveAndDie(): Promise<void> {
    const isEdited = this.#list();
    const before = this.#sends();
    const life = this.#start();
    await this.#moment(life, { before, isEdited });
    if (this.#isUnanswered("chat.postMessage")) this.figures.inFlight += 1;
    if (this.#isUnanswered("chat.update")) this.figures.editsInFlight += 1;
    const { signal } = await life.kill();
    if (signal !== "SIGKILL") this.#problems.push(`the process ended before the kill: ${life.err().slice(-500)}`);
    this.figures.kills += 1;
    this.#note(life);
  }

  /** Waits for a random moment during startup, during the fan-out or after it, or for a message that is being posted or edited. */
  async #moment(
    life: SplitwatchProcess,
    { before, isEdited }: { readonly before: number; readonly isEdited: boolean },
  ): Promise<void> {
    if (this.#random.chance(0.15)) return pause(this.#random.next() * MAX_STARTUP_KILL_DELAY_MS);
    const target = before + 1 + this.#random.below((CHANNELS.length + PEOPLE.length) * this.#teams.length);
    await Promise.race([life.ready.catch(() => undefined), life.ended]);
    const end = performance.now() + AIM_TIMEOUT_MS;
    if (isEdited && this.#random.chance(0.5)) return this.#unansweredUntil(end, ["chat.update"]);
    while (this.#sends() < target && performance.now() < end) await pause(3);
    if (this.#random.chance(0.5)) return pause(this.#random.next() * 10);
    return this.#unansweredUntil(end, SENDS);
  }

  /** Waits for an unanswered call of one of these methods. */
  async #unansweredUntil(end: number, methods: readonly string[]): Promise<void> {
    while (!methods.some((method) => this.#isUnanswered(method)) && performance.now() < end) await pause(1);
  }

  #isUnanswered(wanted: string): boolean {
    return this.#slack.calls.some(({ method, outcome }) => method === wanted && outcome === "");
  }

  /** Number of posts and edits. */
  #sends(): number {
    return this.#slack.calls.filter(({ method }) => SENDS.includes(method)).length;
  }

  /** Lists a split. Returns whether it joins the messages of its release. */
  #list(): boolean {
    const ticker = `K${this.#tickers.length + 1}`;
    const isReleased = this.#releases.has(ticker);
    this.#tickers.push(ticker);
    this.#upstream.splits = [...this.#upstream.splits, aRow(ticker)];
    this.#releases.publish(ticker, `K${this.#tickers.length + 1}`);
    return isReleased;
  }

  #note(life: SplitwatchProcess): void {
    const errors = life.log().filter(({ level }) => level === "error");
    for (const line of errors) this.#problems.push(`log: ${JSON.stringify(line)}`);
    for (const line of life.stderrOutsideLog()) this.#problems.push(`standard error: ${line}`);
  }

  /** Problems of splits that were not announced exactly once per destination. */
  #check(): readonly string[] {
    const destinations = this.#teams.flatMap((team) => {
      const of = team.workspace.team.name;
      return [
        ...CHANNELS.map((name) => ({ name: `#${name} of ${of}`, messages: team.messages(name), isPerson: false })),
        ...PEOPLE.map((name) => ({ name: `${name} of ${of}`, messages: team.directMessages(name), isPerson: true })),
      ];
    });
    return destinations.flatMap(({ name, messages, isPerson }) => {
      const announced = announcedIn(messages);
      const missing = isPerson ? this.#releases.missingIn(messages.map(shownText), this.#tickers) : [];
      return [
        ...missing.map((ticker) => `${name} lacks the release of ${ticker}`),
        ...[...new Set([...this.#tickers, ...announced])].flatMap((ticker) => {
          const times = announced.filter((other) => other === ticker).length;
          if (times === 1 && this.#tickers.includes(ticker)) return [];
          return [`${ticker} was announced ${times} times in ${name}`];
        }),
      ];
    });
  }
}

/** Tickers of the announced splits, on cards and in lists, including repetitions. */
function announcedIn(messages: readonly SlackMessage[]): readonly string[] {
  return messages
    .flatMap((message) => alertsIn(shownText(message)))
    .flatMap(({ kind, ticker }) => (kind === "announced" ? [ticker] : []));
}

function aRow(ticker: string): Record<string, unknown> {
  const today = dayInZone(Date.now(), MARKET_ZONE);
  return aSplitRow({
    ticker,
    company: `${ticker} Holdings Inc.`,
    ex_date: addDays(today, 30),
    date_announced: today,
  });
}
