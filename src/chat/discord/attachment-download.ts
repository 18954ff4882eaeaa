import { z } from "zod";
import type { AttachedFile } from "../../commands/command.ts";
import { MAX_IMPORT_BYTES } from "../../domain/settings/portable.ts";
import { createHttpClient, HttpError } from "../../http/client.ts";
import { decodeAttachedFile } from "../attached-file.ts";

/** Hosts from which Discord serves attachments. */
const ATTACHMENT_HOSTS: ReadonlySet<string> = new Set(["cdn.discordapp.com", "media.discordapp.net"]);

/** Leaves enough time for the answer: an interaction token is valid for 15 minutes. */
const DOWNLOAD_TIMEOUT_MS = 20_000;

export const attachmentSchema = z.object({ filename: z.string(), size: z.number(), url: z.string() });

export type Attachment = z.infer<typeof attachmentSchema>;

/** Downloads attachments of commands. */
export interface AttachmentDownloader {
  fetch(file: Attachment): Promise<AttachedFile>;
  close(): Promise<void>;
}

/** @param apiUrl Proxy whose host may also serve attachments. */
export function createAttachmentDownloader(apiUrl: string | null): AttachmentDownloader {
  const http = createHttpClient("splitwatch", {
    totalTimeoutMs: DOWNLOAD_TIMEOUT_MS,
    maxBodyBytes: MAX_IMPORT_BYTES,
  });
  const stopping = new AbortController();

  async function download({ filename: name, url }: Attachment): Promise<AttachedFile> {
    const headers = { "accept-encoding": "identity" };
    const { status, body } = await http.request(new URL(url), { headers, signal: stopping.signal });
    return status === 200
      ? decodeAttachedFile(name, body)
      : unreachableFile(name, `Discord answered with status ${status}`);
  }

  async function fetch(file: Attachment): Promise<AttachedFile> {
    const { filename: name, size, url } = file;
    if (size > MAX_IMPORT_BYTES) return { kind: "too-large", name };
    if (!isDiscordAddress(url, apiUrl)) return unreachableFile(name, "its address doesn't belong to Discord");
    try {
      return await download(file);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return error.failure === "too-large" ? { kind: "too-large", name } : unreachableFile(name, error.message);
    }
  }

  return {
    fetch,
    async close() {
      stopping.abort();
      await http.close();
    },
  };
}

function unreachableFile(name: string, reason: string): AttachedFile {
  return { kind: "unreachable", name, reason };
}

function isDiscordAddress(url: string, apiUrl: string | null): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, hostname, port } = new URL(url);
  if (apiUrl !== null && host === new URL(apiUrl).host) return protocol === "http:" || protocol === "https:";
  return protocol === "https:" && port === "" && ATTACHMENT_HOSTS.has(hostname);
}
