/** What runs until it is stopped. */
export interface Running {
  stop(): Promise<void>;
}

/** Something that is stopped and begun anew, one change at a time. */
export interface Restartable {
  /** Stops what runs, does `meanwhile`, and begins again. Does nothing once it was stopped for good. */
  change(meanwhile: () => Promise<void>): Promise<void>;
  /** For good. */
  stop(): Promise<void>;
}

export function startRestartable(begin: () => Running): Restartable {
  let running: Running | null = begin();
  let isOver = false;
  let last: Promise<void> = Promise.resolve();

  async function end(): Promise<void> {
    await running?.stop();
    running = null;
  }

  async function changeAfter(earlier: Promise<void>, meanwhile: () => Promise<void>): Promise<void> {
    await earlier;
    if (isOver) return;
    await end();
    await meanwhile();
    running = begin();
  }

  return {
    change(meanwhile) {
      const changed = changeAfter(last, meanwhile);
      last = changed.catch(() => undefined);
      return changed;
    },
    async stop() {
      isOver = true;
      await last;
      await end();
    },
  };
}
