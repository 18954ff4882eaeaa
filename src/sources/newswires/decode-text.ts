/** Wide encodings by the bytes that a text in them begins with: a mark, or `<` and a zero. */
const BEGINNINGS: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
  ["utf-16le", [0x3c, 0x00]],
  ["utf-16be", [0x00, 0x3c]],
];

/** `<?xml … encoding="x"?>`, `<meta charset="x">`, `<meta … content="text/html; charset=x">` */
const DECLARED =
  /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})|<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i;
const DECLARED_WITHIN = 4_096;
const IN_CONTENT_TYPE = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i;

/**
 * The text of a feed or a page. Its encoding is what its first bytes show, else UTF-8 where the bytes are that, whatever is
 * claimed, for servers claim a Latin encoding by default; else what the server says, else what the text says of itself.
 */
export function decodeText(body: Buffer, contentType: string | null): string {
  const shown = BEGINNINGS.find(([, bytes]) => bytes.every((byte, at) => body[at] === byte))?.[0];
  if (shown) return new TextDecoder(shown).decode(body);
  const claimed = claimedEncoding(body, contentType);
  const utf8 = MAY_BE_UTF_8.test(claimed) ? asUtf8(body) : undefined;
  // Asked for the whole at once, Node 20 reads windows-1252 as Latin 1, without its dashes and quotes.
  return utf8 ?? new TextDecoder(claimed).decode(body, { stream: true });
}

const MAY_BE_UTF_8 = /^(?:utf-8|windows-125\d|iso-8859-\d+)$/;

function claimedEncoding(body: Buffer, contentType: string | null): string {
  const inText = DECLARED.exec(body.toString("latin1", 0, DECLARED_WITHIN));
  const labels = [IN_CONTENT_TYPE.exec(contentType ?? "")?.[1], inText?.[1] ?? inText?.[2]];
  const known = labels.flatMap((label) => knownEncoding(label) ?? []);
  // A wide encoding would have shown in the first bytes.
  return known.find((encoding) => !encoding.startsWith("utf-16")) ?? "windows-1252";
}

function knownEncoding(label: string | undefined): string | undefined {
  try {
    return label && new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function asUtf8(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
