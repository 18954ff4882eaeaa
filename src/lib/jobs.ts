import type { Clock } from "../ports/clock.ts";
import type { JobName, Jobs, Stoppable } from "../ports/jobs.ts";
import { StoreError } from "../ports/store.ts";
import { linkAbort, untilAborted } from "./abort.ts";

export interface RunAsJobParts {
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** Ends the wait for the job. */
  readonly stopping: AbortSignal;
}

/** Time after which another process is assumed to hold a job. */
const ASSUMED_HELD_MS = 1_000;

/** A person may be waiting for the result. A caller that needs the job of a process that died tries again. */
const MAX_WAIT_MS = 15_000;

/** A part that runs while this process holds its job. */
export interface LedJob {
  readonly giveUp: () => Promise<void>;
  /** Resolves with true when this process gets the job; with false after `maxWaitMs` without it, or when the process is stopping. */
  readonly isHeld: Promise<boolean>;
}

/** Runs a part as `Jobs.lead` does. `maxWaitMs`: time after which another process is assumed to hold the job. */
export function leadJob(
  { jobs, clock, stopping }: RunAsJobParts,
  job: { readonly name: JobName; readonly start: (name: string) => Promise<Stoppable>; readonly maxWaitMs?: number },
): LedJob {
  const { name, start, maxWaitMs = ASSUMED_HELD_MS } = job;
  const held = new AbortController();
  const giveUp = jobs.lead(name, (acquired) => {
    held.abort();
    return start(acquired);
  });
  const waitUntilHeld = async (): Promise<boolean> => {
    const waited = linkAbort(held.signal, stopping);
    await clock.sleep(maxWaitMs, waited.signal);
    waited.unlink();
    return held.signal.aborted;
  };
  return { giveUp, isHeld: waitUntilHeld() };
}

/**
 * Runs `work` while no other process runs work under the same name, and gives the job up afterwards. Rejects with a StoreError,
 * without having started the work, if this process doesn't get the job within MAX_WAIT_MS or is stopping.
 */
export async function runAsJob<T>(parts: RunAsJobParts, name: string, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const start = async (): Promise<Stoppable> => ({ stop: () => untilAborted(ended.signal) });
  const { giveUp, isHeld } = leadJob(parts, { name, start, maxWaitMs: MAX_WAIT_MS });
  if (!(await isHeld)) {
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
