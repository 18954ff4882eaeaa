import type { AnyMiddlewareArgs, App, Middleware, RespondFn, types } from "@slack/bolt";
import { z } from "zod";
import type { Answer, Call, Command } from "../../commands/command.ts";
import { readCommandLine } from "../../commands/command-line.ts";
import { findCommand } from "../../commands/find-command.ts";
import type { Destination } from "../../core/destination.ts";
import { type Card, type CardFile, card, type Picture } from "../../messages/message.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { PlatformParts } from "../parts.ts";
import { commandText } from "./command-text.ts";
import { handOver } from "./hand-over.ts";
import type { Membership } from "./membership.ts";
import { resolveMention } from "./mentions.ts";
import { ACTION, renderAnswer, type SlackAnswer } from "./render.ts";
import { createSeen } from "./seen.ts";
import { channelAt, personAt } from "./workspace.ts";

export interface ConversationParts {
  readonly commands: PlatformParts["commands"];
  readonly membership: Membership;
  /** The workspace that the bot's token is for. */
  readonly teamId: () => string | null;
  readonly hasRules: (place: Destination) => Promise<boolean>;
  /** Posts a picture in a channel; rejects where that is not possible. */
  readonly postPicture: (picture: Picture, channelId: string) => Promise<void>;
  /** Sends a file to somebody's direct messages; rejects where that is not possible. */
  readonly sendFile: (file: CardFile, userId: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Conversation {
  /** Resolves when what is being answered is answered. */
  idle(): Promise<void>;
}

/** Slack lets a response address be used five times. */
const MOST_MESSAGES = 4;

/** Who asks for what, from where, and by which way the answer goes back. */
interface Asked {
  readonly line: string;
  readonly userId: string;
  readonly userName: string;
  readonly channelId: string;
  readonly respond: RespondFn;
  /** The message whose button was pressed; null: a command was typed. */
  readonly pressed: { readonly ephemeral: boolean; readonly threadTs: string | null } | null;
}

/** Answers commands and buttons. Each is acknowledged before anything else is done. */
export function startConversation(app: App, parts: ConversationParts): Conversation {
  const underWay = new Set<Promise<void>>();

  function work(asked: Asked, how: (asked: Asked, parts: ConversationParts) => Promise<void>): void {
    const working = how(asked, parts).catch((error: unknown) => parts.log.warn("slack-answer-lost", { error }));
    underWay.add(working);
    void working.then(() => underWay.delete(working));
  }

  app.use(onlyOnce(parts));
  app.error(async (error) => parts.log.error("slack-event-failed", { error }));
  app.command(/./, async ({ body, respond }) => {
    const { text, user_id: userId, user_name: userName, channel_id: channelId } = typedCommand.parse(body);
    work({ line: commandText(text), userId, userName, channelId, respond, pressed: null }, answer);
  });
  app.action(/^(?:run|share):/, async ({ body, respond }) => {
    const { user, container, actions } = pressedButton.parse(body);
    for (const { action_id: actionId, value } of actions) {
      const pressed = { ephemeral: container.is_ephemeral, threadTs: container.thread_ts ?? null };
      const who = { userId: user.id, userName: user.name, channelId: container.channel_id };
      work({ line: commandText(value), ...who, respond, pressed }, actionId.startsWith(ACTION.share) ? share : answer);
    }
  });
  return { idle: async () => void (await Promise.all(underWay)) };
}

/** What Slack sends when a command is typed, as far as it matters here. */
const typedCommand = z.object({
  text: z.string().default(""),
  user_id: z.string(),
  user_name: z.string().default(""),
  channel_id: z.string(),
});

/** What Slack sends when a button is pressed. */
const pressedButton = z.object({
  user: z.object({ id: z.string(), name: z.string().default("") }),
  container: z.object({
    channel_id: z.string(),
    is_ephemeral: z.boolean().default(false),
    thread_ts: z.string().optional(),
  }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string() })),
});

/**
 * Slack repeats what it takes for lost: the same envelope, the same event, the same press of a button. Each is acknowledged,
 * since the acknowledgement may be what was lost, and acted upon once.
 */
function onlyOnce({ clock, log }: ConversationParts): Middleware<AnyMiddlewareArgs> {
  const seen = createSeen(clock);
  return async (args) => {
    const { body, context, next } = args;
    const { trigger_id: trigger, event_id: event } = { trigger_id: null, event_id: null, ...body };
    const isNew = seen.isNew([context.envelopeId, trigger, event].filter((id) => typeof id === "string"));
    // A connection that breaks now takes the acknowledgement with it: then Slack comes again, and is known.
    if ("ack" in args) await args.ack?.().catch((error: unknown) => log.debug("slack-ack-lost", { error }));
    if (isNew) await next();
  };
}

async function answer(asked: Asked, parts: ConversationParts): Promise<void> {
  const { line, respond, pressed } = asked;
  const call = await callOf(asked, parts);
  if (call === null) return;
  const answered = await withMembership(await parts.commands.ask(line, call), asked, call, parts);
  const end = answered.shareable && call.place.kind === "channel" ? ({ kind: "shareable", line } as const) : null;
  // Another page of an answer takes its place, and so does what becomes of a preview.
  const replaces = pressed?.ephemeral === true && /\spage:\d+|^import (?:apply|cancel|undo):/.test(line);
  const { cards, texts } = await handOver(answered.cards, asked.userId, parts);
  for (const [index, message] of [...renderAnswer(cards, end, MOST_MESSAGES), ...texts].entries()) {
    await say(respond, message, {
      response_type: "ephemeral",
      replace_original: replaces && index === 0,
      ...(pressed?.threadTs ? { thread_ts: pressed.threadTs } : {}),
    });
  }
}

interface Manner {
  readonly response_type: "ephemeral" | "in_channel";
  readonly replace_original: boolean;
  readonly thread_ts?: string;
}

/** Slack refuses the whole message where it cannot fetch a picture in it: then the words have to do. */
async function say(respond: RespondFn, message: SlackAnswer, manner: Manner): Promise<void> {
  const words = message.blocks.filter(({ type }) => type !== "image");
  const send = (blocks: SlackAnswer["blocks"]): ReturnType<RespondFn> =>
    respond({ ...manner, text: message.text, blocks: [...blocks] as types.KnownBlock[] });
  if (words.length === message.blocks.length) await send(words);
  else await send(message.blocks).catch(() => send(words));
}

/** Runs the line again and posts what it answers now. */
async function share(asked: Asked, parts: ConversationParts): Promise<void> {
  const call = await callOf(asked, parts);
  if (call === null) return;
  const { cards, shareable } = await parts.commands.share(asked.line, call);
  const messages = renderAnswer(cards, shareable ? { kind: "shared", by: asked.userName } : null, MOST_MESSAGES);
  for (const message of messages)
    await say(asked.respond, message, {
      response_type: shareable ? "in_channel" : "ephemeral",
      replace_original: false,
    });
  const isShown = messages.some(({ blocks }) => blocks.some(({ type }) => type === "image"));
  if (shareable && !isShown) await postPictures(cards, asked, parts);
}

/** Where Slack cannot fetch a picture it is handed over, which takes being in the channel. The words are there already. */
async function postPictures(cards: readonly Card[], asked: Asked, parts: ConversationParts): Promise<void> {
  for (const { picture } of cards) {
    if (picture === undefined) continue;
    await parts
      .postPicture(picture, asked.channelId)
      .catch((error: unknown) => parts.log.info("slack-picture-not-posted", { error }));
  }
}

function commandOf(line: string, list: readonly Command[]): Command | undefined {
  return findCommand(list, readCommandLine(line).name);
}

async function callOf(asked: Asked, parts: ConversationParts): Promise<Call | null> {
  const teamId = parts.teamId();
  if (teamId === null) return null;
  const { userId, userName, channelId, line } = asked;
  const person = personAt(teamId, userId);
  const manages = commandOf(line, parts.commands.list)?.managesChannel === true;
  return {
    person,
    place: channelId.startsWith("D") ? person : channelAt(teamId, channelId),
    mayManage: manages ? await parts.membership.mayManage(userId) : true,
    resolveMention: async (typed) => resolveMention(typed, { id: userId, name: userName }),
  };
}

/** That splitwatch is not in a channel would be noticed at the first alert, when it is too late. */
async function withMembership(answered: Answer, asked: Asked, call: Call, parts: ConversationParts): Promise<Answer> {
  const subscribed = ["subscribe", "import"].includes(commandOf(asked.line, parts.commands.list)?.name ?? "");
  if (!subscribed || call.place.kind !== "channel" || !(await parts.hasRules(call.place))) return answered;
  const problem = await parts.membership.whyOutside(asked.channelId);
  if (problem === null) return answered;
  const warning = card({ tone: "warning", title: "Nothing can be posted here yet", lines: [problem] });
  return { ...answered, cards: [...answered.cards, warning] };
}
