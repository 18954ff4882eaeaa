import type { types } from "@slack/bolt";
import type { Answer, Call } from "../../../commands/command.ts";
import type { Destination } from "../../../domain/alert/destination.ts";
import { type Card, type CardFile, card, type Picture } from "../../../messages/message.ts";
import type { Log } from "../../../ports/log.ts";
import type { PlatformParts } from "../../platform-definition.ts";
import { renderAnswer, type SlackAnswer } from "../alerts/render.ts";
import type { ConnectedWorkspace } from "../workspaces.ts";
import { deliverFiles } from "./attachments.ts";
import { type Caller, commandOf, createCall } from "./caller.ts";
import { membershipProblem } from "./membership.ts";
import type { Respond } from "./respond.ts";

export interface AnswerParts {
  readonly commands: PlatformParts["commands"];
  /** Only admins of a workspace change what its channels hear. */
  readonly adminsOnly: boolean;
  readonly hasRules: (place: Destination) => Promise<boolean>;
  /** Posts a picture in a channel; rejects where that is not possible. */
  readonly postPicture: (presence: ConnectedWorkspace, picture: Picture, channelId: string) => Promise<void>;
  /** Sends a file to somebody's direct messages; rejects where that is not possible. */
  readonly sendFile: (presence: ConnectedWorkspace, file: CardFile, userId: string) => Promise<void>;
  readonly log: Log;
}

/** Slack lets a response address be used five times. */
const MAX_MESSAGES = 4;

/** A line that somebody typed or pressed in a conversation, and the way by which its answer goes back. */
export interface CommandRequest extends Caller {
  readonly line: string;
  readonly channelId: string;
  readonly respond: Respond;
  /** The message whose button was pressed; null: a command was typed. */
  readonly button: { readonly ephemeral: boolean; readonly threadTs: string | null } | null;
}

/** `absence`: why nobody can be answered in this workspace. */
export function notInstalledCard(absence: string): Card {
  return card({ tone: "warning", title: "splitwatch cannot answer here yet", lines: [absence] });
}

/** Runs the line, and says what it answers to whoever asked. */
export async function answer(asked: CommandRequest, presence: ConnectedWorkspace, parts: AnswerParts): Promise<void> {
  const { line, respond, button: pressed } = asked;
  const call = await callIn(asked, presence, parts);
  const answered = await withMembership(await parts.commands.run(line, call), { asked, call, presence, parts });
  const end = answered.shareable && call.destination.kind === "channel" ? ({ kind: "shareable", line } as const) : null;
  // Another page of an answer takes its place, and so does what becomes of a preview.
  const replaces = pressed?.ephemeral === true && /\spage:\d+|^import (?:apply|cancel|undo):/.test(line);
  const sendFile = (file: CardFile): Promise<void> => parts.sendFile(presence, file, asked.userId);
  const { cards, texts } = await deliverFiles(answered.cards, { sendFile, log: parts.log });
  for (const [index, message] of [...renderAnswer(cards, end, MAX_MESSAGES), ...texts].entries()) {
    await respondWith(respond, message, {
      response_type: "ephemeral",
      replace_original: replaces && index === 0,
      ...(pressed?.threadTs ? { thread_ts: pressed.threadTs } : {}),
    });
  }
}

/** Runs the line again and posts what it answers now. */
export async function share(asked: CommandRequest, presence: ConnectedWorkspace, parts: AnswerParts): Promise<void> {
  const { cards, shareable } = await parts.commands.runPublicly(asked.line, await callIn(asked, presence, parts));
  const messages = renderAnswer(cards, shareable ? { kind: "shared", by: asked.userName } : null, MAX_MESSAGES);
  for (const message of messages)
    await respondWith(asked.respond, message, {
      response_type: shareable ? "in_channel" : "ephemeral",
      replace_original: false,
    });
  const isShown = messages.some(({ blocks }) => blocks.some(({ type }) => type === "image"));
  if (shareable && !isShown) await postPictures(cards, asked.channelId, presence, parts);
}

interface ResponseOptions {
  readonly response_type: "ephemeral" | "in_channel";
  readonly replace_original: boolean;
  readonly thread_ts?: string;
}

/** Slack refuses the whole message where it cannot fetch a picture in it: then the words have to do. */
export async function respondWith(respond: Respond, message: SlackAnswer, manner: ResponseOptions): Promise<void> {
  const words = message.blocks.filter(({ type }) => type !== "image");
  const send = (blocks: SlackAnswer["blocks"]): Promise<unknown> =>
    respond({ ...manner, text: message.text, blocks: [...blocks] as types.KnownBlock[] });
  if (words.length === message.blocks.length) await send(words);
  else await send(message.blocks).catch(() => send(words));
}

/** Where Slack cannot fetch a picture it is handed over, which takes being in the channel. The words are there already. */
async function postPictures(
  cards: readonly Card[],
  channelId: string,
  presence: ConnectedWorkspace,
  { postPicture, log }: AnswerParts,
): Promise<void> {
  for (const { picture } of cards) {
    if (picture === undefined) continue;
    await postPicture(presence, picture, channelId).catch((error: unknown) =>
      log.info("slack picture upload failed", { error }),
    );
  }
}

function callIn(
  asked: CommandRequest,
  presence: ConnectedWorkspace,
  { commands, adminsOnly }: AnswerParts,
): Promise<Call> {
  return createCall(asked.line, asked, presence, { commands: commands.list, adminsOnly });
}

/** That splitwatch is not in a channel would be noticed at the first alert, when it is too late. */
async function withMembership(
  answered: Answer,
  context: {
    readonly asked: CommandRequest;
    readonly call: Call;
    readonly presence: ConnectedWorkspace;
    readonly parts: AnswerParts;
  },
): Promise<Answer> {
  const { asked, call, presence, parts } = context;
  const subscribed = ["subscribe", "import"].includes(commandOf(asked.line, parts.commands.list)?.name ?? "");
  if (!subscribed || call.destination.kind !== "channel" || !(await parts.hasRules(call.destination))) return answered;
  const problem = await membershipProblem(presence, asked.channelId);
  if (problem === null) return answered;
  const warning = card({ tone: "warning", title: "Nothing can be posted here yet", lines: [problem] });
  return { ...answered, cards: [...answered.cards, warning] };
}
