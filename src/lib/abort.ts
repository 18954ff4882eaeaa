import { setMaxListeners } from "node:events";

/** Calls `listener` when the signal aborts. The returned function removes the listener. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  // Node warns of a leak from the eleventh listener, but all requests of a source wait for one stop signal.
  setMaxListeners(0, signal);
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** Resolves when the signal aborts, or immediately if it has. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else onAbort(signal, resolve);
  });
}

/** Settles as `work` does, or rejects as soon as the signal aborts. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    const stopListening = onAbort(signal, abort);
    work.then(resolve, reject).finally(stopListening);
  });
}

/** Signal that aborts with the first of several others, or by `abort`. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** Detaches the signal from the others. */
  readonly unlink: () => void;
}

/**
 * Used instead of `AbortSignal.any`: on Node 20 each combined signal leaves an entry in the signals that it combines, some of
 * which live as long as the process.
 */
export function linkAbort(...others: readonly AbortSignal[]): LinkedAbort {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const unlinks = others.map((other) => onAbort(other, abort));
  if (others.some(({ aborted }) => aborted)) abort();
  return {
    signal: controller.signal,
    abort,
    unlink: () => {
      for (const unlink of unlinks) unlink();
    },
  };
}
