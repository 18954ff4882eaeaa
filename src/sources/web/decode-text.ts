/** Encodings by a text's first bytes: a byte order mark, or `<` in UTF-16. */
const SIGNATURES: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
  ["utf-16le", [0x3c, 0x00]],
  ["utf-16be", [0x00, 0x3c]],
];

/** `<?xml … encoding="x"?>`, `<meta charset="x">`, `<meta … content="text/html; charset=x">` */
const DECLARED_ENCODING =
  /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})|<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i;
const MAX_SCANNED_BYTES = 4_096;
const CONTENT_TYPE_CHARSET = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i;
const MAY_BE_UTF_8 = /^(?:utf-8|windows-125\d|iso-8859-\d+)$/;

/**
 * Decodes a feed or a page. The encoding is determined by, in order: the first bytes; valid UTF-8, even if a Latin encoding is
 * declared, because servers declare these by default; the Content-Type header; the declaration in the text.
 */
export function decodeText(body: Buffer, contentType: string | null): string {
  const detected = SIGNATURES.find(([, bytes]) => bytes.every((byte, index) => body[index] === byte))?.[0];
  if (detected) return new TextDecoder(detected).decode(body);
  const declared = declaredEncoding(body, contentType);
  const utf8 = MAY_BE_UTF_8.test(declared) ? decodeUtf8(body) : undefined;
  // Without `stream`, Node 20 decodes windows-1252 as Latin 1, which loses dashes and quotes.
  return utf8 ?? new TextDecoder(declared).decode(body, { stream: true });
}

function declaredEncoding(body: Buffer, contentType: string | null): string {
  const inText = DECLARED_ENCODING.exec(body.toString("latin1", 0, MAX_SCANNED_BYTES));
  const labels = [CONTENT_TYPE_CHARSET.exec(contentType ?? "")?.[1], inText?.[1] ?? inText?.[2]];
  const encodings = labels.flatMap((label) => knownEncoding(label) ?? []);
  // UTF-16 would have been recognized by its first bytes.
  return encodings.find((encoding) => !encoding.startsWith("utf-16")) ?? "windows-1252";
}

function knownEncoding(label: string | undefined): string | undefined {
  try {
    return label && new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Undefined if the body is not valid UTF-8. */
function decodeUtf8(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
