import { type Destination, destinationKey } from "../../domain/alert/destination.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { RateLimit } from "../../ports/chat-platform.ts";

/** All requests of one token. Discord allows 50 a second; from 48 on refusals were measured, at 46.5 none. */
export const TOKEN_LIMIT: RateLimit = { key: "discord:token", everyMs: 1_000 / 46.5, burst: 1 };

/** Observed, not documented: where a channel's real limit differs, Discord's answer says so and is kept to. */
const CHANNEL_BURST = 5;
const CHANNEL_EVERY_MS = 1_000;

/** Where Discord says that it is too much, but not for how long. */
export const DEFAULT_RETRY_AFTER_MS = 5_000;

/** Opening direct conversations too quickly gets bots blocked from it: there is no hurry then. */
export const RESTRICTED_RETRY_AFTER_MS = 10 * MINUTE_MS;

/** Discord shuts out an address after 10,000 requests within ten minutes that it had to refuse. */
export const MAX_INVALID_REQUESTS = 2_000;
export const INVALID_REQUEST_WARNING_EVERY = 100;

/** No wait of the platform is taken to be longer than this. */
export const MAX_RETRY_AFTER_MS = HOUR_MS;

export function limitsOf(to: Destination): readonly RateLimit[] {
  return [TOKEN_LIMIT, channelLimit(to)];
}

export function channelLimit(to: Destination): RateLimit {
  return { key: `discord:${destinationKey(to)}`, everyMs: CHANNEL_EVERY_MS, burst: CHANNEL_BURST };
}
