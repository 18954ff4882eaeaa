import type { Jobs } from "../ports/jobs.ts";

/** Runs `work` while no other process runs work under the same name. Waits until this process holds the job, then gives it up. */
export async function runAsJob<T>(jobs: Jobs, name: string, work: () => Promise<T>): Promise<T> {
  const held = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const giveUp = jobs.lead(name, async () => {
    held.resolve();
    return { stop: () => ended.promise };
  });
  try {
    await held.promise;
    return await work();
  } finally {
    ended.resolve();
    await giveUp();
  }
}
