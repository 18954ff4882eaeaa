import { createMutex } from "../lib/mutex.ts";
import type { Stoppable } from "../ports/jobs.ts";

/** A part that can be restarted. Restarts run one at a time. */
export interface Restartable {
  /** Stops the part, runs `change`, and starts the part again, even if `change` rejects. Does nothing after `stop`. */
  restart(change: () => Promise<void>): Promise<void>;
  /** Stops the part permanently, after a restart in progress. */
  stop(): Promise<void>;
}

export function startRestartable(start: () => Stoppable): Restartable {
  let running: Stoppable | null = start();
  let isStopped = false;
  const exclusive = createMutex();

  async function stopCurrent(): Promise<void> {
    await running?.stop();
    running = null;
  }

  return {
    restart: (change) =>
      exclusive(async () => {
        if (isStopped) return;
        await stopCurrent();
        try {
          await change();
        } finally {
          running = start();
        }
      }),
    async stop() {
      isStopped = true;
      await exclusive(stopCurrent);
    },
  };
}
