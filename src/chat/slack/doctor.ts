import { z } from "zod";
import type { Destination } from "../../domain/alert/destination.ts";
import { HttpError } from "../../http/client.ts";
import { assertPortFree, connectableAddress, hostAndPort, ListenError } from "../../http/server.ts";
import { type CheckResult, fail, pass, warn, withPrefix } from "../../lib/check-result.ts";
import { formatCount } from "../../messages/format.ts";
import { type Installation, storableName } from "../../ports/state-records.ts";
import type { CheckContext } from "../platform-definition.ts";
import { checkChannels, explainCallError } from "./doctor-channels.ts";
import { checkCredentialForms, checkPublicUrl } from "./doctor-forms.ts";
import { createVault, wrongKeyMessage } from "./install/registry.ts";
import { INSTALL_PATH } from "./install/routes.ts";
import { ADMIN_SCOPE, SCOPES, type Scope } from "./manifest.ts";
import { type ManyWorkspacesAccess, receivesRequests, type SlackApp, tokenKindProblem } from "./settings.ts";
import { CallError, createWebApi, describeFailure, refusalCode, slackHttp, type WebApi } from "./web-api.ts";
import { parseDestination } from "./workspace.ts";

export interface SlackCheckContext extends Omit<CheckContext, "clock"> {
  readonly app: SlackApp;
  readonly restrictSubscribe: boolean;
}

const BOT_TOKEN_ADVICE = "copy the Bot User OAuth Token (xoxb-...) from OAuth & Permissions";
const APP_TOKEN_ADVICE = "create an app-level token (xapp-...) with connections:write under Basic Information";

/** Checks the tokens, their scopes and each channel with rules. */
export async function runSlackChecks(context: SlackCheckContext): Promise<readonly CheckResult[]> {
  const { app } = context;
  const problem = tokenKindProblem(app);
  if (problem !== null) return [fail(problem.text)];
  return [
    ...checkCredentialForms(app),
    ...checkPublicUrl(app, context.server.publicUrl),
    ...(await checkPort(app, context.server.host)),
    ...(await checkAccess(context)),
  ];
}

/** Checks that SLACK_PORT is free, or in use by splitwatch. */
async function checkPort(app: SlackApp, host: string): Promise<readonly CheckResult[]> {
  const { port } = app;
  if (port === null || !receivesRequests(app)) return [];
  try {
    await assertPortFree({ host, port }, "SLACK_PORT");
    return [];
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    return error.isInUse && (await servesSlack(`http://${hostAndPort(host, port)}`)) ? [] : [fail(error.message)];
  }
}

/** True if a splitwatch answers at the address: it refuses GET, or redirects browsers that install the app. */
async function servesSlack(address: string): Promise<boolean> {
  const statusOf = async (path: string): Promise<number> => {
    const answer = await slackHttp.request(new URL(path, connectableAddress(address)));
    return answer.status;
  };
  try {
    return (await statusOf("/slack/events")) === 405 || (await statusOf(INSTALL_PATH)) === 302;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}

async function checkAccess(context: SlackCheckContext): Promise<readonly CheckResult[]> {
  const { app, log } = context;
  if (app.access.kind === "many") return checkInstalledWorkspaces(app.access, context);
  const api = createWebApi(app.access.botToken, { apiUrl: app.apiUrl, log });
  try {
    const { identity, channels } = await checkWorkspace(api, context);
    return [...identity, await checkTransport(context), ...channels];
  } catch (error) {
    return [fail(explainCallError(error, "SLACK_BOT_TOKEN", BOT_TOKEN_ADVICE))];
  }
}

/** Checks each self-installed workspace without renewing tokens, which would invalidate the tokens of a running instance. */
async function checkInstalledWorkspaces(
  { encryptionKey }: ManyWorkspacesAccess,
  context: SlackCheckContext,
): Promise<readonly CheckResult[]> {
  const { installations, server, channels } = context;
  const installed = installations.filter(({ credentials }) => credentials !== null);
  const vault = createVault(encryptionKey);
  const perWorkspace = await Promise.all(
    installed.map(async (installation) => {
      const credentials = vault.open(installation);
      const results =
        credentials === null
          ? [fail(wrongKeyMessage("this workspace"))]
          : await checkInstalledWorkspace(installation, credentials.botToken, context);
      return withPrefix(`workspace ${installation.workspaceId}`, results);
    }),
  );
  const installPage =
    server.publicUrl === null
      ? "PUBLIC_URL is not set, so Slack redirects to the app's first Redirect URL"
      : `install page: ${server.publicUrl}${INSTALL_PATH}`;
  return [
    pass(`${installationSummary(installed.length, installations.length - installed.length)}; ${installPage}`),
    await checkTransport(context),
    ...perWorkspace.flat(),
    ...checkUnknownWorkspaces(channels, installations),
  ];
}

/** `splitwatch is installed in 1 workspace and was removed from 2` */
function installationSummary(installedCount: number, removedCount: number): string {
  const removed = removedCount === 0 ? "" : ` and was removed from ${removedCount}`;
  return `splitwatch is installed in ${formatCount(installedCount, "workspace")}${removed}`;
}

async function checkInstalledWorkspace(
  { workspaceId }: Installation,
  botToken: string,
  context: SlackCheckContext,
): Promise<readonly CheckResult[]> {
  const channels = context.channels.filter((destination) => parseDestination(destination)?.teamId === workspaceId);
  const api = createWebApi(botToken, { apiUrl: context.app.apiUrl, log: context.log });
  try {
    const results = await checkWorkspace(api, { ...context, channels });
    return [...results.identity, ...results.channels];
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (refusalCode(error) === "token_expired") return [pass("the token has expired; it is renewed at the next use")];
    return [fail(`the token does not work (${describeFailure(error.failure)}); install splitwatch there again`)];
  }
}

function checkUnknownWorkspaces(
  channels: readonly Destination[],
  installations: readonly Installation[],
): readonly CheckResult[] {
  const knownWorkspaceIds = new Set(installations.map(({ workspaceId }) => workspaceId));
  return channels
    .filter((destination) => !knownWorkspaceIds.has(parseDestination(destination)?.teamId ?? ""))
    .map((destination) =>
      pass(`channel ${destination.id}: its workspace has not installed splitwatch; alerts resume when it does`),
    );
}

interface WorkspaceResults {
  /** Results about the token and its scopes. */
  readonly identity: readonly CheckResult[];
  readonly channels: readonly CheckResult[];
}

/** Checks the token, its scopes, then each channel. Rejects with a CallError if Slack refuses the token. */
async function checkWorkspace(api: WebApi, context: SlackCheckContext): Promise<WorkspaceResults> {
  const bot = await api.call("auth.test", {}, botIdentity);
  return {
    identity: [
      pass(`the token belongs to the bot ${bot.user} in the workspace ${bot.team}`),
      ...checkScopes(bot.response_metadata?.scopes ?? null, context),
    ],
    channels: await checkChannels(api, context.channels, bot),
  };
}

const nameSchema = z.string().transform(storableName);

const botIdentity = z.object({
  team_id: z.string(),
  team: nameSchema.default(""),
  user: nameSchema.default("splitwatch"),
  /** Slack reports the token's scopes with every response. */
  response_metadata: z.looseObject({ scopes: z.array(z.string()).optional() }).optional(),
});

/** Fails for missing scopes that are required, and warns about missing optional ones. */
function checkScopes(
  granted: readonly string[] | null,
  { restrictSubscribe }: SlackCheckContext,
): readonly CheckResult[] {
  if (granted === null) return [pass("Slack doesn't report the token's scopes")];
  const adminScope: Scope = { name: ADMIN_SCOPE, purpose: "checks who is an admin, for slack.restrictSubscribe" };
  const needed = [...SCOPES, ...(restrictSubscribe ? [adminScope] : [])];
  const missing = needed.filter(({ name }) => !granted.includes(name));
  if (missing.length === 0) return [pass("the token has all scopes")];
  const required = missing.filter(({ without }) => without === undefined);
  const optional = missing.filter(({ without }) => without !== undefined);
  return [
    ...(required.length > 0 ? [fail(missingScopes("required", required))] : []),
    ...(optional.length > 0 ? [warn(missingScopes("optional", optional))] : []),
  ];
}

function missingScopes(kind: "required" | "optional", scopes: readonly Scope[]): string {
  const list = scopes.map(
    ({ name, purpose, without }) => `${name} (${purpose}${without ? `; without it, ${without}` : ""})`,
  );
  return `the token lacks ${kind} scopes: ${list.join("; ")}. Add them under OAuth & Permissions, then install the app again`;
}

async function checkTransport({ app, log }: SlackCheckContext): Promise<CheckResult> {
  if (app.transport.kind === "http") {
    return pass(`commands arrive as signed requests to /slack/events on ${app.port === null ? "PORT" : "SLACK_PORT"}`);
  }
  try {
    await createWebApi(app.transport.appToken, { apiUrl: app.apiUrl, log }).call(
      "apps.connections.open",
      {},
      z.unknown(),
    );
    return pass("commands arrive through Socket Mode, which connects");
  } catch (error) {
    return fail(explainCallError(error, "SLACK_APP_TOKEN", APP_TOKEN_ADVICE));
  }
}
