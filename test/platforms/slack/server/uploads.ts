import type { Json, Workspace } from "./workspace.ts";

/** An uploaded file. */
export interface Upload {
  readonly id: string;
  readonly filename: string;
  readonly length: number;
  readonly alt: string;
  /** Null until they are received. */
  bytes: Buffer | null;
  /** Name of the channel in which it was shared; null if it was not shared. */
  channel: string | null;
}

/** Slack's upload protocol: a URL per file, its bytes, and the completion that shares it. */
export interface Uploads {
  readonly all: readonly Upload[];
  begin(args: Json): Json;
  /** Stores the bytes sent to an upload URL; returns the HTTP status. */
  receive(id: string, bytes: Buffer): number;
  complete(args: Json, workspace: Workspace): Json;
}

export function createUploads(addressOf: (id: string) => string): Uploads {
  const all: Upload[] = [];
  return {
    all,
    begin({ filename, length, alt_txt: alt }) {
      const size = Number(length);
      if (typeof filename !== "string" || filename === "" || !(size > 0))
        return { ok: false, error: "invalid_arguments" };
      const id = `F${all.length + 1}UP`;
      all.push({ id, filename, length: size, alt: typeof alt === "string" ? alt : "", bytes: null, channel: null });
      return { ok: true, upload_url: addressOf(id), file_id: id };
    },
    receive(id, bytes) {
      const upload = all.find((one) => one.id === id);
      if (!upload || upload.bytes !== null || bytes.length !== upload.length) return 400;
      upload.bytes = bytes;
      return 200;
    },
    complete({ files, channel_id: channelId }, workspace) {
      const requested = filesIn(files).map((id) => all.find((upload) => upload.id === id));
      if (requested.length === 0 || requested.some((upload) => !upload?.bytes))
        return { ok: false, error: "file_not_found" };
      const channel = workspace.channels.get(String(channelId));
      if (!channel) return { ok: false, error: "channel_not_found" };
      if (!channel.botIsMember) return { ok: false, error: "not_in_channel" };
      for (const upload of requested) if (upload) upload.channel = channel.name;
      return { ok: true, files: requested.map((upload) => ({ id: upload?.id, title: upload?.filename })) };
    },
  };
}

/** Form-encoded requests contain the list as JSON. */
function filesIn(files: unknown): readonly string[] {
  const list: unknown = typeof files === "string" ? JSON.parse(files) : files;
  return Array.isArray(list) ? list.map((file: Json) => String(file.id)) : [];
}
