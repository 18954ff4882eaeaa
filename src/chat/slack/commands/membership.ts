import { z } from "zod";
import { inviteHint } from "../alerts/delivery-errors.ts";
import { joinChannel } from "../alerts/post-message.ts";
import { CallError, describeFailure, refusalCode } from "../web-api.ts";
import type { ConnectedWorkspace } from "../workspaces.ts";

const userInfo = z.object({
  user: z.object({
    is_admin: z.boolean().optional(),
    is_owner: z.boolean().optional(),
    team_id: z.string().optional(),
    /** Of somebody in an organization: all of its workspaces that they are in. */
    enterprise_user: z.object({ teams: z.array(z.string()).default([]) }).nullish(),
  }),
});

type UserInfo = z.infer<typeof userInfo>["user"];

/** True, or the reason why this person is none of the workspace's admins, who alone may change what a channel hears. */
export async function checkAdmin({ api, workspace }: ConnectedWorkspace, userId: string): Promise<true | string> {
  try {
    const { user } = await api.call("users.info", { user: userId }, userInfo);
    if (isOf(workspace.teamId, user) && (user.is_admin === true || user.is_owner === true)) return true;
    return "Only admins of this workspace may change what a channel hears.";
  } catch (error) {
    const why = error instanceof CallError ? describeFailure(error.failure) : "no answer";
    return `Only admins of this workspace may change what a channel hears, and Slack does not say who is one: ${why}.`;
  }
}

/** Who shares a channel from another workspace may be an admin of that one. */
function isOf(teamId: string, { team_id: own = teamId, enterprise_user: organization }: UserInfo): boolean {
  return own === teamId || organization?.teams.includes(teamId) === true;
}

/** Why splitwatch cannot post in a channel, with what helps; null where it can, or where nobody knows. A public one is joined. */
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
