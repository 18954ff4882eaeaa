import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { announced } from "../../test/contract/store-builders.ts";
import { GENERAL } from "../../test/support/builders.ts";
import { readOutcome } from "../../test/support/deliveries.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { recordedLog } from "../../test/support/recorded-log.ts";
import { ScriptedPlatform } from "../../test/support/scripted-platform.ts";
import { StoreFolders } from "../../test/support/store-folder.ts";
import { TokenState } from "../chat/token-state.ts";
import { type Attempt, deliveryId } from "../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import { HOUR_MS, MINUTE_MS } from "../domain/time/day.ts";
import { createMetrics } from "../lib/metrics.ts";
import { createScheduler } from "../lib/scheduler.ts";
import { DeliveryError, type DeliveryFailure } from "../ports/chat-platform.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import { openSqliteStore } from "../store/engines/sqlite/open.ts";
import { Deliverer } from "./deliver.ts";

/** The deliverer checks holds at least this often. */
const HOLD_CHECK_MS = MINUTE_MS;

/** Time with a wrong clock in which `failing` reaches its longest delay. */
const FAILING_MS = 12 * MINUTE_MS;

/** Time after the correction within which everything is sent. */
const MAX_WAIT_MS = HOUR_MS + MINUTE_MS;

const SEND_TIMEOUT_MS = 10_000;

/** Turns of the event loop between two steps of the work, at most. */
const MIN_IDLE_TURNS = 10;

/** 9:00 in New York, an hour after the digest of the day. */
const START = "2026-03-02T14:00:00Z";

/** How the alert of a destination waits: the error of its first request, or the settings of the destination. */
const WAITS = ["limited", "failing", "lost", "lost-answer", "unsearchable", "forbidden", "gone", "hanging"] as const;
const HOLDS = ["muted", "quiet", "digest"] as const;
/** On a platform of their own, whose credentials are rejected. */
const REJECTED = ["rejected", "rejected-uncertain"] as const;

type Wait = (typeof WAITS)[number] | (typeof HOLDS)[number] | (typeof REJECTED)[number];

/**
 * Longest delay that each alert would have with a correct clock, in milliseconds: from the failure, or from a restart after it.
 * A hold ends at its time of day.
 */
function boundOf(wait: Wait, errorMs: number): number {
  const bounds: Readonly<Record<Wait, number>> = {
    limited: 5 * MINUTE_MS,
    failing: 5 * MINUTE_MS,
    lost: 1_000,
    "lost-answer": 1_000,
    unsearchable: 5 * MINUTE_MS + 1_000,
    forbidden: 5 * MINUTE_MS,
    gone: HOUR_MS,
    hanging: SEND_TIMEOUT_MS + 1_000,
    rejected: MINUTE_MS,
    "rejected-uncertain": MINUTE_MS,
    muted: 10 * MINUTE_MS + HOLD_CHECK_MS,
    quiet: (errorMs > 0 ? 0 : HOUR_MS) + HOLD_CHECK_MS,
    digest: HOLD_CHECK_MS,
  };
  return bounds[wait];
}

/** Failures of the first requests. */
const FAILURES: Readonly<Partial<Record<Wait, DeliveryFailure>>> = {
  limited: "retry",
  failing: "retry",
  lost: "unknown-outcome",
  "lost-answer": "unknown-outcome",
  unsearchable: "unknown-outcome",
  forbidden: "not-allowed",
  gone: "gone",
  hanging: "unknown-outcome",
  rejected: "broken-credentials",
  "rejected-uncertain": "unknown-outcome",
};

/** Rate limit of `limited`. */
const LIMIT_KEY = "web:limited";

let folders: StoreFolders;
let bench: Bench;

beforeEach(() => {
  folders = new StoreFolders();
});

afterEach(async () => {
  await bench.close();
  await folders.removeAll();
});

/** A process on its files, with one destination for each way in which an alert waits. */
class Bench {
  readonly clock = new ManualClock(START);
  readonly #dir: string;
  readonly #errorMs: number;
  readonly #scheduler = createScheduler(SILENT_LOG);
  readonly #web = new ScriptedPlatform("web");
  readonly #chat = new ScriptedPlatform("chat");
  /** Destinations whose first request has failed, and those whose search has. */
  readonly #failed = new Set<string>();
  #isWrong = false;
  #isFailing = true;
  #errorDuringSaves = false;
  #endHanging: () => void = () => undefined;
  #store: Store | null = null;
  #deliverer: Deliverer | null = null;
  #messages = 0;
  /** Operations of the outbox in progress. */
  #writing = 0;

  constructor(dir: string, errorMs: number) {
    this.#dir = dir;
    this.#errorMs = errorMs;
    for (const platform of [this.#web, this.#chat]) {
      platform.ratesOf = ({ id }) => [{ key: `web:${id}`, everyMs: 1, burst: 5, isShared: false }];
      platform.onSend = async ({ to }, post) => {
        await this.#failOnce(to, post);
        return post();
      };
      const { onFind } = platform;
      platform.onFind = async (attempt) => {
        this.#failSearchOnce(attempt.to.id as Wait);
        return onFind(attempt);
      };
    }
  }

  get store(): Store {
    if (this.#store === null) throw new Error("the process isn't running");
    return this.#store;
  }

  async start(): Promise<void> {
    const { clock } = this;
    this.#chat.token = new TokenState("chat", { clock, log: recordedLog() });
    this.#store = this.#observed(await openSqliteStore({ dir: this.#dir, clock, log: SILENT_LOG }));
    this.#deliverer = new Deliverer({
      store: this.#store,
      clock,
      log: SILENT_LOG,
      metrics: createMetrics(),
      timezone: "America/New_York",
      nextDigest: (zone, after) => this.#scheduler.nextTick("0 8 * * 1-5", zone, after),
      expireAfterMs: 24 * HOUR_MS,
      newMessageId: () => `m${++this.#messages}`,
    });
    this.#deliverer.use([this.#web, this.#chat]);
    this.#deliverer.start();
  }

  async close(): Promise<void> {
    this.#endHanging();
    await this.#deliverer?.stop();
    await this.#store?.close();
    this.#deliverer = null;
    this.#store = null;
  }

  async restart(): Promise<void> {
    await this.close();
    await this.start();
  }

  setWrong(isWrong: boolean): void {
    if (this.#isWrong === isWrong) return;
    this.#isWrong = isWrong;
    this.clock.jump(isWrong ? this.#errorMs : -this.#errorMs);
  }

  /** The clock is wrong when a request fails, and correct once the delay until the next one is being written. */
  correctDuringSaves(): void {
    this.#errorDuringSaves = true;
  }

  /** Settings made with a correct clock, which hold alerts at the wrong time and end at the right one. */
  async hold(): Promise<void> {
    const now = this.clock.now();
    const quiet = { from: minuteOf(now + this.#errorMs - HOUR_MS / 2), to: minuteOf(now + this.#quietMs) };
    const { destinationSettings } = this.store;
    await destinationSettings.change(destinationOf("muted"), { mutedUntil: now + 10 * MINUTE_MS });
    await destinationSettings.change(destinationOf("quiet"), { quiet, timezone: "UTC" });
    await destinationSettings.change(destinationOf("digest"), { digest: true });
  }

  get #quietMs(): number {
    return this.#errorMs > 0 ? this.#errorMs + HOUR_MS : HOUR_MS;
  }

  async alert(...waits: readonly Wait[]): Promise<void> {
    const event = { ...announced("s1"), at: this.clock.now() };
    const deliveries = waits.map((wait) => {
      const to = destinationOf(wait);
      return { id: deliveryId(event.id, destinationKey(to)), eventId: event.id, to, reasons: [], mentions: [] };
    });
    await this.store.snapshot.commit({ patch: null, events: [event], deliveries });
    this.#deliverer?.wake();
    await this.#workDone();
  }

  endFailing(): void {
    this.#isFailing = false;
  }

  async pass(ms: number): Promise<void> {
    const end = this.clock.monotonic() + ms;
    while (this.clock.monotonic() < end) {
      const { nextWake } = this.clock;
      await this.clock.advance(
        Math.min(end - this.clock.monotonic(), Math.max(1, (nextWake ?? end) - this.clock.now())),
      );
      await this.#workDone();
    }
  }

  /** Lets time pass until everything is sent. Returns when each alert was sent, in milliseconds from now. */
  async sendTimes(waits: readonly Wait[]): Promise<ReadonlyMap<Wait, number>> {
    const startedAt = this.clock.monotonic();
    const times = new Map<Wait, number>();
    await this.#workDone();
    for (;;) {
      const elapsedMs = this.clock.monotonic() - startedAt;
      for (const wait of waits) if (!times.has(wait) && (await this.#isSent(wait))) times.set(wait, elapsedMs);
      if (times.size === waits.length || elapsedMs > MAX_WAIT_MS) return times;
      await this.pass(Math.max(1, (this.clock.nextWake ?? 0) - this.clock.now()));
    }
  }

  /** Number of messages at each destination. */
  posted(wait: Wait): number {
    const key = destinationKey(destinationOf(wait));
    return [...this.#web.posted, ...this.#chat.posted].filter(({ to }) => to === key).length;
  }

  async #isSent(wait: Wait): Promise<boolean> {
    const id = deliveryId(announced("s1").id, destinationKey(destinationOf(wait)));
    return (await readOutcome(this.store, id))?.kind === "sent";
  }

  /** Waits until only the clock can continue the work: nothing is being written, and the event loop has nothing left to do. */
  async #workDone(): Promise<void> {
    for (let idleTurns = 0; idleTurns < MIN_IDLE_TURNS; idleTurns = this.#isIdle() ? idleTurns + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  }

  #isIdle(): boolean {
    return this.#writing === 0 && !process.getActiveResourcesInfo().includes("Immediate");
  }

  async #failOnce({ id }: Destination, post: () => unknown): Promise<void> {
    const wait = id as Wait;
    const failure = FAILURES[wait];
    if (failure === undefined || (wait === "failing" ? !this.#isFailing : this.#failed.has(wait))) return;
    this.#failed.add(wait);
    if (this.#errorDuringSaves) this.setWrong(true);
    if (wait === "lost-answer") post();
    if (wait === "hanging") await this.#hang();
    throw new DeliveryError(
      failure,
      wait,
      wait === "limited" ? { retryAfterMs: 5 * MINUTE_MS, limitKey: LIMIT_KEY } : {},
    );
  }

  /** Ends when the process is stopped, or after a timeout. */
  async #hang(): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      this.#endHanging = resolve;
    });
    await Promise.race([stopped, this.clock.sleep(SEND_TIMEOUT_MS)]);
  }

  #failSearchOnce(wait: Wait): void {
    const name = `search of ${wait}`;
    if ((wait !== "unsearchable" && wait !== "rejected-uncertain") || this.#failed.has(name)) return;
    this.#failed.add(name);
    if (this.#errorDuringSaves) this.setWrong(true);
    if (wait === "unsearchable") throw new DeliveryError("retry", "limited", { retryAfterMs: 5 * MINUTE_MS });
    this.#chat.token?.reject("rejected");
    throw new DeliveryError("broken-credentials", "rejected");
  }

  #countOperation(operation: Promise<unknown>): void {
    this.#writing += 1;
    const end = (): void => {
      this.#writing -= 1;
    };
    operation.then(end, end);
  }

  /** The store, whose clock may be corrected just before an attempt with a delay is saved. */
  #observed(store: Store): Store {
    const observed = <T extends object>(part: T): T =>
      new Proxy(part, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== "function") return value;
          return (...args: readonly unknown[]) => {
            const [attempt] = args as readonly Partial<Attempt>[];
            if (this.#errorDuringSaves && name === "saveAttempt" && (attempt?.delayMs ?? 0) >= 1) this.setWrong(false);
            const result: unknown = value.apply(target, args);
            if (result instanceof Promise) this.#countOperation(result);
            return result;
          };
        },
      });
    const { claims, outbox, pauses } = store;
    return { ...store, claims: observed(claims), outbox: observed(outbox), pauses: observed(pauses) };
  }
}

function destinationOf(wait: Wait): Destination {
  return { ...GENERAL, platform: REJECTED.some((name) => name === wait) ? "chat" : "web", id: wait };
}

/** Minutes since midnight in UTC. */
function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS) % (24 * 60);
}

/** The alerts that are not sent in time, or not once. */
async function problems(waits: readonly Wait[], errorMs: number): Promise<readonly string[]> {
  const times = await bench.sendTimes(waits);
  return waits.flatMap((wait) => {
    const ms = times.get(wait) ?? Number.POSITIVE_INFINITY;
    const isLate = ms > boundOf(wait, errorMs);
    return isLate || bench.posted(wait) !== 1 ? [`${wait}: sent ${bench.posted(wait)} times, after ${ms} ms`] : [];
  });
}

const NOT_FAILING = WAITS.filter((wait) => wait !== "failing");
const ALL: readonly Wait[] = [...WAITS, ...HOLDS, ...REJECTED];

/** Fails the first request of every alert with a wrong clock. */
async function waitWithWrongClock(errorMs: number): Promise<void> {
  bench = new Bench(await folders.make(), errorMs);
  await bench.start();
  bench.setWrong(true);
  await bench.alert("failing");
  await bench.pass(FAILING_MS);
  bench.setWrong(false);
  await bench.hold();
  bench.setWrong(true);
  await bench.restart();
  await bench.alert(...NOT_FAILING, ...HOLDS, ...REJECTED);
  await bench.pass(1);
  bench.endFailing();
}

describe.each([
  ["two hours ahead", 2 * HOUR_MS],
  ["two hours behind", -2 * HOUR_MS],
])("every waiting alert is sent in time after the clock was %s", (_, errorMs) => {
  it("and is set right before a restart", async () => {
    await waitWithWrongClock(errorMs);
    await bench.close();
    bench.setWrong(false);
    await bench.start();
    expect(await problems(ALL, errorMs)).toEqual([]);
  });

  it("and is set right after a restart", async () => {
    await waitWithWrongClock(errorMs);
    await bench.restart();
    bench.setWrong(false);
    expect(await problems(ALL, errorMs)).toEqual([]);
  });

  it("and is set right while the process runs", async () => {
    await waitWithWrongClock(errorMs);
    bench.setWrong(false);
    expect(await problems(ALL, errorMs)).toEqual([]);
  });

  it("and is set right while a delay is saved", async () => {
    bench = new Bench(await folders.make(), errorMs);
    await bench.start();
    bench.correctDuringSaves();
    const waits = [...NOT_FAILING, ...REJECTED];
    await bench.alert(...waits);
    await bench.pass(1);
    bench.setWrong(false);
    expect(await problems(waits, errorMs)).toEqual([]);
  });
});
