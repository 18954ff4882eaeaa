import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { renderPng } from "../lib/render-png.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { matchesEtag, strongEtag } from "./etag.ts";

/** What is read under `/calendar/`. */
export interface CalendarPages {
  /** An iCalendar file of all ex dates. */
  all(): Promise<string>;
  /** The file of whoever has this token; null: nobody has. */
  personal(token: string): Promise<string | null>;
  /** An SVG. */
  picture(): Promise<string>;
}

export interface CalendarRoutesOptions {
  readonly view: CalendarPages;
  readonly clock: Clock;
  readonly log: Log;
}

/** Far from what calendars ask for, even where a proxy makes all of them one. */
const MOST_A_MINUTE = 600;
const MINUTE_MS = 60_000;

const TOKEN_FILE = /^([0-9a-f]{32,64})\.ics$/;

/** Everybody may keep it for a while. */
const SHARED = "public, max-age=300";
/** Nobody on the way may keep it; who asked may, and asks again each time. */
const PRIVATE = "private, no-cache";

/**
 * Calendars and pictures for whoever asks, under any Host: nothing here can be changed, and a personal calendar is reached by
 * its token alone. One that leads nowhere is answered as any other wrong path is.
 */
export function calendarRoutes({ view, clock, log }: CalendarRoutesOptions): Hono {
  const routes = new Hono().basePath("/calendar");
  routes.onError((error) => {
    // The address stays out of the log: it may hold a token.
    log.error("calendar failed", { error });
    return refusal(503, "The calendar cannot be read just now. Try again in a moment.", { "retry-after": "60" });
  });
  routes.use("/*", guard, limited(clock));
  routes.get("/all.ics", async (c) => answer(c, await view.all(), { ...calendarType("reverse-splits"), kept: SHARED }));
  routes.get("/upcoming.svg", async (c) => answer(c, await view.picture(), { type: "image/svg+xml", kept: SHARED }));
  routes.get("/upcoming.png", async (c) =>
    answer(c, await renderPng(await view.picture()), { type: "image/png", kept: SHARED }),
  );
  routes.get("/:file", async (c) => {
    const token = TOKEN_FILE.exec(c.req.param("file"))?.[1];
    const file = token === undefined ? null : await view.personal(token);
    return file === null ? nothingHere() : answer(c, file, { ...calendarType("my-watchlist"), kept: PRIVATE });
  });
  routes.all("/*", (c) => (isReading(c) ? nothingHere() : refusal(405, "Only GET and HEAD are possible here.", ALLOW)));
  return routes;
}

const ALLOW = { allow: "GET, HEAD" };

/** An SVG that is opened by itself runs nothing, and no page takes these for anything else than they are. */
const guard: MiddlewareHandler = async (c, next) => {
  await next();
  c.res.headers.set("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  c.res.headers.set("x-content-type-options", "nosniff");
  c.res.headers.set("referrer-policy", "no-referrer");
  c.res.headers.set("x-robots-tag", "noindex");
};

/** Counts by the minute and the asker's own address: what a proxy says of others could be anything. */
function limited(clock: Clock): MiddlewareHandler {
  const asked = new Map<string, number>();
  let minute = 0;
  return async (c, next) => {
    const now = Math.floor(clock.now() / MINUTE_MS);
    if (now !== minute) asked.clear();
    minute = now;
    const from = addressOf(c);
    const times = (asked.get(from) ?? 0) + 1;
    asked.set(from, times);
    if (times <= MOST_A_MINUTE) return next();
    return refusal(429, `More than ${MOST_A_MINUTE} requests within a minute.`, { "retry-after": "60" });
  };
}

function addressOf(c: Context): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  return incoming?.socket.remoteAddress ?? "";
}

interface Kind {
  readonly type: string;
  /** Cache-Control. */
  readonly kept: string;
  readonly name?: string;
}

function calendarType(name: string): Pick<Kind, "type" | "name"> {
  return { type: "text/calendar; charset=utf-8", name: `${name}.ics` };
}

/** The content, or 304 where the asker has it. */
function answer(c: Context, content: string | Uint8Array, { type, kept, name }: Kind): Response {
  const etag = strongEtag(content);
  const headers = {
    etag,
    "cache-control": kept,
    "content-type": type,
    ...(name === undefined ? {} : { "content-disposition": `inline; filename="${name}"` }),
  };
  if (matchesEtag(c.req.header("if-none-match"), [etag])) return new Response(null, { status: 304, headers });
  const bytes = Buffer.from(content);
  return new Response(bytes, { headers: { ...headers, "content-length": String(bytes.length) } });
}

function isReading(c: Context): boolean {
  return c.req.method === "GET" || c.req.method === "HEAD";
}

function nothingHere(): Response {
  return refusal(404, "There is nothing here.");
}

function refusal(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): Response {
  const body = { type: "about:blank", title: detail, status, detail };
  return Response.json(body, {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers },
  });
}
