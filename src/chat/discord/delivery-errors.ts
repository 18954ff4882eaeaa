import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import type { Destination } from "../../domain/alert/destination.ts";
import { DeliveryError, type DeliveryFailure } from "../../ports/chat-platform.ts";
import {
  channelLimit,
  DEFAULT_RETRY_AFTER_MS,
  MAX_RETRY_AFTER_MS,
  RESTRICTED_RETRY_AFTER_MS,
  TOKEN_LIMIT,
} from "./limits.ts";

interface Meaning {
  readonly failure: DeliveryFailure;
  /** For the owner of the destination. */
  readonly reason: string;
  readonly retryAfterMs?: number;
}

const NO_DIRECT_MESSAGES =
  "this person takes no direct messages from splitwatch: allow them in the privacy settings of a server you share, or add splitwatch to your account";

/** Discord's error codes: https://docs.discord.com/developers/topics/opcodes-and-status-codes */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  10003: { failure: "gone", reason: "the channel does not exist any more" },
  10004: { failure: "gone", reason: "the server does not exist any more, or splitwatch is no longer in it" },
  10013: { failure: "gone", reason: "the person's account does not exist any more" },
  // The nonce is known but its message was deleted: it was posted once.
  10008: { failure: "unknown-outcome", reason: "Discord knows the message, but does not find it" },
  20016: { failure: "retry", reason: "the channel is in slow mode", retryAfterMs: DEFAULT_RETRY_AFTER_MS },
  20026: { failure: "retry", reason: "Discord has restricted this bot", retryAfterMs: RESTRICTED_RETRY_AFTER_MS },
  40003: { failure: "retry", reason: "Discord slows down new conversations", retryAfterMs: RESTRICTED_RETRY_AFTER_MS },
  50001: {
    failure: "not-allowed",
    reason: "splitwatch cannot see this channel: add it to the server and give it View Channel here",
  },
  50007: { failure: "not-allowed", reason: NO_DIRECT_MESSAGES },
  50008: { failure: "not-allowed", reason: "messages cannot be posted in a channel of this kind" },
  50013: {
    failure: "not-allowed",
    reason:
      "splitwatch lacks a permission in this channel: it needs View Channel, Send Messages (in a thread Send Messages in Threads) and Embed Links",
  },
  50024: { failure: "not-allowed", reason: "messages cannot be posted in a channel of this kind" },
  50083: { failure: "not-allowed", reason: "the thread is archived and splitwatch may not open it again" },
  50278: { failure: "not-allowed", reason: NO_DIRECT_MESSAGES },
  160005: { failure: "not-allowed", reason: "the thread is locked" },
  200000: { failure: "malformed", reason: "the server's AutoMod refused the message" },
  200001: { failure: "malformed", reason: "the server's AutoMod refused the message" },
};

/** Nothing was handed over when the connection could not be made. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** What a failed request means for the message that it carried. */
export function toDeliveryError(error: unknown, to: Destination): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (error instanceof RateLimitError) return limited(error, to);
  if (error instanceof DiscordAPIError) return refused(error, to);
  if (error instanceof HTTPError)
    return new DeliveryError("unknown-outcome", `Discord answered with ${error.status}`, { cause: error });
  if (codesOf(error).some((code) => NEVER_CONNECTED.has(code)))
    return new DeliveryError("retry", "Discord cannot be reached", { cause: error });
  return new DeliveryError("unknown-outcome", "Discord did not answer in time, or the connection broke", {
    cause: error,
  });
}

/** The bot's token is not, or no longer, good. */
export function brokenCredentials(cause?: unknown): DeliveryError {
  return new DeliveryError("broken-credentials", TOKEN_REFUSED, { cause });
}

export const TOKEN_REFUSED =
  "Discord refused DISCORD_TOKEN: copy the bot's token anew from the Developer Portal, and start again";

function limited(error: RateLimitError, to: Destination): DeliveryError {
  const said = Number.isFinite(error.retryAfter) && error.retryAfter > 0 ? error.retryAfter : DEFAULT_RETRY_AFTER_MS;
  const everywhere = error.global || error.scope === "global";
  return new DeliveryError(
    "retry",
    `Discord limits how fast ${everywhere ? "splitwatch" : "this place"} is written to`,
    {
      retryAfterMs: Math.min(said, MAX_RETRY_AFTER_MS),
      limitKey: (everywhere ? TOKEN_LIMIT : channelLimit(to)).key,
      cause: error,
    },
  );
}

function refused(error: DiscordAPIError, to: Destination): DeliveryError {
  const { failure, reason, retryAfterMs } = meaningOf(error, to);
  return new DeliveryError(failure, reason, { cause: error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

function meaningOf({ code, status, message }: DiscordAPIError, to: Destination): Meaning {
  if (status === 401) return { failure: "broken-credentials", reason: TOKEN_REFUSED };
  // A direct conversation can be out of reach for a moment.
  if (code === 50_001 && to.kind === "person")
    return { failure: "retry", reason: "Discord does not let splitwatch into this conversation at the moment" };
  const saidByDiscord = Number(code) > 0;
  return MEANINGS[Number(code)] ?? meaningOfStatus(status, saidByDiscord ? `${firstLine(message)} (${code})` : null);
}

/** `said`: Discord's own words. Null: it has none for it, or something between us and Discord answered. */
function meaningOfStatus(status: number, said: string | null): Meaning {
  if (status === 408) return { failure: "unknown-outcome", reason: "Discord did not answer in time" };
  if (said === null && (status === 403 || status === 404))
    return {
      failure: "retry",
      reason: `the way to Discord is barred (status ${status})`,
      retryAfterMs: DEFAULT_RETRY_AFTER_MS,
    };
  if (status === 403) return { failure: "not-allowed", reason: `Discord does not allow it: ${said}` };
  if (status === 404) return { failure: "gone", reason: `Discord does not find this place: ${said}` };
  return { failure: "malformed", reason: `Discord refused the message: ${said ?? `status ${status}`}` };
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}

/** Of the error and of what caused it. */
function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const several = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...own, ...several, ...codesOf(error.cause)];
}
