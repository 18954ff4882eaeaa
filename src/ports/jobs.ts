/** A running part of the program. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** Work that only one process does at a time, such as polling. */
export interface Jobs {
  /**
   * Runs a part while this process holds the job `name`: calls `start` when it gets the job, and stops the part when it loses the
   * job or gives it up with the returned function. A start that fails is logged and tried again. Never rejects.
   */
  lead(name: string, start: () => Promise<Stoppable>): () => Promise<void>;
}
