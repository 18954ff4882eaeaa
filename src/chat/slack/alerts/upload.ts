import { z } from "zod";
import { renderPng } from "../../../lib/render-png.ts";
import type { CardFile, Picture } from "../../../messages/message.ts";
import { slackHttp, type WebApi } from "../web-api.ts";

/** Upload protocol: Slack issues a URL, takes the bytes there, and shares the file once the upload is completed. */
const uploadTicket = z.object({ upload_url: z.string(), file_id: z.string() });
const completed = z.object({});
const openedConversation = z.object({ channel: z.object({ id: z.string() }) });

/** Limit of Slack for `alt_txt`, in characters. */
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
  const { channel } = await parts.api.call("conversations.open", { users: userId }, openedConversation);
  await upload(Buffer.from(text), { filename: name }, { title: name, channel: channel.id }, parts);
}

async function upload(
  bytes: Uint8Array,
  file: Readonly<Record<string, string>>,
  { title, channel }: { readonly title: string; readonly channel: string },
  { api, sendBytes }: UploadParts,
): Promise<void> {
  const args = { ...file, length: bytes.length };
  const { upload_url: url, file_id: id } = await api.call("files.getUploadURLExternal", args, uploadTicket);
  await sendBytes(url, bytes);
  await api.call("files.completeUploadExternal", { files: [{ id, title }], channel_id: channel }, completed);
}

/** Only sends to Slack or to the configured proxy in front of it. */
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
