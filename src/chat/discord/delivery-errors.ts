import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import type { Destination } from "../../domain/alert/destination.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { HttpError as RequestError } from "../../http/client.ts";
import type { LimitBlockedError } from "../../lib/limit-blocked.ts";
import { joinList } from "../../messages/format.ts";
import { DeliveryError, type DeliveryFailure, MAX_RETRY_AFTER_MS } from "../../ports/chat-platform.ts";
import { StoreError } from "../../ports/store.ts";
import { WITHHELD } from "../withheld.ts";
import { channelLimit, TOKEN_LIMIT } from "./destinations.ts";

/** Delay after a rate-limit response without a duration. */
const DEFAULT_RETRY_AFTER_MS = 5_000;

/** Delay after Discord restricted the bot. Opening direct messages too quickly gets bots blocked. */
const RESTRICTED_RETRY_AFTER_MS = 10 * MINUTE_MS;

interface ErrorMapping {
  readonly failure: DeliveryFailure;
  /** Shown to the owner of the destination. */
  readonly reason: string;
  readonly retryAfterMs?: number;
}

const NO_DIRECT_MESSAGES =
  "this person doesn't accept direct messages from splitwatch: allow them in the privacy settings of a shared server, or add splitwatch to your account";

/** Discord's error codes: https://docs.discord.com/developers/topics/opcodes-and-status-codes */
const MAPPINGS: Readonly<Record<number, ErrorMapping>> = {
  10003: { failure: "gone", reason: "the channel no longer exists" },
  10004: { failure: "gone", reason: "the server no longer exists, or splitwatch was removed from it" },
  10013: { failure: "gone", reason: "the person's account no longer exists" },
  // Answer to a repeated send: Discord knows the nonce, so the first send was posted. The message has been deleted since.
  10008: { failure: "unknown-outcome", reason: "Discord accepted the message but can't find it" },
  20016: { failure: "retry", reason: "the channel is in slow mode", retryAfterMs: DEFAULT_RETRY_AFTER_MS },
  20026: { failure: "retry", reason: "Discord has restricted this bot", retryAfterMs: RESTRICTED_RETRY_AFTER_MS },
  40003: { failure: "retry", reason: "Discord limits new direct messages", retryAfterMs: RESTRICTED_RETRY_AFTER_MS },
  50001: {
    failure: "not-allowed",
    reason: "splitwatch can't see this channel: add it to the server and grant it View Channel here",
  },
  50007: { failure: "not-allowed", reason: NO_DIRECT_MESSAGES },
  50008: { failure: "not-allowed", reason: "a channel of this type doesn't accept messages" },
  50013: {
    failure: "not-allowed",
    reason:
      "splitwatch lacks a permission in this channel: it needs View Channel, Send Messages (in a thread: Send Messages in Threads) and Embed Links",
  },
  50024: { failure: "not-allowed", reason: "a channel of this type doesn't accept messages" },
  50083: { failure: "not-allowed", reason: "the thread is archived and splitwatch isn't allowed to reopen it" },
  50278: { failure: "not-allowed", reason: NO_DIRECT_MESSAGES },
  160005: { failure: "not-allowed", reason: "the thread is locked" },
  200000: { failure: "malformed", reason: "the server's AutoMod blocked the message" },
  200001: { failure: "malformed", reason: "the server's AutoMod blocked the message" },
};

/** True if Discord may have accepted the request or may accept it later, so that repeating it can help. */
export function isRepeatable(error: unknown): boolean {
  if (error instanceof DeliveryError) return error.failure === "retry";
  return error instanceof HTTPError || error instanceof RateLimitError || error instanceof RequestError;
}

/** Maps the error of a request to the outcome of its delivery. */
export function toDeliveryError(error: unknown, destination: Destination): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (error instanceof RateLimitError) return toRateLimitError(error, destination);
  if (error instanceof DiscordAPIError) return toRefusal(error, destination);
  if (error instanceof HTTPError)
    return new DeliveryError("unknown-outcome", `Discord answered with status ${error.status}`, { cause: error });
  if (error instanceof RequestError && !error.wasWritten) return toUnsentError(error);
  // The store is used only before a message is posted.
  if (error instanceof StoreError) return new DeliveryError("retry", WITHHELD, { cause: error });
  return new DeliveryError("unknown-outcome", "Discord didn't answer in time, or the connection was lost", {
    cause: error,
  });
}

/** Requests have no signal of their own, so an aborted one was withheld. */
function toUnsentError(error: RequestError): DeliveryError {
  const reason = error.failure === "aborted" ? WITHHELD : "Discord can't be reached";
  return new DeliveryError("retry", reason, { cause: error });
}

export function missingPermissionsError(names: readonly string[], cause: unknown): DeliveryError {
  const reason = `splitwatch lacks ${joinList(names)} in this channel: grant ${names.length === 1 ? "it" : "them"} in the channel's permissions`;
  return new DeliveryError("not-allowed", reason, { cause });
}

export function tokenRejectedError(retryAfterMs: number): DeliveryError {
  return new DeliveryError("broken-credentials", TOKEN_REJECTED, { retryAfterMs });
}

export const TOKEN_REJECTED =
  "Discord rejects DISCORD_TOKEN; if it was reset, copy the bot token from the Developer Portal again and restart splitwatch";

/** No request is sent during a global limit, or after so many invalid requests that Discord could block splitwatch. */
export function requestsPausedError(cause: LimitBlockedError): DeliveryError {
  const reason = "splitwatch sends nothing for now, because Discord limited or rejected too many requests";
  return new DeliveryError("retry", reason, { retryAfterMs: cause.remainingMs, limitKey: TOKEN_LIMIT.key, cause });
}

function toRateLimitError(error: RateLimitError, destination: Destination): DeliveryError {
  const requestedMs =
    Number.isFinite(error.retryAfter) && error.retryAfter > 0 ? error.retryAfter : DEFAULT_RETRY_AFTER_MS;
  const isGlobal = error.global || error.scope === "global";
  return new DeliveryError("retry", `Discord limits how fast splitwatch posts${isGlobal ? "" : " in this channel"}`, {
    retryAfterMs: Math.min(requestedMs, MAX_RETRY_AFTER_MS),
    limitKey: (isGlobal ? TOKEN_LIMIT : channelLimit(destination)).key,
    cause: error,
  });
}

function toRefusal(error: DiscordAPIError, destination: Destination): DeliveryError {
  const { failure, reason, retryAfterMs } = mappingOf(error, destination);
  return new DeliveryError(failure, reason, { cause: error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

function mappingOf({ code, status, message }: DiscordAPIError, destination: Destination): ErrorMapping {
  if (status === 401) return { failure: "broken-credentials", reason: TOKEN_REJECTED };
  // For a direct message, this error can be temporary.
  if (code === 50_001 && destination.kind === "person")
    return { failure: "retry", reason: "Discord currently doesn't allow this direct message" };
  const isFromDiscord = Number(code) > 0;
  return MAPPINGS[Number(code)] ?? mappingOfStatus(status, isFromDiscord ? `${firstLine(message)} (${code})` : null);
}

/** `explanation`: Discord's message; null if there is none or a proxy answered. */
function mappingOfStatus(status: number, explanation: string | null): ErrorMapping {
  if (status === 408) return { failure: "unknown-outcome", reason: "Discord didn't answer in time" };
  if (explanation === null && (status === 403 || status === 404))
    return {
      failure: "retry",
      reason: `a proxy or firewall refuses requests to Discord (status ${status})`,
      retryAfterMs: DEFAULT_RETRY_AFTER_MS,
    };
  if (status === 403) return { failure: "not-allowed", reason: `Discord doesn't allow the message: ${explanation}` };
  if (status === 404) return { failure: "gone", reason: `Discord can't find this channel: ${explanation}` };
  return { failure: "malformed", reason: `Discord refused the message: ${explanation ?? `status ${status}`}` };
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}

/** True if Discord refused the request with this JSON error code. */
export function isApiError(error: unknown, code: number): boolean {
  return error instanceof DiscordAPIError && error.code === code;
}
