import { MINUTE_MS } from "../../src/domain/time/day.ts";
import { createRandom, type Random } from "../support/random.ts";
import { lies } from "../support/upstream.ts";
import { type AnyAction, action, between, CLOCK_ERRORS_MS, type Step, seconds } from "./action.ts";
import { DESTINATION_NAMES, type DestinationName, MAX_PROCESSING_MS, type RequestFault } from "./chat.ts";
import { DATABASE_ACTIONS } from "./database-actions.ts";
import { DISK_ACTIONS } from "./disk-actions.ts";
import type { FaultRun } from "./run.ts";
import type { StateKind } from "./state.ts";

/** Interval of the polls of the splits. */
const POLL_MS = 5_000;

export interface Schedule {
  readonly seed: number;
  /** Time at which it starts. */
  readonly start: string;
  readonly steps: readonly Step[];
}

/** Times at which schedules start: a market day, the changes to and from daylight saving time, and the end of a year. */
const STARTS = [
  "2026-03-03T14:00:00Z",
  "2026-03-03T14:00:00Z",
  "2026-03-08T06:58:00Z",
  "2026-11-01T05:58:00Z",
  "2026-12-31T23:58:00Z",
] as const;

const MIN_STEPS = 9;
const MAX_STEPS = 16;
const MAX_RESTARTS = 3;

/** Tickers that bird watches when they are forgotten. */
const FORGOTTEN_TICKERS = 20;

/** Destinations of faults and holds: bird is notified of too little. */
const CHAIN_DESTINATIONS = ["everything", "everything", "ada", "nasdaq"] as const;

const anyDestination = (random: Random): DestinationName => random.pick(DESTINATION_NAMES);

/** Failures of the list that a poll reports as incomplete, or that must not be mistaken for changes. */
const LIES = {
  empty: lies.empty,
  halved: lies.halved,
  reversed: lies.reversed,
  doubled: lies.doubled,
  cutJson: lies.cutJson,
  cutConnection: lies.cutConnection,
  html: lies.html,
  busy: lies.status(429, { "retry-after": "20" }),
  broken: lies.status(503),
  refused: lies.status(401),
  hang: lies.hang,
  trickle: lies.trickle,
  reset: lies.reset,
} as const;

/** Those that look like lists of which splits have disappeared. */
const INCOMPLETE_LISTS: ReadonlySet<keyof typeof LIES> = new Set(["empty", "halved"]);

const SEND_FAULTS: readonly [RequestFault["kind"], ...RequestFault["kind"][]] = [
  "reset",
  "hang",
  "503",
  "stored-reset",
  "stored-reset",
  "stored-reset",
  "stored-hang",
  "stored-500",
  "stored-500",
  "stored-late",
  "limited",
  "limited-globally",
  "refused",
  "unrecognized",
  "intercepted",
];
const SEARCH_FAULTS: readonly [RequestFault["kind"], ...RequestFault["kind"][]] = ["reset", "hang", "503", "limited"];

function anyFault(random: Random, kinds: readonly [RequestFault["kind"], ...RequestFault["kind"][]]): RequestFault {
  const kind = random.pick(kinds);
  if (kind === "stored-late") return { kind, ms: anyProcessingTime(random) };
  return kind === "limited" || kind === "limited-globally" ? { kind, seconds: random.pick([1, 20, 200]) } : { kind };
}

/** Time in which an overloaded platform processes a request, beyond that of its answer. */
function anyProcessingTime(random: Random): number {
  return seconds(random, 1, MAX_PROCESSING_MS / 1_000);
}

/** Successive failures of the requests about one message. */
function planChain(random: Random): readonly { readonly request: "send" | "search"; readonly fault: RequestFault }[] {
  return Array.from({ length: between(random, 2, 5) }, () => {
    const request = random.chance(0.7) ? "send" : "search";
    return { request, fault: anyFault(random, request === "send" ? SEND_FAULTS : SEARCH_FAULTS) };
  });
}

/** Faults that delay messages for longer than a wrong clock is believed. */
const DELAYS = {
  limited: { fault: { kind: "limited", seconds: 300 }, times: 1 },
  // With two destinations four rejections; the delays between the tries add up to more than three minutes.
  unauthorized: { fault: { kind: "unauthorized" }, times: 2 },
} as const satisfies Readonly<Record<string, { readonly fault: RequestFault; readonly times: number }>>;

/** Announces a split whose messages are delayed. */
function announceDelayed({ chat, story }: FaultRun, delay: keyof typeof DELAYS): void {
  const { fault, times } = DELAYS[delay];
  for (const to of ["everything", "ada"] as const) chat.addFault(fault, { request: "send", to, times });
  story.announce(1);
}

/** Longest wait for the answer to a command, before the schedule goes on. */
const MAX_ANSWER_MS = 5_000;

/** Announces a split after a command that holds alerts was answered. */
async function announceAfter(command: Promise<void>, { control, story }: FaultRun): Promise<void> {
  await Promise.race([command, control.clock.sleep(MAX_ANSWER_MS)]);
  story.announce(1);
}

const ACTIONS = {
  announce: action({
    weight: 8,
    plan: (random) => ({ count: between(random, 1, 3) }),
    run: ({ story }, { count }) => story.announce(count),
  }),
  burst: action({
    weight: 2,
    plan: (random) => ({ count: between(random, 12, 45) }),
    run: ({ story }, { count }) => story.announce(count),
  }),
  change: action({ weight: 6, plan: () => ({}), run: ({ story }) => story.changeRatio() }),
  withdraw: action({
    weight: 2,
    plan: (random) => ({ how: random.pick(["postponed", "cancelled"] as const) }),
    run: ({ story }, { how }) => story.withdraw(how),
  }),
  remove: action({ weight: 2, plan: () => ({}), run: (on) => on.changePresence(() => on.story.remove()) }),
  vanish: action({
    weight: 2,
    plan: (random) => ({ polls: between(random, 1, 16) }),
    run: (on, { polls }) => {
      on.changePresence(() => on.story.vanish());
      on.endIn(polls * POLL_MS, () => on.changePresence(() => on.story.reappear()), { hinders: false });
    },
  }),
  lie: action({
    weight: 4,
    plan: (random) => ({
      lie: random.pick(Object.keys(LIES) as [keyof typeof LIES]),
      path: random.pick(["/v1/splits", "/v1/articles", ""]),
      polls: between(random, 1, 5),
    }),
    run: (on, { lie, path, polls }) => {
      // On a busy machine more polls may pass, after which the program believes that the splits are gone.
      const scope = INCOMPLETE_LISTS.has(lie) ? { path, times: polls } : { path };
      on.changePresence(() => on.upstream.injectFault(LIES[lie], scope));
      on.endIn(polls * POLL_MS, () => on.changePresence(() => on.upstream.clearFault()), { hinders: false });
    },
  }),
  watch: action({
    weight: 3,
    plan: (random) => ({ ahead: between(random, 1, 4) }),
    run: (on, { ahead }) => on.watch([on.story.tickerOf(ahead - 1)], true),
  }),
  unwatch: action({
    weight: 1,
    plan: (random) => ({ nth: random.below(5) }),
    run: (on, { nth }) => on.watch([on.story.tickerOf(nth - 1)], false),
  }),
  mute: action({
    weight: 2,
    plan: (random) => ({ to: random.pick(CHAIN_DESTINATIONS), minutes: between(random, 1, 4) }),
    run: (on, { to, minutes }) => announceAfter(on.mute(to, minutes), on),
  }),
  settings: action({
    weight: 1,
    plan: (random) => ({ to: anyDestination(random), timezone: random.pick(["Europe/Berlin", "Asia/Tokyo", "UTC"]) }),
    run: (on, { to, timezone }) => on.setTimezone(to, timezone),
  }),
  quiet: action({
    weight: 2,
    plan: (random) => ({ to: random.pick(CHAIN_DESTINATIONS), minutes: between(random, 2, 5) }),
    run: (on, { to, minutes }) => announceAfter(on.setQuietHours(to, minutes), on),
  }),
  forget: action({
    weight: 2,
    plan: (random) => ({ returns: random.chance(0.7) }),
    run: (on, { returns }) => {
      const tickers = Array.from({ length: FORGOTTEN_TICKERS }, (_, ahead) => on.story.tickerOf(ahead));
      on.watch(tickers, true);
      on.forget();
      if (returns) on.watch([on.story.tickerOf(FORGOTTEN_TICKERS)], true);
    },
  }),
  chain: action({
    weight: 14,
    plan: (random) => ({ to: random.pick(CHAIN_DESTINATIONS), faults: planChain(random) }),
    run: (on, { to, faults }) => {
      for (const { request, fault } of faults) on.chat.addFault(fault, { request, to, times: 1 });
      on.story.announce(1);
    },
  }),
  overload: action({
    weight: 3,
    plan: (random) => ({ ms: anyProcessingTime(random), count: between(random, 1, 3) }),
    run: (on, { ms, count }) => {
      for (const to of DESTINATION_NAMES)
        on.chat.addFault({ kind: "stored-late", ms }, { request: "send", to, times: count });
      on.story.announce(count);
    },
  }),
  refuse: action({
    weight: 6,
    plan: (random) => ({
      to: random.pick(CHAIN_DESTINATIONS),
      count: between(random, 1, 9),
      code: random.pick(["refused", "unrecognized"] as const),
      refusesText: random.chance(0.5),
      forMs: seconds(random, 10, 90),
    }),
    run: (on, { to, count, code, refusesText, forMs }) => {
      on.refuseNext(to, { code, refusesText, forMs });
      on.story.announce(count);
    },
  }),
  forbid: action({
    weight: 2,
    plan: (random) => ({ to: random.pick(CHAIN_DESTINATIONS), forMs: seconds(random, 10, 60) }),
    run: (on, { to, forMs }) => {
      on.chat.setWritable(to, false);
      on.story.announce(1);
      on.endIn(forMs, () => on.chat.setWritable(to, true));
    },
  }),
  unauthorized: action({
    weight: 2,
    plan: (random) => ({ to: random.pick(CHAIN_DESTINATIONS) }),
    run: (on, { to }) => on.chat.addFault({ kind: "unauthorized" }, { request: "send", to, times: 1 }),
  }),
  slow: action({
    weight: 2,
    plan: (random) => ({ ms: seconds(random, 1, 12), forMs: seconds(random, 10, 40) }),
    run: (on, { ms, forMs }) => {
      on.chat.setLatency(on.control.toReal(ms));
      on.endIn(forMs, () => on.chat.setLatency(0));
    },
  }),
  interrupt: action({ weight: 3, plan: () => ({}), run: (on) => on.chat.interrupt(on.random) }),
  unreachable: action({
    weight: 4,
    plan: (random) => ({
      host: random.pick(["upstream", "chat"] as const),
      // Nothing listens on the second loopback address: connections to it are refused.
      address: random.pick(["ENOTFOUND", "EAI_AGAIN", "127.0.0.2"]),
      forMs: seconds(random, 5, 60),
    }),
    run: (on, { host, address, forMs }) => {
      on.makeUnreachable(host, address);
      on.endIn(forMs, () => on.control.restoreNames());
    },
  }),
  jump: action({
    weight: 3,
    plan: (random) => ({ ms: random.pick(CLOCK_ERRORS_MS), forMs: seconds(random, 5, 60) }),
    run: (on, { ms, forMs }) => {
      on.setClockError(ms);
      announceDelayed(on, "limited");
      on.endIn(forMs, () => on.setClockError(0));
    },
  }),
  startWithWrongClock: action({
    weight: 2,
    restarts: 1,
    plan: (random) => ({
      ms: random.pick(CLOCK_ERRORS_MS),
      forMs: seconds(random, 5, 160),
      delay: random.pick(["limited", "unauthorized"] as const),
    }),
    run: async (on, { ms, forMs, delay }) => {
      await on.restart("SIGKILL", { whileDown: async () => on.setClockError(ms) });
      announceDelayed(on, delay);
      on.endIn(forMs, () => on.setClockError(0));
    },
  }),
  kill: action({
    weight: 4,
    restarts: 1,
    plan: (random) => ({ downMs: random.pick([0, 5_000, 5 * MINUTE_MS]) }),
    run: (on, { downMs }) => on.restart("SIGKILL", { downMs }),
  }),
  killAfterWrites: action({
    weight: 3,
    restarts: 1,
    plan: (random) => ({ writes: random.pick([1, 1, 2, 3] as const) }),
    run: (on, { writes }) => {
      on.story.announce(1);
      return on.killAfterWrites(writes);
    },
  }),
  stop: action({
    weight: 2,
    restarts: 1,
    plan: (random) => ({ downMs: random.pick([0, 5_000, 5 * MINUTE_MS]) }),
    run: (on, { downMs }) => on.restart("SIGTERM", { downMs }),
  }),
} as const satisfies Readonly<Record<string, AnyAction>>;

/** Actions by the kind of the state. The common ones are first, so that a seed has the same steps as before. */
const ACTIONS_OF: Readonly<Record<StateKind, readonly [string, AnyAction][]>> = {
  files: Object.entries({ ...ACTIONS, ...DISK_ACTIONS }),
  database: Object.entries({ ...ACTIONS, ...DATABASE_ACTIONS }),
};

export function planSchedule(seed: number, kind: StateKind): Schedule {
  const random = createRandom(seed);
  const steps: Step[] = [];
  let restarts = 0;
  const start = random.pick(STARTS);
  for (let left = between(random, MIN_STEPS, MAX_STEPS); left > 0; left -= 1) {
    const possible = ACTIONS_OF[kind].filter(([, one]) => restarts + one.restarts <= MAX_RESTARTS);
    const [name, chosen] = pickByWeight(random, possible);
    restarts += chosen.restarts;
    const { args, run } = chosen.choose(random);
    const waitMs = Math.round(random.next() ** 2 * 30_000);
    steps.push({ waitMs, text: `${name} ${JSON.stringify(args)}`, run });
  }
  return { seed, start, steps };
}

function pickByWeight(random: Random, actions: readonly [string, AnyAction][]): readonly [string, AnyAction] {
  let left = random.next() * actions.reduce((sum, [, { weight }]) => sum + weight, 0);
  for (const entry of actions) {
    left -= entry[1].weight;
    if (left < 0) return entry;
  }
  throw new Error("there is no action to choose from");
}

/** One line per step. */
export function describeSchedule({ seed, start, steps }: Schedule): string {
  return [`seed ${seed}, from ${start}`, ...steps.map(({ waitMs, text }) => `  +${waitMs / 1_000}s ${text}`)].join(
    "\n",
  );
}
