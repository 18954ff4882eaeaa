import { createKeyedMutex } from "../../../lib/mutex.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Jobs, Stoppable } from "../../../ports/jobs.ts";
import type { Log } from "../../../ports/log.ts";
import { runJob } from "../../run-job.ts";

/** Jobs of the only process that uses the files. */
export class LowdbJobs implements Jobs {
  readonly #parts: { readonly clock: Clock; readonly log: Log };
  readonly #oneAtATime = createKeyedMutex();
  readonly #held = new Set<string>();

  constructor(parts: { readonly clock: Clock; readonly log: Log }) {
    this.#parts = parts;
  }

  lead(name: string, start: () => Promise<Stoppable>): () => Promise<void> {
    const held = new AbortController();
    let running: Promise<void> = Promise.resolve();
    void this.#oneAtATime(name, () => {
      this.#held.add(name);
      running = runJob({ name, start, ...this.#parts }, held.signal).finally(() => this.#held.delete(name));
      return running;
    });
    return () => {
      held.abort();
      return running;
    };
  }

  /** Names of the jobs that run, sorted. */
  held(): readonly string[] {
    return [...this.#held].toSorted();
  }
}
