import { createListeners } from "../lib/listeners.ts";
import type { SourceStatus } from "../ports/source-status.ts";
import type { OpenSource, SourceParts } from "./source-definition.ts";
import { initialStatus, logStatus, nextStatus, type SourcePollResult } from "./source-status.ts";

interface PolledSource {
  readonly name: string;
  /** Reads the source once, and saves what it finds. */
  read(signal: AbortSignal): Promise<SourcePollResult>;
  /** Time until the next poll, in milliseconds. */
  intervalMs(status: SourceStatus): number;
}

/** Reads the source at its interval until it is stopped. */
export function pollSource(source: PolledSource, { clock, log }: Pick<SourceParts, "clock" | "log">): OpenSource {
  const stopping = new AbortController();
  const { signal } = stopping;
  const listeners = createListeners();
  let status = initialStatus(source.name, clock.now());
  let untriedPages = 0;

  async function pollOnce(): Promise<void> {
    const result = await source.read(signal);
    if (signal.aborted) return;
    untriedPages = result.untriedPages ?? 0;
    const previous = status;
    status = nextStatus(previous, result, clock.now());
    logStatus(previous, status, log);
    listeners.notify();
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      // After an error, the next poll finds the unsaved items again.
      await pollOnce().catch((error: unknown) => log.error("source follow failed", { source: source.name, error }));
      await clock.sleep(source.intervalMs(status), signal);
    }
  }

  const ended = poll();
  return {
    statuses: () => [status],
    hasUntriedPages: () => untriedPages > 0,
    onChange: listeners.add,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
