import { z } from "zod";
import { inviteWords } from "./errors.ts";
import { tryToJoin } from "./post.ts";
import { CallError, failureWords, type WebApi } from "./web-api.ts";

/** Who is where, and who may what. */
export interface Membership {
  /** True, or the reason why this person may not change what a channel hears. */
  mayManage(userId: string): Promise<true | string>;
  /** Why splitwatch cannot post in a channel, with what helps; null where it can, or where nobody knows. A public one is joined. */
  whyOutside(channelId: string): Promise<string | null>;
}

const userInfo = z.object({
  user: z.object({ is_admin: z.boolean().optional(), is_owner: z.boolean().optional() }),
});

export function createMembership(parts: {
  readonly api: WebApi;
  /** Only admins of the workspace change a channel's rules. */
  readonly adminsOnly: boolean;
  readonly botName: () => string;
}): Membership {
  const { api, adminsOnly, botName } = parts;
  return {
    async mayManage(userId) {
      // The command came from the channel, so its sender is a member.
      if (!adminsOnly) return true;
      try {
        const { user } = await api.call("users.info", { user: userId }, userInfo);
        if (user.is_admin === true || user.is_owner === true) return true;
        return "Only admins of this workspace may change what a channel hears.";
      } catch (error) {
        const why = error instanceof CallError ? failureWords(error.failure) : "no answer";
        return `Only admins of this workspace may change what a channel hears, and Slack does not say who is one: ${why}.`;
      }
    },
    async whyOutside(channelId) {
      if (await tryToJoin(api, channelId)) return null;
      const code = await api
        .call("conversations.history", { channel: channelId, limit: 1 }, z.unknown())
        .then(() => null, refusalCode);
      if (code !== "not_in_channel" && code !== "channel_not_found") return null;
      return `splitwatch is not in this channel; ${inviteWords(botName())}.`;
    },
  };
}

function refusalCode(error: unknown): string {
  return error instanceof CallError && error.failure.kind === "refused" ? error.failure.code : "";
}
