import { z } from "zod";
import type { Destination, Person } from "../../domain/alert/destination.ts";
import type { Instant } from "../../domain/time/day.ts";
import type { DeliveryError } from "../../ports/chat-platform.ts";
import type { CallError, WebApi } from "./web-api.ts";

/** Platform name in every destination. */
export const PLATFORM = "slack";

/** The workspace of a bot token. */
export interface Workspace {
  readonly teamId: string;
  /** Name used to invite the bot: `splitwatch` for `/invite @splitwatch`. */
  readonly botName: string;
  /** `https://example.slack.com/`; null if Slack does not report it. */
  readonly url: string | null;
}

/** A workspace and the Web API with its token. */
export interface ConnectedWorkspace {
  readonly workspace: Workspace;
  readonly api: WebApi;
}

/** The sender of a request. */
export interface Sender {
  /** Workspace in which the request reached the app. */
  readonly teamId: string;
  /**
   * Workspace or Enterprise organization of the user, which differs for members of another workspace in a shared channel; null if
   * the request doesn't name it.
   */
  readonly homeId: string | null;
  readonly userId: string;
}

/** The workspaces that splitwatch serves, each with its own token. */
export interface Workspaces {
  /** Returns the workspace of an interaction, or null without a usable token or if the sender may not use it. */
  find(sender: Sender): Promise<ConnectedWorkspace | null>;
  /** User-facing reason why `find` returns null. */
  absenceReason(sender: Sender): Promise<string>;
  /** Returns the workspace of a delivery. Rejects with a DeliveryError if nothing can be sent there now. */
  forDelivery(teamId: string): Promise<ConnectedWorkspace>;
  /** Handles Slack's refusal of the workspace's token; returns the error for the refused delivery. */
  handleRefusedToken(connected: ConnectedWorkspace, error: CallError): Promise<DeliveryError>;
  /** Handles Slack's event that the app was removed from a workspace. */
  handleRemoval(teamId: string, removal: Removal): Promise<void>;
}

/** `uninstalled`: the app was removed; `revoked`: the bot's tokens were revoked. */
export interface Removal {
  readonly kind: "uninstalled" | "revoked";
  readonly at: Instant;
}

const authTest = z.object({
  team_id: z.string(),
  user: z.string().optional(),
  url: z.string().optional(),
});

/** Reads the token's workspace and bot name from Slack. Rejects with a CallError. */
export async function fetchWorkspace(api: WebApi): Promise<Workspace> {
  const { team_id: teamId, user, url } = await api.call("auth.test", {}, authTest);
  return { teamId, botName: user ?? "splitwatch", url: url ?? null };
}

const userInfo = z.object({
  user: z.object({
    is_admin: z.boolean().optional(),
    is_owner: z.boolean().optional(),
    team_id: z.string().optional(),
    /** Workspaces of a member of an Enterprise organization. */
    enterprise_user: z.object({ teams: z.array(z.string()).default([]) }).nullish(),
  }),
});

/** Reads from Slack whether the user is a member of the workspace, and an admin or owner of it. Rejects with a CallError. */
export async function fetchMembership(
  { api, workspace }: ConnectedWorkspace,
  userId: string,
): Promise<{ readonly isMember: boolean; readonly isAdmin: boolean }> {
  const { user } = await api.call("users.info", { user: userId }, userInfo);
  const { team_id: homeId = workspace.teamId, enterprise_user: organization } = user;
  // The admin role of a member of another workspace applies there.
  const isMember = homeId === workspace.teamId || organization?.teams.includes(workspace.teamId) === true;
  return { isMember, isAdmin: isMember && (user.is_admin === true || user.is_owner === true) };
}

/** Destination of a channel. Its id contains the workspace, because channel and user ids are unique only within a workspace. */
export function channelDestination(teamId: string, channelId: string): Destination {
  return { platform: PLATFORM, kind: "channel", id: destinationPrefix(teamId) + channelId };
}

export function personDestination(teamId: string, userId: string): Person {
  return { platform: PLATFORM, kind: "person", id: destinationPrefix(teamId) + userId };
}

/** Start of the ids of all destinations in a workspace, and of no others. */
export function destinationPrefix(teamId: string): string {
  return `${teamId}/`;
}

/** Workspace and channel or user id of a destination; null if the id is not in this format. */
export function parseDestination({ id }: Destination): { readonly teamId: string; readonly localId: string } | null {
  const pair = splitPair(id);
  return pair === null ? null : { teamId: pair[0], localId: pair[1] };
}

/** Permalink of a message, built here because requesting it from Slack would double the calls. */
export function messageLink(
  { url }: Workspace,
  { channel, ts }: MessageLocation,
  thread: string | null,
): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const inThread = thread === null ? "" : `?thread_ts=${thread}&cid=${channel}`;
  return new URL(`/archives/${channel}/p${ts.replace(".", "")}${inThread}`, url).href;
}

/** Slack identifies a message by its channel and timestamp. */
export interface MessageLocation {
  readonly channel: string;
  readonly ts: string;
}

export function messageRefId({ channel, ts }: MessageLocation): string {
  return `${channel}/${ts}`;
}

export function parseMessageRefId(id: string): MessageLocation | null {
  const pair = splitPair(id);
  return pair === null ? null : { channel: pair[0], ts: pair[1] };
}

function splitPair(id: string): readonly [string, string] | null {
  const [, first, second] = /^([^/]+)\/([^/]+)$/.exec(id) ?? [];
  return first === undefined || second === undefined ? null : [first, second];
}
