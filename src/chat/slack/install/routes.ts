import { type Context, Hono } from "hono";
import { setCookie } from "hono/cookie";
import { findCookie } from "../../../http/cookie.ts";
import type { Log } from "../../../ports/log.ts";
import { asCallError, isAppCredentialError } from "../alerts/delivery-errors.ts";
import { toOneLine, toPlainText } from "../block-kit/mrkdwn.ts";
import { type CallError, describeFailure } from "../web-api.ts";
import type { OAuthAccess, OAuthGrant } from "./oauth-access.ts";
import { FAILED_PAGE, type InstallPage, installedPage, pageResponse, redirectPage, refusalPages } from "./pages.ts";
import type { Credentials } from "./registry.ts";
import { type InstallState, randomToken, STATE_LIFETIME_MS } from "./state.ts";

export const INSTALL_PATH = "/slack/install";
const REDIRECT_PATH = "/slack/oauth_redirect";

const AUTHORIZE_URL = "https://slack.com/oauth/v2/authorize";
const COOKIE = "splitwatch_install";
const COOKIE_VALUE = /^[\w-]{24}$/;
const MAX_NAME_LENGTH = 100;

export interface InstallRoutesParts {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** External address of splitwatch; null if it isn't configured. */
  readonly publicUrl: string | null;
  readonly state: InstallState;
  readonly access: OAuthAccess;
  /** Reads the bot's name and the workspace's URL. Rejects with a CallError. */
  readonly lookUp: (botToken: string) => Promise<Pick<Credentials, "botName" | "url">>;
  readonly install: (teamId: string, credentials: Credentials) => Promise<void>;
  readonly log: Log;
}

/** Routes of the OAuth installation. Neither the code nor the state is logged. */
export function installRoutes(parts: InstallRoutesParts): Hono {
  const routes = new Hono();
  routes.onError((error) => {
    parts.log.error("slack install failed", { error });
    return pageResponse(FAILED_PAGE);
  });
  // hono runs GET handlers for HEAD requests, which would consume a state.
  routes.get(INSTALL_PATH, (c) => (c.req.method === "GET" ? startInstall(c, parts) : methodNotAllowed()));
  routes.get(REDIRECT_PATH, (c) => (c.req.method === "GET" ? finishInstall(c, parts) : methodNotAllowed()));
  for (const path of [INSTALL_PATH, REDIRECT_PATH]) routes.all(path, methodNotAllowed);
  return routes;
}

function startInstall(c: Context, { publicUrl, clientId, scopes, state }: InstallRoutesParts): Response {
  // Keeps a valid cookie: another window of the browser may be installing too.
  const cookie = findCookie(c.req.header("cookie"), COOKIE) ?? "";
  const browser = COOKIE_VALUE.test(cookie) ? cookie : randomToken();
  setCookie(c, COOKIE, browser, {
    path: `${pathOf(publicUrl)}/slack`,
    httpOnly: true,
    sameSite: "Lax",
    secure: isHttps(c, publicUrl),
    maxAge: STATE_LIFETIME_MS / 1_000,
  });
  const url = new URL(AUTHORIZE_URL);
  url.searchParams.set("client_id", clientId);
  url.searchParams.set("scope", scopes.join(","));
  url.searchParams.set("state", state.issue(browser));
  const redirectUri = redirectUriOf(publicUrl);
  if (redirectUri !== null) url.searchParams.set("redirect_uri", redirectUri);
  const headers = { location: url.href, "set-cookie": c.res.headers.get("set-cookie") ?? "" };
  return pageResponse(redirectPage(url.href), headers);
}

export function redirectUriOf(publicUrl: string | null): string | null {
  return publicUrl === null ? null : `${publicUrl}${REDIRECT_PATH}`;
}

function pathOf(publicUrl: string | null): string {
  return publicUrl === null ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
}

function isHttps(c: Context, publicUrl: string | null): boolean {
  if (publicUrl !== null) return publicUrl.startsWith("https:");
  return new URL(c.req.url).protocol === "https:" || c.req.header("x-forwarded-proto") === "https";
}

async function finishInstall(c: Context, parts: InstallRoutesParts): Promise<Response> {
  const {
    state = "",
    code = "",
    error,
  }: Readonly<Record<string, string>> = Object.fromEntries(new URL(c.req.url).searchParams);
  const startUrl = startUrlOf(parts);
  if (!(await parts.state.redeem(state, findCookie(c.req.header("cookie"), COOKIE) ?? "")))
    return pageResponse(refusalPages.invalidState(startUrl));
  if (error === "access_denied") return pageResponse(refusalPages.denied(startUrl));
  if (error !== undefined || code === "") return pageResponse(refusalPages.missingCode(startUrl));
  return pageResponse(await redeemCode(code, parts));
}

async function redeemCode(code: string, parts: InstallRoutesParts): Promise<InstallPage> {
  let grant: OAuthGrant;
  try {
    grant = await parts.access.redeem(code);
  } catch (error) {
    return explainRefusal(asCallError(error), parts);
  }
  const { botToken, rotation, team, isOrgWide } = grant;
  if (isOrgWide) return refusalPages.orgWide(startUrlOf(parts));
  if (team === null || botToken === null) return refusalPages.missingBot(startUrlOf(parts));
  try {
    await parts.install(team.id, { botToken, rotation, ...(await lookUpOrDefault(botToken, parts)) });
  } catch (error) {
    parts.log.error("slack install failed", { workspace: team.id, error });
    return FAILED_PAGE;
  }
  return installedPage(toPlainText(toOneLine(team.name, MAX_NAME_LENGTH), MAX_NAME_LENGTH));
}

/** The code can't be redeemed twice, so the installation continues with defaults if Slack does not answer. */
function lookUpOrDefault(
  botToken: string,
  { lookUp, log }: InstallRoutesParts,
): ReturnType<InstallRoutesParts["lookUp"]> {
  return lookUp(botToken).catch((error: unknown) => {
    log.warn("slack workspace lookup failed", { reason: describeFailure(asCallError(error).failure) });
    return { botName: "splitwatch", url: null };
  });
}

function explainRefusal(error: CallError, parts: InstallRoutesParts): InstallPage {
  const reason = describeFailure(error.failure);
  if (isAppCredentialError(error)) {
    parts.log.error("slack install rejected", {
      reason: `Slack rejects the app's credentials (${reason}): check SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and PUBLIC_URL`,
    });
    return FAILED_PAGE;
  }
  parts.log.warn("slack install rejected", { reason });
  const startUrl = startUrlOf(parts);
  return error.failure.kind === "refused"
    ? refusalPages.rejectedCode(startUrl, reason)
    : refusalPages.unreachable(startUrl);
}

function startUrlOf({ publicUrl }: InstallRoutesParts): string {
  return `${publicUrl ?? ""}${INSTALL_PATH}`;
}

function methodNotAllowed(): Response {
  return new Response("Method not allowed: use GET.\n", {
    status: 405,
    headers: { allow: "GET", "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
