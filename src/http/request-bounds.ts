import type { IncomingMessage, ServerResponse } from "node:http";
import type { ProblemDetails } from "./problem.ts";

/** Bounds of every request, above what any client needs: the longest address is that of a release in a query. */
export const MAX_TARGET_LENGTH = 4_096;
/** A path is decoded in pieces, and each undecodable piece is an exception. */
export const MAX_PATH_LENGTH = 1_024;
export const MAX_PARAMETERS = 50;
/** Node.js drops headers above 2,000 silently, which could be those of a proxy. */
export const MAX_HEADERS = 100;
/** Length of a header that splitwatch reads; values of repeated headers count together. */
export const MAX_HEADER_LENGTH = 4_096;

/**
 * Headers that splitwatch and its libraries read, except `Cookie`: other services of the same host may set long cookies, and only
 * the own one is taken from the header. All other headers may be as long as Node.js allows, because no code looks at them.
 */
export const READ_HEADERS = [
  "accept-encoding",
  "authorization",
  "content-length",
  "content-type",
  "forwarded",
  "host",
  "if-modified-since",
  "if-none-match",
  "last-event-id",
  "origin",
  "sec-fetch-site",
  "transfer-encoding",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
] as const;

/** Why a request is refused before its route is known; null if it is within the bounds. Takes time linear in its length. */
export function boundExceededBy(incoming: Pick<IncomingMessage, "url" | "rawHeaders">): ProblemDetails | null {
  return targetProblem(incoming.url ?? "") ?? headerProblem(incoming.rawHeaders);
}

function targetProblem(target: string): ProblemDetails | null {
  if (target.length > MAX_TARGET_LENGTH) return tooLong("address", target.length, MAX_TARGET_LENGTH);
  const queryStart = target.indexOf("?");
  const pathLength = queryStart < 0 ? target.length : queryStart;
  if (pathLength > MAX_PATH_LENGTH) return tooLong("path", pathLength, MAX_PATH_LENGTH);
  const parameters = queryStart < 0 ? 0 : target.slice(queryStart).split("&").length;
  if (parameters <= MAX_PARAMETERS) return null;
  return oversized(400, `The query has ${parameters} parameters, expected at most ${MAX_PARAMETERS}.`);
}

function headerProblem(rawHeaders: readonly string[]): ProblemDetails | null {
  const count = rawHeaders.length / 2;
  if (count > MAX_HEADERS) return oversized(431, `The request has ${count} headers, expected at most ${MAX_HEADERS}.`);
  const totalLength = rawHeaders.reduce((length, text) => length + text.length, 0);
  if (totalLength <= MAX_HEADER_LENGTH) return null;
  for (const name of READ_HEADERS) {
    const length = lengthOf(name, rawHeaders);
    if (length > MAX_HEADER_LENGTH)
      return oversized(431, `${name}: got ${length} characters, expected at most ${MAX_HEADER_LENGTH}.`);
  }
  return null;
}

function lengthOf(name: string, rawHeaders: readonly string[]): number {
  let length = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) length += rawHeaders[at + 1]?.length ?? 0;
  return length;
}

function tooLong(part: string, length: number, max: number): ProblemDetails {
  return oversized(414, `The ${part} has ${length} characters, expected at most ${max}.`);
}

function oversized(status: number, detail: string): ProblemDetails {
  return { status, code: "oversized", detail, headers: { Connection: "close" } };
}

/** Chunks of any size that a body may have. */
export const FREE_CHUNKS = 256;
/** Mean size of all further chunks, in bytes. Programs send chunks of a kilobyte and more. */
const MIN_CHUNK_BYTES = 1_024;

/**
 * Closes the connection of a request whose body arrives in many small chunks, each of which costs as much as a large one, or still
 * arrives after the answer was sent.
 */
export function boundChunks(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.headers["transfer-encoding"] === undefined) return;
  const push = incoming.push.bind(incoming);
  let chunks = 0;
  let bytes = 0;
  incoming.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null);
    chunks += 1;
    bytes += chunk.length;
    if (chunks <= FREE_CHUNKS + bytes / MIN_CHUNK_BYTES) return push(chunk);
    skipBody(incoming);
    incoming.socket.destroy();
    return true;
  };
  outgoing.once("finish", () => {
    if (incoming.complete) return;
    skipBody(incoming);
    incoming.socket.destroySoon();
  });
}

/**
 * Lets the parser skip the chunks that it has already received, up to 64 KiB: it would call back for each of them, also after the
 * connection was destroyed. Node.js has no function for this, so the parser's callback is removed. After the connection is closed,
 * the parser serves others.
 */
function skipBody({ socket }: IncomingMessage): void {
  const { parser } = socket as { readonly parser?: Record<string, unknown> | null };
  const [key, onBody] = Object.entries(parser ?? {}).find(([, value]) => isBodyCallback(value)) ?? [];
  if (!parser || key === undefined) return;
  parser[key] = null;
  socket.once("close", () => {
    parser[key] = onBody;
  });
}

function isBodyCallback(value: unknown): boolean {
  return typeof value === "function" && value.name === "parserOnBody";
}
