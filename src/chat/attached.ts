import type { AttachedFile } from "../commands/command.ts";
import { LARGEST_PORTABLE } from "../domain/settings/portable.ts";
import { textOfBytes } from "../lib/text-of-bytes.ts";

/** A file that somebody sent, from its bytes. */
export function attachmentFromBytes(name: string, bytes: Uint8Array): AttachedFile {
  if (bytes.length > LARGEST_PORTABLE) return { kind: "too-large", name };
  return { ...textOfBytes(bytes), name };
}
