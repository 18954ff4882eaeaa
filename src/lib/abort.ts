import { setMaxListeners } from "node:events";

/** Calls `listener` when the signal aborts. The returned function removes the listener. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  // Node warns of a leak from the eleventh listener, but all requests of a source wait for one stop signal.
  setMaxListeners(0, signal);
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}
