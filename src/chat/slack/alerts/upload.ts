import { z } from "zod";
import { renderPng } from "../../../lib/render-png.ts";
import type { CardFile, Picture } from "../../../messages/message.ts";
import type { WebApi } from "../web-api.ts";

/** Slack gives an address for each file, takes its bytes there, and posts it when told that they are there. */
const ticket = z.object({ upload_url: z.string(), file_id: z.string() });
const done = z.object({});
const conversation = z.object({ channel: z.object({ id: z.string() }) });

/** Slack describes a picture in at most so many characters. */
const MAX_ALT_LENGTH = 1_000;

export interface UploadParts {
  readonly api: WebApi;
  /** Hands the bytes over; rejects where they were not taken. */
  readonly send: (address: string, bytes: Uint8Array) => Promise<void>;
}

/** Posts a picture in a channel that splitwatch is in. Rejects where that is not possible. */
export async function uploadPicture(picture: Picture, channel: string, parts: UploadParts): Promise<void> {
  const bytes = await renderPng(picture.svg);
  const described = { filename: `${picture.name}.png`, alt_txt: picture.alt.slice(0, MAX_ALT_LENGTH) };
  await upload(bytes, described, { title: picture.name, channel }, parts);
}

/** Sends a file to somebody's direct messages with splitwatch. Rejects where that is not possible. */
export async function uploadFile({ name, text }: CardFile, userId: string, parts: UploadParts): Promise<void> {
  const { channel } = await parts.api.call("conversations.open", { users: userId }, conversation);
  await upload(Buffer.from(text), { filename: name }, { title: name, channel: channel.id }, parts);
}

async function upload(
  bytes: Uint8Array,
  described: Readonly<Record<string, string>>,
  { title, channel }: { readonly title: string; readonly channel: string },
  { api, send }: UploadParts,
): Promise<void> {
  const asked = { ...described, length: bytes.length };
  const { upload_url: address, file_id: id } = await api.call("files.getUploadURLExternal", asked, ticket);
  await send(address, bytes);
  await api.call("files.completeUploadExternal", { files: [{ id, title }], channel_id: channel }, done);
}

const TIMEOUT_MS = 10_000;

/** Only to an address that is Slack's, or that of the proxy before it: what is sent is nobody else's business. */
export function createUploader(apiUrl: string | null): UploadParts["send"] {
  return async (address, bytes) => {
    if (!isTaken(address, apiUrl)) throw new Error("Slack named an address for uploads that is not its own");
    const body = Buffer.from(bytes);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const headers = { "content-type": "application/octet-stream" };
    const response = await fetch(address, { method: "POST", body, headers, signal, redirect: "error" });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the upload was answered with status ${response.status}`);
  };
}

function isTaken(address: string, apiUrl: string | null): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, host } = new URL(address);
  if (apiUrl !== null && host === new URL(apiUrl).host) return true;
  return protocol === "https:" && (hostname === "slack.com" || hostname.endsWith(".slack.com"));
}
