import type { Context, MiddlewareHandler } from "hono";
import { etag } from "hono/etag";
import { secureHeaders } from "hono/secure-headers";
import { createSlidingWindow } from "../lib/rate-limiter.ts";
import type { Clock } from "../ports/clock.ts";
import { clientAddress } from "./client-address.ts";
import { problemResponse } from "./problem.ts";

/** Limit per address. Far above the requests of programs that refresh a file, even if all of them share the address of a proxy. */
const MAX_REQUESTS_PER_MINUTE = 600;
const MINUTE_MS = 60_000;

/**
 * Middleware of read-only files that need no credentials, under any Host: a limit per address, conditional requests, and no index in
 * search engines.
 */
export function openToEveryone(clock: Clock): readonly MiddlewareHandler[] {
  return [responseHeaders, noIndex, rateLimit(clock), etag()];
}

/** Answers 404 to reads and 405 to other methods. `notFound`: what doesn't exist, as a sentence. */
export function refuseOthers(notFound: string): (c: Context) => Response {
  return ({ req }) =>
    req.method === "GET" || req.method === "HEAD"
      ? problemResponse({ status: 404, code: "no-such-path", detail: notFound })
      : wrongMethod();
}

/** Headers that keep an SVG from running scripts, and browsers from guessing another content type. */
const responseHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  // Other sites embed images.
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

function wrongMethod(): Response {
  const detail = "Only GET and HEAD are allowed.";
  return problemResponse({ status: 405, code: "wrong-method", detail, headers: { allow: "GET, HEAD" } });
}
