import type { Context, MiddlewareHandler } from "hono";
import { problem } from "./problem.ts";

/** Sent with every answer of the page and its API. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.res.headers.set(name, value);
};

/**
 * Refuses every request whose Host is not a loopback name. A foreign site can point a name of its own at 127.0.0.1 and
 * have a visitor's browser talk to us under that name; the Host header is what gives it away.
 */
export const requireLoopbackHost: MiddlewareHandler = async (c, next) => {
  const host = c.req.header("host") ?? "";
  if (isLoopbackHost(host)) return next();
  return problem(
    403,
    "foreign-host",
    `Host: got "${host.slice(0, 200)}", expected a loopback name such as 127.0.0.1 or localhost. ` +
      "Without ADMIN_TOKEN this page answers nowhere else: set ADMIN_TOKEN to reach it under another name.",
  );
};

/** True for 127.0.0.0/8, [::1] and localhost, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  return name === "localhost" || name === "[::1]" || isLoopbackAddress(name);
}

function isLoopbackAddress(name: string): boolean {
  const octets = /^127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(name)?.slice(1) ?? [];
  return octets.length === 3 && octets.every((octet) => Number(octet) <= 255);
}

/**
 * Refuses what changes something when a browser says that another site sent it. `publicUrl` is how the outside reaches us,
 * for a proxy that puts a Host of its own in.
 */
export function requireSameOrigin(publicUrl: string | null): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD" || comesFromUs(c, publicUrl)) return next();
    return problem(
      403,
      "foreign-origin",
      `Origin: got "${(c.req.header("origin") ?? "another site").slice(0, 200)}", expected this page's own. ` +
        "Only the page itself may send this.",
    );
  };
}

/** A request that names no origin does not come from a browser, so no other site can have sent it in a visitor's name. */
function comesFromUs(c: Context, publicUrl: string | null): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("origin");
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const ours = [c.req.header("host")?.toLowerCase(), publicUrl === null ? undefined : new URL(publicUrl).host];
  return ours.includes(new URL(origin).host);
}
