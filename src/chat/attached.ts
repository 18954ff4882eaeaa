import type { AttachedFile } from "../commands/command.ts";
import { MAX_PORTABLE_BYTES } from "../domain/settings/portable.ts";
import { textOfBytes } from "./attached-file.ts";

/** Attached file with these bytes. */
export function attachmentFromBytes(name: string, bytes: Uint8Array): AttachedFile {
  if (bytes.length > MAX_PORTABLE_BYTES) return { kind: "too-large", name };
  return { ...textOfBytes(bytes), name };
}
