import type { DestinationKey } from "../../../domain/alert/destination.ts";
import { MAX_PAUSE_MS, type Pause } from "../../../domain/alert/pause.ts";
import { MINUTE_MS } from "../../../domain/time/day.ts";
import { createJumpDetector, DueTimes } from "../../../lib/clock.ts";
import type { Clock, MonotonicTime } from "../../../ports/clock.ts";
import { oldestArrival, type Queue, type Queues } from "./queues.ts";

/** Longest delay, after a restart, of an attempt that an earlier version stored without the length of its delay. */
const DEFAULT_DELAY_MS = 5 * MINUTE_MS;

/** A claimable destination. `due`: ranked by the arrival of its oldest delivery. `later`: ranked by its monotonic due time. */
interface HeapEntry {
  readonly key: DestinationKey;
  readonly heap: "due" | "later";
  readonly rank: number;
}

interface Heaps {
  readonly due: MinHeap<HeapEntry>;
  readonly later: MinHeap<HeapEntry>;
}

/**
 * Finds the next destinations to claim without scanning all of them. Only the last entry of a destination is
 * valid; outdated entries are dropped when they reach the top of their heap.
 */
export class Claims {
  readonly #queues: Queues;
  readonly #heaps = new Map<string, Heaps>();
  readonly #entries = new Map<DestinationKey, HeapEntry>();
  /** In memory only, because no other process uses the files. */
  readonly #claimed = new Set<DestinationKey>();
  /** Claimed destinations for which a retry was requested since the claim. */
  readonly #retryRequests = new Set<DestinationKey>();
  /** Times before which released destinations are not claimed. In memory only: a restart may claim them immediately. */
  readonly #notBefore = new Map<DestinationKey, MonotonicTime>();
  /** Rate-limit slots that were reserved for released destinations. In memory only, as all slots. */
  readonly #slots = new Map<DestinationKey, MonotonicTime>();
  /** Due times of the attempts. */
  readonly #retryTimes: DueTimes;
  /** Due times of paused destinations. */
  readonly #pauseEnds: DueTimes;
  readonly #clock: Clock;
  readonly #detectJump: () => number;

  constructor(queues: Queues, clock: Clock) {
    this.#queues = queues;
    this.#clock = clock;
    this.#retryTimes = new DueTimes(clock);
    this.#pauseEnds = new DueTimes(clock);
    this.#detectJump = createJumpDetector(clock);
    for (const key of queues.keys()) {
      const { attempt } = queues.at(key) ?? {};
      // The system clock may have been set back since: no delay is longer than it was when it was stored.
      if (attempt) this.#retryTimes.add(key, attempt.notBefore, attempt.delayMs ?? DEFAULT_DELAY_MS);
      this.schedule(key);
    }
  }

  /** Updates the entry of a destination after a change. */
  schedule(key: DestinationKey): void {
    const queue = this.#queues.at(key);
    this.#updateDelays(key, queue);
    if (!queue || queue.open.size === 0 || this.#claimed.has(key)) {
      this.#entries.delete(key);
      return;
    }
    const due = this.#dueAt(key, queue);
    const later = due > this.#clock.monotonic();
    const entry: HeapEntry = { key, heap: later ? "later" : "due", rank: later ? due : oldestArrival(queue) };
    const last = this.#entries.get(key);
    if (last?.heap === entry.heap && last.rank === entry.rank) return;
    this.#entries.set(key, entry);
    this.#heapsOf(queue.to.platform)[entry.heap].push(entry);
  }

  /** Claims due destinations, longest wait first. */
  claim({ limit, platforms }: { limit: number; platforms: readonly string[] }): Queue[] {
    const now = this.#clock.monotonic();
    // Delays until a time of day, such as the end of quiet hours, depend on the system clock.
    if (this.#detectJump() !== 0) for (const key of this.#notBefore.keys()) this.recheck(key);
    for (const platform of platforms) this.#moveDue(platform, now);
    const claimed: Queue[] = [];
    while (claimed.length < limit) {
      const entry = this.#oldestDue(platforms);
      if (!entry) break;
      this.#entries.delete(entry.key);
      const queue = this.#queues.at(entry.key);
      if (!queue) continue;
      // Time may have passed since `now`: `schedule` compares with the current time too.
      if (this.#dueAt(entry.key, queue) > this.#clock.monotonic()) {
        this.schedule(entry.key);
        continue;
      }
      this.#notBefore.delete(entry.key);
      this.#claimed.add(entry.key);
      claimed.push(queue);
    }
    return claimed;
  }

  /** Claims one destination, even without due work. */
  claimOne(key: DestinationKey): void {
    this.#claimed.add(key);
    this.schedule(key);
  }

  /** Returns the slot that the destination was released with, once. */
  takeSlot(key: DestinationKey): MonotonicTime | null {
    const slotAt = this.#slots.get(key) ?? null;
    this.#slots.delete(key);
    return slotAt;
  }

  release(key: DestinationKey, delayMs = 0, slotAt: MonotonicTime | null = null): void {
    this.#claimed.delete(key);
    this.#retryRequests.delete(key);
    if (slotAt === null) this.#slots.delete(key);
    else this.#slots.set(key, slotAt);
    if (delayMs > 0) this.#notBefore.set(key, this.#clock.monotonic() + delayMs);
    this.schedule(key);
  }

  /** Requests that a claimed destination be tried again if it refuses its message. Returns false if it isn't claimed. */
  requestRetry(key: DestinationKey): boolean {
    if (!this.#claimed.has(key)) return false;
    this.#retryRequests.add(key);
    return true;
  }

  cancelRetryRequest(key: DestinationKey): void {
    this.#retryRequests.delete(key);
  }

  isRetryRequested(key: DestinationKey): boolean {
    return this.#retryRequests.has(key);
  }

  /** Ends the delay of a released destination. */
  recheck(key: DestinationKey): void {
    if (this.#notBefore.delete(key)) this.schedule(key);
  }

  /** Milliseconds until the next destination becomes due; null if there is none. */
  nextDueMs(platforms: readonly string[]): number | null {
    const now = this.#clock.monotonic();
    const times = platforms.flatMap((platform) => {
      this.#moveDue(platform, now);
      return this.#heaps.get(platform)?.later.lowest?.rank ?? [];
    });
    return times.length > 0 ? Math.min(...times) - now : null;
  }

  /** Converts stored delays immediately, although nothing may be waiting yet. */
  #updateDelays(key: DestinationKey, queue: Queue | undefined): void {
    // The next alert doesn't wait for what held the last one, such as a setting of a person whose data was purged.
    if (!queue) {
      this.#notBefore.delete(key);
      this.#slots.delete(key);
    }
    if (!queue?.attempt) this.#retryTimes.delete(key);
    if (queue?.pause) this.#pauseEnd(key, queue.pause);
    else this.#pauseEnds.delete(key);
  }

  #pauseEnd(key: DestinationKey, { retryAt, delayMs = MAX_PAUSE_MS }: Pause): MonotonicTime {
    return this.#pauseEnds.of(key, retryAt, delayMs);
  }

  #dueAt(key: DestinationKey, { attempt, pause }: Queue): MonotonicTime {
    return Math.max(
      // The system clock may also have been set back while the attempt or the pause was being saved.
      attempt ? this.#retryTimes.of(key, attempt.notBefore, attempt.delayMs) : Number.NEGATIVE_INFINITY,
      pause ? this.#pauseEnd(key, pause) : Number.NEGATIVE_INFINITY,
      this.#notBefore.get(key) ?? Number.NEGATIVE_INFINITY,
    );
  }

  /** Moves entries that have become due from the `later` heap to the `due` heap. */
  #moveDue(platform: string, now: MonotonicTime): void {
    const later = this.#heaps.get(platform)?.later;
    for (let entry = later?.lowest; entry; entry = later?.lowest) {
      const outdated = this.#entries.get(entry.key) !== entry;
      if (!outdated && entry.rank > now) return;
      later?.pop();
      if (!outdated) this.schedule(entry.key);
    }
  }

  #oldestDue(platforms: readonly string[]): HeapEntry | undefined {
    const heaps = platforms.flatMap((platform) => this.#heaps.get(platform)?.due ?? []);
    for (;;) {
      const [heap] = heaps.toSorted((a, b) => rankOf(a.lowest) - rankOf(b.lowest));
      const entry = heap?.pop();
      if (!entry || this.#entries.get(entry.key) === entry) return entry;
    }
  }

  #heapsOf(platform: string): Heaps {
    const known = this.#heaps.get(platform);
    if (known) return known;
    const heaps: Heaps = { due: new MinHeap(), later: new MinHeap() };
    this.#heaps.set(platform, heaps);
    return heaps;
  }
}

function rankOf(entry: HeapEntry | undefined): number {
  return entry?.rank ?? Number.POSITIVE_INFINITY;
}

/** Binary heap that returns the entry with the lowest rank first. The order of equal ranks is undefined. */
export class MinHeap<T extends { readonly rank: number }> {
  readonly #tree: T[] = [];

  get lowest(): T | undefined {
    return this.#tree[0];
  }

  push(entry: T): void {
    let at = this.#tree.length;
    this.#tree.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#rank(parent) <= entry.rank) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): T | undefined {
    const lowest = this.#tree[0];
    const last = this.#tree.pop();
    if (lowest === undefined || last === undefined || this.#tree.length === 0) return lowest;
    this.#tree[0] = last;
    this.#sink();
    return lowest;
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = this.#rank(left + 1) < this.#rank(left) ? left + 1 : left;
      if (this.#rank(child) >= this.#rank(at)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  /** Rank at a position; infinite beyond the end. */
  #rank(at: number): number {
    return this.#tree[at]?.rank ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#tree[a], this.#tree[b]];
    if (one === undefined || other === undefined) return;
    this.#tree[a] = other;
    this.#tree[b] = one;
  }
}
