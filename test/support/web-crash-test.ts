import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ChangingUpstream } from "./changing-upstream.ts";
import { checkMessages, checkReleases, checkSplits, type Problem, type Recipient } from "./check-alerts.ts";
import { CommandTraffic } from "./command-traffic.ts";
import {
  countCompletePolls,
  rejectIfEnded,
  startPolling,
  stopGracefully,
  waitForPolls,
  waitUntilIdle,
} from "./polling-process.ts";
import type { Processes, SplitwatchProcess } from "./process.ts";
import type { Random } from "./random.ts";
import { readAlerts } from "./seen-alerts.ts";
import { ask, DestinationReader, rethrowUnlessDisconnected } from "./web-chat.ts";

/** What a process is killed in the middle of. */
export const KILL_TARGETS = ["start", "poll", "delivery", "command", "any"] as const;

type KillTarget = (typeof KILL_TARGETS)[number];

export interface WebCrashFigures {
  kills: number;
  /** Kills that came while a list was read and not saved, while an alert was saved and not settled, while a command ran. */
  readonly hit: Record<"poll" | "delivery" | "command", number>;
  polls: number;
  steps: number;
  commands: number;
  alerts: number;
  messages: number;
}

/** The story moves on every so often, in milliseconds, and so many steps at most in one life, however slow the machine is. */
const STEP_MS = 80;
const MAX_STEPS_PER_PROCESS = 10;

/** No process asks for anything so soon after its start: what comes then was sent by the one before it. In milliseconds. */
const MIN_START_MS = 50;

/** What is aimed at may never come: the process is killed all the same. In milliseconds. */
const TARGET_TIMEOUT_MS = 2_500;

/** Lists that are read after the last change, so that everything that went has been missed often enough. */
const SETTLING_POLLS = 4;

/** Splits that ada has on her watchlist from the start: every third of those to come. */
const ADA_WATCHLIST = Array.from({ length: 160 }, (_, number) => `K${number * 3}`);

/** One splitwatch that is killed again and again and started on the same folder, under an upstream that never rests. */
export class WebCrashTest {
  readonly figures: WebCrashFigures = {
    kills: 0,
    hit: { poll: 0, delivery: 0, command: 0 },
    polls: 0,
    steps: 0,
    commands: 0,
    alerts: 0,
    messages: 0,
  };
  readonly #folder: string;
  readonly #processes: Processes;
  readonly #random: Random;
  readonly #story: ChangingUpstream;
  readonly #chatter: CommandTraffic;
  /** Versions of the list that were read and saved. */
  readonly #seen: number[] = [];
  readonly #problems: Problem[] = [];
  readonly #readers = {
    everything: new DestinationReader({ channel: "everything" }),
    nasdaq: new DestinationReader({ channel: "nasdaq" }),
    nyse: new DestinationReader({ channel: "nyse" }),
    tests: new DestinationReader({ channel: "tests" }),
    ada: new DestinationReader({ person: "ada" }),
    bird: new DestinationReader({ person: "bird" }),
  };
  #birdTickersUsed = 0;
  #stepsLeft = 0;
  /** Kills are to leave nothing else behind. */
  #filesAtFirst = "";

  private constructor(parts: { folder: string; processes: Processes; random: Random; story: ChangingUpstream }) {
    this.#folder = parts.folder;
    this.#processes = parts.processes;
    this.#random = parts.random;
    this.#story = parts.story;
    this.#chatter = new CommandTraffic(parts.random);
  }

  /** The first life is a quiet one: it learns what is listed already, and who wants to hear what. */
  static async begin(folder: string, processes: Processes, random: Random): Promise<WebCrashTest> {
    const story = await ChangingUpstream.start(random, 15);
    const run = new WebCrashTest({ folder, processes, random, story });
    const life = await run.#start();
    const address = await life.ready;
    await waitForPolls(life, 1);
    await waitUntilIdle(address);
    await ask(address, "ada", "subscribe events:all", { channel: "everything" });
    await ask(address, "ada", "subscribe exchange:NASDAQ", { channel: "nasdaq" });
    // Two rules that ask for the same: the place is told once.
    await ask(address, "ada", "subscribe exchange:NYSE", { channel: "nyse" });
    await ask(address, "ada", "subscribe minratio:2 exclude:NASDAQ,OTC", { channel: "nyse" });
    await ask(address, "ada", `watch ${ADA_WATCHLIST.join(" ")}`);
    await ask(address, "ada", "subscribe exchange:OTC");
    await run.#end(life);
    run.#filesAtFirst = await run.#files();
    return run;
  }

  /** Starts and kills it so often, each aim as often as the others, in any order. */
  async killRepeatedly(times: number): Promise<void> {
    const aims = Array.from({ length: times }, (_, index) => KILL_TARGETS[index % KILL_TARGETS.length] ?? "any");
    const order = aims.map((aim) => ({ aim, rank: this.#random.next() })).toSorted((a, b) => a.rank - b.rank);
    const stepping = setInterval(() => this.#step(), STEP_MS);
    try {
      for (const { aim } of order) await this.#liveAndDie(aim);
    } finally {
      clearInterval(stepping);
    }
  }

  /** Lets it come to rest, and gives all that was lost, told twice or wrong. */
  async settle(): Promise<readonly Problem[]> {
    const life = await this.#start();
    const address = await life.ready;
    await waitForPolls(life, SETTLING_POLLS);
    await waitUntilIdle(address);
    await this.#read(address);
    const { wrong, bird } = await this.#chatter.checkSettings(address);
    await this.#end(life);
    const found = [...wrong.map((key) => lost(`the command on ${key}`)), ...this.#check(bird)];
    found.push(...(await this.#quietRestart()));
    const files = await this.#files();
    if (files !== this.#filesAtFirst) found.push({ kind: "wrong", what: `the folder holds ${files}` });
    return [...this.#problems, ...found];
  }

  async stop(): Promise<void> {
    await this.#story.stop();
  }

  #start(): Promise<SplitwatchProcess> {
    return startPolling(this.#processes, {
      folder: this.#folder,
      dataDir: join(this.#folder, "data"),
      upstream: this.#story.upstream,
    });
  }

  async #files(): Promise<string> {
    return (await readdir(join(this.#folder, "data"))).toSorted().join(", ");
  }

  #step(): void {
    if (this.#stepsLeft === 0) return;
    this.#stepsLeft -= 1;
    const early = this.#chatter.earlyTickers.slice(this.#birdTickersUsed);
    this.#birdTickersUsed += early.length;
    this.#story.upcoming.push(...early);
    this.#story.step();
    this.figures.steps += 1;
  }

  async #liveAndDie(aim: KillTarget): Promise<void> {
    const cutOffBefore = this.#chatter.cutOff;
    const startedAt = Date.now();
    this.#stepsLeft = MAX_STEPS_PER_PROCESS;
    const life = await this.#start();
    const using = this.#use(aim, life);
    const failed = using.then(
      () => new Promise<never>(() => undefined),
      () => undefined,
    );
    await Promise.race([this.#moment(aim, life), life.ended, failed]);
    const { signal } = await life.kill();
    await using;
    if (signal !== "SIGKILL") await rejectIfEnded(life);
    this.figures.kills += 1;
    if (this.#servedSince(startedAt).length > countCompletePolls(life)) this.figures.hit.poll += 1;
    if (countDeliveries(life, "event detected") > countDeliveries(life, "delivery completed"))
      this.figures.hit.delivery += 1;
    if (this.#chatter.cutOff > cutOffBefore) this.figures.hit.command += 1;
    this.#note(life, startedAt);
  }

  /** The chat is in use until the process is gone: people read, and one types. */
  async #use(aim: KillTarget, life: SplitwatchProcess): Promise<void> {
    const address = await life.ready.catch(() => null);
    if (address === null) return;
    const reading = this.#read(address).catch(rethrowUnlessDisconnected);
    // Some read to the end: the server hands out the newest messages alone.
    if (aim === "command") await reading;
    await Promise.all([reading, this.#chatter.sendCommands(address)]);
  }

  async #moment(aim: KillTarget, life: SplitwatchProcess): Promise<void> {
    const { ready, within } = { ready: life.ready.catch(() => undefined), within: this.#random.next() };
    switch (aim) {
      case "start":
        return pause(within * 500);
      case "poll":
        await Promise.race([this.#story.nextRequest(), pause(TARGET_TIMEOUT_MS)]);
        return pause(within * 25);
      case "delivery":
        await Promise.race([life.nextLog("event detected"), pause(TARGET_TIMEOUT_MS)]);
        return pause(within * 20);
      case "command":
        await ready;
        for (let commands = this.#random.below(5); commands >= 0; commands -= 1)
          await Promise.race([this.#chatter.nextCommand(), pause(TARGET_TIMEOUT_MS)]);
        return pause(within * 4);
      case "any":
        await ready;
        return pause(within * 700);
    }
  }

  /** Keeps what this life says of itself. */
  #note(life: SplitwatchProcess, startedAt = 0): void {
    const polls = countCompletePolls(life);
    this.#seen.push(...this.#servedSince(startedAt).slice(0, polls));
    this.figures.polls += polls;
    this.#story.served.length = 0;
    const errors = life.log().filter(({ level }) => level === "error");
    for (const line of errors) this.#problems.push({ kind: "wrong", what: `log: ${JSON.stringify(line)}` });
    for (const line of life.stderrOutsideLog()) this.#problems.push({ kind: "wrong", what: `standard error: ${line}` });
  }

  #servedSince(startedAt: number): readonly number[] {
    return this.#story.served.filter(({ at }) => at >= startedAt + MIN_START_MS).map(({ version }) => version);
  }

  async #read(address: string): Promise<void> {
    for (const reader of Object.values(this.#readers)) await reader.read(address);
  }

  #check(bird: readonly string[]): Problem[] {
    const messages = Object.values(this.#readers).flatMap((reader) => reader.messages);
    const { everything, others } = recipientsOf((name) => readAlerts(this.#readers[name].messages), bird);
    const tests = readAlerts(this.#readers.tests.messages).length;
    const { testsSent, testsAnswered } = this.#chatter;
    this.figures.alerts = [everything, ...others].flatMap(({ alerts: told }) => told).length;
    this.figures.messages = messages.length;
    this.figures.commands = this.#chatter.answered;
    return [
      ...checkMessages(messages),
      ...[everything, ...others].flatMap((listener) => [
        ...checkSplits(this.#story, this.#seen, listener),
        ...checkReleases(this.#story, listener, everything),
      ]),
      ...(tests < testsAnswered ? [lost(`${testsAnswered} tests were answered, ${tests} cards came`)] : []),
      ...(tests > testsSent ? [sentTwice(`${testsSent} tests were asked for, ${tests} cards came`)] : []),
    ];
  }

  /** One more start on the same data: what was told is there, and nothing is told again. */
  async #quietRestart(): Promise<Problem[]> {
    const life = await this.#start();
    const address = await life.ready;
    await waitForPolls(life, 2);
    await waitUntilIdle(address);
    const problems: Problem[] = [];
    for (const reader of Object.values(this.#readers)) {
      const place = JSON.stringify(reader.destination);
      const known = reader.messages.length;
      await reader.read(address);
      if (reader.messages.length > known) problems.push(sentTwice(`a restart told news at ${place}`));
      if (!(await reader.hasSameMessages(address)))
        problems.push(lost(`earlier messages at ${place} are not as they were`));
    }
    await this.#end(life);
    return problems;
  }

  async #end(life: SplitwatchProcess): Promise<void> {
    await stopGracefully(life);
    this.#note(life);
  }
}

type ReaderName = "everything" | "nasdaq" | "nyse" | "tests" | "ada" | "bird";

function recipientsOf(
  told: (name: ReaderName) => Recipient["alerts"],
  bird: readonly string[],
): { readonly everything: Recipient; readonly others: readonly Recipient[] } {
  const adas = new Set(ADA_WATCHLIST);
  return {
    everything: { name: "#everything", alerts: told("everything"), receives: () => true, readsReleases: () => true },
    others: [
      { name: "#nasdaq", alerts: told("nasdaq"), receives: isOn("NASDAQ"), readsReleases: () => false },
      { name: "#nyse", alerts: told("nyse"), receives: isOn("NYSE"), readsReleases: () => false },
      {
        name: "ada",
        alerts: told("ada"),
        receives: ({ exchange, ticker }) => exchange === "OTC" || adas.has(ticker),
        readsReleases: (ticker) => adas.has(ticker),
      },
      {
        name: "bird",
        alerts: told("bird"),
        receives: ({ ticker }) => bird.includes(ticker),
        readsReleases: (ticker) => bird.includes(ticker),
      },
    ],
  };
}

function isOn(exchange: string): Recipient["receives"] {
  return (split) => split.exchange === exchange;
}

function countDeliveries(life: SplitwatchProcess, msg: string): number {
  let count = 0;
  for (const line of life.log()) if (line.msg === msg) count += Number(line.deliveries);
  return count;
}

function lost(what: string): Problem {
  return { kind: "lost", what };
}

function sentTwice(what: string): Problem {
  return { kind: "twice", what };
}
