import type { Jobs } from "../ports/jobs.ts";
import { untilAborted } from "./abort.ts";

/** Runs `work` while no other process runs work under the same name. Waits until this process holds the job, then gives it up. */
export async function runAsJob<T>(jobs: Jobs, name: string, work: () => Promise<T>): Promise<T> {
  const held = new AbortController();
  const ended = new AbortController();
  const giveUp = jobs.lead(name, async () => {
    held.abort();
    return { stop: () => untilAborted(ended.signal) };
  });
  try {
    await untilAborted(held.signal);
    return await work();
  } finally {
    ended.abort();
    await giveUp();
  }
}
