import type { Destination } from "../../../domain/alert/destination.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Clock } from "../../../ports/clock.ts";
import { parseDestination } from "../workspace.ts";

/** Slack does not say whether a limit is a channel's or the workspace's: two channels refused at one time tell. */
export interface LimitScope {
  /** What the refusal holds for; null: this destination alone. */
  limitKey(to: Destination, refusal: { readonly retryAfterMs: number }): string | null;
}

export function createLimitScope(clock: Clock): LimitScope {
  /** The last refusal in each workspace. */
  const last = new Map<string, { readonly id: string; readonly until: Instant }>();
  return {
    limitKey(to, { retryAfterMs }) {
      const now = clock.now();
      const workspace = workspaceKey(to);
      const before = last.get(workspace);
      const elsewhere = before !== undefined && before.id !== to.id && now < before.until;
      last.set(workspace, { id: to.id, until: now + retryAfterMs });
      return elsewhere ? workspace : channelKey(to);
    },
  };
}

export function channelKey({ id }: Destination): string {
  return `slack:${id}`;
}

export function workspaceKey(to: Destination): string {
  return `slack:${parseDestination(to)?.teamId ?? ""}`;
}
