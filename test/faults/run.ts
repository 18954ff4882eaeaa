import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/time/day.ts";
import type { LogLine, ProcessOptions, SplitwatchProcess } from "../support/process.ts";
import { createRandom, type Random } from "../support/random.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ask, readMetric } from "../support/web-chat-client.ts";
import {
  type Chat,
  type Command,
  DESTINATION_NAMES,
  DESTINATIONS,
  type DestinationName,
  MAX_PROCESSING_MS,
  type Machine,
  type StartChat,
} from "./chat.ts";
import { ProcessControl } from "./controlled-process.ts";
import { FaultyDatabase } from "./database.ts";
import { Disk } from "./disk.ts";
import { describeLateAlerts } from "./late-report.ts";
import { alertsIn, Model, type Problem } from "./model.ts";
import { Program } from "./program.ts";
import type { Schedule } from "./schedule.ts";
import type { FaultyState, OpenState } from "./state.ts";
import { Story } from "./story.ts";

/** Speed of the schedule's time until the state is open. */
const FIRST_SPEED = 1;

/** Maximum speed of the recovery, which is slower while something fails: a busy machine does not answer within the timeouts. */
const MAX_RECOVERY_SPEED = 90;
const SPEED_INTERVAL_MS = 500;
/** Factor by which the slowest answer is forgotten, per check. */
const SLOWEST_DECAY = 0.95;
/** Time in which the program's requests must be answered; the process itself must answer in a quarter of it. */
const MAX_ANSWER_MS = 10_000;
const MAX_RECOVERY_REAL_MS = 200_000;

/** Time of the schedule within which everything is delivered: an archived channel is tried again after an hour. */
const MAX_RECOVERY_MS = 75 * MINUTE_MS;

/** Time after which the held changes of flapping splits are reported: an hour, plus the largest clock error. */
const FLAPPING_MS = 3 * HOUR_MS;

const INITIAL_SPLITS = 6;

/** Number of first polls, in which a list that is still growing may cause no alerts. */
const FIRST_POLLS = 5;
/** Number of polls after which every change is detected. */
const LAST_POLLS = 6;

/** Tickers that ada watches, including all later ones. */
const ADA_WATCHLIST = Array.from({ length: 200 }, (_, number) => `K${number}`).join(" ");

const SETTINGS = `
poll: { splits: "*/5 * * * * *", articles: "*/10 * * * * *" }
reminders: { cron: "*/10 * * * * *" }
`;

/** Time in which a process starts, and detects and saves a change of the list. */
const MAX_WRITES_MS = MINUTE_MS;

const MAX_PRINTED_LINES = 30;

/** Errors in the log that no fault explains. */
const BUGS: ReadonlySet<unknown> = new Set(["adapter failed", "uncaught error", "message failed", "stop failed"]);

/** Answers to the commands of a schedule. */
const MUTE_ANSWER = /muted until/i;
const SETTINGS_ANSWER = /settings (?:were changed|already have)/i;
const WATCH_ANSWER = /\bYou\b.*\bwatch/;
const FORGET_ANSWER = /Everything stored about you was deleted/;
const INTERNAL_ERROR = /Sorry, something went wrong/;

/** `failed`: an internal error, for example on a full disk. */
type Outcome = "ok" | "failed" | "unanswered";

export interface FaultFigures {
  starts: number;
  kills: number;
  splits: number;
  /** Requests to the platform that were refused, or whose answer was lost. */
  failedRequests: number;
  messages: number;
  alerts: number;
  /** Minutes of the schedule from the end of the last fault until everything was delivered. */
  recoveryMinutes: number;
  /** Longest wait of an alert behind a message that was refused or unanswered, in seconds of the schedule. */
  longestBlockSeconds: number;
  /** Milliseconds of real time and CPU. */
  worstStallMs: number;
  /** Whether the disk could be made full and read-only; absent without a disk. */
  isDiskMounted?: boolean;
}

const NO_FIGURES: FaultFigures = {
  starts: 0,
  kills: 0,
  splits: 0,
  failedRequests: 0,
  messages: 0,
  alerts: 0,
  recoveryMinutes: 0,
  longestBlockSeconds: 0,
  worstStallMs: 0,
};

export interface FaultOutcome {
  readonly problems: readonly Problem[];
  readonly figures: FaultFigures;
}

interface Parts {
  readonly schedule: Schedule;
  readonly machine: Machine;
  readonly control: ProcessControl;
  readonly upstream: Upstream;
  readonly chat: Chat;
  readonly state: FaultyState;
}

/** One schedule against the built program. */
export class FaultRun {
  readonly story: Story;
  readonly chat: Chat;
  readonly control: ProcessControl;
  readonly upstream: Upstream;
  readonly state: FaultyState;
  /** For choices while the schedule runs; the steps come in the same order each time. */
  readonly random: Random;
  readonly #program: Program;
  readonly #model: Model;
  readonly #problems: Problem[] = [];
  /** Ends of the active faults. */
  readonly #ends = new Set<() => Promise<void>>();
  readonly #commands: Promise<unknown>[] = [];
  #birdQueue: Promise<void> = Promise.resolve();
  #isBirdUnanswered = false;
  readonly #holdEnds = new Map<DestinationName, number>();
  readonly #figures: FaultFigures;
  #polls = 0;

  private constructor({ schedule, machine, control, upstream, chat, state }: Parts) {
    this.random = createRandom(schedule.seed + 1);
    this.story = new Story({ upstream, clock: control.clock, random: this.random }, INITIAL_SPLITS);
    this.chat = chat;
    this.control = control;
    this.upstream = upstream;
    this.state = state;
    this.#model = new Model(this.story);
    this.#figures = { ...NO_FIGURES, ...(state instanceof Disk ? { isDiskMounted: state.isMounted } : {}) };
    this.#program = new Program({
      control,
      processes: machine.processes,
      options: () => this.#processOptions(machine.folder),
      failedStart: state.failedStart,
      report: (problem) => this.#report("process", problem),
    });
  }

  /** The disk of the process; only actions for files use it. */
  get disk(): Disk {
    if (!(this.state instanceof Disk)) throw new Error("the state is in a database");
    return this.state;
  }

  /** The database of the process; only actions for databases use it. */
  get database(): FaultyDatabase {
    if (!(this.state instanceof FaultyDatabase)) throw new Error("the state is in files");
    return this.state;
  }

  /** Runs a schedule from an empty state until everything is delivered. */
  static async run(
    schedule: Schedule,
    { startChat, openState }: { readonly startChat: StartChat; readonly openState: OpenState },
    machine: Machine,
  ): Promise<FaultOutcome> {
    await mkdir(machine.folder, { recursive: true });
    await writeFile(join(machine.folder, "every-five-seconds.yaml"), SETTINGS);
    const control = new ProcessControl({ speed: FIRST_SPEED, start: schedule.start });
    const random = createRandom(schedule.seed + 2);
    const chat = await startChat({ clock: control.clock, random });
    const upstream = await startUpstream();
    const state = await openState({ folder: join(machine.folder, "disk"), control });
    const run = new FaultRun({ schedule, machine, control, upstream, chat, state });
    try {
      await run.#prepare();
      for (const step of schedule.steps) {
        await control.clock.sleep(step.waitMs);
        const from = control.clock.now();
        await step.run(run);
        run.#model.noteHindrance({ from, until: control.clock.now() });
      }
      await run.#recover();
      await run.#program.end("SIGTERM");
      return run.#outcome();
    } catch (error) {
      throw new Error(`${String(error)}\n${run.#warnings()}`, { cause: error });
    } finally {
      await run.#program.abort();
      await chat.stop();
      await upstream.stop();
      await state.close();
    }
  }

  /** Ends a fault after this time of the schedule, or at the end of the schedule. `hinders`: it keeps the program from sending. */
  endIn(ms: number, end: () => Promise<void> | void, { hinders = true } = {}): void {
    const aborted = new AbortController();
    const from = this.control.clock.now();
    const endOnce = async (): Promise<void> => {
      if (!this.#ends.delete(endOnce)) return;
      aborted.abort();
      await end();
      if (hinders) this.#model.noteHindrance({ from, until: this.control.clock.now() });
    };
    this.#ends.add(endOnce);
    void this.control.clock.sleep(ms, aborted.signal).then(endOnce);
  }

  /** Refuses the messages about the split that is announced next. */
  refuseNext(to: DestinationName, { forMs, ...how }: Parameters<Chat["refuse"]>[2] & { readonly forMs: number }): void {
    const ticker = this.story.tickerOf(0);
    this.#model.noteRefused(to, ticker);
    this.endIn(forMs, this.chat.refuse(to, ticker, how), { hinders: false });
  }

  /** Removes splits from the list or shows them again. */
  changePresence(change: () => void): void {
    this.#model.notePresenceChange(this.control.clock.now());
    change();
  }

  makeUnreachable(host: "upstream" | "chat", address: string): void {
    if (host === "upstream") this.control.resolve(UPSTREAM_HOST, address);
    else this.control.resolve(this.chat.host, address);
    this.upstream.dropConnections();
    this.chat.dropConnections();
  }

  scopeOf(name: DestinationName): string {
    return DESTINATIONS[name] === "channel" ? "channel" : "me";
  }

  /** Resolves when the command was answered, or was not in time. */
  mute(name: DestinationName, minutes: number): Promise<void> {
    const options = { for: `${minutes}m`, scope: this.scopeOf(name) };
    const until = this.control.clock.now() + minutes * MINUTE_MS;
    return this.#hold(name, { command: { name: "mute", options }, answer: MUTE_ANSWER, until });
  }

  /** Sets quiet hours that began within the last minute. */
  setQuietHours(name: DestinationName, minutes: number): Promise<void> {
    const from = Math.floor(this.control.clock.now() / MINUTE_MS) * MINUTE_MS;
    const until = from + minutes * MINUTE_MS;
    const options = { quiet: `${timeOfDay(from)}-${timeOfDay(until)}`, timezone: "UTC", scope: this.scopeOf(name) };
    return this.#hold(name, { command: { name: "settings", options }, answer: SETTINGS_ANSWER, until });
  }

  setTimezone(name: DestinationName, timezone: string): void {
    this.#endHolds(name);
    const options = { timezone, scope: this.scopeOf(name) };
    this.#commands.push(this.#ask(name, { name: "settings", options }, SETTINGS_ANSWER));
  }

  /** Sets the error of the process's clock; 0: the clock is right. */
  setClockError(ms: number): void {
    for (const name of DESTINATION_NAMES) this.#endHolds(name);
    this.control.setClockError(ms);
  }

  /** With a wrong clock, mutes and quiet hours end at other times. */
  async #hold(
    name: DestinationName,
    { command, answer, until }: { readonly command: Command; readonly answer: RegExp; readonly until: number },
  ): Promise<void> {
    if (!this.control.isClockRight) return;
    this.#model.noteHindrance({ from: this.control.clock.now(), until });
    const holdEnds = this.#endHolds(name);
    const asked = this.#ask(name, command, answer);
    this.#commands.push(asked);
    const isHeld = (await asked) === "ok" && this.control.isClockRight && holdEnds === this.#holdEnds.get(name);
    if (isHeld) this.#model.noteHold(name, until);
  }

  /** Returns how often the holds of the destination ended. */
  #endHolds(name: DestinationName): number {
    const count = (this.#holdEnds.get(name) ?? 0) + 1;
    this.#holdEnds.set(name, count);
    this.#model.endHolds(name, this.control.clock.now());
    return count;
  }

  /** Adds tickers to bird's watchlist or removes them. */
  watch(tickers: readonly string[], isWatched: boolean): void {
    this.#enqueueForBird(async () => {
      this.#model.endForgotten(this.control.clock.now());
      this.#noteWatching(tickers, "maybe");
      const command = { name: isWatched ? "watch" : "unwatch", options: { tickers: tickers.join(" ") } };
      const outcome = await this.#ask("bird", command, WATCH_ANSWER);
      if (outcome === "unanswered") this.#isBirdUnanswered = true;
      if (outcome === "ok") this.#noteWatching(tickers, isWatched ? "yes" : "no");
    });
  }

  #noteWatching(tickers: readonly string[], interest: "yes" | "no" | "maybe"): void {
    for (const ticker of tickers) this.#model.noteWatching(ticker, interest);
  }

  /** Deletes everything stored about bird. */
  forget(): void {
    this.#enqueueForBird(async () => {
      this.#endHolds("bird");
      this.#model.noteForgetting("maybe", this.control.clock.now());
      const outcome = await this.#ask("bird", { name: "forget", confirm: "Delete it all" }, FORGET_ANSWER);
      // An unanswered command may still be delivered later.
      const isForgotten = outcome === "ok" && !this.#isBirdUnanswered;
      this.#model.noteForgetting(isForgotten ? "yes" : "unknown", this.control.clock.now());
    });
  }

  /** Sends a command. Every other answer than the expected one, or that of an internal error, is a problem. */
  async #ask(name: DestinationName, command: Command, expected: RegExp): Promise<Outcome> {
    const text = await this.chat.command(name, command).catch((error: unknown) => String(error));
    if (text === null) return "unanswered";
    if (expected.test(text)) return "ok";
    if (!INTERNAL_ERROR.test(text)) this.#report("wrong", `answer to ${JSON.stringify(command)}: ${text}`);
    return "failed";
  }

  /** Queues a command that changes bird's watchlist: these commands run one after another. */
  #enqueueForBird(command: () => Promise<void>): void {
    this.#birdQueue = this.#birdQueue.then(command);
    this.#commands.push(this.#birdQueue);
  }

  /** Ends the process, and starts it again on the same data after `downMs`. */
  async restart(
    signal: "SIGKILL" | "SIGTERM",
    { downMs = 0, whileDown }: { readonly downMs?: number; readonly whileDown?: () => Promise<void> },
  ): Promise<void> {
    await this.#program.end(signal);
    // Messages that are posted late must be, before the time skips.
    const waitMs = Math.min(downMs, MAX_PROCESSING_MS);
    await this.control.clock.sleep(waitMs);
    this.control.clock.skip(downMs - waitMs);
    await whileDown?.();
    this.#program.start();
  }

  /** Kills the process after the first durable writes of its next poll, or after a while, and starts it again. */
  async killAfterWrites(writes: number): Promise<void> {
    this.upstream.beforeAnswer = ({ path }) => {
      if (path.startsWith("/v1/splits")) this.state.killAfterWrites(writes);
    };
    await Promise.race([this.#program.current?.ended, this.control.clock.sleep(MAX_WRITES_MS)]);
    this.upstream.beforeAnswer = () => undefined;
    this.state.killAfterWrites(0);
    await this.restart("SIGKILL", {});
  }

  /** Starts the process on a damaged state, which it must report and leave as it is. `damage` returns its repair. */
  async startWith(damage: () => Promise<() => Promise<void>>): Promise<void> {
    const repair = await damage();
    await this.#program.startInVain();
    await repair();
  }

  async #prepare(): Promise<void> {
    this.control.setSpeed(this.state.startSpeed);
    const splitwatch = await this.#program.running();
    await waitUntil("the process is connected", () => this.chat.isConnected());
    await Promise.all([
      this.#expect("everything", { name: "subscribe" }),
      this.#expect("nasdaq", { name: "subscribe", options: { exchange: "NASDAQ" } }),
      this.#expect("ada", { name: "watch", options: { tickers: ADA_WATCHLIST } }),
    ]);
    this.control.setSpeed(this.state.speed);
    await waitUntil("the first lists are read", () => countPolls(splitwatch) >= FIRST_POLLS);
  }

  async #expect(name: DestinationName, command: Command): Promise<void> {
    const text = await this.chat.command(name, command);
    if (text === null || !/Rule 1 is set|You now watch/.test(text))
      throw new Error(`${command.name} was answered ${JSON.stringify(text)}`);
  }

  #processOptions(folder: string): ProcessOptions {
    return {
      cwd: folder,
      env: {
        ...this.control.env(),
        ...this.chat.env,
        ...this.state.env,
        SPLITS_API_URL: this.upstream.url.replace("127.0.0.1", UPSTREAM_HOST),
        SPLITS_API_KEY: this.upstream.key,
        SPLITWATCH_CONFIG: join(folder, "every-five-seconds.yaml"),
      },
      onMessage: this.control.onMessage,
      onLog: (line) => this.#note(line),
    };
  }

  #note(line: LogLine): void {
    const when = { poll: this.#polls, at: this.control.clock.now() };
    if (line.msg === "event detected") this.#model.noteDetected(String(line.kind), String(line.id), when);
    if (line.msg === "poll completed") this.#polls += 1;
    if (BUGS.has(line.msg)) this.#report("process", `log: ${JSON.stringify(line)}`);
  }

  /** Ends all lasting faults and waits until nothing is pending. Faults of single requests that are left apply in this phase. */
  async #recover(): Promise<void> {
    for (const end of this.#ends) await end();
    for (const name of DESTINATION_NAMES) this.chat.setWritable(name, true);
    const splitwatch = await this.#program.running();
    await this.#settle(splitwatch);
    // Messages that are posted late must be, before the time skips.
    await this.control.clock.sleep(MAX_PROCESSING_MS);
    if (this.#model.mayFlap()) {
      this.control.skip(FLAPPING_MS);
      await this.#settle(splitwatch);
    }
    await Promise.all(this.#commands);
  }

  /** Waits until the list was read completely and nothing is pending. */
  async #settle(splitwatch: SplitwatchProcess): Promise<void> {
    const startedAt = this.control.clock.now();
    const polls = countPolls(splitwatch) + LAST_POLLS;
    const adaptSpeed = this.#recoverySpeed(splitwatch);
    let slowestMs = 0;
    const isLate = (): boolean => this.control.clock.now() - startedAt > MAX_RECOVERY_MS;
    const isDone = async (): Promise<boolean> => {
      const askedAt = performance.now();
      const pending = await readMetric(await splitwatch.ready, "splitwatch_outbox_pending").catch(() => null);
      slowestMs = Math.max(performance.now() - askedAt, slowestMs * SLOWEST_DECAY);
      adaptSpeed(MAX_ANSWER_MS / 4 / slowestMs);
      return isLate() || (countPolls(splitwatch) >= polls && pending === 0);
    };
    const hasEnded = splitwatch.ended.then(() => {
      throw new Error(`the process ended while it recovered: ${splitwatch.err()}`);
    });
    await Promise.race([waitUntil("everything is delivered", isDone, MAX_RECOVERY_REAL_MS), hasEnded]).finally(() => {
      hasEnded.catch(() => undefined);
    });
    this.#figures.recoveryMinutes += Math.round((this.control.clock.now() - startedAt) / 6_000) / 10;
    if (isLate()) await this.#reportPending(splitwatch);
  }

  /** Returns a function that speeds the time up while nothing fails, up to a maximum, and slows it down after failures. */
  #recoverySpeed(splitwatch: SplitwatchProcess): (maxSpeed: number) => void {
    const countWarnings = (): number => splitwatch.log().filter(({ level }) => level !== "info").length;
    let speed = this.state.speed;
    let warnings = countWarnings();
    let nextAt = performance.now() + SPEED_INTERVAL_MS;
    return (maxSpeed) => {
      if (performance.now() < nextAt) return;
      nextAt = performance.now() + SPEED_INTERVAL_MS;
      const factor = countWarnings() > warnings ? 0.5 : 1.5;
      warnings = countWarnings();
      speed = Math.max(Math.min(speed * factor, maxSpeed, MAX_RECOVERY_SPEED), this.state.startSpeed);
      this.control.setSpeed(speed);
    };
  }

  async #reportPending(splitwatch: SplitwatchProcess): Promise<void> {
    const [status] = await ask(await splitwatch.ready, "ada", "status");
    const now = this.control.clock.now();
    const late = await describeLateAlerts({ state: this.state.read(), log: splitwatch.log(), now });
    this.#report("late", [JSON.stringify(status), ...late].join("\n"));
  }

  /** The last warnings and errors of the running process. */
  #warnings(): string {
    const lines = this.#program.current?.log().filter(({ level }) => level !== "info") ?? [];
    return lines
      .slice(-MAX_PRINTED_LINES)
      .map((line) => JSON.stringify(line))
      .join("\n");
  }

  #outcome(): FaultOutcome {
    for (const violation of this.chat.violations()) this.#report("wrong", violation);
    const messages = DESTINATION_NAMES.flatMap((name) => this.chat.received(name));
    this.#figures.starts = this.#program.starts;
    this.#figures.kills = this.#program.kills;
    this.#figures.splits = this.story.splits.length;
    this.#figures.failedRequests = this.chat.failedRequests();
    this.#figures.messages = messages.length;
    this.#figures.alerts = messages.flatMap(({ text }) => alertsIn(text)).length;
    this.#figures.worstStallMs = Math.round(this.control.worstStallMs);
    for (const downtime of this.#program.downtimes) this.#model.noteHindrance(downtime);
    const problems = [...this.#problems, ...this.#model.check(this.chat)];
    this.#figures.longestBlockSeconds = Math.round(this.#model.longestBlockMs / 1_000);
    return { problems, figures: this.#figures };
  }

  #report(kind: Problem["kind"], what: string): void {
    this.#problems.push({ kind, what });
  }
}

/** `14:05` in UTC. */
function timeOfDay(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}

const UPSTREAM_HOST = "upstream.test";

function countPolls(splitwatch: SplitwatchProcess): number {
  return splitwatch.log().filter(({ msg, resource, outcome }) => {
    return msg === "poll completed" && resource === "splits" && outcome === "complete";
  }).length;
}
