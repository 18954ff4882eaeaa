import type { RequestListener } from "node:http";
import type { PickedFile } from "./user.ts";

/** Attached files, served by the same host as the API. */
export interface Attachments {
  add(filename: string, content: string | Buffer): PickedFile;
  /** Answers requests for files and forwards all others. */
  before(listener: RequestListener): RequestListener;
}

export function createAttachments(origin: () => string): Attachments {
  const files = new Map<string, Buffer>();
  return {
    add(filename, content) {
      const bytes = Buffer.from(content);
      const path = `/attachments/1/${files.size + 1}/${encodeURIComponent(filename)}`;
      files.set(path, bytes);
      return { filename, size: bytes.length, url: `${origin()}${path}?ex=67c4` };
    },
    before: (listener) => (request, response) => {
      const bytes = files.get((request.url ?? "").replace(/\?.*$/, ""));
      if (bytes === undefined) listener(request, response);
      else response.end(bytes);
    },
  };
}
