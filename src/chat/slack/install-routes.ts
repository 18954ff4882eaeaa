import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Log } from "../../ports/log.ts";
import type { Credentials } from "./credentials.ts";
import { asCallError } from "./errors.ts";
import { type InstallPage, pageAnswer } from "./install-pages.ts";
import { type InstallState, newBrowser, STATE_MS } from "./install-state.ts";
import type { Granted, OAuthAccess } from "./oauth-access.ts";
import { type CallError, failureWords, refusalCode } from "./web-api.ts";

export const INSTALL_PATH = "/slack/install";
const REDIRECT_PATH = "/slack/oauth_redirect";

const AUTHORIZE = "https://slack.com/oauth/v2/authorize";
const COOKIE = "splitwatch_install";
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
  readonly enter: (teamId: string, credentials: Credentials) => Promise<void>;
  readonly log: Log;
}

/** Where a workspace takes splitwatch in. Neither the code nor the state is ever written anywhere. */
export function installRoutes(parts: InstallRoutesParts): Hono {
  const routes = new Hono();
  routes.onError((error) => {
    parts.log.error("slack-install-failed", { error });
    return pageAnswer(FAILED);
  });
  routes.on("GET", INSTALL_PATH, (c) => (c.req.method === "GET" ? beginInstall(c, parts) : notAllowed()));
  routes.on("GET", REDIRECT_PATH, (c) => (c.req.method === "GET" ? endInstall(c, parts) : notAllowed()));
  for (const path of [INSTALL_PATH, REDIRECT_PATH]) routes.all(path, notAllowed);
  return routes;
}

/** The same paths where nothing can be installed. */
export function closedInstallRoutes(): Hono {
  const routes = new Hono();
  for (const path of [INSTALL_PATH, REDIRECT_PATH]) routes.all(path, () => pageAnswer(NOT_SET_UP));
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
    maxAge: STATE_MS / 1_000,
  });
  const address = new URL(AUTHORIZE);
  address.searchParams.set("client_id", parts.clientId);
  address.searchParams.set("scope", parts.scopes.join(","));
  address.searchParams.set("state", parts.state.issue(browser));
  const redirectUri = redirectUriOf(parts.publicUrl);
  if (redirectUri !== null) address.searchParams.set("redirect_uri", redirectUri);
  const cookie = c.res.headers.get("set-cookie") ?? "";
  const page: InstallPage = {
    status: 302,
    title: "Add splitwatch to a Slack workspace",
    lines: ["Slack asks which workspace, and what splitwatch may do there."],
    link: { text: "Go on to Slack", address: address.href },
  };
  return pageAnswer(page, { location: address.href, "set-cookie": cookie });
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
  if (!(await parts.state.redeem(state, getCookie(c, COOKIE) ?? ""))) return pageAnswer(badState(parts));
  if (error === "access_denied") return pageAnswer(denied(parts));
  if (error !== undefined || code === "") return pageAnswer(noCode(parts));
  return pageAnswer(await install(code, parts));
}

async function install(code: string, parts: InstallRoutesParts): Promise<InstallPage> {
  let granted: Granted;
  try {
    granted = await parts.access.redeem(code);
  } catch (error) {
    return notGranted(asCallError(error), parts);
  }
  const { botToken, rotation, team, isOrgWide } = granted;
  if (isOrgWide) return orgWide(parts);
  if (team === null || botToken === null) return noBot(parts);
  try {
    await parts.enter(team.id, { botToken, rotation, ...(await lookUp(botToken, parts)) });
  } catch (error) {
    parts.log.error("slack-install-failed", { workspace: team.id, error });
    return FAILED;
  }
  return installed(team.name);
}

/** The code is used up: where Slack does not answer now, splitwatch does without what it is called there. */
function lookUp(botToken: string, { lookUp: look, log }: InstallRoutesParts): ReturnType<InstallRoutesParts["lookUp"]> {
  return look(botToken).catch((error: unknown) => {
    log.warn("slack-workspace-not-looked-up", { reason: failureWords(asCallError(error).failure) });
    return { botName: "splitwatch", url: null };
  });
}

const OURS = new Set(["invalid_client_id", "bad_client_secret", "bad_redirect_uri", "invalid_client"]);

function notGranted(error: CallError, parts: InstallRoutesParts): InstallPage {
  const reason = failureWords(error.failure);
  if (OURS.has(refusalCode(error))) {
    parts.log.error("slack-install-refused", {
      reason: `Slack refuses the app itself (${reason}): look at SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and PUBLIC_URL`,
    });
    return FAILED;
  }
  parts.log.warn("slack-install-refused", { reason });
  const isRefused = error.failure.kind === "refused";
  return {
    status: isRefused ? 400 : 502,
    title: "splitwatch was not installed",
    lines: [
      isRefused ? `Slack did not accept the code that it had given (${reason}).` : "Slack cannot be reached just now.",
    ],
    link: again(parts),
  };
}

function again({ publicUrl }: InstallRoutesParts): { readonly text: string; readonly address: string } {
  return { text: "Begin again", address: `${publicUrl ?? ""}${INSTALL_PATH}` };
}

function badState(parts: InstallRoutesParts): InstallPage {
  return {
    status: 400,
    title: "This cannot be gone on with",
    lines: [
      "It was not begun in this browser, was begun more than ten minutes ago, or is over already. Nothing was installed by it.",
    ],
    link: again(parts),
  };
}

function denied(parts: InstallRoutesParts): InstallPage {
  return {
    status: 403,
    title: "splitwatch was not installed",
    lines: [
      "You did not allow it, and nothing has changed. Should somebody else decide: they can begin with the link below.",
    ],
    link: again(parts),
  };
}

function noCode(parts: InstallRoutesParts): InstallPage {
  return { status: 400, title: "splitwatch was not installed", lines: ["Slack gave no code."], link: again(parts) };
}

function orgWide(parts: InstallRoutesParts): InstallPage {
  return {
    status: 400,
    title: "splitwatch was not installed",
    lines: [
      "It was to be installed for a whole organization, which splitwatch cannot do.",
      "Choose one workspace; each of several can install it by itself.",
    ],
    link: again(parts),
  };
}

function noBot(parts: InstallRoutesParts): InstallPage {
  return {
    status: 400,
    title: "splitwatch was not installed",
    lines: ["Slack gave no token for the bot: the app needs a bot user, and its scopes have to be asked for."],
    link: again(parts),
  };
}

function installed(workspace: string): InstallPage {
  return {
    status: 200,
    title: `splitwatch is in ${workspace === "" ? "your workspace" : workspace}`,
    lines: [
      "In a channel type /splits subscribe to hear of reverse splits there. Public channels are joined by themselves; in a private one type /invite @splitwatch first.",
      "For yourself type /splits watch and tickers. /splits help shows the rest.",
      "This page can be closed.",
    ],
  };
}

const FAILED: InstallPage = {
  status: 500,
  title: "splitwatch could not be installed",
  lines: ["Something is wrong on splitwatch's side. Whoever runs it finds the reason in its log."],
};

const NOT_SET_UP: InstallPage = {
  status: 503,
  title: "splitwatch cannot be installed here",
  lines: ["It is not set up for this. Whoever runs it finds the reason in its log, and with splitwatch doctor."],
};

function notAllowed(): Response {
  return new Response("Only GET\n", {
    status: 405,
    headers: { allow: "GET", "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
