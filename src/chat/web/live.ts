import { type Destination, destinationKey } from "../../domain/alert/destination.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Posting } from "../../ports/state-records.ts";
import type { Postings } from "../../ports/store.ts";
import { HEARTBEAT_MS, MAX_MESSAGES } from "./page/protocol.ts";

/** Wakes those who read a destination when something was posted there. */
export interface PostingNotifier {
  ring(to: Destination): void;
  /** Resolves at the next ring for one of these destinations, or when `signal` aborts. */
  heard(to: readonly Destination[], signal: AbortSignal): Promise<void>;
}

export function createPostingNotifier(): PostingNotifier {
  const listeners = new Set<(key: string) => void>();
  return {
    ring(to) {
      for (const listener of listeners) listener(destinationKey(to));
    },
    heard(to, signal) {
      const keys = new Set<string>(to.map(destinationKey));
      return new Promise((resolve) => {
        const stop = (): void => {
          listeners.delete(listener);
          resolve();
        };
        const listener = (key: string): void => {
          if (keys.has(key)) stop();
        };
        listeners.add(listener);
        signal.addEventListener("abort", stop, { once: true });
      });
    },
  };
}

export interface Reader {
  readonly to: readonly Destination[];
  /** The number of the last posting they have. */
  readonly after: number;
}

/** `quiet`: nothing came for a while. */
export type LiveEvent = Posting | "quiet";

/**
 * What is posted after `reader.after`, in order, until `signal` aborts. Without a ring it looks all the same at each heartbeat:
 * another process may have posted.
 */
export async function* follow(
  reader: Reader,
  parts: { readonly postings: Postings; readonly clock: Clock; readonly bell: PostingNotifier },
  signal: AbortSignal,
): AsyncGenerator<LiveEvent, void> {
  let after = reader.after;
  while (!signal.aborted) {
    const turn = new AbortController();
    const over = AbortSignal.any([signal, turn.signal]);
    try {
      // It listens before it looks, so that what is posted in between is heard.
      const heard = parts.bell.heard(reader.to, over).then((): "heard" => "heard");
      const fresh = await parts.postings.list({ to: reader.to, after, limit: MAX_MESSAGES });
      yield* fresh;
      after = fresh.at(-1)?.number ?? after;
      if (fresh.length > 0) continue;
      const slept = parts.clock.sleep(HEARTBEAT_MS, over).then(() => (signal.aborted ? "over" : "quiet"));
      if ((await Promise.race([heard, slept])) === "quiet") yield "quiet";
    } finally {
      turn.abort();
    }
  }
}
