import { z } from "zod";
import type { Attempt } from "../../../domain/alert/delivery.ts";
import type { WebApi } from "../web-api.ts";
import { parseDestination, parseMessageRefId } from "../workspace.ts";

/** Where a message is posted. */
export interface Target {
  readonly channel: string;
  readonly threadTs: string | null;
}

/** The channel, or the person for a direct message, and the thread to reply in; null if the id has an unknown format. */
export function targetOf({ to, replyTo }: Pick<Attempt, "to" | "replyTo">): Target | null {
  const parts = parseDestination(to);
  if (parts === null) return null;
  const parent = replyTo === null ? null : parseMessageRefId(replyTo.id);
  return parent === null
    ? { channel: parts.localId, threadTs: null }
    : { channel: parent.channel, threadTs: parent.ts };
}

/** Joins a public channel. Returns false if Slack refuses. */
export async function joinChannel(api: WebApi, channel: string): Promise<boolean> {
  return api.call("conversations.join", { channel }, z.unknown()).then(
    () => true,
    () => false,
  );
}
