import { z } from "zod";
import { renderPng } from "../../../lib/render-png.ts";
import type { Card, CardFile, Picture } from "../../../messages/message.ts";
import type { Log } from "../../../ports/log.ts";
import type { SlackAnswer } from "../alerts/render.ts";
import { type Block, mrkdwn, section } from "../block-kit/blocks.ts";
import { escapeEntities } from "../block-kit/mrkdwn.ts";
import { slackHttp, type WebApi } from "../web-api.ts";

export interface FileParts {
  /** Sends a file to the caller's direct messages; rejects on failure. */
  readonly sendFile: (file: CardFile) => Promise<void>;
  readonly log: Log;
}

/** The cards of an answer, and messages with the text of files that could not be sent. */
export interface DeliveredFiles {
  readonly cards: readonly Card[];
  readonly texts: readonly SlackAnswer[];
}

const SENT_NOTE = "The file is in your direct messages with splitwatch.";
const NOT_SENT_NOTE =
  "splitwatch couldn't send the file, so its text follows. To receive files, ask an admin to add the scope files:write.";

/** Sends files to the caller's direct messages: ephemeral messages can't have files. Shows the text of unsent files. */
export async function deliverFiles(cards: readonly Card[], { sendFile, log }: FileParts): Promise<DeliveredFiles> {
  const texts: SlackAnswer[] = [];
  const deliveredCards: Card[] = [];
  for (const card of cards) {
    const file = card.files?.find(({ path }) => path === null);
    if (file === undefined) {
      deliveredCards.push(card);
      continue;
    }
    const isSent = await sendFile(file).then(
      () => true,
      (error: unknown) => {
        log.info("slack file upload failed", { error });
        return false;
      },
    );
    if (!isSent) texts.push(...toMessages(file));
    deliveredCards.push({ ...card, lines: [...card.lines, isSent ? SENT_NOTE : NOT_SENT_NOTE] });
  }
  return { cards: deliveredCards, texts };
}

/** Maximum characters of one code block. Leaves room for its markup, and for quotation marks, which JSON escapes. */
const MAX_PART_LENGTH = 2_600;
const PARTS_PER_MESSAGE = 3;

/** Maximum messages with the text of a file. A response URL accepts five; the others are for the answer. */
const MAX_FILE_MESSAGES = 3;

/** Converts the text of a file to code blocks. */
function toMessages({ name, text }: CardFile): readonly SlackAnswer[] {
  const parts = splitText(text);
  const messages: SlackAnswer[] = [];
  for (let start = 0; start < parts.length && messages.length < MAX_FILE_MESSAGES; start += PARTS_PER_MESSAGE) {
    const blocks = parts
      .slice(start, start + PARTS_PER_MESSAGE)
      .map((part): Block => section(mrkdwn(`\`\`\`\n${part}\n\`\`\``)));
    messages.push({ text: name, blocks });
  }
  const last = messages.at(-1);
  if (parts.length <= MAX_FILE_MESSAGES * PARTS_PER_MESSAGE || last === undefined) return messages;
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
  await upload(bytes, file, { title: picture.name, channel }, parts);
}

/** Sends a file to the user's direct messages with the bot. */
export async function uploadFile({ name, text }: CardFile, userId: string, parts: UploadParts): Promise<void> {
  const { channel } = await parts.api.call("conversations.open", { users: userId }, conversationResponse);
  await upload(Buffer.from(text), { filename: name }, { title: name, channel: channel.id }, parts);
}

async function upload(
  bytes: Uint8Array,
  file: Readonly<Record<string, string>>,
  { title, channel }: { readonly title: string; readonly channel: string },
  { api, sendBytes }: UploadParts,
): Promise<void> {
  const args = { ...file, length: bytes.length };
  const { upload_url: url, file_id: id } = await api.call("files.getUploadURLExternal", args, uploadUrlResponse);
  await sendBytes(url, bytes);
  await api.call("files.completeUploadExternal", { files: [{ id, title }], channel_id: channel }, completionResponse);
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
