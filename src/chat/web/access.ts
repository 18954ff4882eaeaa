import { createHmac, randomBytes } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie, setCookie } from "hono/cookie";
import { DAY_MS, MINUTE_MS } from "../../domain/time/day.ts";
import { clientAddress } from "../../http/client-address.ts";
import { createSlidingWindow } from "../../lib/rate-limiter.ts";
import { isSameSecret } from "../../lib/secrets.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Assets } from "./assets.ts";
import { errorResponse } from "./error-response.ts";
import { requireSameOrigin } from "./guard.ts";

const COOKIE = "splitwatch_session";

/** Files of the sign-in page, served without a session. */
const PUBLIC_ASSETS: readonly string[] = ["/assets/style.css", "/assets/favicon.svg"];

const SIGN_IN_MESSAGES = {
  none: "",
  invalid: "Wrong token. Try again.",
  "rate-limited": "Wrong token, after too many wrong attempts. Check the token, then try again.",
} as const;

export interface AccessOptions {
  readonly adminToken: string;
  readonly publicUrl: string | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly assets: Assets;
}

/** Sign-in and sign-out routes, and the middleware that requires a session or the token. */
export interface Access {
  readonly guard: MiddlewareHandler;
  readonly routes: Hono;
}

export function createAccess(options: AccessOptions): Access {
  const sessions = createSessions(options.adminToken, options.clock);
  return {
    guard: async (c, next) => {
      if (PUBLIC_ASSETS.includes(c.req.path)) return next();
      const check = checkRequest(c, sessions);
      return check === "valid" ? next() : refusal(c, check, options.assets);
    },
    routes: signInRoutes(sessions, options),
  };
}

export function hasSessionCookie(c: Context): boolean {
  return getCookie(c, COOKIE) !== undefined;
}

function checkRequest(c: Context, sessions: Sessions): TokenCheck | "none" {
  const bearer = /^Bearer +(.*\S) *$/i.exec(c.req.header("authorization") ?? "")?.[1];
  if (bearer !== undefined) return sessions.checkToken(bearer, clientAddress(c));
  const cookie = getCookie(c, COOKIE);
  return cookie === undefined ? "none" : sessions.checkCookie(cookie);
}

function refusal(c: Context, check: Exclude<TokenCheck, "valid"> | "none", assets: Assets): Response {
  if (c.req.path === "/") return signInPage(check === "invalid" ? "none" : check, assets);
  if (check === "rate-limited")
    return errorResponse(429, "too-many-guesses", SIGN_IN_MESSAGES[check], { "retry-after": "60" });
  return errorResponse(
    401,
    "not-signed-in",
    "Authorization: expected Bearer and the value of ADMIN_TOKEN, or a session cookie.",
    {
      "www-authenticate": "Bearer",
    },
  );
}

function signInRoutes(sessions: Sessions, options: AccessOptions): Hono {
  const routes = new Hono();
  routes.use("/login", requireSameOrigin(options.publicUrl), bodyLimit({ maxSize: 16 * 1024, onError: tooLarge }));
  routes.use("/logout", requireSameOrigin(options.publicUrl));
  routes.post("/login", async (c) => {
    // A body that isn't a form contains no token.
    const { token } = await c.req.parseBody().catch((): Record<string, unknown> => ({}));
    const check = sessions.checkToken(typeof token === "string" ? token.trim() : "", clientAddress(c));
    if (check !== "valid") {
      if (check === "invalid") options.log.warn("web sign in rejected");
      return signInPage(check, options.assets);
    }
    setCookie(c, COOKIE, sessions.issueCookie(), cookieOptions(c, options.publicUrl, SESSION_LIFETIME_MS / 1_000));
    return c.redirect("/", 303);
  });
  routes.post("/logout", (c) => {
    setCookie(c, COOKIE, "", cookieOptions(c, options.publicUrl, 0));
    return c.redirect("/", 303);
  });
  routes.get("/login", (c) => c.redirect("/", 303));
  return routes;
}

function tooLarge(): Response {
  return errorResponse(413, "too-large", "The form is larger than 16 kB.");
}

function cookieOptions(c: Context, publicUrl: string | null, maxAge: number): Parameters<typeof setCookie>[3] {
  const secure =
    publicUrl?.startsWith("https:") === true ||
    new URL(c.req.url).protocol === "https:" ||
    c.req.header("x-forwarded-proto") === "https";
  return { path: "/", httpOnly: true, sameSite: "Strict", secure, maxAge };
}

function signInPage(check: keyof typeof SIGN_IN_MESSAGES, assets: Assets): Response {
  const isRateLimited = check === "rate-limited";
  return new Response(assets.signIn.replace("<!-- message -->", SIGN_IN_MESSAGES[check]), {
    status: isRateLimited ? 429 : 401,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      ...(isRateLimited ? { "retry-after": "60" } : { "www-authenticate": "Bearer" }),
    },
  });
}

export type TokenCheck = "valid" | "invalid" | "rate-limited";

/** Checks of the admin token and of session cookies. */
export interface Sessions {
  /** `client`: address whose wrong tokens are counted. */
  checkToken(token: string, client: string): TokenCheck;
  checkCookie(value: string): "valid" | "invalid";
  /** Returns the value of a new session cookie; the token can't be derived from it. */
  issueCookie(): string;
}

export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** Maximum number of wrong tokens per client address and minute. */
const MAX_WRONG_TOKENS = 20;

/**
 * A cookie is `<end of the session>.<random>.<HMAC of both under the token>`. It is valid after a restart and in every process
 * with the same token; changing the token ends all sessions.
 */
export function createSessions(adminToken: string, clock: Clock): Sessions {
  const wrongTokens = createSlidingWindow(clock, { max: MAX_WRONG_TOKENS, windowMs: MINUTE_MS });

  function sign(text: string): string {
    return createHmac("sha256", adminToken).update(`splitwatch session ${text}`).digest("base64url");
  }

  return {
    // The right token always works: other people's guesses can't lock anyone out, and a token of 16 characters can't be guessed.
    checkToken(token, client) {
      if (isSameSecret(token, adminToken)) return "valid";
      return wrongTokens.take(client) > 0 ? "rate-limited" : "invalid";
    },
    // Not rate limited: an HMAC can't be guessed, and expired cookies must not block anyone.
    checkCookie(value) {
      const [expiry = "", random = "", signature = ""] = value.split(".");
      if (!(Number.parseInt(expiry, 36) > clock.now())) return "invalid";
      return isSameSecret(signature, sign(`${expiry}.${random}`)) ? "valid" : "invalid";
    },
    issueCookie() {
      const payload = `${(clock.now() + SESSION_LIFETIME_MS).toString(36)}.${randomBytes(12).toString("base64url")}`;
      return `${payload}.${sign(payload)}`;
    },
  };
}
