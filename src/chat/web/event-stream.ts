import type { Context } from "hono";
import type { Destination } from "../../domain/alert/destination.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Postings } from "../../ports/store.ts";
import { follow, type LiveEvent, type PostingNotifier } from "./live.ts";
import { toMessage } from "./message.ts";

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
