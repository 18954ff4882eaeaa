import { createMutex } from "../lib/mutex.ts";

/** Something that runs until it is stopped. */
export interface Running {
  stop(): Promise<void>;
}

/** Something that can be stopped and started again, one change at a time. */
export interface Restartable {
  /** Stops it, runs `meanwhile`, and starts it again. Does nothing after `stop`. */
  change(meanwhile: () => Promise<void>): Promise<void>;
  /** Stops it permanently. */
  stop(): Promise<void>;
}

export function startRestartable(start: () => Running): Restartable {
  let running: Running | null = start();
  let isStopped = false;
  const exclusive = createMutex();

  async function end(): Promise<void> {
    await running?.stop();
    running = null;
  }

  return {
    change: (meanwhile) =>
      exclusive(async () => {
        if (isStopped) return;
        await end();
        await meanwhile();
        running = start();
      }),
    async stop() {
      isStopped = true;
      await exclusive(end);
    },
  };
}
