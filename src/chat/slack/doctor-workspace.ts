import { z } from "zod";
import type { Destination } from "../../domain/alert/destination.ts";
import { type CheckResult, fail, pass } from "../../lib/check-result.ts";
import type { Log } from "../../ports/log.ts";
import type { Installation } from "../../ports/state-records.ts";
import { inviteHint, isPermanentRefusal } from "./alerts/delivery-errors.ts";
import { ADMIN_SCOPE, SCOPES } from "./manifest.ts";
import type { SlackApp } from "./settings.ts";
import { CallError, createWebApi, describeFailure, refusalCode, type WebApi } from "./web-api.ts";
import { parseDestination } from "./workspace.ts";

export interface SlackCheckContext {
  readonly app: SlackApp;
  readonly restrictSubscribe: boolean;
  /** Those that alerts go to. */
  readonly channels: readonly Destination[];
  /** The workspaces that installed the app by themselves. */
  readonly installations: readonly Installation[];
  /** How the outside reaches splitwatch; null: nobody said. */
  readonly publicUrl: string | null;
  readonly log: Log;
}

/** What a token opens: whose it is, its scopes, then each channel. Fails with a CallError where Slack does not take it. */
export async function checkWorkspace(
  api: WebApi,
  examined: SlackCheckContext,
): Promise<readonly [CheckResult, CheckResult, ...CheckResult[]]> {
  const identity = await api.call("auth.test", {}, identitySchema);
  const channels = examined.channels.map((to) => checkChannel(api, to, identity));
  return [
    pass(`the token is that of the bot ${identity.user} in the workspace ${identity.team}`),
    checkScopes(identity.response_metadata?.scopes ?? null, examined),
    ...(await Promise.all(channels)),
  ];
}

const identitySchema = z.object({
  team_id: z.string(),
  team: z.string().default(""),
  user: z.string().default("splitwatch"),
  response_metadata: z.looseObject({ scopes: z.array(z.string()).optional() }).optional(),
});

export const BOT_TOKEN_ADVICE = "copy the Bot User OAuth Token under OAuth & Permissions";
const APP_TOKEN_ADVICE = "make an app-level token with connections:write under Basic Information";

/** Slack tells a token's scopes with every answer; null: it did not. */
function checkScopes(granted: readonly string[] | null, { restrictSubscribe }: SlackCheckContext): CheckResult {
  if (granted === null) return pass("Slack does not tell the scopes of the token");
  const admins = { name: ADMIN_SCOPE, why: "who is an admin, for slack.restrictSubscribe" };
  const missing = [...SCOPES, ...(restrictSubscribe ? [admins] : [])].filter(({ name }) => !granted.includes(name));
  if (missing.length === 0) return pass("the token has every scope that is used");
  const named = missing.map(({ name, why }) => `${name} (${why})`).join("; ");
  return fail(`the token lacks ${named}: add under OAuth & Permissions, then install the app again`);
}

export async function checkTransport({ app, log }: SlackCheckContext): Promise<CheckResult> {
  if (app.inlet.kind === "http") {
    return pass(`commands come as signed requests to /slack/events on ${app.port === null ? "PORT" : "SLACK_PORT"}`);
  }
  try {
    await createWebApi(app.inlet.appToken, app.apiUrl, log).call("apps.connections.open", {}, z.unknown());
    return pass("commands come by Socket Mode, which can be opened");
  } catch (error) {
    return fail(explainCallError(error, "SLACK_APP_TOKEN", APP_TOKEN_ADVICE));
  }
}

/** Who may read a channel is in it, and may post there. */
async function checkChannel(
  api: WebApi,
  to: Destination,
  bot: { readonly team_id: string; readonly user: string },
): Promise<CheckResult> {
  const parts = parseDestination(to);
  if (parts === null || parts.teamId !== bot.team_id) {
    return fail(
      `channel ${to.id}: it belongs to another workspace than the token; remove its rules, or set that token`,
    );
  }
  const name = `channel ${parts.localId}`;
  try {
    await api.call("conversations.history", { channel: parts.localId, limit: 1 }, z.unknown());
    return pass(`${name}: alerts can be posted`);
  } catch (error) {
    const code = refusalCode(error);
    if (code === "missing_scope") return pass(`${name}: it could not be looked at without the missing scope`);
    if (code !== "not_in_channel" && code !== "channel_not_found")
      return fail(`${name}: ${explainCallError(error, "it", "")}`);
    return fail(`${name}: splitwatch is not in it, or it is gone; ${inviteHint(bot.user)}`);
  }
}

export function explainCallError(error: unknown, variable: string, advice: string): string {
  if (!(error instanceof CallError)) throw error;
  const why = describeFailure(error.failure);
  if (isPermanentRefusal(error.failure)) return `${variable} is refused (${why}); ${advice}`;
  return `Slack cannot be asked (${why}); see whether the network and SLACK_API_URL are right`;
}
