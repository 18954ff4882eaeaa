import { DiscordAPIError, RateLimitError, Routes } from "discord.js";
import { z } from "zod";
import type { Destination } from "../../domain/alert/destination.ts";
import { type CheckResult, fail, pass } from "../../lib/check-result.ts";
import { errorMessage } from "../../lib/error-text.ts";
import { storableName } from "../../ports/state-records.ts";
import { TokenState } from "../token-state.ts";
import { type ApiOptions, createApi } from "./api.ts";
import { TOKEN_REJECTED, toDeliveryError } from "./delivery-errors.ts";
import { channelIdOf, guildOf, PLATFORM } from "./destinations.ts";
import { type AccessReader, createAccessReader, inviteLink, missingPermissions } from "./permissions.ts";

const applicationSchema = z.object({
  id: z.string(),
  integration_types_config: z.record(z.string(), z.unknown()).nullish(),
});
const userSchema = z.object({ id: z.string(), username: z.string() });
const gatewaySchema = z.object({
  shards: z.number(),
  session_start_limit: z.object({ remaining: z.number(), total: z.number() }),
});

/** Checks the token, the gateway and each channel that has rules. Only reads from Discord. */
export async function checkDiscord(
  options: Omit<ApiOptions, "tokenState">,
  channels: readonly Destination[],
): Promise<readonly CheckResult[]> {
  const api = createApi({ ...options, tokenState: new TokenState(PLATFORM, options) });
  try {
    const user = userSchema.parse(await api.call("get", Routes.user()));
    const application = applicationSchema.parse(await api.call("get", Routes.currentApplication()));
    const gateway = gatewaySchema.parse(await api.call("get", Routes.gatewayBot()));
    const results = [
      pass(`token OK: bot ${storableName(user.username)}`),
      checkGateway(gateway),
      ...checkInstallation(application),
    ];
    const access = createAccessReader(api);
    for (const destination of channels) results.push(await checkChannel(access, destination, user.id));
    return results;
  } catch (error) {
    return [fail(explainError(error, options))];
  } finally {
    api.stop();
  }
}

function checkGateway({ session_start_limit: limit }: z.infer<typeof gatewaySchema>): CheckResult {
  const left = `${limit.remaining} of ${limit.total} connections left today`;
  if (limit.remaining === 0) return fail(`${left}: wait until tomorrow, and check what restarts the bot repeatedly`);
  return pass(`gateway OK; the only intent is Guilds, so no privileged intent is needed; ${left}`);
}

function checkInstallation(application: z.infer<typeof applicationSchema>): readonly CheckResult[] {
  const { id, integration_types_config: types } = application;
  // "1" is Discord's key of user installs. Without the field, the application's settings are unknown.
  const hasUserInstall = types === null || types === undefined || "1" in types;
  const link = inviteLink(id);
  const invite = { ...pass(`invite link: ${link}`), inviteLink: link };
  return hasUserInstall
    ? [invite]
    : [invite, pass("people can't add the bot to their account; enable User Install to allow it")];
}

async function checkChannel(access: AccessReader, destination: Destination, botId: string): Promise<CheckResult> {
  const [guildId, channelId] = [guildOf(destination), channelIdOf(destination)];
  if (guildId === null) return fail(`channel ${channelId}: it belongs to no server; remove its rules`);
  try {
    const { channel, isThread, permissions } = await access.read({ guildId, channelId, botId });
    const missing = missingPermissions(permissions, isThread);
    const name = `channel #${channel} (${channelId})`;
    if (missing.length === 0) return pass(`${name}: OK`);
    return fail(`${name}: grant splitwatch ${missing.join(", ")}`);
  } catch (error) {
    return fail(`channel ${channelId}: ${toDeliveryError(error, destination).message}`);
  }
}

function explainError(error: unknown, { token, apiUrl }: Pick<ApiOptions, "token" | "apiUrl">): string {
  if (error instanceof DiscordAPIError && error.status === 401) return `${TOKEN_REJECTED}${tokenHint(token)}`;
  if (error instanceof RateLimitError)
    return "Discord limits the requests of this bot; run the check again in a few minutes";
  // Discord's own API answers neither of them to these requests.
  const isOtherApi = error instanceof z.ZodError || (error instanceof DiscordAPIError && error.status !== 403);
  if (isOtherApi && apiUrl !== null) {
    const answer = error instanceof DiscordAPIError ? `with status ${error.status}` : "with other data than Discord";
    return `DISCORD_API_URL: got ${apiUrl}, which answers ${answer}, expected the REST base address without a version, such as https://discord.com/api`;
  }
  return `Discord can't be reached (${errorMessage(error)}); check the network and DISCORD_API_URL`;
}

/** Values of the Developer Portal that are mistaken for the bot token. */
const OTHER_VALUES = [
  { form: /^\d{15,21}$/, name: "an application ID" },
  { form: /^[0-9a-f]{64}$/, name: "a public key" },
  { form: /^[\w-]{32}$/, name: "a client secret" },
];

function tokenHint(token: string): string {
  const other = OTHER_VALUES.find(({ form }) => form.test(token));
  if (other !== undefined) return ` (it looks like ${other.name}; the token is on the page Bot)`;
  return token.split(".").length === 3 ? "" : " (it isn't a bot token, which has three parts with dots between them)";
}
