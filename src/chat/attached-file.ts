import type { AttachedFile } from "../commands/command.ts";
import { MAX_IMPORT_BYTES } from "../domain/settings/portable.ts";

/** First bytes of file formats that users attach by mistake. */
const SIGNATURES: readonly { readonly bytes: readonly number[]; readonly format: string }[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], format: "a zip archive or a spreadsheet" },
  { bytes: [0x50, 0x4b, 0x05, 0x06], format: "an empty zip archive" },
  { bytes: [0x1f, 0x8b], format: "a gzip archive" },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf], format: "a 7z archive" },
  { bytes: [0x52, 0x61, 0x72, 0x21], format: "a rar archive" },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], format: "a spreadsheet or a document" },
  { bytes: [0x89, 0x50, 0x4e, 0x47], format: "an image (PNG)" },
  { bytes: [0xff, 0xd8, 0xff], format: "an image (JPEG)" },
  { bytes: [0x47, 0x49, 0x46, 0x38], format: "an image (GIF)" },
  { bytes: [0x52, 0x49, 0x46, 0x46], format: "an image or an audio file (RIFF)" },
  { bytes: [0x25, 0x50, 0x44, 0x46], format: "a PDF" },
];

/** Bytes up to this value are control characters. In a text file, only the whitespace characters among them occur. */
const MAX_CONTROL_BYTE = 0x1f;
const WHITESPACE_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d]);

/**
 * Decodes an attached file: as UTF-16 if it starts with the byte order mark of UTF-16, otherwise as UTF-8, or as Windows-1252 if
 * it is not valid UTF-8. Returns `not-text` for binary formats.
 */
export function decodeAttachedFile(name: string, bytes: Uint8Array): AttachedFile {
  if (bytes.length > MAX_IMPORT_BYTES) return { kind: "too-large", name };
  const encoding = encodingOf(bytes);
  if (encoding !== "utf-8") return { kind: "text", name, text: new TextDecoder(encoding).decode(bytes) };
  const format = binaryFormatOf(bytes);
  return format === undefined
    ? { kind: "text", name, text: decodeUtf8OrWindows1252(bytes) }
    : { kind: "not-text", name, format };
}

function binaryFormatOf(bytes: Uint8Array): string | undefined {
  const signature = SIGNATURES.find(({ bytes: start }) => start.every((byte, index) => bytes[index] === byte));
  if (signature) return signature.format;
  return bytes.some((byte) => byte <= MAX_CONTROL_BYTE && !WHITESPACE_CONTROLS.has(byte))
    ? "a file that is not text"
    : undefined;
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function decodeUtf8OrWindows1252(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
