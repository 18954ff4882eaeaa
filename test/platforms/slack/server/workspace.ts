import { createListeners } from "../../../../src/lib/listeners.ts";

/** State of a workspace: channels, people and messages, independent of the protocol. */
export interface Workspace {
  readonly team: { readonly id: string; readonly domain: string; readonly name: string };
  readonly bot: { readonly userId: string; readonly botId: string; readonly appId: string };
  readonly channels: Map<string, SlackChannel>;
  readonly people: Map<string, SlackPerson>;
  readonly groups: readonly UserGroup[];
  readonly messages: SlackMessage[];
  /** Direct-message channel of a person and the app, created on first use. */
  directChannel(personId: string): SlackChannel;
  /** Finds a channel by its id, or a person's direct messages by the person's id. */
  findChannel(id: string): SlackChannel | undefined;
  post(message: Omit<SlackMessage, "ts" | "number">): SlackMessage;
  replace(message: SlackMessage, parts: MessageParts & Pick<SlackMessage, "original">): void;
  remove(message: SlackMessage): void;
  /** Calls `changed` after every change of the messages. Returns a function that ends this. */
  onChange(changed: () => void): () => void;
}

export interface SlackChannel {
  readonly id: string;
  readonly name: string;
  kind: "public" | "private" | "direct";
  archived: boolean;
  botIsMember: boolean;
  readonly members: Set<string>;
}

export interface SlackPerson {
  readonly id: string;
  readonly name: string;
  admin: boolean;
  deleted: boolean;
  /** Home workspace of a member of a shared channel. Default: this workspace. */
  homeTeam?: string;
  /** Workspace of this server in which a member of a shared channel types commands. Default: this workspace. */
  typesIn?: string;
  /** Workspaces of a member of an Enterprise organization. */
  organizationTeams?: readonly string[];
}

export interface UserGroup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
}

export interface MessageParts {
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly attachments: readonly Json[];
  readonly metadata: Json | null;
}

export type Json = Readonly<Record<string, unknown>>;

export interface SlackMessage extends MessageParts {
  /** What it contained before its first edit; absent if it wasn't edited. */
  readonly original?: MessageParts;
  /** Sequence number in the workspace. */
  readonly number: number;
  readonly ts: string;
  readonly channel: string;
  readonly threadTs: string | null;
  /** A thread reply that is also shown in the channel. */
  readonly broadcast: boolean;
  /** Only recipient of an ephemeral message; null if everyone in the channel sees it. */
  readonly onlyFor: string | null;
}

export interface WorkspaceStart {
  /** Names of public channels with the app as a member. */
  readonly channels: readonly string[];
  readonly people: readonly string[];
  readonly groups: readonly string[];
  readonly now: () => number;
  /** Distinguishes the ids of the server's workspaces. Default: 0. */
  readonly number?: number;
}

export function createWorkspace({ channels, people, groups, now, number = 0 }: WorkspaceStart): Workspace {
  const listeners = createListeners();
  let posted = 0;
  let lastMicros = 0;

  const nextTs = (): string => {
    lastMicros = Math.max(lastMicros + 1, now() * 1_000);
    return `${Math.floor(lastMicros / 1e6)}.${String(lastMicros % 1e6).padStart(6, "0")}`;
  };

  const workspace: Workspace = {
    team: teamOf(number),
    bot: { userId: `U${number}BOT`, botId: `B${number}BOT`, appId: "A0SPLITS" },
    channels: new Map(),
    people: new Map(),
    groups: groups.map((handle, index) => ({ id: `S${id(index, number)}`, handle, name: handle })),
    messages: [],
    directChannel(personId) {
      const known = [...workspace.channels.values()].find(
        ({ kind, members }) => kind === "direct" && members.has(personId),
      );
      if (known) return known;
      const channel = aChannel(`D${personId.slice(1)}`, "directmessage", "direct");
      channel.members.add(personId);
      workspace.channels.set(channel.id, channel);
      return channel;
    },
    findChannel: (wanted) =>
      workspace.people.has(wanted) ? workspace.directChannel(wanted) : workspace.channels.get(wanted),
    post(parts) {
      posted += 1;
      const message = { ...parts, ts: nextTs(), number: posted };
      workspace.messages.push(message);
      listeners.notify();
      return message;
    },
    replace(message, parts) {
      const index = workspace.messages.indexOf(message);
      if (index >= 0) workspace.messages[index] = Object.assign(message, parts);
      listeners.notify();
    },
    remove(message) {
      const index = workspace.messages.indexOf(message);
      if (index >= 0) workspace.messages.splice(index, 1);
      listeners.notify();
    },
    onChange: listeners.add,
  };
  for (const [index, name] of people.entries()) {
    const person = { id: `U${id(index, number)}`, name, admin: false, deleted: false };
    workspace.people.set(person.id, person);
  }
  for (const [index, name] of channels.entries()) {
    const channel = aChannel(`C${id(index, number)}`, name, "public");
    for (const person of workspace.people.keys()) channel.members.add(person);
    workspace.channels.set(channel.id, channel);
  }
  return workspace;
}

function aChannel(channelId: string, name: string, kind: SlackChannel["kind"]): SlackChannel {
  return { id: channelId, name, kind, archived: false, botIsMember: true, members: new Set() };
}

function teamOf(number: number): Workspace["team"] {
  if (number === 0) return { id: "T0SPLITS", domain: "splits-test", name: "Splits Test" };
  return { id: `T${number}SPLITS`, domain: `splits-test-${number}`, name: `Splits Test ${number} <Traders & Sons>` };
}

function id(index: number, workspace: number): string {
  return `${(index + 1).toString(36).toUpperCase().padStart(4, "0")}${"QRSTUVWXYZ"[workspace] ?? workspace}`;
}
