import type { SlackUser } from "../users/user.ts";
import type { Limiter, ReadLimiter } from "./limits.ts";
import type { ResponseUrls } from "./response-urls.ts";
import type { Views } from "./views.ts";
import type { SlackChannel, SlackMessage, Workspace } from "./workspace.ts";

/** A workspace of the server with its own scopes, limits, response URLs and views. */
export interface SlackTeam {
  readonly workspace: Workspace;
  /** Scopes of the bot's tokens; tests remove some. */
  readonly scopes: Set<string>;
  readonly limiter: Limiter;
  readonly readLimiter: ReadLimiter;
  readonly responseUrls: ResponseUrls;
  /** Home tabs and modals. */
  readonly views: Views;
  channel(name: string): SlackChannel;
  /** Messages of a channel and its threads, oldest first, without ephemeral ones. */
  messages(channel: string): readonly SlackMessage[];
  /** Direct messages of a person, oldest first. */
  directMessages(person: string): readonly SlackMessage[];
  user(name: string): SlackUser;
}

export function createTeam(
  parts: Pick<SlackTeam, "workspace" | "scopes" | "limiter" | "readLimiter" | "responseUrls" | "views" | "user">,
): SlackTeam {
  const { workspace } = parts;
  const messagesIn = ({ id }: SlackChannel): readonly SlackMessage[] =>
    workspace.messages.filter(({ channel, onlyFor }) => channel === id && onlyFor === null);
  const team: SlackTeam = {
    ...parts,
    channel(name) {
      const channel = [...workspace.channels.values()].find((candidate) => candidate.name === name);
      if (!channel) throw new Error(`the test's workspace has no #${name}`);
      return channel;
    },
    messages: (name) => messagesIn(team.channel(name)),
    directMessages: (name) => messagesIn(workspace.directChannel(parts.user(name).id)),
  };
  return team;
}
