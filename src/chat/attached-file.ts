import type { AttachedFile } from "../commands/command.ts";
import { MAX_IMPORT_BYTES } from "../domain/settings/portable.ts";

/** First bytes of formats that users upload by mistake. */
const SIGNATURES: readonly { readonly bytes: readonly number[]; readonly what: string }[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: "a zip archive or a spreadsheet" },
  { bytes: [0x50, 0x4b, 0x05, 0x06], what: "an empty zip archive" },
  { bytes: [0x1f, 0x8b], what: "a gzip archive" },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf], what: "a 7z archive" },
  { bytes: [0x52, 0x61, 0x72, 0x21], what: "a rar archive" },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], what: "a spreadsheet or a document" },
  { bytes: [0x89, 0x50, 0x4e, 0x47], what: "an image (PNG)" },
  { bytes: [0xff, 0xd8, 0xff], what: "an image (JPEG)" },
  { bytes: [0x47, 0x49, 0x46, 0x38], what: "an image (GIF)" },
  { bytes: [0x52, 0x49, 0x46, 0x46], what: "an image or an audio file (RIFF)" },
  { bytes: [0x25, 0x50, 0x44, 0x46], what: "a PDF" },
];

/** Bytes up to this value are control characters. A text file contains none of them, except whitespace. */
const MAX_CONTROL = 0x1f;
const ALLOWED_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d]);

/**
 * Decodes an attached file: as UTF-16 if it starts with a byte order mark, otherwise as UTF-8, and as Windows-1252 if it is not
 * valid UTF-8. Returns `not-text` for binary formats.
 */
export function decodeAttachedFile(name: string, bytes: Uint8Array): AttachedFile {
  if (bytes.length > MAX_IMPORT_BYTES) return { kind: "too-large", name };
  const encoding = encodingOf(bytes);
  if (encoding !== "utf-8") return { kind: "text", name, text: new TextDecoder(encoding).decode(bytes) };
  const what = binaryFormatOf(bytes);
  return what === undefined ? { kind: "text", name, text: decode(bytes) } : { kind: "not-text", name, what };
}

function binaryFormatOf(bytes: Uint8Array): string | undefined {
  const signature = SIGNATURES.find(({ bytes: start }) => start.every((byte, index) => bytes[index] === byte));
  if (signature) return signature.what;
  return bytes.some((byte) => byte <= MAX_CONTROL && !ALLOWED_CONTROLS.has(byte))
    ? "a file that is not text"
    : undefined;
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
