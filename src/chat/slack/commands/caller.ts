import type { Call, Command } from "../../../commands/command.ts";
import { findCommand } from "../../../commands/find-command.ts";
import { readCommandLine } from "../../../commands/parser/words.ts";
import { channelDestination, personDestination } from "../workspace.ts";
import type { ConnectedWorkspace } from "../workspaces.ts";
import { checkAdmin } from "./membership.ts";
import { resolveMention } from "./mentions.ts";

/** Who asks, and from where. */
export interface Caller {
  /** The workspace from which Slack says they ask. */
  readonly teamId: string;
  readonly userId: string;
  readonly userName: string;
  /** Null: not in a conversation, but in their own home. */
  readonly channelId: string | null;
}

export interface CallOptions {
  readonly commands: readonly Command[];
  /** Only admins of a workspace change what its channels hear. */
  readonly adminsOnly: boolean;
}

export function commandOf(line: string, commands: readonly Command[]): Command | undefined {
  return findCommand(commands, readCommandLine(line).name);
}

/** What a command is told of whoever asks it by `line`. */
export async function createCall(
  line: string,
  asker: Caller,
  presence: ConnectedWorkspace,
  parts: CallOptions,
): Promise<Call> {
  const { teamId } = presence.workspace;
  const { userId: id, userName: name, channelId } = asker;
  const person = personDestination(teamId, id);
  const place = channelId === null || channelId.startsWith("D") ? person : channelDestination(teamId, channelId);
  // A command comes from the channel, so its sender is a member; who is an admin is asked only where it matters.
  const mattersHere = parts.adminsOnly && place.kind === "channel";
  const asksAdmins = mattersHere && commandOf(line, parts.commands)?.managesChannel === true;
  return {
    person,
    destination: place,
    mayManage: asksAdmins ? await checkAdmin(presence, id) : true,
    resolveMention: async (typed) => resolveMention(typed, { id, name }),
  };
}
