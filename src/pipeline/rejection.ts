import type { ChatPlatform, RejectedCredentials } from "../ports/chat-platform.ts";

/** The platform rejects its credentials. One message at a time is tried, from `retryAt` on. */
type Rejection = Pick<RejectedCredentials, "since" | "retryAt"> & { readonly reason: string };

/** Null while messages can be sent with the platform's credentials. */
export function rejectionOf(lane: { readonly platform: ChatPlatform } | undefined): Rejection | null {
  const health = lane?.platform.health();
  if (!health || health.ok || !health.rejected?.blocksSending) return null;
  return { reason: health.reason, ...health.rejected };
}
