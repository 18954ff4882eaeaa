import type { Clock } from "../ports/clock.ts";
import type { Jobs } from "../ports/jobs.ts";
import { StoreError } from "../ports/store.ts";
import { linkAbort, untilAborted } from "./abort.ts";

export interface RunAsJobParts {
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** Ends the wait for the job. */
  readonly stopping: AbortSignal;
}

/** A person may be waiting for the result. A caller that needs the job of a process that died tries again. */
const MAX_WAIT_MS = 15_000;

/**
 * Runs `work` while no other process runs work under the same name, and gives the job up afterwards. Rejects with a StoreError,
 * without having started the work, if this process doesn't get the job within MAX_WAIT_MS or is stopping.
 */
export async function runAsJob<T>(parts: RunAsJobParts, name: string, work: () => Promise<T>): Promise<T> {
  const { jobs, clock, stopping } = parts;
  const held = new AbortController();
  const ended = new AbortController();
  const giveUp = jobs.lead(name, async () => {
    held.abort();
    return { stop: () => untilAborted(ended.signal) };
  });
  const waited = linkAbort(held.signal, stopping);
  await clock.sleep(MAX_WAIT_MS, waited.signal);
  waited.unlink();
  if (!held.signal.aborted) {
    // A job that is granted at this moment is released too.
    ended.abort();
    void giveUp();
    throw new StoreError(
      `the job "${name}" is not free: another process may hold it; stop that process or try again later`,
    );
  }
  try {
    return await work();
  } finally {
    ended.abort();
    await giveUp();
  }
}
