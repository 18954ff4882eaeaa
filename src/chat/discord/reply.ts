import { type APIInteraction, InteractionResponseType, MessageFlags, type RawFile, Routes } from "discord.js";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Api } from "./api.ts";
import type { DiscordMessage } from "./attachments.ts";

/** Discord takes no first answer after three seconds. */
const DEFER_AFTER_MS = 1_500;

/** `update`: in the place of the message that the pressed button stands on. `public`: for all in the channel. */
export type ReplyMode = "private" | "update" | "public";

export interface ReplyParts {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
}

const FIRST = {
  private: InteractionResponseType.ChannelMessageWithSource,
  public: InteractionResponseType.ChannelMessageWithSource,
  update: InteractionResponseType.UpdateMessage,
} as const;

const DEFERRED = {
  private: InteractionResponseType.DeferredChannelMessageWithSource,
  public: InteractionResponseType.DeferredChannelMessageWithSource,
  update: InteractionResponseType.DeferredMessageUpdate,
} as const;

/** Answers when `work` is done, and says in time that the answer will come. What cannot be handed over is lost: nobody waits for it. */
export async function reply(
  interaction: APIInteraction,
  manner: ReplyMode,
  work: Promise<readonly DiscordMessage[]>,
  parts: ReplyParts,
): Promise<void> {
  const { api, clock, log } = parts;
  const callback = Routes.interactionCallback(interaction.id, interaction.token);
  const begin = (type: InteractionResponseType, { body: data, ...files }: Sent): Promise<unknown> =>
    api.answer("post", callback, { body: { type, data }, ...files });
  const flags = manner === "private" ? { flags: MessageFlags.Ephemeral } : {};
  const enough = new AbortController();
  try {
    const ready = await Promise.race([work, clock.sleep(DEFER_AFTER_MS, enough.signal).then(() => null)]);
    const [first, ...others] = ready ?? [];
    if (ready === null) {
      await begin(DEFERRED[manner], { body: flags });
      await deliverLate(interaction, flags, await work, api);
    } else if (first) {
      await begin(FIRST[manner], manner === "update" ? inItsPlace(first) : sent(first, flags));
      await followUp(interaction, flags, others, api);
    }
  } catch (error) {
    log.warn("discord reply failed", { error });
  } finally {
    enough.abort();
  }
}

async function deliverLate(
  interaction: APIInteraction,
  flags: object,
  [first, ...others]: readonly DiscordMessage[],
  api: Api,
): Promise<void> {
  const { application_id: applicationId, token } = interaction;
  if (first) await api.answer("patch", Routes.webhookMessage(applicationId, token, "@original"), inItsPlace(first));
  await followUp(interaction, flags, others, api);
}

async function followUp(
  { application_id: applicationId, token }: APIInteraction,
  flags: object,
  messages: readonly DiscordMessage[],
  api: Api,
): Promise<void> {
  for (const message of messages) await api.answer("post", Routes.webhook(applicationId, token), sent(message, flags));
}

/** A request's parts. */
interface Sent {
  readonly body: object;
  readonly files?: RawFile[];
}

function sent({ body, files }: DiscordMessage, flags: object): Sent {
  return { body: { ...body, ...flags }, ...(files.length === 0 ? {} : { files: [...files] }) };
}

/** The files of what stood there before go: only those that are named stay. */
function inItsPlace({ body, files }: DiscordMessage): Sent {
  return sent({ body: { ...body, attachments: body.attachments ?? [] }, files }, {});
}
