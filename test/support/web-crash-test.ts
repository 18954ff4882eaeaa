import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ChangingUpstream } from "./changing-upstream.ts";
import { checkMessages, checkReleases, checkSplits, type Discrepancy, type Recipient } from "./check-alerts.ts";
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
import { ask, DestinationReader, rethrowUnlessDisconnected } from "./web-chat-client.ts";

/** Activities during which a process is killed. */
export const KILL_TARGETS = ["start", "poll", "delivery", "command", "any"] as const;

type KillTarget = (typeof KILL_TARGETS)[number];

export interface WebCrashFigures {
  kills: number;
  /** Kills between reading and saving a list, between saving and settling an alert, and while a command ran. */
  readonly hit: Record<"poll" | "delivery" | "command", number>;
  polls: number;
  steps: number;
  commands: number;
  alerts: number;
  messages: number;
}

/** Interval of upstream changes, and their maximum per process, which limits them on slow machines. */
const STEP_MS = 80;
const MAX_STEPS_PER_PROCESS = 10;

/** Most changes before all their alerts are delivered: more alerts would become a list, which omits terms. */
const MAX_PENDING_STEPS = 16;

/** Earlier requests were sent by the previous process. */
const MIN_START_MS = 50;

/** Time after which the process is killed without having reached its target. */
const TARGET_TIMEOUT_MS = 2_500;

/** Polls after the last change: enough to alert removed splits as missing. */
const SETTLING_POLLS = 4;

/** Ada's watchlist from the start: every third of the later splits. */
const ADA_WATCHLIST = Array.from({ length: 160 }, (_, number) => `K${number * 3}`);

/** One installation that is killed and restarted repeatedly while its upstream changes. */
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
  readonly #traffic: CommandTraffic;
  /** Versions of the list that were read and saved. */
  readonly #seen: number[] = [];
  readonly #discrepancies: Discrepancy[] = [];
  readonly #readers = {
    everything: new DestinationReader({ channel: "everything" }),
    nasdaq: new DestinationReader({ channel: "nasdaq" }),
    nyse: new DestinationReader({ channel: "nyse" }),
    tests: new DestinationReader({ channel: "tests" }),
    ada: new DestinationReader({ person: "ada" }),
    early: new DestinationReader({ person: "early" }),
  };
  #earlyTickersUsed = 0;
  #stepsLeft = 0;
  #pendingSteps = 0;
  /** Names of the state files; kills must not leave others. */
  #initialFiles = "";

  private constructor(parts: { folder: string; processes: Processes; random: Random; story: ChangingUpstream }) {
    this.#folder = parts.folder;
    this.#processes = parts.processes;
    this.#random = parts.random;
    this.#story = parts.story;
    this.#traffic = new CommandTraffic(parts.random);
  }

  /** Starts the first process, which reads the initial list and saves the subscriptions. */
  static async begin(folder: string, processes: Processes, random: Random): Promise<WebCrashTest> {
    const story = await ChangingUpstream.start(random, 15);
    const run = new WebCrashTest({ folder, processes, random, story });
    const splitwatch = await run.#start();
    const address = await splitwatch.ready;
    await waitForPolls(splitwatch, 1);
    await waitUntilIdle(address);
    await ask(address, "ada", "subscribe events:all", { channel: "everything" });
    await ask(address, "ada", "subscribe exchange:NASDAQ", { channel: "nasdaq" });
    // Two matching rules: the channel gets each alert once.
    await ask(address, "ada", "subscribe exchange:NYSE", { channel: "nyse" });
    await ask(address, "ada", "subscribe minratio:2 exclude:NASDAQ,OTC", { channel: "nyse" });
    await ask(address, "ada", `watch ${ADA_WATCHLIST.join(" ")}`);
    await ask(address, "ada", "subscribe exchange:OTC");
    await run.#end(splitwatch);
    run.#initialFiles = await run.#files();
    return run;
  }

  /** Starts and kills the process `times` times, with equally many kills per target in random order. */
  async killRepeatedly(times: number): Promise<void> {
    const targets = Array.from({ length: times }, (_, index) => KILL_TARGETS[index % KILL_TARGETS.length] ?? "any");
    const order = targets.map((target) => ({ target, rank: this.#random.next() })).toSorted((a, b) => a.rank - b.rank);
    const stepping = setInterval(() => this.#step(), STEP_MS);
    try {
      for (const { target } of order) await this.#runAndKill(target);
    } finally {
      clearInterval(stepping);
    }
  }

  /** Waits until nothing is pending, and returns all alerts that were lost, sent twice or wrong. */
  async settle(): Promise<readonly Discrepancy[]> {
    const splitwatch = await this.#start();
    const address = await splitwatch.ready;
    await waitForPolls(splitwatch, SETTLING_POLLS);
    await waitUntilIdle(address);
    await this.#read(address);
    const { wrong, early } = await this.#traffic.checkSettings(address);
    await this.#end(splitwatch);
    const found = [...wrong.map((key) => lost(`the command on ${key}`)), ...this.#check(early)];
    found.push(...(await this.#quietRestart()));
    const files = await this.#files();
    if (files !== this.#initialFiles) found.push({ kind: "wrong", what: `the data folder contains ${files}` });
    return [...this.#discrepancies, ...found];
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
    this.#pendingSteps += 1;
    const early = this.#traffic.earlyTickers.slice(this.#earlyTickersUsed);
    this.#earlyTickersUsed += early.length;
    this.#story.upcoming.push(...early);
    this.#story.step();
    this.figures.steps += 1;
  }

  /** Runs a process until all alerts of the earlier changes are delivered. */
  async #deliverAll(): Promise<void> {
    this.#stepsLeft = 0;
    const splitwatch = await this.#start();
    const address = await splitwatch.ready;
    await waitForPolls(splitwatch, SETTLING_POLLS);
    await waitUntilIdle(address);
    await this.#read(address);
    await this.#end(splitwatch);
    this.#pendingSteps = 0;
  }

  async #runAndKill(target: KillTarget): Promise<void> {
    const interruptedBefore = this.#traffic.interrupted;
    if (this.#pendingSteps > MAX_PENDING_STEPS - MAX_STEPS_PER_PROCESS) await this.#deliverAll();
    const startedAt = Date.now();
    this.#stepsLeft = MAX_STEPS_PER_PROCESS;
    const splitwatch = await this.#start();
    const using = this.#use(target, splitwatch);
    const failed = using.then(
      () => new Promise<never>(() => undefined),
      () => undefined,
    );
    await Promise.race([this.#moment(target, splitwatch), splitwatch.ended, failed]);
    const { signal } = await splitwatch.kill();
    await using;
    if (signal !== "SIGKILL") await rejectIfEnded(splitwatch);
    this.figures.kills += 1;
    if (this.#servedSince(startedAt).length > countCompletePolls(splitwatch)) this.figures.hit.poll += 1;
    if (countDeliveries(splitwatch, "event detected") > countDeliveries(splitwatch, "delivery completed"))
      this.figures.hit.delivery += 1;
    if (this.#traffic.interrupted > interruptedBefore) this.figures.hit.command += 1;
    this.#note(splitwatch, startedAt);
  }

  /** Reads messages and sends commands until the process ends. */
  async #use(target: KillTarget, splitwatch: SplitwatchProcess): Promise<void> {
    const address = await splitwatch.ready.catch(() => null);
    if (address === null) return;
    const reading = this.#read(address).catch(rethrowUnlessDisconnected);
    // Some runs read everything first, because the server returns only the newest messages.
    if (target === "command") await reading;
    await Promise.all([reading, this.#traffic.sendCommands(address)]);
  }

  async #moment(target: KillTarget, splitwatch: SplitwatchProcess): Promise<void> {
    const ready = splitwatch.ready.catch(() => undefined);
    const share = this.#random.next();
    switch (target) {
      case "start":
        return pause(share * 500);
      case "poll":
        await Promise.race([this.#story.nextRequest(), pause(TARGET_TIMEOUT_MS)]);
        return pause(share * 25);
      case "delivery":
        await Promise.race([splitwatch.nextLog("event detected"), pause(TARGET_TIMEOUT_MS)]);
        return pause(share * 20);
      case "command":
        await ready;
        for (let commands = this.#random.below(5); commands >= 0; commands -= 1)
          await Promise.race([this.#traffic.nextCommand(), pause(TARGET_TIMEOUT_MS)]);
        return pause(share * 4);
      case "any":
        await ready;
        return pause(share * 700);
    }
  }

  /** Records the polls and errors in the log of the process. */
  #note(splitwatch: SplitwatchProcess, startedAt = 0): void {
    const polls = countCompletePolls(splitwatch);
    this.#seen.push(...this.#servedSince(startedAt).slice(0, polls));
    this.figures.polls += polls;
    this.#story.served.length = 0;
    const errors = splitwatch.log().filter(({ level }) => level === "error");
    for (const line of errors) this.#discrepancies.push({ kind: "wrong", what: `log: ${JSON.stringify(line)}` });
    for (const line of splitwatch.stderrOutsideLog())
      this.#discrepancies.push({ kind: "wrong", what: `standard error: ${line}` });
  }

  #servedSince(startedAt: number): readonly number[] {
    return this.#story.served.filter(({ at }) => at >= startedAt + MIN_START_MS).map(({ version }) => version);
  }

  async #read(address: string): Promise<void> {
    for (const reader of Object.values(this.#readers)) await reader.read(address);
  }

  #check(early: readonly string[]): Discrepancy[] {
    const messages = Object.values(this.#readers).flatMap((reader) => reader.messages);
    const { everything, others } = recipientsOf((name) => readAlerts(this.#readers[name].messages), early);
    const tests = readAlerts(this.#readers.tests.messages).length;
    const { testsSent, testsAnswered } = this.#traffic;
    this.figures.alerts = [everything, ...others].flatMap(({ alerts }) => alerts).length;
    this.figures.messages = messages.length;
    this.figures.commands = this.#traffic.answered;
    return [
      ...checkMessages(messages),
      ...[everything, ...others].flatMap((recipient) => [
        ...checkSplits(this.#story, this.#seen, recipient),
        ...checkReleases(this.#story, recipient, everything),
      ]),
      ...(tests < testsAnswered ? [lost(`${testsAnswered} tests were answered, ${tests} cards were sent`)] : []),
      ...(tests > testsSent ? [sentTwice(`${testsSent} tests were requested, ${tests} cards were sent`)] : []),
    ];
  }

  /** Restarts without changes: earlier messages must be unchanged, and none may be sent again. */
  async #quietRestart(): Promise<Discrepancy[]> {
    const splitwatch = await this.#start();
    const address = await splitwatch.ready;
    await waitForPolls(splitwatch, 2);
    await waitUntilIdle(address);
    const discrepancies: Discrepancy[] = [];
    for (const reader of Object.values(this.#readers)) {
      const name = JSON.stringify(reader.destination);
      const known = reader.messages.length;
      await reader.read(address);
      if (reader.messages.length > known) discrepancies.push(sentTwice(`a restart sent new messages to ${name}`));
      if (!(await reader.hasSameMessages(address))) discrepancies.push(lost(`earlier messages of ${name} changed`));
    }
    await this.#end(splitwatch);
    return discrepancies;
  }

  async #end(splitwatch: SplitwatchProcess): Promise<void> {
    await stopGracefully(splitwatch);
    this.#note(splitwatch);
  }
}

type ReaderName = "everything" | "nasdaq" | "nyse" | "tests" | "ada" | "early";

function recipientsOf(
  alertsOf: (name: ReaderName) => Recipient["alerts"],
  early: readonly string[],
): { readonly everything: Recipient; readonly others: readonly Recipient[] } {
  const watched = new Set(ADA_WATCHLIST);
  return {
    everything: {
      name: "#everything",
      alerts: alertsOf("everything"),
      receives: () => true,
      readsReleases: () => true,
    },
    others: [
      { name: "#nasdaq", alerts: alertsOf("nasdaq"), receives: isOn("NASDAQ"), readsReleases: () => false },
      { name: "#nyse", alerts: alertsOf("nyse"), receives: isOn("NYSE"), readsReleases: () => false },
      {
        name: "ada",
        alerts: alertsOf("ada"),
        receives: ({ exchange, ticker }) => exchange === "OTC" || watched.has(ticker),
        readsReleases: (ticker) => watched.has(ticker),
      },
      {
        name: "early",
        alerts: alertsOf("early"),
        receives: ({ ticker }) => early.includes(ticker),
        readsReleases: (ticker) => early.includes(ticker),
      },
    ],
  };
}

function isOn(exchange: string): Recipient["receives"] {
  return (split) => split.exchange === exchange;
}

function countDeliveries(splitwatch: SplitwatchProcess, msg: string): number {
  let count = 0;
  for (const line of splitwatch.log()) if (line.msg === msg) count += Number(line.deliveries);
  return count;
}

function lost(what: string): Discrepancy {
  return { kind: "lost", what };
}

function sentTwice(what: string): Discrepancy {
  return { kind: "twice", what };
}
