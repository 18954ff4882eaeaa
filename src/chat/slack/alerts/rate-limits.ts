import type { Destination } from "../../../domain/alert/destination.ts";
import { MINUTE_MS } from "../../../domain/time/day.ts";
import type { RateLimit } from "../../../ports/chat-platform.ts";
import type { Clock, MonotonicTime } from "../../../ports/clock.ts";
import { parseDestination } from "../workspace.ts";

/** Slack documents one message per second and channel, with short bursts. */
const CHANNEL_INTERVAL_MS = 1_000;
const CHANNEL_BURST = 2;
/** No burst: network delays alone can make messages arrive in bursts. */
const WORKSPACE_BURST = 1;

/** Slack documents 50 edits a minute and workspace. */
const EDIT_INTERVAL_MS = 1_300;

/** Slack usually answers within a second. A slow workspace must not use up the connections of other workspaces. */
const MAX_IN_FLIGHT_PER_WORKSPACE = 20;

/** Returns the limit of the channel, and the limit of all messages with the workspace's token. */
export function rateLimits(destination: Destination, messagesPerMinute: number): readonly RateLimit[] {
  return [
    { key: channelKey(destination), everyMs: CHANNEL_INTERVAL_MS, burst: CHANNEL_BURST, isShared: false },
    {
      key: workspaceKey(destination),
      everyMs: MINUTE_MS / messagesPerMinute,
      burst: WORKSPACE_BURST,
      isShared: true,
      maxInFlight: MAX_IN_FLIGHT_PER_WORKSPACE,
    },
  ];
}

export function editLimits(destination: Destination): readonly RateLimit[] {
  const key = `${workspaceKey(destination)} edits`;
  return [{ key, everyMs: EDIT_INTERVAL_MS, burst: 1, isShared: true }];
}

/** Infers the scope of a 429: Slack doesn't state whether the channel or the workspace is limited. */
export interface LimitScope {
  /** Returns the rate-limit key to block: the channel's, or the workspace's if Slack also limits another of its channels. */
  limitKey(destination: Destination, refusal: { readonly retryAfterMs: number }): string;
}

export function createLimitScope(clock: Clock): LimitScope {
  const lastRefusal = new Map<string, { readonly id: string; readonly until: MonotonicTime }>();
  return {
    limitKey(destination, { retryAfterMs }) {
      const now = clock.monotonic();
      const workspace = workspaceKey(destination);
      const previous = lastRefusal.get(workspace);
      const isOtherChannelLimited = previous !== undefined && previous.id !== destination.id && now < previous.until;
      lastRefusal.set(workspace, { id: destination.id, until: now + retryAfterMs });
      return isOtherChannelLimited ? workspace : channelKey(destination);
    },
  };
}

function channelKey({ id }: Destination): string {
  return `slack:${id}`;
}

function workspaceKey(destination: Destination): string {
  return `slack:${parseDestination(destination)?.teamId ?? ""}`;
}
