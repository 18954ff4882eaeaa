import { DiscordAPIError, OAuth2Scopes, Routes } from "discord.js";
import { z } from "zod";
import type { Destination } from "../../domain/alert/destination.ts";
import { type CheckResult, fail, pass } from "../../lib/check-result.ts";
import { type Api, type ApiOptions, createApi } from "./api.ts";
import { TOKEN_REFUSED, toDeliveryError } from "./delivery-errors.ts";
import { channelIdOf, guildOf } from "./destinations.ts";
import { missingPermissions, neededPermissions, readChannelAccess } from "./permissions.ts";

const applicationSchema = z.object({
  id: z.string(),
  integration_types_config: z.record(z.string(), z.unknown()).nullish(),
});
const userSchema = z.object({ id: z.string(), username: z.string() });
const gatewaySchema = z.object({
  shards: z.number(),
  session_start_limit: z.object({ remaining: z.number(), total: z.number() }),
});

/** Looks at the token, the gateway and each channel that alerts go to. Nothing is changed or posted. */
export async function checkDiscord(
  options: ApiOptions,
  channels: readonly Destination[],
): Promise<readonly CheckResult[]> {
  const api = createApi(options);
  try {
    const user = userSchema.parse(await api.call("get", Routes.user()));
    const application = applicationSchema.parse(await api.call("get", Routes.currentApplication()));
    const gateway = gatewaySchema.parse(await api.call("get", Routes.gatewayBot()));
    const observations = [
      pass(`the token is that of the bot ${user.username}`),
      ...gatewayFindings(gateway),
      ...installFindings(application),
    ];
    for (const to of channels) observations.push(await examineChannel(api, to, user.id));
    return observations;
  } catch (error) {
    return [fail(reasonOf(error))];
  } finally {
    api.stop();
  }
}

/** Where somebody who manages a server adds the bot to it, with the permissions that it needs and no more. */
function inviteLink(applicationId: string): string {
  const scope = [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(" ");
  const permissions = String(neededPermissions());
  const query = new URLSearchParams({ client_id: applicationId, scope, permissions });
  return `https://discord.com/oauth2/authorize?${query.toString()}`;
}

function gatewayFindings({ session_start_limit: limit }: z.infer<typeof gatewaySchema>): readonly CheckResult[] {
  const left = `${limit.remaining} of ${limit.total} connections are left today`;
  if (limit.remaining === 0) return [fail(`${left}: wait until tomorrow, and see what restarts so often`)];
  return [pass(`the gateway can be reached; intents: Guilds alone, so nothing is to be switched on; ${left}`)];
}

function installFindings(application: z.infer<typeof applicationSchema>): readonly CheckResult[] {
  const { id, integration_types_config: types } = application;
  const byUser = types === null || types === undefined || "1" in types;
  const invite = pass(`to add the bot to a server: ${inviteLink(id)}`);
  return byUser
    ? [invite]
    : [invite, pass("people cannot add it to their account: switch User Install on if they should")];
}

async function examineChannel(api: Api, to: Destination, botId: string): Promise<CheckResult> {
  const [guildId, channelId] = [guildOf(to), channelIdOf(to)];
  if (guildId === null) return fail(`channel ${channelId}: it belongs to no server`);
  try {
    const { channel, isThread, permissions } = await readChannelAccess(api, { guildId, channelId, botId });
    const missing = missingPermissions(permissions, isThread);
    const name = `channel #${channel} (${channelId})`;
    if (missing.length === 0) return pass(`${name}: alerts can be posted`);
    return fail(`${name}: give splitwatch ${missing.join(", ")}`);
  } catch (error) {
    return fail(`channel ${channelId}: ${toDeliveryError(error, to).message}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DiscordAPIError && error.status === 401) return TOKEN_REFUSED;
  const reason = error instanceof Error ? error.message : String(error);
  return `Discord cannot be asked (${reason}); see whether the network and DISCORD_API_URL are right`;
}
