import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { announced, attemptOf, deliveryOf } from "../../../../test/contract/store-builders.ts";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { channel } from "../../../../test/support/store-folder.ts";
import { growthFactor } from "../../../../test/support/timing.ts";
import type { Attempt, Delivery } from "../../../domain/alert/delivery.ts";
import { type Destination, type DestinationKey, destinationKey } from "../../../domain/alert/destination.ts";
import { Tables } from "../rows/tables.ts";
import { Claims, MinHeap } from "./claims.ts";
import { oldestArrival, type Queue, Queues } from "./queues.ts";

function addDelivery({ deliveries }: Tables, delivery: Delivery): void {
  deliveries.put(delivery.id, delivery);
}

function begin({ attempts }: Tables, attempt: Attempt): void {
  attempts.put(destinationKey(attempt.to), attempt);
}

/** One step: an action at one of four channels, or the passing of time. */
const steps = fc.array(
  fc.record({
    what: fc.constantFrom(
      "arrive",
      "begin",
      "putOff",
      "settle",
      "pause",
      "retry",
      "resume",
      "claim",
      "release",
      "wait",
      "rest",
      "recheck",
      "setBack",
      "setForward",
    ),
    where: fc.constantFrom("a", "b", "c", "d"),
    n: fc.integer({ min: 1, max: 12 }),
  }),
  { maxLength: 60 },
);

/** The claims, and a simple model of them that scans every destination each time. */
class Bench {
  readonly clock = new ManualClock();
  readonly tables = new Tables();
  readonly queues = new Queues(this.tables);
  readonly claims = new Claims(this.queues, this.clock);
  readonly claimed = new Set<DestinationKey>();
  /** Ends in monotonic time. */
  readonly rests = new Map<DestinationKey, number>();
  readonly retries = new Map<string, number>();
  readonly pauses = new Map<DestinationKey, number>();
  #made = 0;

  readonly #actions: Readonly<Record<string, (destination: Destination, n: number) => void>> = {
    arrive: (destination) => addDelivery(this.tables, deliveryOf(announced(this.#newName()), destination)),
    begin: (destination) => {
      const [first] = this.queues.at(destinationKey(destination))?.open.keys() ?? [];
      if (first && !this.#attemptAt(destination)) begin(this.tables, attemptOf(this.#newName(), [first.value]));
    },
    putOff: (destination, n) => {
      const attempt = this.#attemptAt(destination);
      if (!attempt) return;
      this.retries.set(attempt.messageId, this.now + n * 2);
      begin(this.tables, { ...attempt, notBefore: this.clock.now() + n * 2 });
    },
    settle: (destination) => {
      for (const id of this.#attemptAt(destination)?.deliveries ?? []) this.tables.deliveries.remove(id);
      this.tables.attempts.remove(destinationKey(destination));
    },
    pause: (destination, n) => {
      this.pauses.set(destinationKey(destination), this.now + n * 2);
      const pause = { to: destination, reason: "gone", at: this.clock.now(), refusals: 1 };
      this.tables.pauses.put(destinationKey(destination), { ...pause, retryAt: this.clock.now() + n * 2 });
    },
    retry: (destination) => {
      this.pauses.delete(destinationKey(destination));
      this.tables.pauses.set(destinationKey(destination), { retryAt: this.clock.now(), delayMs: 0 });
    },
    resume: (destination) => {
      this.pauses.delete(destinationKey(destination));
      this.tables.pauses.remove(destinationKey(destination));
    },
    release: (destination) => {
      this.claimed.delete(destinationKey(destination));
      this.claims.release(destinationKey(destination));
    },
    rest: (destination, n) => {
      this.claimed.delete(destinationKey(destination));
      this.rests.set(destinationKey(destination), this.now + n * 2);
      this.claims.release(destinationKey(destination), n * 2);
    },
    recheck: (destination) => {
      this.rests.delete(destinationKey(destination));
      this.claims.recheck(destinationKey(destination));
    },
    wait: (_, n) => this.clock.skip(n),
    setBack: (_, n) => this.#setClock(-n * 1_000),
    setForward: (_, n) => this.#setClock(n * 1_000),
  };

  get now(): number {
    return this.clock.monotonic();
  }

  act(what: string, destination: Destination, n: number): void {
    const key = destinationKey(destination);
    this.#actions[what]?.(destination, n);
    this.claims.schedule(key);
    if (this.queues.at(key) === undefined) this.rests.delete(key);
  }

  take(limit: number): readonly string[] {
    const taken = this.claims.claim({ limit, platforms: ["web"] });
    return taken.map((queue) => queue.to.id);
  }

  expectedTake(limit: number): readonly string[] {
    const ids = this.#free()
      .filter((queue) => this.#dueAt(queue) <= this.now)
      .toSorted((a, b) => oldestArrival(a) - oldestArrival(b))
      .slice(0, limit)
      .map((queue) => queue.to.id);
    for (const id of ids) {
      this.rests.delete(destinationKey(channel(id)));
      this.claimed.add(destinationKey(channel(id)));
    }
    return ids;
  }

  expectedNextDueMs(): number | null {
    const times = this.#free()
      .map((queue) => this.#dueAt(queue) - this.now)
      .filter((dueMs) => dueMs > 0);
    return times.length === 0 ? null : Math.min(...times);
  }

  #dueAt(queue: Queue): number {
    return Math.max(
      this.retries.get(queue.attempt?.messageId ?? "") ?? 0,
      this.pauses.get(destinationKey(queue.to)) ?? 0,
      this.rests.get(destinationKey(queue.to)) ?? 0,
    );
  }

  #free(): Queue[] {
    return this.queues.keys().flatMap((key) => {
      const queue = this.queues.at(key);
      return queue && queue.open.size > 0 && !this.claimed.has(key) ? [queue] : [];
    });
  }

  #attemptAt(destination: Destination): Attempt | null {
    return this.queues.at(destinationKey(destination))?.attempt ?? null;
  }

  #setClock(ms: number): void {
    this.clock.jump(ms);
    this.rests.clear();
  }

  #newName(): string {
    this.#made += 1;
    return `n${this.#made}`;
  }
}

/** Reads of a ticking clock after which a loop counts as endless. */
const MAX_TICKS = 2_000;

/** Clock on which every read of the monotonic time takes time. */
class TickingClock extends ManualClock {
  tickMs = 0;

  override monotonic(): number {
    const at = super.monotonic();
    if (at > MAX_TICKS) throw new Error("the clock was read too often");
    if (this.tickMs > 0) this.skip(this.tickMs);
    return at;
  }
}

describe("Claims", () => {
  it("claims the same destinations as a scan of all of them, after any sequence of steps", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const bench = new Bench();
        for (const { what, where, n } of all) {
          bench.act(what, channel(where), n);
          const limit = what === "claim" ? n % 4 : 0;
          expect(bench.take(limit)).toEqual(bench.expectedTake(limit));
          expect(bench.claims.nextDueMs(["web"])).toBe(bench.expectedNextDueMs());
        }
        expect(bench.take(9)).toEqual(bench.expectedTake(9));
      }),
      { numRuns: 500 },
    );
  });

  it("delays an attempt by no more than its delay if the system clock is set back while it is saved", () => {
    const clock = new ManualClock();
    const tables = new Tables();
    const queues = new Queues(tables);
    const to = channel("a");
    const delivery = deliveryOf(announced("s1"), to);
    addDelivery(tables, delivery);
    const attempt = attemptOf("m1", [delivery], { notBefore: clock.now() });
    begin(tables, attempt);
    const claims = new Claims(queues, clock);
    const request = { limit: 1, platforms: [to.platform] };
    expect(claims.claim(request)).toHaveLength(1);
    begin(tables, { ...attempt, notBefore: clock.now() + 1_000, delayMs: 1_000 });
    clock.jump(-7_200_000);
    claims.schedule(destinationKey(to));
    claims.release(destinationKey(to));
    clock.skip(999);
    expect(claims.claim(request)).toEqual([]);
    clock.skip(1);
    expect(claims.claim(request)).toHaveLength(1);
  });

  it("starts the delay of an attempt again after a restart if the system clock was set back", () => {
    const clock = new ManualClock();
    const tables = new Tables();
    const queues = new Queues(tables);
    const delivery = deliveryOf(announced("s1"), channel("a"));
    addDelivery(tables, delivery);
    begin(tables, attemptOf("m1", [delivery], { notBefore: clock.now() + 60_000, delayMs: 60_000 }));
    clock.skip(20_000);
    expect(new Claims(queues, clock).nextDueMs(["web"])).toBe(40_000);
    clock.jump(-7_200_000);
    expect(new Claims(queues, clock).nextDueMs(["web"])).toBe(60_000);
  });

  it("ends although time passes while it claims", () => {
    const clock = new TickingClock();
    const tables = new Tables();
    const queues = new Queues(tables);
    const delivery = deliveryOf(announced("s1"), channel("a"));
    addDelivery(tables, delivery);
    begin(tables, attemptOf("m1", [delivery], { notBefore: clock.now() }));
    const claims = new Claims(queues, clock);
    // Due after the claim reads the clock for the first time.
    const attempt = queues.attempt("m1");
    if (attempt) begin(tables, { ...attempt, notBefore: clock.now() + 2, delayMs: 2 });
    claims.schedule(destinationKey(channel("a")));
    clock.tickMs = 1;
    while (claims.claim({ limit: 1, platforms: ["web"] }).length === 0)
      expect(clock.monotonic()).toBeLessThan(MAX_TICKS);
  });

  it("takes time that doesn't depend on the number of destinations that are due later", async () => {
    expect(await growthFactor(claimAll, 2_500)).toBeLessThan(10);
  });
});

describe("MinHeap", () => {
  it("returns all entries, the lowest first", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (ranks) => {
        const heap = new MinHeap<{ rank: number }>();
        for (const rank of ranks) heap.push({ rank });
        const out: number[] = [];
        for (let entry = heap.pop(); entry; entry = heap.pop()) out.push(entry.rank);
        expect(out).toEqual(ranks.toSorted((a, b) => a - b));
      }),
    );
  });

  it("exposes the lowest entry without removing it, after any sequence of pushes and pops", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer(), { freq: 3 })), (pushes) => {
        const heap = new MinHeap<{ rank: number }>();
        let model: number[] = [];
        for (const step of pushes) {
          const popped = step === null ? heap.pop()?.rank : heap.push({ rank: step });
          expect(popped).toBe(step === null ? model[0] : undefined);
          model = step === null ? model.slice(1) : [...model, step].toSorted((a, b) => a - b);
          expect(heap.lowest?.rank).toBe(model[0]);
        }
      }),
    );
  });
});

/** Claims `size` times one of as many destinations, of which a hundredth are due. */
function claimAll(size: number): void {
  const clock = new ManualClock();
  const tables = new Tables();
  const queues = new Queues(tables);
  for (let n = 0; n < size; n += 1) {
    const delivery = deliveryOf(announced("s1"), channel(`c${n}`));
    addDelivery(tables, delivery);
    if (n % 100 > 0) begin(tables, attemptOf(`m${n}`, [delivery], { notBefore: clock.now() + 1_000 + n }));
  }
  const claims = new Claims(queues, clock);
  let taken = 0;
  for (let round = 0; round < size; round += 1) taken += claims.claim({ limit: 1, platforms: ["web"] }).length;
  expect(taken).toBe(size / 100);
}
