import { type Destination, destinationKey } from "../../domain/alert/destination.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { RateLimit } from "../../ports/chat-platform.ts";

/** All requests of one token. Discord allows 50 a second; measured: refusals start at 48, none at 46.5. */
export const TOKEN_LIMIT: RateLimit = { key: "discord:token", everyMs: 1_000 / 46.5, burst: 1 };

/** Observed, not documented. Discord's 429 answers state differing limits. */
const CHANNEL_BURST = 5;
const CHANNEL_EVERY_MS = 1_000;

/** Delay after a rate-limit answer without a duration. */
export const DEFAULT_RETRY_AFTER_MS = 5_000;

/** Delay after Discord restricted the bot. Opening direct messages too quickly gets bots blocked. */
export const RESTRICTED_RETRY_AFTER_MS = 10 * MINUTE_MS;

/** Discord blocks an address after 10,000 invalid requests within ten minutes. */
export const MAX_INVALID_REQUESTS = 2_000;
export const INVALID_REQUEST_WARNING_EVERY = 100;

/** Upper bound of the delays that Discord asks for. */
export const MAX_RETRY_AFTER_MS = HOUR_MS;

export function limitsOf(to: Destination): readonly RateLimit[] {
  return [TOKEN_LIMIT, channelLimit(to)];
}

export function channelLimit(to: Destination): RateLimit {
  return { key: `discord:${destinationKey(to)}`, everyMs: CHANNEL_EVERY_MS, burst: CHANNEL_BURST };
}
