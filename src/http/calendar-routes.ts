import { Hono } from "hono";
import { renderPng } from "../lib/render-png.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { problemResponse } from "./problem.ts";
import { openToEveryone, refuseOthers } from "./public-routes.ts";

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

const NOT_FOUND = "There is no such calendar.";

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
  routes.use("/*", ...openToEveryone(clock));
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
  routes.all("/*", refuseOthers(NOT_FOUND));
  return routes;
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

function notFound(): Response {
  return problemResponse({ status: 404, code: "no-such-path", detail: NOT_FOUND });
}
