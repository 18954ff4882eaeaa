import { z } from "zod";
import type { Call, CallNames, Mention } from "../../../commands/command.ts";
import { inviteHint } from "../alerts/delivery-errors.ts";
import { joinChannel } from "../alerts/target.ts";
import { CallError, describeFailure, refusalCode } from "../web-api.ts";
import {
  type ConnectedWorkspace,
  channelDestination,
  fetchMembership,
  personDestination,
  type Sender,
} from "../workspace.ts";

/** The user who runs a command, and where. */
export interface Caller extends Sender {
  readonly userName: string;
  /** Names of the channel and the workspace; missing if the request doesn't contain them. */
  readonly channelName?: string;
  readonly teamName?: string;
  /** Null for the user's home tab. */
  readonly channelId: string | null;
}

/** Creates the context in which the caller's commands run. `adminsOnly`: only workspace admins may change a channel's rules. */
export function createCall(caller: Caller, connected: ConnectedWorkspace, adminsOnly: boolean): Call {
  const { teamId } = connected.workspace;
  const { userId: id, userName: name, channelId, teamName } = caller;
  const person = personDestination(teamId, id);
  const isPrivate = channelId === null || channelId.startsWith("D");
  const destination = isPrivate ? person : channelDestination(teamId, channelId);
  return {
    person,
    destination,
    ...(teamName !== undefined && { readNames: () => readNames(caller, connected) }),
    // A command comes from the channel, so the caller is a member.
    mayManage: async () => (adminsOnly ? checkAdmin(connected, id) : true),
    hints: { mention: "me or a user group" },
    resolveMention: async (text) => resolveMention(text, { id, name }),
  };
}

/** Slack's names of conversations in commands that aren't names of channels. */
const PLACEHOLDERS = new Set(["directmessage", "privategroup"]);

const channelInfo = z.object({ channel: z.object({ name: z.string() }) });

/** Asks for the name of a private channel, which a command doesn't contain; null without the optional scope. */
async function readNames(
  { userName, channelName = "", teamName = "", channelId }: Caller,
  { api }: ConnectedWorkspace,
): Promise<CallNames> {
  const channel =
    channelName === "privategroup" && channelId !== null
      ? await api.call("conversations.info", { channel: channelId }, channelInfo).then(
          (info) => info.channel.name,
          () => null,
        )
      : channelName;
  return {
    person: userName,
    channel: PLACEHOLDERS.has(channelName) && channel === channelName ? null : channel,
    place: teamName,
  };
}

const ADMINS_ONLY = "Only admins of this workspace can change a channel's rules and settings";

/** Returns true for a workspace admin, else the user-facing reason for the refusal. */
async function checkAdmin(connected: ConnectedWorkspace, userId: string): Promise<true | string> {
  try {
    return (await fetchMembership(connected, userId)).isAdmin ? true : `${ADMINS_ONLY}.`;
  } catch (error) {
    const reason = error instanceof CallError ? describeFailure(error.failure) : "no answer";
    return `${ADMINS_ONLY}, and Slack didn't confirm that you are one: ${reason}.`;
  }
}

/** Joins a public channel. Returns the user-facing reason why the bot can't post; null if it can, or the reason is unknown. */
export async function membershipProblem(
  { api, workspace }: ConnectedWorkspace,
  channelId: string,
): Promise<string | null> {
  if (await joinChannel(api, channelId)) return null;
  const code = await api
    .call("conversations.history", { channel: channelId, limit: 1 }, z.unknown())
    .then(() => null, refusalCode);
  if (code !== "not_in_channel" && code !== "channel_not_found") return null;
  return `splitwatch is not in this channel; ${inviteHint(workspace.botName)}.`;
}

export interface MentionCaller {
  readonly id: string;
  /** Slack user name, without the @. */
  readonly name: string;
}

/** Allows mentions of the caller and of user groups, which the caller could also type. Never allows a mention of a whole channel. */
export function resolveMention(input: string, caller: MentionCaller): Mention {
  const text = input.trim();
  const group = /^<!subteam\^(S[A-Z0-9]+)(?:\|[^<>]*)?>$/.exec(text)?.[1];
  if (group !== undefined) return { kind: "allowed", mention: `<!subteam^${group}>` };
  if (isCaller(text, caller)) return { kind: "allowed", mention: `<@${caller.id}>` };
  return { kind: "refused", reason: refusalReason(text) };
}

function isCaller(text: string, { id, name }: MentionCaller): boolean {
  const mentionedId = /^<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>$/.exec(text)?.[1];
  const word = text.replace(/^@/, "").toLowerCase();
  return mentionedId === id || word === "me" || (name !== "" && word === name.toLowerCase());
}

function refusalReason(text: string): string {
  if (/^(?:<!|@)?(?:channel|here|everyone)\b/i.test(text)) return "A whole channel can't be mentioned.";
  if (text.startsWith("<@")) return "You can mention yourself or a user group, not another person.";
  return "You can mention yourself (mention:me) or a user group. Pick the group from the list that appears after the @.";
}
