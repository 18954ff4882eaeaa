import { type Context, Hono } from "hono";
import { parseExchange } from "../../domain/split/exchange.ts";
import { parseTicker } from "../../domain/split/ticker.ts";
import type { Instant } from "../../domain/time/day.ts";
import { problemResponse } from "../../http/problem.ts";
import { openToEveryone, refuseOthers } from "../../http/public-routes.ts";
import { quoteValue } from "../../lib/error-text.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { FeedDocuments, FeedFilter, WrittenDocument } from "./documents.ts";
import { FORMATS } from "./formats.ts";

const MAX_NAMES = 50;

const CACHING = "public, max-age=60";

/** An invalid query; the message names the parameter. */
class QueryError extends Error {
  override readonly name = "QueryError";
}

/** The feeds, readable without credentials under any Host. */
export function feedRoutes({
  documents,
  clock,
  log,
}: {
  readonly documents: FeedDocuments;
  readonly clock: Clock;
  readonly log: Log;
}): Hono {
  const routes = new Hono().basePath("/feeds");
  routes.onError((error) => {
    if (error instanceof QueryError)
      return problemResponse({ status: 400, code: "bad-parameter", detail: error.message });
    log.error("feed failed", { error });
    const detail = "The feed isn't available right now. Try again in a moment.";
    return problemResponse({ status: 503, code: "feed-failed", detail, headers: { "retry-after": "60" } });
  });
  routes.use("/*", ...openToEveryone(clock));
  for (const format of FORMATS)
    routes.get(`/alerts.${format.extension}`, async (c) =>
      answer(await documents.read(format, filterOf(new URL(c.req.url).searchParams)), clock.now(), c),
    );
  routes.all("/*", refuseOthers("There is no such feed."));
  return routes;
}

const SECOND_MS = 1_000;

/**
 * The shared middleware answers 304 to a matching `If-None-Match`, which takes precedence. `Last-Modified` counts seconds, so it is
 * sent and compared from the next second on, when no further alert can have the same time.
 */
function answer({ body, mediaType, etag, lastModified }: WrittenDocument, now: Instant, c: Context): Response {
  const isDated = now >= lastModified.getTime() + SECOND_MS;
  const dated = isDated ? { "last-modified": lastModified.toUTCString() } : {};
  const headers = { "cache-control": CACHING, etag, ...dated };
  const since = Date.parse(c.req.header("if-modified-since") ?? "");
  if (isDated && c.req.header("if-none-match") === undefined && since >= lastModified.getTime())
    return new Response(null, { status: 304, headers });
  const type = mediaType.endsWith("xml") ? `${mediaType}; charset=utf-8` : mediaType;
  return new Response(body, { headers: { ...headers, "content-type": type, "content-length": String(body.length) } });
}

const PARAMETERS = {
  ticker: { parse: parseTicker, expected: "tickers such as ACME,BOLT" },
  exchange: { parse: parseExchange, expected: "exchanges such as NASDAQ,NYSE" },
} as const;

function filterOf(query: URLSearchParams): FeedFilter {
  for (const name of query.keys()) {
    if (!Object.hasOwn(PARAMETERS, name))
      throw new QueryError(`${quoteValue(name)}: unknown parameter, expected ticker or exchange`);
  }
  return { tickers: namesIn(query, "ticker"), exchanges: namesIn(query, "exchange") };
}

function namesIn(query: URLSearchParams, parameter: keyof typeof PARAMETERS): readonly string[] {
  const [value, second] = query.getAll(parameter);
  if (value === undefined) return [];
  const { parse, expected } = PARAMETERS[parameter];
  const names = value.split(",").map((text) => parse(text.trim()));
  if (second === undefined && names.length <= MAX_NAMES && names.every((name) => name !== undefined)) return names;
  throw new QueryError(`${parameter}: got ${quoteValue(value)}, expected one list of at most ${MAX_NAMES} ${expected}`);
}
