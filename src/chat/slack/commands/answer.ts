import type { RespondArguments, types } from "@slack/bolt";
import { type Answer, type Call, type CommandInput, repeatableLine } from "../../../commands/command.ts";
import type { Destination } from "../../../domain/alert/destination.ts";
import { type Card, type CardFile, card, type Picture } from "../../../messages/message.ts";
import type { Log } from "../../../ports/log.ts";
import type { PlatformParts } from "../../platform-definition.ts";
import { type AnswerFooter, renderAnswer, type SlackAnswer } from "../alerts/render.ts";
import { slackHttp } from "../web-api.ts";
import type { ConnectedWorkspace } from "../workspace.ts";
import { type DeliveredFiles, deliverFiles, fileMessages } from "./attachments.ts";
import { type Caller, createCall, membershipProblem } from "./caller.ts";

export interface AnswerParts {
  readonly commands: PlatformParts["commands"];
  /** Whether only workspace admins may change a channel's rules. */
  readonly adminsOnly: boolean;
  readonly hasRules: (destination: Destination) => Promise<boolean>;
  /** Posts a picture in a channel; rejects on failure. */
  readonly postPicture: (connected: ConnectedWorkspace, picture: Picture, channelId: string) => Promise<void>;
  /** Sends files to a user's direct messages; rejects on failure. */
  readonly sendFiles: (connected: ConnectedWorkspace, files: readonly CardFile[], userId: string) => Promise<void>;
  readonly log: Log;
}

/** Maximum messages that Slack accepts per response URL. */
const MAX_RESPONSES = 5;

/** Maximum messages with the cards of an answer. The remaining one is for the text of a file that can't be sent. */
const MAX_CARD_MESSAGES = MAX_RESPONSES - 1;

/** A command from a user's message, form or button, with the function that sends the answer. */
export interface CommandRequest extends Caller {
  readonly input: CommandInput;
  readonly channelId: string;
  readonly respond: Respond;
  /** The message of the pressed button; null for a typed command. */
  readonly button: { readonly ephemeral: boolean; readonly threadTs: string | null } | null;
}

/** Sends a message to the caller or to the channel through the response URL. */
export type Respond = (message: RespondArguments) => Promise<unknown>;

/** Responds through a URL of an earlier request, which is valid for half an hour and five messages. */
export function createResponder(responseUrl: string): Respond {
  return async (message) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(message);
    const { status } = await slackHttp.request(new URL(responseUrl), { method: "POST", headers, body });
    if (status < 200 || status > 299) throw new Error(`response refused by Slack: status ${status}`);
  };
}

export function absenceCard(reason: string): Card {
  return card({ tone: "warning", title: "splitwatch can't answer here", lines: [reason] });
}

/** Command options whose answer replaces the message with the pressed button: paging, and the next step of an import. */
const REPLACING_OPTIONS = ["page", "apply", "cancel", "undo"];

/** Runs the command and shows its answer to the caller. */
export async function answer(
  request: CommandRequest,
  connected: ConnectedWorkspace,
  parts: AnswerParts,
): Promise<void> {
  const { input, respond, button } = request;
  const call = createCall(request, connected, parts.adminsOnly);
  const result = await parts.commands.run(input, call);
  const cards = [...result.cards, ...(await membershipWarning(request, { call, result }, connected, parts))];
  const footer =
    result.shareable && call.destination.kind === "channel"
      ? ({ kind: "shareable", commandLine: repeatableLine(input, result) } as const)
      : null;
  const givenOptions = result.command?.options;
  const replacesOriginal =
    button?.ephemeral === true && REPLACING_OPTIONS.some((name) => givenOptions?.[name] !== undefined);
  const sendFiles = (files: readonly CardFile[]): Promise<void> => parts.sendFiles(connected, files, request.userId);
  // A button such as the next page doesn't send the files of the answer again.
  const delivered = replacesOriginal ? { cards, unsent: [] } : await deliverFiles(cards, { sendFiles, log: parts.log });
  for (const [index, message] of renderDelivered(delivered, footer).entries()) {
    await respondWith(respond, message, {
      response_type: "ephemeral",
      replace_original: replacesOriginal && index === 0,
      ...(button?.threadTs ? { thread_ts: button.threadTs } : {}),
    });
  }
}

/** The messages of an answer: at most as many as a response URL accepts. */
export function renderDelivered(
  { cards, unsent }: DeliveredFiles,
  footer: AnswerFooter | null,
): readonly SlackAnswer[] {
  const messages = [...renderAnswer(cards, footer, MAX_CARD_MESSAGES)];
  for (const file of unsent) messages.push(...fileMessages(file, MAX_RESPONSES - messages.length));
  return messages;
}

/** Runs the command again and posts its current answer in the channel. Shows a private answer only to the caller. */
export async function share(request: CommandRequest, connected: ConnectedWorkspace, parts: AnswerParts): Promise<void> {
  const call = createCall(request, connected, parts.adminsOnly);
  const { cards, shareable } = await parts.commands.runPublicly(request.input, call);
  const messages = renderAnswer(cards, shareable ? { kind: "shared", by: request.userName } : null, MAX_CARD_MESSAGES);
  for (const message of messages)
    await respondWith(request.respond, message, {
      response_type: shareable ? "in_channel" : "ephemeral",
      replace_original: false,
    });
  const hasImage = messages.some(({ blocks }) => blocks.some(({ type }) => type === "image"));
  if (shareable && !hasImage) await postPictures(cards, request.channelId, connected, parts);
}

interface ResponseOptions {
  readonly response_type: "ephemeral" | "in_channel";
  readonly replace_original: boolean;
  readonly thread_ts?: string;
}

/** Sends a card that only the caller sees. */
export async function respondWithCard(respond: Respond, content: Card, threadTs: string | null): Promise<void> {
  const thread = threadTs === null ? {} : { thread_ts: threadTs };
  for (const message of renderAnswer([content], null, 1))
    await respondWith(respond, message, { response_type: "ephemeral", replace_original: false, ...thread });
}

/** Slack refuses a message with a picture that it can't fetch; the message is then sent without pictures. */
async function respondWith(respond: Respond, message: SlackAnswer, options: ResponseOptions): Promise<void> {
  const withoutImages = message.blocks.filter(({ type }) => type !== "image");
  const send = (blocks: SlackAnswer["blocks"]): Promise<unknown> =>
    respond({ ...options, text: message.text, blocks: [...blocks] as types.KnownBlock[] });
  if (withoutImages.length === message.blocks.length) await send(withoutImages);
  else await send(message.blocks).catch(() => send(withoutImages));
}

/** Uploads pictures that Slack can't fetch, which requires membership of the channel. */
async function postPictures(
  cards: readonly Card[],
  channelId: string,
  connected: ConnectedWorkspace,
  { postPicture, log }: AnswerParts,
): Promise<void> {
  for (const { picture } of cards) {
    if (picture === undefined || picture.isSvgOnly) continue;
    await postPicture(connected, picture, channelId).catch((error: unknown) =>
      log.info("slack picture upload failed", { error }),
    );
  }
}

/** Returns a warning if the command subscribed a channel in which the bot can't post. */
async function membershipWarning(
  { channelId }: CommandRequest,
  { call: { destination }, result: { command } }: { readonly call: Call; readonly result: Answer },
  connected: ConnectedWorkspace,
  { hasRules }: AnswerParts,
): Promise<Answer["cards"]> {
  const addsRules = command?.name === "subscribe" || command?.name === "import";
  if (!addsRules || destination.kind !== "channel" || !(await hasRules(destination))) return [];
  const problem = await membershipProblem(connected, channelId);
  return problem === null ? [] : [card({ tone: "warning", title: "splitwatch can't post here yet", lines: [problem] })];
}
