import type { DestinationKey } from "../../../domain/alert/destination.ts";
import type { Instant } from "../../../domain/time/day.ts";
import { MinHeap } from "./min-heap.ts";
import { dueAt, oldestArrival, type Queue, type Queues } from "./queues.ts";

/** A destination that may be claimed: now, by the age of what waits there, or later, by the time. */
interface HeapPlace {
  readonly key: DestinationKey;
  readonly line: "due" | "later";
  readonly rank: number;
}

interface Lines {
  readonly due: MinHeap<HeapPlace>;
  readonly later: MinHeap<HeapPlace>;
}

/**
 * Who may claim what next, without looking at every destination for it. A place in a heap counts only while it is the
 * destination's last one; outdated ones are dropped when they come up.
 */
export class Claims {
  readonly #queues: Queues;
  readonly #lines = new Map<string, Lines>();
  readonly #places = new Map<DestinationKey, HeapPlace>();
  /** When each lease ends. Leases need not outlive the process: nobody else works on its files. */
  readonly #leases = new Map<DestinationKey, Instant>();
  /** Let go of until then. Need not outlive the process either: it is a matter of its pace. */
  readonly #rests = new Map<DestinationKey, Instant>();

  constructor(queues: Queues, now: Instant) {
    this.#queues = queues;
    for (const key of queues.keys()) this.place(key, now);
  }

  /** Gives the destination its place anew, after something changed there. */
  place(key: DestinationKey, now: Instant): void {
    const queue = this.#queues.at(key);
    if (!queue || queue.open.size === 0 || queue.pause || this.#leases.has(key)) {
      this.#places.delete(key);
      return;
    }
    const due = this.#dueAt(key, queue);
    const later = due > now;
    const place: HeapPlace = { key, line: later ? "later" : "due", rank: later ? due : oldestArrival(queue) };
    const last = this.#places.get(key);
    if (last?.line === place.line && last.rank === place.rank) return;
    this.#places.set(key, place);
    this.#linesOf(queue.to.platform)[place.line].push(place);
  }

  take(request: { now: Instant; limit: number; leaseMs: number; platforms: readonly string[] }): Queue[] {
    const { now, limit, leaseMs } = request;
    this.#endLeases(now);
    for (const platform of request.platforms) this.#moveOn(platform, now);
    const taken: Queue[] = [];
    while (taken.length < limit) {
      const place = this.#oldestDue(request.platforms);
      if (!place) break;
      this.#places.delete(place.key);
      const queue = this.#queues.at(place.key);
      if (!queue) continue;
      if (this.#dueAt(place.key, queue) > now) {
        this.place(place.key, now);
        continue;
      }
      this.#rests.delete(place.key);
      this.#leases.set(place.key, now + leaseMs);
      taken.push(queue);
    }
    return taken;
  }

  release(key: DestinationKey, now: Instant, notBefore = now): void {
    this.#leases.delete(key);
    if (notBefore > now) this.#rests.set(key, notBefore);
    this.place(key, now);
  }

  /** Forgets until when it was let go of. */
  recheck(key: DestinationKey, now: Instant): void {
    if (this.#rests.delete(key)) this.place(key, now);
  }

  nextDue(platforms: readonly string[], now: Instant): Instant | null {
    const times = platforms.flatMap((platform) => {
      this.#moveOn(platform, now);
      return this.#lines.get(platform)?.later.lowest?.rank ?? [];
    });
    return times.length > 0 ? Math.min(...times) : null;
  }

  #dueAt(key: DestinationKey, queue: Queue): Instant {
    return Math.max(dueAt(queue), this.#rests.get(key) ?? 0);
  }

  #endLeases(now: Instant): void {
    for (const [key, end] of this.#leases) if (end <= now) this.release(key, now);
  }

  /** What has become due goes into the other line. */
  #moveOn(platform: string, now: Instant): void {
    const later = this.#lines.get(platform)?.later;
    for (let place = later?.lowest; place; place = later?.lowest) {
      const outdated = this.#places.get(place.key) !== place;
      if (!outdated && place.rank > now) return;
      later?.pop();
      if (!outdated) this.place(place.key, now);
    }
  }

  #oldestDue(platforms: readonly string[]): HeapPlace | undefined {
    const heaps = platforms.flatMap((platform) => this.#lines.get(platform)?.due ?? []);
    for (;;) {
      const [heap] = heaps.toSorted((a, b) => rankOf(a.lowest) - rankOf(b.lowest));
      const place = heap?.pop();
      if (!place || this.#places.get(place.key) === place) return place;
    }
  }

  #linesOf(platform: string): Lines {
    const known = this.#lines.get(platform);
    if (known) return known;
    const lines: Lines = { due: new MinHeap(), later: new MinHeap() };
    this.#lines.set(platform, lines);
    return lines;
  }
}

function rankOf(place: HeapPlace | undefined): number {
  return place?.rank ?? Number.POSITIVE_INFINITY;
}
