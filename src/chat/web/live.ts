import type { Context } from "hono";
import { type Destination, destinationKey } from "../../domain/alert/destination.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Posting } from "../../ports/state-records.ts";
import type { Postings } from "../../ports/store.ts";
import { toMessage } from "./body.ts";
import { HEARTBEAT_MS, MAX_MESSAGES } from "./page/protocol.ts";

/** Notifies live streams of new postings. */
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
async function* follow(
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

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Proxies that gather answers before they pass them on would hold back every alert.
  "x-accel-buffering": "no",
} as const;

export interface StreamOptions {
  readonly postings: Postings;
  readonly clock: Clock;
  readonly log: Log;
  readonly bell: PostingNotifier;
  readonly stopped: AbortSignal;
}

/**
 * The postings for `to` as server-sent events: those after the number `after`, and then each as it comes. Without `after` it
 * begins with what comes next. An event's id is its posting's number, so a browser that reconnects misses and repeats nothing.
 */
export async function streamPostings(
  request: { readonly to: readonly Destination[]; readonly after: number | undefined; readonly c: Context },
  options: StreamOptions,
): Promise<Response> {
  const { to, c } = request;
  const newest = (await options.postings.list({ to, after: 0, limit: 1 })).at(-1)?.number ?? 0;
  if (c.req.method === "HEAD") return new Response(null, { headers: HEADERS });

  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, options.stopped, c.req.raw.signal]);
  const events = follow({ to, after: request.after ?? newest }, options, signal);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(eventText("ready", { last: newest })));
    },
    async pull(controller) {
      const next = await nextEvent(events, options.log);
      if (next === undefined) controller.close();
      else controller.enqueue(encoder.encode(textOf(next)));
    },
    cancel() {
      left.abort();
    },
  });
  return new Response(body, { headers: HEADERS });
}

/** Undefined at the end, and after a failure: the browser then connects again and goes on where it was. */
async function nextEvent(events: AsyncGenerator<LiveEvent, void>, log: Log): Promise<LiveEvent | undefined> {
  try {
    const next = await events.next();
    return next.done === true ? undefined : next.value;
  } catch (error) {
    log.error("web stream failed", { error });
    return undefined;
  }
}

function textOf(event: LiveEvent): string {
  return event === "quiet"
    ? eventText("heartbeat", {})
    : `id: ${event.number}\n${eventText("message", toMessage(event))}`;
}

/** JSON has no line breaks outside of its escapes, so one `data:` line holds it. */
function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
