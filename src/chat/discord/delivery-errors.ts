import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import type { Destination } from "../../domain/alert/destination.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { HttpError as RequestError } from "../../http/client.ts";
import { oneLine } from "../../lib/external-text.ts";
import type { LimitBlockedError } from "../../lib/limit-blocked.ts";
import { joinList } from "../../messages/format.ts";
import { DeliveryError, type DeliveryFailure } from "../../ports/chat-platform.ts";
import { StoreError } from "../../ports/store.ts";
import { failuresByCode } from "../failures-by-code.ts";
import { WITHHELD } from "../withheld.ts";
import { channelLimit, TOKEN_LIMIT } from "./destinations.ts";

/** Delay after a rate-limit response without a duration. */
const DEFAULT_RETRY_AFTER_MS = 5_000;

/** Delay after Discord restricted the bot. Opening direct messages too quickly gets bots blocked. */
const RESTRICTED_RETRY_AFTER_MS = 10 * MINUTE_MS;

const NO_DIRECT_MESSAGES =
  "this person doesn't accept direct messages from splitwatch: allow them in the privacy settings of a shared server, or add splitwatch to your account";

/**
 * What each of Discord's documented error codes means for a message: docs/decisions/refusals.md. Codes that aren't listed belong to
 * other requests; if Discord answers with one of them, it counts as `unrecognized`.
 */
export const FAILURES_BY_CODE = {
  gone: [10_003, 10_004, 10_013],
  "not-allowed": [
    30_033, 40_007, 40_058, 40_067, 50_001, 50_003, 50_007, 50_008, 50_009, 50_013, 50_024, 50_033, 50_083, 50_095,
    50_278, 60_003, 160_005, 160_006, 160_007,
  ],
  "broken-credentials": [40_001, 40_002, 50_014, 50_025],
  refused: [
    10_011, 10_014, 10_060, 20_009, 20_031, 30_015, 40_005, 50_006, 50_021, 50_035, 50_045, 50_046, 50_068, 50_081,
    50_109, 50_110, 50_123, 50_138, 50_146, 50_151, 50_600, 160_002, 160_009, 160_010, 160_014, 200_000, 200_001,
    240_000, 400_001, 520_002,
  ],
  // 20026 isn't in the list: it is the answer to a bot that Discord has quarantined.
  retry: [20_016, 20_026, 20_028, 20_029, 40_003, 40_004, 40_006, 40_062, 110_000, 110_001, 130_000],
  intercepted: [40_333],
  // Answer to a repeated send: Discord knows the nonce, so the first send was posted. The message has been deleted since.
  "unknown-outcome": [10_008],
} as const satisfies Partial<Record<DeliveryFailure, readonly number[]>>;

const FAILURES = failuresByCode<number>(FAILURES_BY_CODE);

/** Explanations that are shown to the owner of the destination; for the other codes, it is Discord's message. */
const EXPLANATIONS: Readonly<Record<number, string>> = {
  10003: "the channel no longer exists",
  10004: "the server no longer exists, or splitwatch was removed from it",
  10013: "the person's account no longer exists",
  10008: "Discord accepted the message but can't find it",
  20016: "the channel is in slow mode",
  20026: "Discord has restricted this bot",
  40003: "Discord limits new direct messages",
  50001: "splitwatch can't see this channel: add it to the server and grant it View Channel here",
  50007: NO_DIRECT_MESSAGES,
  50008: "a channel of this type doesn't accept messages",
  50013:
    "splitwatch lacks a permission in this channel: it needs View Channel, Send Messages (in a thread: Send Messages in Threads) and Embed Links",
  50024: "a channel of this type doesn't accept messages",
  50083: "the thread is archived and splitwatch isn't allowed to reopen it",
  50278: NO_DIRECT_MESSAGES,
  160005: "the thread is locked",
  200000: "the server's AutoMod blocked the message",
  200001: "the server's AutoMod blocked the message",
  240000: "Discord's filter of harmful links blocked the message",
};

/** Codes that mean that the content of a message can't be replaced any more: unknown message, message of another account. */
const EDIT_ERRORS = new Set([10_008, 50_005]);

/** Delays after codes that aren't answered with one. */
const RETRY_AFTER_MS: Readonly<Record<number, number>> = {
  20016: DEFAULT_RETRY_AFTER_MS,
  20026: RESTRICTED_RETRY_AFTER_MS,
  20028: DEFAULT_RETRY_AFTER_MS,
  20029: DEFAULT_RETRY_AFTER_MS,
  40003: RESTRICTED_RETRY_AFTER_MS,
  40004: DEFAULT_RETRY_AFTER_MS,
  40062: DEFAULT_RETRY_AFTER_MS,
};

/** True if Discord may have accepted the request or may accept it later, so that repeating it can help. */
export function isRepeatable(error: unknown): boolean {
  if (error instanceof DeliveryError) return error.failure === "retry" || error.failure === "intercepted";
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
  const isGlobal = isGlobalLimit(error);
  return new DeliveryError("retry", `Discord limits how fast splitwatch posts${isGlobal ? "" : " in this channel"}`, {
    retryAfterMs: retryAfterOf(error),
    limitKey: (isGlobal ? TOKEN_LIMIT : channelLimit(destination)).key,
    cause: error,
  });
}

function isGlobalLimit({ global, scope }: RateLimitError): boolean {
  return global || scope === "global";
}

function retryAfterOf({ retryAfter }: RateLimitError): number {
  return Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : DEFAULT_RETRY_AFTER_MS;
}

/**
 * Maps the error of an edit. A limit of the channel doesn't delay messages: edits of messages older than an hour have one of their own
 * (code 30046), which discord.js doesn't distinguish.
 */
export function toEditError(error: unknown, destination: Destination): DeliveryError {
  if (!(error instanceof RateLimitError) || isGlobalLimit(error)) return toDeliveryError(error, destination);
  const retryAfterMs = retryAfterOf(error);
  return new DeliveryError("retry", "Discord limits how fast splitwatch edits messages", {
    retryAfterMs,
    cause: error,
  });
}

function toRefusal(error: DiscordAPIError, destination: Destination): DeliveryError {
  const { status, message } = error;
  const code = codeOf(error);
  if (code === null) return toInterception(error);
  if (status === 401) return new DeliveryError("broken-credentials", TOKEN_REJECTED, { cause: error });
  // For a direct message, this error can be temporary.
  if (code === 50_001 && destination.kind === "person")
    return new DeliveryError("retry", "Discord currently doesn't allow this direct message", { cause: error });
  const failure = FAILURES.get(code) ?? "unrecognized";
  const retryAfterMs = RETRY_AFTER_MS[code];
  return new DeliveryError(
    failure,
    EXPLANATIONS[code] ?? `Discord refused the message: ${firstLine(message)} (${code})`,
    {
      cause: error,
      isUneditable: EDIT_ERRORS.has(code),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

/** Discord's JSON error code, which is 0 for general errors; null if the answer contains none. */
function codeOf({ code }: DiscordAPIError): number | null {
  return typeof code === "number" && Number.isInteger(code) ? code : null;
}

/** True if Discord, and not a proxy before it, rejected the token. */
export function isTokenRejection(error: DiscordAPIError): boolean {
  return error.status === 401 && codeOf(error) !== null;
}

/** The answer is not from Discord's API: a proxy, firewall or Cloudflare wrote it, which says nothing about the message. */
function toInterception(error: DiscordAPIError): DeliveryError {
  const { status } = error;
  if (status === 408) return new DeliveryError("unknown-outcome", "Discord didn't answer in time", { cause: error });
  return new DeliveryError("intercepted", `a proxy or firewall refuses requests to Discord (status ${status})`, {
    cause: error,
  });
}

/** The answer may be a proxy's. The reason is stored with the pause and shown to users. */
const MAX_MESSAGE_LENGTH = 200;

function firstLine(text: string): string {
  return oneLine(text.split("\n")[0] ?? "", MAX_MESSAGE_LENGTH);
}

/** True if Discord refused the request with this JSON error code. */
export function isApiError(error: unknown, code: number): boolean {
  return error instanceof DiscordAPIError && error.code === code;
}
