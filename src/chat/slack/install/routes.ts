import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Log } from "../../../ports/log.ts";
import { asCallError, isAppCredentialError } from "../alerts/delivery-errors.ts";
import { oneLine, plainText } from "../block-kit/text.ts";
import { type CallError, describeFailure } from "../web-api.ts";
import { type Page, pageResponse } from "./html.ts";
import type { OAuthAccess, OAuthGrant } from "./oauth-access.ts";
import {
  deniedPage,
  FAILED_PAGE,
  installedPage,
  invalidStatePage,
  missingBotPage,
  missingCodePage,
  orgWidePage,
  redirectPage,
  rejectedCodePage,
  unreachablePage,
} from "./pages.ts";
import { type InstallState, newBrowser, STATE_LIFETIME_MS } from "./state.ts";
import type { Credentials } from "./vault.ts";

export const INSTALL_PATH = "/slack/install";
const REDIRECT_PATH = "/slack/oauth_redirect";

const AUTHORIZE = "https://slack.com/oauth/v2/authorize";
const COOKIE = "splitwatch_install";
/** Of a workspace, as much of it as is shown. */
const MAX_NAME_LENGTH = 100;
const BROWSER = /^[\w-]{24}$/;

export interface InstallRoutesParts {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** How the outside reaches us; null: nobody said. */
  readonly publicUrl: string | null;
  readonly state: InstallState;
  readonly access: OAuthAccess;
  /** What splitwatch is called where the token is for. Fails with a CallError. */
  readonly lookUp: (botToken: string) => Promise<Pick<Credentials, "botName" | "url">>;
  readonly install: (teamId: string, credentials: Credentials) => Promise<void>;
  readonly log: Log;
}

/** Where a workspace takes splitwatch in. Neither the code nor the state is ever written anywhere. */
export function installRoutes(parts: InstallRoutesParts): Hono {
  const routes = new Hono();
  routes.onError((error) => {
    parts.log.error("slack install failed", { error });
    return pageResponse(FAILED_PAGE);
  });
  routes.on("GET", INSTALL_PATH, (c) => (c.req.method === "GET" ? beginInstall(c, parts) : notAllowed()));
  routes.on("GET", REDIRECT_PATH, (c) => (c.req.method === "GET" ? endInstall(c, parts) : notAllowed()));
  for (const path of [INSTALL_PATH, REDIRECT_PATH]) routes.all(path, notAllowed);
  return routes;
}

function beginInstall(c: Context, parts: InstallRoutesParts): Response {
  // Two windows of one browser may both be at it.
  const known = getCookie(c, COOKIE) ?? "";
  const browser = BROWSER.test(known) ? known : newBrowser();
  setCookie(c, COOKIE, browser, {
    path: `${pathOf(parts.publicUrl)}/slack`,
    httpOnly: true,
    sameSite: "Lax",
    secure: isHttps(c, parts.publicUrl),
    maxAge: STATE_LIFETIME_MS / 1_000,
  });
  const address = new URL(AUTHORIZE);
  address.searchParams.set("client_id", parts.clientId);
  address.searchParams.set("scope", parts.scopes.join(","));
  address.searchParams.set("state", parts.state.issue(browser));
  const redirectUri = redirectUriOf(parts.publicUrl);
  if (redirectUri !== null) address.searchParams.set("redirect_uri", redirectUri);
  const cookie = c.res.headers.get("set-cookie") ?? "";
  return pageResponse(redirectPage(address.href), { location: address.href, "set-cookie": cookie });
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

async function endInstall(c: Context, parts: InstallRoutesParts): Promise<Response> {
  const { state = "", code = "", error } = c.req.query();
  if (!(await parts.state.redeem(state, getCookie(c, COOKIE) ?? "")))
    return pageResponse(invalidStatePage(beginAgain(parts)));
  if (error === "access_denied") return pageResponse(deniedPage(beginAgain(parts)));
  if (error !== undefined || code === "") return pageResponse(missingCodePage(beginAgain(parts)));
  return pageResponse(await install(code, parts));
}

async function install(code: string, parts: InstallRoutesParts): Promise<Page> {
  let granted: OAuthGrant;
  try {
    granted = await parts.access.redeem(code);
  } catch (error) {
    return notGranted(asCallError(error), parts);
  }
  const { botToken, rotation, team, isOrgWide } = granted;
  if (isOrgWide) return orgWidePage(beginAgain(parts));
  if (team === null || botToken === null) return missingBotPage(beginAgain(parts));
  try {
    await parts.install(team.id, { botToken, rotation, ...(await lookUp(botToken, parts)) });
  } catch (error) {
    parts.log.error("slack install failed", { workspace: team.id, error });
    return FAILED_PAGE;
  }
  return installedPage(plainText(oneLine(team.name, MAX_NAME_LENGTH), MAX_NAME_LENGTH));
}

/** The code is used up: where Slack does not answer now, splitwatch does without what it is called there. */
function lookUp(botToken: string, { lookUp: look, log }: InstallRoutesParts): ReturnType<InstallRoutesParts["lookUp"]> {
  return look(botToken).catch((error: unknown) => {
    log.warn("slack workspace lookup failed", { reason: describeFailure(asCallError(error).failure) });
    return { botName: "splitwatch", url: null };
  });
}

function notGranted(error: CallError, parts: InstallRoutesParts): Page {
  const reason = describeFailure(error.failure);
  if (isAppCredentialError(error)) {
    parts.log.error("slack install rejected", {
      reason: `Slack refuses the app itself (${reason}): look at SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and PUBLIC_URL`,
    });
    return FAILED_PAGE;
  }
  parts.log.warn("slack install rejected", { reason });
  return error.failure.kind === "refused"
    ? rejectedCodePage(reason, beginAgain(parts))
    : unreachablePage(beginAgain(parts));
}

function beginAgain({ publicUrl }: InstallRoutesParts): string {
  return `${publicUrl ?? ""}${INSTALL_PATH}`;
}

function notAllowed(): Response {
  return new Response("Only GET\n", {
    status: 405,
    headers: { allow: "GET", "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
