import { type APIInteraction, InteractionResponseType, MessageFlags, type RawFile, Routes } from "discord.js";
import { settleWithin } from "../../lib/clock.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Api } from "./api.ts";
import type { DiscordMessage } from "./message-files.ts";

/** Discord requires the first response within three seconds. */
const DEFER_AFTER_MS = 1_500;

/** `private`: visible to the requester. `public`: visible to everyone. `update`: replaces the message of the pressed button. */
export type ReplyMode = "private" | "update" | "public";

export interface ReplyParts {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
}

const IMMEDIATE_RESPONSE = {
  private: InteractionResponseType.ChannelMessageWithSource,
  public: InteractionResponseType.ChannelMessageWithSource,
  update: InteractionResponseType.UpdateMessage,
} as const;

const DEFERRED_RESPONSE = {
  private: InteractionResponseType.DeferredChannelMessageWithSource,
  public: InteractionResponseType.DeferredChannelMessageWithSource,
  update: InteractionResponseType.DeferredMessageUpdate,
} as const;

/** Sends the result of `work`. Defers the response if the work takes long. Logs and drops a reply that cannot be sent. */
export async function reply(
  interaction: APIInteraction,
  mode: ReplyMode,
  work: Promise<readonly DiscordMessage[]>,
  parts: ReplyParts,
): Promise<void> {
  const { api, clock, log } = parts;
  const callback = Routes.interactionCallback(interaction.id, interaction.token);
  const respond = (type: InteractionResponseType, { body: data, ...files }: RequestParts): Promise<unknown> =>
    api.answer("post", callback, { body: { type, data }, ...files });
  const flags = mode === "private" ? { flags: MessageFlags.Ephemeral } : {};
  try {
    const messages = await settleWithin(work, DEFER_AFTER_MS, clock);
    const [first, ...followUps] = messages ?? [];
    if (messages === null) {
      await respond(DEFERRED_RESPONSE[mode], { body: flags });
      await completeDeferred(interaction, flags, await work, api);
    } else if (first) {
      await respond(IMMEDIATE_RESPONSE[mode], mode === "update" ? replacementFor(first) : requestFor(first, flags));
      await followUp(interaction, flags, followUps, api);
    }
  } catch (error) {
    log.warn("discord reply failed", { error });
  }
}

async function completeDeferred(
  interaction: APIInteraction,
  flags: object,
  [first, ...followUps]: readonly DiscordMessage[],
  api: Api,
): Promise<void> {
  const { application_id: applicationId, token } = interaction;
  if (first) await api.answer("patch", Routes.webhookMessage(applicationId, token, "@original"), replacementFor(first));
  await followUp(interaction, flags, followUps, api);
}

async function followUp(
  { application_id: applicationId, token }: APIInteraction,
  flags: object,
  messages: readonly DiscordMessage[],
  api: Api,
): Promise<void> {
  for (const message of messages)
    await api.answer("post", Routes.webhook(applicationId, token), requestFor(message, flags));
}

interface RequestParts {
  readonly body: object;
  readonly files?: RawFile[];
}

function requestFor({ body, files }: DiscordMessage, flags: object): RequestParts {
  return { body: { ...body, ...flags }, ...(files.length === 0 ? {} : { files: [...files] }) };
}

/** Request that replaces a message. The former files disappear: Discord keeps only the listed attachments. */
function replacementFor({ body, files }: DiscordMessage): RequestParts {
  return requestFor({ body: { ...body, attachments: body.attachments ?? [] }, files }, {});
}
