import { type APIInteraction, InteractionResponseType, MessageFlags, type RawFile, Routes } from "discord.js";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { backoffMs } from "../../lib/backoff.ts";
import { settleWithin } from "../../lib/clock.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Api } from "./api.ts";
import { isApiError, isRepeatable } from "./delivery-errors.ts";
import type { DiscordMessage } from "./message-files.ts";

/** Discord requires the first response within three seconds. */
const DEFER_AFTER_MS = 1_500;

/** Discord accepts the answer to a deferred response for 15 minutes. Without it, the person sees that splitwatch is thinking. */
const COMPLETE_WITHIN_MS = 14 * MINUTE_MS;
const COMPLETION = { withinMs: COMPLETE_WITHIN_MS, retry: { firstMs: 1_000, maxMs: MINUTE_MS } };

/** Discord may close an idle connection while the first response is written. A repeated response still arrives in time. */
const FIRST_RESPONSE = { withinMs: 3_000 - DEFER_AFTER_MS, retry: { firstMs: 50, maxMs: 500 } };
/** Error code for a response to an interaction that already has one. */
const ALREADY_ACKNOWLEDGED = 40_060;
/** Error code for an interaction that is over. Sometimes Discord also answers so if it already has a response. */
const UNKNOWN_INTERACTION = 10_062;

/** True if the interaction may have the response of another process, which received it too. */
export function isAcknowledged(error: unknown): boolean {
  return isApiError(error, ALREADY_ACKNOWLEDGED) || isApiError(error, UNKNOWN_INTERACTION);
}

/** `private`: visible to the requester. `public`: visible to everyone. `update`: replaces the message of the pressed button. */
export type ReplyMode = "private" | "update" | "public";

export interface ReplyParts {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the retries of answers. */
  readonly signal: AbortSignal;
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

/**
 * Sends the result of `work`. Defers the response if the work takes long; the answer is then sent until Discord takes it. Logs and
 * drops a reply that cannot be sent.
 */
export async function reply(
  interaction: APIInteraction,
  mode: ReplyMode,
  work: Promise<readonly DiscordMessage[]>,
  parts: ReplyParts,
): Promise<void> {
  const { api, clock, log } = parts;
  const callback = Routes.interactionCallback(interaction.id, interaction.token);
  const respond = (type: InteractionResponseType, { body: data, ...files }: RequestParts): Promise<void> =>
    untilAnswered(() => api.answer("post", callback, { body: { type, data }, ...files }), FIRST_RESPONSE, parts);
  const flags = mode === "private" ? { flags: MessageFlags.Ephemeral } : {};
  try {
    const messages = await settleWithin(work, DEFER_AFTER_MS, clock);
    const [first, ...followUps] = messages ?? [];
    if (messages === null) {
      await respond(DEFERRED_RESPONSE[mode], { body: flags }).catch((error: unknown) => {
        if (!isRepeatable(error) && !isAcknowledged(error)) throw error;
      });
      await completeDeferred(interaction, flags, await work, parts);
    } else if (first) {
      const request = mode === "update" ? replacementFor(first) : requestFor(first, flags);
      const isDeferred = await respond(IMMEDIATE_RESPONSE[mode], request).then(
        () => false,
        (error: unknown) => {
          // Another process received the interaction, too, and has deferred the response while the store was slow.
          if (isAcknowledged(error)) return true;
          throw error;
        },
      );
      if (isDeferred) await completeDeferred(interaction, flags, messages, parts);
      else await followUp(interaction, flags, followUps, api);
    }
  } catch (error) {
    log.warn("discord reply failed", { error });
  }
}

async function completeDeferred(
  interaction: APIInteraction,
  flags: object,
  [first, ...followUps]: readonly DiscordMessage[],
  parts: ReplyParts,
): Promise<void> {
  const { api } = parts;
  const route = Routes.webhookMessage(interaction.application_id, interaction.token, "@original");
  if (first) await untilAnswered(() => api.answer("patch", route, replacementFor(first)), COMPLETION, parts);
  await followUp(interaction, flags, followUps, api);
}

/** Repeats a request that has the same effect when repeated, until Discord answers it or its time is over. */
async function untilAnswered(
  request: () => Promise<unknown>,
  { withinMs, retry }: typeof COMPLETION,
  { clock, signal }: ReplyParts,
): Promise<void> {
  const until = clock.monotonic() + withinMs;
  for (let failures = 1; ; failures += 1) {
    try {
      await request();
      return;
    } catch (error) {
      // The answer to an earlier attempt was lost.
      if (failures > 1 && isApiError(error, ALREADY_ACKNOWLEDGED)) return;
      const delayMs = backoffMs(failures, retry);
      if (signal.aborted || clock.monotonic() + delayMs > until || !isRepeatable(error)) throw error;
      await clock.sleep(delayMs, signal);
    }
  }
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
