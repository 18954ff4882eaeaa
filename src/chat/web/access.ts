import { createHmac, randomBytes } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { setCookie } from "hono/cookie";
import { DAY_MS, MINUTE_MS } from "../../domain/time/day.ts";
import { clientAddress } from "../../http/client-address.ts";
import { findCookie } from "../../http/cookie.ts";
import { createSlidingWindow } from "../../lib/rate-limiter.ts";
import { isSameSecret } from "../../lib/secrets.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type Sessions as StoredSessions, StoreError } from "../../ports/store.ts";
import type { Assets } from "./assets.ts";
import { errorResponse } from "./error-response.ts";
import { requireSameOrigin } from "./guard.ts";

const COOKIE = "splitwatch_session";
const BEARER = "bearer ";

/** Paths of the pages. Without a session they are the sign-in form, which leads back to them. */
const PAGES = ["/", "/operator"] as const;

type PagePath = (typeof PAGES)[number];

/** Pages by path, with and without a slash at its end. */
export const PAGE_PATHS: ReadonlyMap<string, PagePath> = new Map(
  PAGES.flatMap((page) => [page, page.replace(/\/?$/, "/")].map((path) => [path, page] as const)),
);

/** Files of the sign-in page, served without a session. */
const PUBLIC_ASSETS: readonly string[] = ["/assets/style.css", "/assets/favicon.svg"];

const SIGN_IN_MESSAGES = {
  none: "",
  invalid: "Wrong token. Try again.",
  "rate-limited": "Too many wrong tokens. Check the token, then try again.",
  "not-stored": "The store isn't available right now, so you can't sign in. Try again in a moment.",
} as const;

const SIGN_IN_STATUS = { none: 401, invalid: 401, "rate-limited": 429, "not-stored": 503 } as const;

export interface AccessOptions {
  readonly adminToken: string;
  readonly publicUrl: string | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly assets: () => Promise<Assets>;
  readonly sessions: StoredSessions;
  /** Called after a session has ended. */
  readonly signedOut: () => void;
}

/** Sign-in and sign-out routes, and the middleware that requires a session or the token. */
export interface Access {
  readonly guard: MiddlewareHandler;
  readonly routes: Hono;
  /** Whether an accepted request would still be accepted: false after its session has ended. */
  readonly isStillAllowed: (c: Context) => Promise<boolean>;
}

export function createAccess(options: AccessOptions): Access {
  const sessions = createSessions(options);
  return {
    guard: async (c, next) => {
      if (PUBLIC_ASSETS.includes(c.req.path)) return next();
      const check = await checkRequest(c, sessions);
      return check === "valid" ? next() : refusal(c, check, options.assets);
    },
    routes: signInRoutes(sessions, options),
    isStillAllowed: async (c) => (await checkRequest(c, sessions)) === "valid",
  };
}

export function hasSessionCookie(c: Context): boolean {
  return sessionCookie(c) !== undefined;
}

function sessionCookie(c: Context): string | undefined {
  return findCookie(c.req.header("cookie"), COOKIE);
}

async function checkRequest(c: Context, sessions: BrowserSessions): Promise<TokenCheck | "none"> {
  const bearer = bearerTokenIn(c.req.header("authorization") ?? "");
  if (bearer !== undefined) return sessions.checkToken(bearer, clientAddress(c));
  const cookie = sessionCookie(c);
  return cookie === undefined ? "none" : sessions.checkCookie(cookie);
}

/** Token of an `Authorization` header; undefined if it has none or another scheme. */
export function bearerTokenIn(authorization: string): string | undefined {
  const token = authorization.slice(BEARER.length).trim();
  return authorization.slice(0, BEARER.length).toLowerCase() === BEARER && token !== "" ? token : undefined;
}

async function refusal(
  c: Context,
  check: Exclude<TokenCheck, "valid"> | "none",
  assets: AccessOptions["assets"],
): Promise<Response> {
  const page = PAGE_PATHS.get(c.req.path);
  if (page !== undefined) return signInPage(check === "invalid" ? "none" : check, page, await assets());
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

function signInRoutes(sessions: BrowserSessions, options: AccessOptions): Hono {
  const routes = new Hono();
  routes.use("/login", requireSameOrigin(options.publicUrl), bodyLimit({ maxSize: 16 * 1024, onError: tooLarge }));
  routes.use("/logout", requireSameOrigin(options.publicUrl));
  routes.post("/login", async (c) => {
    const page = pageAfterSignIn(c);
    // A body that isn't a form contains no token.
    const { token } = await c.req.parseBody().catch((): Record<string, unknown> => ({}));
    const check = sessions.checkToken(typeof token === "string" ? token.trim() : "", clientAddress(c));
    if (check !== "valid") {
      if (check === "invalid") options.log.warn("web sign in rejected");
      return signInPage(check, page, await options.assets());
    }
    const cookie = await sessions.start().catch((error: unknown) => notStored(error, options.log));
    if (cookie === null) return signInPage("not-stored", page, await options.assets());
    setCookie(c, COOKIE, cookie, cookieOptions(c, options.publicUrl, SESSION_LIFETIME_MS / 1_000));
    return c.redirect(page, 303);
  });
  routes.post("/logout", async (c) => {
    // After a failure the cookie is kept, so that the user can try again.
    const cookie = sessionCookie(c);
    // Anyone can send an invented cookie: only a valid one may wake all streams.
    if (cookie !== undefined && (await sessions.checkCookie(cookie)) === "valid") {
      await sessions.end(cookie);
      options.signedOut();
    }
    setCookie(c, COOKIE, "", cookieOptions(c, options.publicUrl, 0));
    return c.redirect("/", 303);
  });
  // A reload after a wrong token.
  routes.get("/login", (c) => c.redirect(pageAfterSignIn(c), 303));
  return routes;
}

function notStored(error: unknown, log: Log): null {
  if (!(error instanceof StoreError)) throw error;
  log.error("web sign in not stored", { error });
  return null;
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

/** The page that the sign-in form was opened for: one of ours, so that the form leads to no other site. */
function pageAfterSignIn(c: Context): PagePath {
  const page = new URL(c.req.url).searchParams.get("page");
  return PAGES.find((path) => path === page) ?? "/";
}

function signInPage(check: keyof typeof SIGN_IN_MESSAGES, page: PagePath, assets: Assets): Response {
  const status = SIGN_IN_STATUS[check];
  const action = page === "/" ? "/login" : `/login?page=${encodeURIComponent(page)}`;
  const form = assets.signIn
    .replace("<!-- message -->", SIGN_IN_MESSAGES[check])
    .replace('action="/login"', `action="${action}"`);
  return new Response(form, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      ...(status === 401 ? { "www-authenticate": "Bearer" } : { "retry-after": "60" }),
    },
  });
}

export type TokenCheck = "valid" | "invalid" | "rate-limited";

/** Checks of the admin token, and sessions. Rejects with a StoreError if the store fails. */
export interface BrowserSessions {
  /** `client`: client address, for which wrong tokens are counted. */
  checkToken(token: string, client: string): TokenCheck;
  checkCookie(value: string): Promise<"valid" | "invalid">;
  /** Starts a session and returns the value of its cookie. */
  start(): Promise<string>;
  end(cookie: string): Promise<void>;
}

export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** Maximum number of open sessions. Above it, a sign-in ends the oldest one. */
export const MAX_SESSIONS = 1_000;

/** Maximum number of wrong tokens per client address and minute. */
const MAX_WRONG_TOKENS = 20;

/**
 * A cookie is a random text. The store contains its HMAC with the admin token as the key: a session survives a restart, is open in
 * every process with the same store and token, and ends in all of them at sign-out and when the token changes.
 */
export function createSessions({
  adminToken,
  clock,
  sessions,
}: Pick<AccessOptions, "adminToken" | "clock" | "sessions">): BrowserSessions {
  const wrongTokens = createSlidingWindow(clock, { max: MAX_WRONG_TOKENS, windowMs: MINUTE_MS });

  function idOf(cookie: string): string {
    return createHmac("sha256", adminToken).update(`splitwatch session ${cookie}`).digest("base64url");
  }

  return {
    // The right token always works: other people's guesses can't lock anyone out, and a token of 16 characters can't be guessed.
    checkToken(token, client) {
      if (isSameSecret(token, adminToken)) return "valid";
      return wrongTokens.admit(client) > 0 ? "rate-limited" : "invalid";
    },
    // Not rate limited: 256 random bits can't be guessed, and expired cookies must not block anyone.
    checkCookie: async (value) => ((await sessions.isOpen(idOf(value), clock.now())) ? "valid" : "invalid"),
    async start() {
      const cookie = randomBytes(32).toString("base64url");
      const now = clock.now();
      await sessions.start({ id: idOf(cookie), until: now + SESSION_LIFETIME_MS }, now, MAX_SESSIONS);
      return cookie;
    },
    end: (cookie) => sessions.end(idOf(cookie)),
  };
}
