import type { Instant } from "../domain/time/day.ts";
import type { DocumentReading } from "./document-reading.ts";
import type { SourceDefinition } from "./source-definition.ts";
import { errorOf } from "./web/answer-error.ts";
import { decodeText } from "./web/decode-text.ts";
import { FetchError, toFetchError, unreadable, unreadableName } from "./web/fetch-error.ts";
import type { WebAnswer } from "./web/web-answer.ts";

/** An answer of a source that was stored in a file. */
export interface CapturedAnswer {
  /** Source or wire that sent it. */
  readonly source: string;
  /** Null: the address is unknown. */
  readonly url: URL | null;
  /** Name of the file, which takes the place of an unknown address in error messages. */
  readonly name: string;
  readonly status: number;
  /** Content type; null: guessed from the content. */
  readonly type: string | null;
  /** Further headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Top-level domain of the address that a document has for its reader if its own is unknown: `https://prnewswire.invalid/a.html`.
 * The domain is reserved, so no source has it.
 */
const UNKNOWN_DOMAIN = ".invalid";

/** The address of a document; null if it is not the document's own. */
export function knownAddress(url: string): string | null {
  return URL.canParse(url) && hasUnknownAddress({ url: new URL(url) }) ? null : url;
}

/** Name of a source, which a reader may have derived from the address. */
export function knownSource(name: string): string {
  return name.endsWith(UNKNOWN_DOMAIN) ? name.slice(0, -UNKNOWN_DOMAIN.length) : name;
}

function hasUnknownAddress({ url }: Pick<WebAnswer, "url">): boolean {
  return url.hostname.endsWith(UNKNOWN_DOMAIN);
}

/** Largest page that the web client accepts. Lists, such as those of bulletins, may be larger. */
const MAX_PAGE_BYTES = 10 * 1024 * 1024;
/** Largest answer of any kind that a source accepts. */
export const MAX_CAPTURE_BYTES = 32 * 1024 * 1024;

/** Result of reading a captured answer; the error: it is refused as a whole. */
export type CaptureReading = DocumentReading | FetchError;

/** Reads a captured answer as the source's poll does: first the checks of the web client, then the source's reader. */
export async function readCapturedAnswer(
  definition: SourceDefinition,
  captured: CapturedAnswer,
  now: Instant,
): Promise<CaptureReading> {
  const answer = webAnswerOf(captured);
  try {
    const error = errorOf(answer, { name: captured.url === null ? "" : unreadableName(answer.url), kind: "page", now });
    if (error !== null) throw error;
    if (isTooLarge(answer)) throw unreadable(answer, `expected a page of at most ${MAX_PAGE_BYTES} bytes, got more`);
    return await definition.readDocument(answer, { now });
  } catch (thrown) {
    return withoutUnknownAddress(toFetchError(thrown), answer);
  }
}

function webAnswerOf({ source, url, name, status, type, headers, body }: CapturedAnswer): WebAnswer {
  const all: Readonly<Record<string, string>> = { ...headers, "content-type": type ?? guessType(body) };
  const header = (key: string): string | null => all[key.toLowerCase()] ?? null;
  return {
    url: url ?? new URL(encodeURIComponent(name), `https://${source}${UNKNOWN_DOMAIN}`),
    status,
    header,
    headers: (key) => [header(key) ?? []].flat(),
    body,
  };
}

const MAX_SCANNED_BYTES = 4_096;

/** Content type by the first characters. It names no encoding, which the readers find in the content. */
function guessType(body: Buffer): string {
  const start = decodeText(body.subarray(0, MAX_SCANNED_BYTES), null).trimStart();
  if (/^[[{]/.test(start)) return "application/json";
  if (/^<(?:\?xml|rss|feed|rdf:RDF)\b/i.test(start)) return "application/xml";
  return start.startsWith("<") ? "text/html" : "text/plain";
}

function isTooLarge({ header, body }: WebAnswer): boolean {
  return body.length > MAX_PAGE_BYTES && /\bhtml\b/i.test(header("content-type") ?? "");
}

/** Removes an address that is not the document's own from the message. */
function withoutUnknownAddress(error: FetchError, answer: WebAnswer): FetchError {
  if (!hasUnknownAddress(answer)) return error;
  const message = error.message.replace(`${unreadableName(answer.url)}: `, "").trim();
  return new FetchError(error.failure, message, { cause: error.cause });
}
