import type { Context } from "hono";
import { type SSEMessage, type SSEStreamingApi, streamSSE } from "hono/streaming";
import { type Destination, destinationKey } from "../../domain/alert/destination.ts";
import { linkAbort } from "../../lib/abort.ts";
import type { Listeners } from "../../lib/listeners.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Posting } from "../../ports/state-records.ts";
import type { Postings } from "../../ports/store.ts";
import { toMessage } from "./body.ts";
import { errorResponse } from "./error-response.ts";
import { HEARTBEAT_MS, MAX_MESSAGES } from "./page/protocol.ts";

/** Resolves after a posting for one of these destinations or a sign-out in this process, or when `signal` aborts. */
function waitForChange(
  destinations: readonly Destination[],
  { postings, signOuts }: Pick<StreamOptions, "postings" | "signOuts">,
  signal: AbortSignal,
): Promise<void> {
  const keys = new Set<string>(destinations.map(destinationKey));
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const remove of removals) remove();
      resolve();
    };
    const removals = [
      postings.onPosted((to) => {
        if (to === null || keys.has(destinationKey(to))) stop();
      }),
      signOuts.add(stop),
    ];
    signal.addEventListener("abort", stop, { once: true });
  });
}

interface Reader {
  readonly destinations: readonly Destination[];
  /** Number of the last posting that the reader has received. */
  readonly after: number;
  /** False after the reader has signed out. */
  isStillAllowed(): Promise<boolean>;
}

/** A new posting, or a heartbeat after `HEARTBEAT_MS` without one. */
type LiveEvent = Posting | "heartbeat";

/**
 * Yields the postings after `reader.after`, in order, until `signal` aborts or the reader's session ends. Checks the store for
 * postings and the session at each heartbeat too, because another process may have changed them.
 */
async function* follow(
  reader: Reader,
  { postings, clock, signOuts }: Pick<StreamOptions, "postings" | "clock" | "signOuts">,
  signal: AbortSignal,
): AsyncGenerator<LiveEvent, void> {
  let after = reader.after;
  while (!signal.aborted) {
    const iteration = linkAbort(signal);
    try {
      // Subscribes before it reads, so that a posting or sign-out in between isn't missed.
      const change = waitForChange(reader.destinations, { postings, signOuts }, iteration.signal);
      if (!(await reader.isStillAllowed())) return;
      const newPostings = await postings.list({ to: reader.destinations, after, limit: MAX_MESSAGES });
      yield* newPostings;
      after = newPostings.at(-1)?.number ?? after;
      if (newPostings.length > 0) continue;
      const timeout = clock.sleep(HEARTBEAT_MS, iteration.signal).then(() => (signal.aborted ? "ended" : "heartbeat"));
      if ((await Promise.race([change, timeout])) === "heartbeat") yield "heartbeat";
    } finally {
      iteration.abort();
      iteration.unlink();
    }
  }
}

const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Buffering proxies would delay every alert.
  "x-accel-buffering": "no",
} as const;

/** Limits the memory and the connections that open streams use. */
const DEFAULT_MAX_STREAMS = 1_000;

export interface StreamOptions {
  readonly postings: Postings;
  readonly clock: Clock;
  readonly log: Log;
  /** Notified after each sign-out in this process. */
  readonly signOuts: Listeners<[]>;
  /** Aborts when the platform stops; ends the live streams. */
  readonly stopped: AbortSignal;
  /** Whether an accepted request would still be accepted. */
  readonly isStillAllowed: (c: Context) => Promise<boolean>;
  /** Maximum number of open live streams. */
  readonly maxStreams?: number;
}

interface StreamRequest {
  readonly destinations: readonly Destination[];
  /** Undefined: only new postings. */
  readonly after: number | undefined;
  readonly c: Context;
}

/**
 * Streams the destinations' postings with numbers above `after` as server-sent events. An event's id is its posting's number, so
 * a browser that reconnects receives each posting once.
 */
export type StreamPostings = (request: StreamRequest) => Promise<Response>;

export function createStreams(options: StreamOptions): StreamPostings {
  const { postings, stopped, log, maxStreams = DEFAULT_MAX_STREAMS } = options;
  let openCount = 0;

  async function stream(
    { destinations, after, c }: StreamRequest,
    newest: number,
    sse: SSEStreamingApi,
  ): Promise<void> {
    const end = linkAbort(stopped, c.req.raw.signal);
    sse.onAbort(end.abort);
    openCount += 1;
    try {
      await sse.writeSSE({ event: "ready", data: JSON.stringify({ last: newest }) });
      const isStillAllowed = (): Promise<boolean> => options.isStillAllowed(c);
      for await (const event of follow({ destinations, after: after ?? newest, isStillAllowed }, options, end.signal))
        await sse.writeSSE(toServerSentEvent(event));
    } catch (error) {
      // Ends the stream: the browser reconnects and continues after its last event.
      log.error("web stream failed", { error });
    } finally {
      openCount -= 1;
      end.unlink();
    }
  }

  return async (request) => {
    const { destinations, c } = request;
    const newest = (await postings.list({ to: destinations, after: 0, limit: 1 })).at(-1)?.number ?? 0;
    if (c.req.method === "HEAD") return new Response(null, { headers: STREAM_HEADERS });
    if (openCount >= maxStreams) return tooManyStreams(maxStreams);
    const response = streamSSE(c, (sse) => stream(request, newest, sse));
    for (const [name, value] of Object.entries(STREAM_HEADERS)) response.headers.set(name, value);
    return response;
  };
}

function tooManyStreams(max: number): Response {
  const detail = `The limit of ${max} live streams is reached. Try again in a minute.`;
  return errorResponse(503, "too-many-streams", detail, { "retry-after": "60" });
}

function toServerSentEvent(event: LiveEvent): SSEMessage {
  if (event === "heartbeat") return { event: "heartbeat", data: "{}" };
  return { id: String(event.number), event: "message", data: JSON.stringify(toMessage(event)) };
}
