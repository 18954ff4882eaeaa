import type { Context, MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { isLoopback } from "../../lib/loopback.ts";
import { errorResponse } from "./error-response.ts";

/**
 * Security headers of every response of the page and its API. `styleSources` contains the hash of the page's inline style.
 * HSTS is left to the proxy that terminates TLS.
 */
export function securityHeaders(styleSources: readonly string[]): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", ...styleSources],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    strictTransportSecurity: false,
  });
}

/**
 * Rejects requests that a proxy forwards or whose Host is not a loopback name. The latter prevents DNS rebinding: a foreign site
 * whose name resolves to 127.0.0.1 would otherwise reach the page through a visitor's browser.
 */
export const requireLoopbackHost: MiddlewareHandler = async (c, next) => {
  const proxyHeader = PROXY_HEADERS.find((name) => c.req.header(name) !== undefined);
  if (proxyHeader !== undefined) return forwardedRequest(proxyHeader);
  const host = c.req.header("host") ?? "";
  if (isLoopbackHost(host)) return next();
  return errorResponse(
    403,
    "foreign-host",
    `Host: got "${host.slice(0, 200)}", expected a loopback name such as 127.0.0.1 or localhost. ` +
      "Without ADMIN_TOKEN the page is limited to loopback names; set ADMIN_TOKEN to use another name.",
  );
};

/** Headers that proxies add. Some proxies replace Host by the loopback name that they connect to, so Host proves nothing. */
const PROXY_HEADERS = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"] as const;

function forwardedRequest(header: string): Response {
  return errorResponse(
    403,
    "forwarded",
    `The request has the header ${header} of a proxy, expected a direct request. ` +
      "Without ADMIN_TOKEN the page is limited to this machine; set ADMIN_TOKEN to use it through a proxy.",
  );
}

/** True for 127.0.0.0/8, [::1] and localhost, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host)?.[1];
  return name !== undefined && isLoopback(name);
}

/**
 * Rejects cross-site requests other than GET and HEAD. hono's csrf middleware covers form content types only; this covers
 * JSON too. `publicUrl` is the external address, for proxies that replace the Host.
 */
export function requireSameOrigin(publicUrl: string | null): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD" || isSameOrigin(c, publicUrl)) return next();
    return errorResponse(
      403,
      "foreign-origin",
      `Origin: got "${(c.req.header("origin") ?? "another site").slice(0, 200)}", expected this page's origin. ` +
        "Only the page itself can send this request.",
    );
  };
}

/** A request without an Origin header doesn't come from a browser, so no other site can have caused it. */
function isSameOrigin(c: Context, publicUrl: string | null): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("origin");
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const allowedHosts = [c.req.header("host")?.toLowerCase(), publicUrl === null ? undefined : new URL(publicUrl).host];
  return allowedHosts.includes(new URL(origin).host);
}
