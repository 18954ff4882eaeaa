import type { Jobs } from "../ports/jobs.ts";

/** Runs `work` while no other process runs work under the same name. Waits until this process holds the job, then gives it up. */
export async function runAsJob<T>(jobs: Jobs, name: string, work: () => Promise<T>): Promise<T> {
  let giveUp: () => Promise<void> = () => Promise.resolve();
  try {
    return await new Promise<T>((resolve, reject) => {
      giveUp = jobs.lead(name, async () => {
        const done = work();
        done.then(resolve, reject);
        return { stop: () => done.then(ignore, ignore) };
      });
    });
  } finally {
    await giveUp();
  }
}

function ignore(): void {}
