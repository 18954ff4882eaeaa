/** A running part of the program. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** Name of a job that one process holds at a time, or of as many that do the same work as processes may do it at a time. */
export type JobName = string | readonly [string, ...string[]];

/** Work that only one process, or a fixed number of processes, does at a time, such as polling. */
export interface Jobs {
  /**
   * Runs a part while this process holds a job: calls `start` with its name when it gets one, and stops the part when it loses the
   * job or gives it up with the returned function. A start that fails is logged and tried again. Never rejects.
   */
  lead(name: JobName, start: (name: string) => Promise<Stoppable>): () => Promise<void>;
}
