import { EXIT_BY_SIGNAL, type Stop } from "./invocation.ts";

/** The part of `process` that receives signals and uncaught errors. */
export interface StopSource {
  on(event: string, listener: (value: unknown) => void): unknown;
  exit(code: number): void;
}

export interface StopRequests {
  /** Resolves with the first signal or uncaught error. */
  readonly stopRequested: Promise<Stop>;
  /** Sets the listener for errors that are thrown while the process is stopping. */
  readonly onFurtherError: (listener: (error: unknown) => void) => void;
}

/** A terminal sends Ctrl+C to each of its processes, and npm and the launcher pass it on: the same signal arrives several times. */
const SAME_SIGNAL_MS = 500;

/** Listens to signals and uncaught errors. A second signal ends the process immediately. `now`: time in milliseconds. */
export function listenForStop(
  source: StopSource,
  err: (line: string) => void,
  now: () => number = () => performance.now(),
): StopRequests {
  let isStopping = false;
  let first: { readonly signal: string; readonly atMs: number } | null = null;
  // The message may contain a secret, and nothing redacts it here.
  let reportError = (error: unknown): void =>
    err(`splitwatch: another error while stopping: ${error instanceof Error ? error.name : typeof error}`);
  const stopRequested = new Promise<Stop>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      source.on(signal, () => {
        if (first?.signal === signal && now() - first.atMs < SAME_SIGNAL_MS) return;
        if (isStopping) source.exit(EXIT_BY_SIGNAL[signal]);
        isStopping = true;
        first ??= { signal, atMs: now() };
        resolve({ kind: "signal", signal });
      });
    }
    for (const event of ["uncaughtException", "unhandledRejection"]) {
      source.on(event, (error) => {
        if (isStopping) reportError(error);
        isStopping = true;
        resolve({ kind: "error", error });
      });
    }
  });
  return {
    stopRequested,
    onFurtherError: (listener) => {
      reportError = listener;
    },
  };
}
