import { z } from "zod";
import { renderPng } from "../../../lib/render-png.ts";
import type { Card, CardFile, Picture } from "../../../messages/message.ts";
import type { Log } from "../../../ports/log.ts";
import type { SlackAnswer } from "../alerts/render.ts";
import { type Block, mrkdwn, section } from "../block-kit/blocks.ts";
import { escapeEntities } from "../block-kit/mrkdwn.ts";
import { CallError, type CallFailure, slackHttp, type WebApi } from "../web-api.ts";

export interface FileParts {
  /** Sends files to the caller's direct messages as one message; rejects on failure. */
  readonly sendFiles: (files: readonly CardFile[]) => Promise<void>;
  readonly log: Log;
}

/** The cards of an answer, with notes on their files. */
export interface DeliveredFiles {
  readonly cards: readonly Card[];
  /** Files that could not be sent and exist nowhere else: their text is shown. */
  readonly unsent: readonly CardFile[];
}

/** Sends files to the caller's direct messages: ephemeral messages can't have files. */
export async function deliverFiles(cards: readonly Card[], { sendFiles, log }: FileParts): Promise<DeliveredFiles> {
  const unsent: CardFile[] = [];
  const deliveredCards: Card[] = [];
  for (const { files = [], ...card } of cards) {
    if (files.length === 0) {
      deliveredCards.push(card);
      continue;
    }
    const note = await sendFiles(files).then(
      () => sentNote(files),
      (error: unknown) => {
        log.info("slack file upload failed", { error });
        unsent.push(...files.filter(({ path }) => path === null));
        return notSentNote(files, error);
      },
    );
    deliveredCards.push({ ...card, lines: [...card.lines, note] });
  }
  return { cards: deliveredCards, unsent };
}

function sentNote(files: readonly CardFile[]): string {
  const subject = files.length === 1 ? "The file is" : "The files are";
  return `${subject} in your direct messages with splitwatch.`;
}

/** States that the files weren't sent, why, and where else their content is: as text below, or on the web page. */
function notSentNote(files: readonly CardFile[], error: unknown): string {
  const noun = files.length === 1 ? "the file" : "the files";
  const alternative = files.some(({ path }) => path === null)
    ? "The text follows."
    : "A file with all ex dates is also on the splitwatch web page.";
  return `splitwatch couldn't send ${noun}. ${failureText(error)} ${alternative}`;
}

function failureText(error: unknown): string {
  return error instanceof CallError ? callFailureText(error.failure) : "The upload failed. Try again in a minute.";
}

function callFailureText(failure: CallFailure): string {
  switch (failure.kind) {
    case "refused":
      return failure.code === "missing_scope"
        ? `To receive files, ask an admin to add the scope ${failure.needed ?? "files:write"}.`
        : `Slack refused the upload (${failure.code}).`;
    case "rate-limited":
      return "Slack is limiting requests. Try again in a minute.";
    case "intercepted":
    case "unreachable":
    case "withheld":
      return "Slack can't be reached. Try again in a minute.";
    case "unknown":
      return "Slack didn't confirm the upload. Check your direct messages before you try again.";
  }
}

/** Maximum characters of one code block. Leaves room for its markup, and for quotation marks, which JSON escapes. */
const MAX_PART_LENGTH = 2_600;
const PARTS_PER_MESSAGE = 3;

const MAX_FILE_MESSAGES = 3;

/** Converts the text of a file to at most `max` messages with code blocks. */
export function fileMessages({ name, text }: CardFile, max: number): readonly SlackAnswer[] {
  const parts = splitText(text);
  const maxMessages = Math.min(max, MAX_FILE_MESSAGES);
  const messages: SlackAnswer[] = [];
  for (let start = 0; start < parts.length && messages.length < maxMessages; start += PARTS_PER_MESSAGE) {
    const blocks = parts
      .slice(start, start + PARTS_PER_MESSAGE)
      .map((part): Block => section(mrkdwn(`\`\`\`\n${part}\n\`\`\``)));
    messages.push({ text: name, blocks });
  }
  const last = messages.at(-1);
  if (parts.length <= maxMessages * PARTS_PER_MESSAGE || last === undefined) return messages;
  return [...messages.slice(0, -1), { ...last, blocks: [...last.blocks, section(mrkdwn(TRUNCATED_NOTE))] }];
}

const TRUNCATED_NOTE = "The rest doesn't fit here. The list format is shorter: `/splits export format:list`";

/** Splits at line ends, and long lines after a comma, where neither JSON nor a list is affected by a line break. */
function splitText(text: string): readonly string[] {
  const pieces = escapeEntities(text)
    .split(/(?<=\n)/)
    .flatMap((line) => (line.length > MAX_PART_LENGTH ? line.split(/(?<=,)/) : [line]));
  const parts: string[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + piece.length <= MAX_PART_LENGTH) parts[parts.length - 1] = last + piece;
    else parts.push(piece);
  }
  return parts.map((part) => part.trimEnd());
}

/** Upload protocol: Slack issues a URL, accepts the bytes at that URL, and shares the file when the upload is completed. */
const uploadUrlResponse = z.object({ upload_url: z.string(), file_id: z.string() });
const completionResponse = z.object({});
const conversationResponse = z.object({ channel: z.object({ id: z.string() }) });

/** Slack's limit for `alt_txt`, in characters. */
const MAX_ALT_LENGTH = 1_000;

export interface UploadParts {
  readonly api: WebApi;
  /** Sends the bytes to the upload URL. Rejects unless they were accepted. */
  readonly sendBytes: (url: string, bytes: Uint8Array) => Promise<void>;
}

/** Posts a picture in a channel that the bot is a member of. */
export async function uploadPicture(picture: Picture, channel: string, parts: UploadParts): Promise<void> {
  const bytes = await renderPng(picture.svg);
  const file = { filename: `${picture.name}.png`, alt_txt: picture.alt.slice(0, MAX_ALT_LENGTH) };
  await shareUploads([{ id: await uploadBytes(bytes, file, parts), title: picture.name }], channel, parts);
}

/** Sends files to the user's direct messages with the bot, as one message. */
export async function uploadFiles(files: readonly CardFile[], userId: string, parts: UploadParts): Promise<void> {
  const { channel } = await parts.api.call("conversations.open", { users: userId }, conversationResponse);
  const uploads: Upload[] = [];
  for (const { name, text } of files)
    uploads.push({ id: await uploadBytes(Buffer.from(text), { filename: name }, parts), title: name });
  await shareUploads(uploads, channel.id, parts);
}

interface Upload {
  readonly id: string;
  readonly title: string;
}

/** Returns the id of the uploaded file, which nobody sees until it is shared. */
async function uploadBytes(
  bytes: Uint8Array,
  file: Readonly<Record<string, string>>,
  { api, sendBytes }: UploadParts,
): Promise<string> {
  const args = { ...file, length: bytes.length };
  const { upload_url: url, file_id: id } = await api.call("files.getUploadURLExternal", args, uploadUrlResponse);
  await sendBytes(url, bytes);
  return id;
}

async function shareUploads(files: readonly Upload[], channel: string, { api }: UploadParts): Promise<void> {
  await api.call("files.completeUploadExternal", { files, channel_id: channel }, completionResponse);
}

/** Creates a function that sends bytes only to Slack or to the configured proxy. */
export function createUploader(apiUrl: string | null): UploadParts["sendBytes"] {
  return async (url, bytes) => {
    if (!isTrustedUploadUrl(url, apiUrl)) throw new Error("upload refused: Slack returned a URL of another host");
    const headers = { "content-type": "application/octet-stream" };
    const { status } = await slackHttp.request(new URL(url), { method: "POST", body: bytes, headers });
    if (status < 200 || status > 299) throw new Error(`upload failed: status ${status}`);
  };
}

function isTrustedUploadUrl(url: string, apiUrl: string | null): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, host } = new URL(url);
  if (apiUrl !== null && host === new URL(apiUrl).host) return true;
  return protocol === "https:" && (hostname === "slack.com" || hostname.endsWith(".slack.com"));
}
