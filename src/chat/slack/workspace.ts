import { z } from "zod";
import type { Destination, Person } from "../../domain/alert/destination.ts";
import type { WebApi } from "./web-api.ts";

/** The name of the platform in every destination. */
export const PLATFORM = "slack";

/** The workspace that a bot token is for. */
export interface Workspace {
  readonly teamId: string;
  /** As it is invited: `splitwatch` for `/invite @splitwatch`. */
  readonly botName: string;
  /** `https://example.slack.com/`; null where Slack does not say. */
  readonly url: string | null;
}

const identity = z.object({
  team_id: z.string(),
  user: z.string().optional(),
  url: z.string().optional(),
});

/** Asks Slack whose token this is. */
export async function fetchWorkspace(api: WebApi): Promise<Workspace> {
  const { team_id: teamId, user, url } = await api.call("auth.test", {}, identity);
  return { teamId, botName: user ?? "splitwatch", url: url ?? null };
}

/** Ids hold the workspace, so that the same id of two workspaces is two places. */
export function channelDestination(teamId: string, channelId: string): Destination {
  return { platform: PLATFORM, kind: "channel", id: `${teamId}/${channelId}` };
}

export function personDestination(teamId: string, userId: string): Person {
  return { platform: PLATFORM, kind: "person", id: `${teamId}/${userId}` };
}

/** What Slack calls a destination; null for an id that is none of ours. */
export function parseDestination({ id }: Destination): { readonly teamId: string; readonly localId: string } | null {
  const [, teamId, localId] = /^([^/]+)\/([^/]+)$/.exec(id) ?? [];
  return teamId === undefined || localId === undefined ? null : { teamId, localId };
}

/** Where people see a message. Slack makes its own permalinks in this way, and a call for each would double the calls. */
export function messageLink(
  { url }: Workspace,
  { channel, ts }: MessageLocation,
  thread: string | null,
): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const inThread = thread === null ? "" : `?thread_ts=${thread}&cid=${channel}`;
  return new URL(`/archives/${channel}/p${ts.replace(".", "")}${inThread}`, url).href;
}

/** Slack knows a message by its channel and its time stamp. */
export interface MessageLocation {
  readonly channel: string;
  readonly ts: string;
}

export function messageRefId({ channel, ts }: MessageLocation): string {
  return `${channel}/${ts}`;
}

export function parseMessageRefId(id: string): MessageLocation | null {
  const [, channel, ts] = /^([^/]+)\/([^/]+)$/.exec(id) ?? [];
  return channel === undefined || ts === undefined ? null : { channel, ts };
}
