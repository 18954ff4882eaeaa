import type { types } from "@slack/bolt";
import type { Answer, Call } from "../../../commands/command.ts";
import type { Destination } from "../../../domain/alert/destination.ts";
import { type Card, type CardFile, card, type Picture } from "../../../messages/message.ts";
import type { Log } from "../../../ports/log.ts";
import type { PlatformParts } from "../../parts.ts";
import { renderAnswer, type SlackAnswer } from "../alerts/render.ts";
import { handOver } from "../hand-over.ts";
import type { Presence } from "../workspaces.ts";
import { type Asker, callOf, commandOf } from "./caller.ts";
import { whyOutside } from "./membership.ts";
import type { Respond } from "./respond.ts";

export interface AnswerParts {
  readonly commands: PlatformParts["commands"];
  /** Only admins of a workspace change what its channels hear. */
  readonly adminsOnly: boolean;
  readonly hasRules: (place: Destination) => Promise<boolean>;
  /** Posts a picture in a channel; rejects where that is not possible. */
  readonly postPicture: (presence: Presence, picture: Picture, channelId: string) => Promise<void>;
  /** Sends a file to somebody's direct messages; rejects where that is not possible. */
  readonly sendFile: (presence: Presence, file: CardFile, userId: string) => Promise<void>;
  readonly log: Log;
}

/** Slack lets a response address be used five times. */
const MOST_MESSAGES = 4;

/** A line that somebody typed or pressed in a conversation, and the way by which its answer goes back. */
export interface Asked extends Asker {
  readonly line: string;
  readonly channelId: string;
  readonly respond: Respond;
  /** The message whose button was pressed; null: a command was typed. */
  readonly pressed: { readonly ephemeral: boolean; readonly threadTs: string | null } | null;
}

/** `absence`: why nobody can be answered in this workspace. */
export function absentCard(absence: string): Card {
  return card({ tone: "warning", title: "splitwatch cannot answer here yet", lines: [absence] });
}

/** Runs the line, and says what it answers to whoever asked. */
export async function answer(asked: Asked, presence: Presence, parts: AnswerParts): Promise<void> {
  const { line, respond, pressed } = asked;
  const call = await callIn(asked, presence, parts);
  const answered = await withMembership(await parts.commands.run(line, call), { asked, call, presence, parts });
  const end = answered.shareable && call.destination.kind === "channel" ? ({ kind: "shareable", line } as const) : null;
  // Another page of an answer takes its place, and so does what becomes of a preview.
  const replaces = pressed?.ephemeral === true && /\spage:\d+|^import (?:apply|cancel|undo):/.test(line);
  const sendFile = (file: CardFile): Promise<void> => parts.sendFile(presence, file, asked.userId);
  const { cards, texts } = await handOver(answered.cards, { sendFile, log: parts.log });
  for (const [index, message] of [...renderAnswer(cards, end, MOST_MESSAGES), ...texts].entries()) {
    await say(respond, message, {
      response_type: "ephemeral",
      replace_original: replaces && index === 0,
      ...(pressed?.threadTs ? { thread_ts: pressed.threadTs } : {}),
    });
  }
}

/** Runs the line again and posts what it answers now. */
export async function share(asked: Asked, presence: Presence, parts: AnswerParts): Promise<void> {
  const { cards, shareable } = await parts.commands.runPublicly(asked.line, await callIn(asked, presence, parts));
  const messages = renderAnswer(cards, shareable ? { kind: "shared", by: asked.userName } : null, MOST_MESSAGES);
  for (const message of messages)
    await say(asked.respond, message, {
      response_type: shareable ? "in_channel" : "ephemeral",
      replace_original: false,
    });
  const isShown = messages.some(({ blocks }) => blocks.some(({ type }) => type === "image"));
  if (shareable && !isShown) await postPictures(cards, asked.channelId, presence, parts);
}

interface Manner {
  readonly response_type: "ephemeral" | "in_channel";
  readonly replace_original: boolean;
  readonly thread_ts?: string;
}

/** Slack refuses the whole message where it cannot fetch a picture in it: then the words have to do. */
export async function say(respond: Respond, message: SlackAnswer, manner: Manner): Promise<void> {
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
  presence: Presence,
  { postPicture, log }: AnswerParts,
): Promise<void> {
  for (const { picture } of cards) {
    if (picture === undefined) continue;
    await postPicture(presence, picture, channelId).catch((error: unknown) =>
      log.info("slack-picture-not-posted", { error }),
    );
  }
}

function callIn(asked: Asked, presence: Presence, { commands, adminsOnly }: AnswerParts): Promise<Call> {
  return callOf(asked.line, asked, presence, { commands: commands.list, adminsOnly });
}

/** That splitwatch is not in a channel would be noticed at the first alert, when it is too late. */
async function withMembership(
  answered: Answer,
  context: { readonly asked: Asked; readonly call: Call; readonly presence: Presence; readonly parts: AnswerParts },
): Promise<Answer> {
  const { asked, call, presence, parts } = context;
  const subscribed = ["subscribe", "import"].includes(commandOf(asked.line, parts.commands.list)?.name ?? "");
  if (!subscribed || call.destination.kind !== "channel" || !(await parts.hasRules(call.destination))) return answered;
  const problem = await whyOutside(presence, asked.channelId);
  if (problem === null) return answered;
  const warning = card({ tone: "warning", title: "Nothing can be posted here yet", lines: [problem] });
  return { ...answered, cards: [...answered.cards, warning] };
}
