import type { Clock, MonotonicTime } from "../../../ports/clock.ts";
import type { SeenRequests } from "../../../ports/store.ts";

const MAX_TRACKED_IDS = 20_000;

/** Ids of repeatable requests. In memory only: the process that uses the files receives all requests. */
export class LowdbSeenRequests implements SeenRequests {
  readonly #clock: Clock;
  /** End of the time for which each id is kept, oldest id first. */
  readonly #until = new Map<string, MonotonicTime>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async add(ids: readonly string[], keepMs: number): Promise<boolean> {
    const now = this.#clock.monotonic();
    this.#removeExpired(now);
    const isNew = ids.every((id) => !this.#isKept(id, now));
    for (const id of ids) {
      if (this.#isKept(id, now)) continue;
      this.#until.delete(id);
      this.#until.set(id, now + keepMs);
    }
    return isNew;
  }

  #isKept(id: string, now: MonotonicTime): boolean {
    return (this.#until.get(id) ?? Number.NEGATIVE_INFINITY) > now;
  }

  #removeExpired(now: MonotonicTime): void {
    for (const [id, until] of this.#until) {
      if (until > now && this.#until.size <= MAX_TRACKED_IDS) return;
      this.#until.delete(id);
    }
  }
}
