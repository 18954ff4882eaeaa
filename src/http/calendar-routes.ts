import { type Context, Hono, type MiddlewareHandler } from "hono";
import { etag } from "hono/etag";
import { secureHeaders } from "hono/secure-headers";
import { createSlidingWindow } from "../lib/rate-limiter.ts";
import { renderPng } from "../lib/render-png.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { clientAddress } from "./client-address.ts";
import { problemResponse } from "./problem.ts";

/** Content served under `/calendar/`. */
export interface CalendarPages {
  /** iCalendar file of all ex dates. */
  allSplits(): Promise<string>;
  /** iCalendar file of the watchlist with this token; null if the token is unknown. */
  watchlist(token: string): Promise<string | null>;
  /** Picture of the upcoming ex dates, as SVG. */
  picture(): Promise<string>;
}

export interface CalendarRoutesOptions {
  readonly pages: CalendarPages;
  readonly clock: Clock;
  readonly log: Log;
}

/** Limit per address. Far above the requests of calendar programs, even if all of them share the address of a proxy. */
const MAX_REQUESTS_PER_MINUTE = 600;
const MINUTE_MS = 60_000;

const TOKEN_FILE = /^([0-9a-f]{32,64})\.ics$/;

/** Cache-Control of content that shared caches may store. */
const PUBLIC_CACHING = "public, max-age=300";
/** Cache-Control of content that only the client may store, and revalidates each time. */
const PRIVATE_CACHING = "private, no-cache";

/**
 * Read-only calendars and pictures, served for any Host header. A personal calendar is addressed by its token; an unknown
 * token gets the same response as any other unknown path.
 */
export function calendarRoutes({ pages, clock, log }: CalendarRoutesOptions): Hono {
  const routes = new Hono().basePath("/calendar");
  routes.onError((error) => {
    // The URL isn't logged: it may contain a token.
    log.error("calendar failed", { error });
    const detail = "The calendar isn't available right now. Try again in a moment.";
    return problemResponse({ status: 503, code: "calendar-failed", detail, headers: { "retry-after": "60" } });
  });
  routes.use("/*", responseHeaders, noIndex, rateLimit(clock), etag());
  routes.get("/all.ics", async () =>
    answer(await pages.allSplits(), { ...calendarType("reverse-splits"), cacheControl: PUBLIC_CACHING }),
  );
  routes.get("/upcoming.svg", async () =>
    answer(await pages.picture(), { type: "image/svg+xml", cacheControl: PUBLIC_CACHING }),
  );
  routes.get("/upcoming.png", async () =>
    answer(await renderPng(await pages.picture()), { type: "image/png", cacheControl: PUBLIC_CACHING }),
  );
  routes.get("/:file", async (c) => {
    const token = TOKEN_FILE.exec(c.req.param("file"))?.[1];
    const file = token === undefined ? null : await pages.watchlist(token);
    return file === null
      ? notFound()
      : answer(file, { ...calendarType("my-watchlist"), cacheControl: PRIVATE_CACHING });
  });
  routes.all("/*", (c) => (isReadRequest(c) ? notFound() : wrongMethod()));
  return routes;
}

/** Headers that keep an SVG from running scripts, and browsers from guessing another content type. */
const responseHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  // Other sites embed the image.
  crossOriginResourcePolicy: false,
  strictTransportSecurity: false,
});

const noIndex: MiddlewareHandler = async (c, next) => {
  await next();
  c.res.headers.set("x-robots-tag", "noindex");
};

/** Limits requests per minute and peer address. Forwarded addresses are ignored, because they can be forged. */
function rateLimit(clock: Clock): MiddlewareHandler {
  const limiter = createSlidingWindow(clock, { max: MAX_REQUESTS_PER_MINUTE, windowMs: MINUTE_MS });
  return async (c, next) => {
    const waitMs = limiter.admit(clientAddress(c));
    if (waitMs === 0) return next();
    const detail = `More than ${MAX_REQUESTS_PER_MINUTE} requests within a minute.`;
    const headers = { "retry-after": String(Math.ceil(waitMs / 1000)) };
    return problemResponse({ status: 429, code: "too-many-requests", detail, headers });
  };
}

interface ContentKind {
  readonly type: string;
  /** Value of the Cache-Control header. */
  readonly cacheControl: string;
  /** File name for downloads. */
  readonly name?: string;
}

function calendarType(name: string): Pick<ContentKind, "type" | "name"> {
  return { type: "text/calendar; charset=utf-8", name: `${name}.ics` };
}

function answer(content: string | Uint8Array, { type, cacheControl, name }: ContentKind): Response {
  const bytes = Buffer.from(content);
  return new Response(bytes, {
    headers: {
      "cache-control": cacheControl,
      "content-type": type,
      "content-length": String(bytes.length),
      ...(name === undefined ? {} : { "content-disposition": `inline; filename="${name}"` }),
    },
  });
}

function isReadRequest(c: Context): boolean {
  return c.req.method === "GET" || c.req.method === "HEAD";
}

function notFound(): Response {
  return problemResponse({ status: 404, code: "no-such-path", detail: "There is no such calendar." });
}

function wrongMethod(): Response {
  const detail = "Only GET and HEAD are allowed.";
  return problemResponse({ status: 405, code: "wrong-method", detail, headers: { allow: "GET, HEAD" } });
}
