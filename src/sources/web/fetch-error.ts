import { errorMessage } from "../../lib/error-text.ts";
import { cutText } from "../../lib/external-text.ts";

export type FetchFailure =
  | "unreachable"
  | "timeout"
  | "refused" // 401, 403, 451, a bot challenge, or forbidden by the robots rules; no workaround is tried
  | "rate-limited"
  | "server-error"
  | "gone" // 404 and 410
  | "unreadable" // not a feed, or a page without a release
  | "empty" // a feed that unexpectedly has no items
  | "too-large";

/** Error of a request or of reading its answer. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly failure: FetchFailure;
  /** Pause that the host requests, in milliseconds; null: none. */
  readonly retryAfterMs: number | null;

  constructor(failure: FetchFailure, message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** Whether the failure concerns all addresses of the host: the host refuses, fails or is unreachable. */
export function isHostFailure({ failure }: FetchError): boolean {
  return failure !== "gone" && failure !== "unreadable" && failure !== "too-large";
}

/** Returns the error as a FetchError; an unexpected one counts as an unreadable answer. */
export function toFetchError(error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  return new FetchError("unreadable", errorMessage(error), { cause: error });
}

/** Prefixes the error's message with the part of the source that failed. */
export function withPart(part: string, { failure, message, retryAfterMs, cause }: FetchError): FetchError {
  return new FetchError(failure, `${part}: ${message}`, { retryAfterMs, cause });
}

/** In characters; the reason follows it. */
const MAX_NAME_LENGTH = 300;

/** Address with which the message of an unreadable answer begins. */
export function unreadableName({ host, pathname }: URL): string {
  return cutText(host + pathname, MAX_NAME_LENGTH);
}

export function unreadable({ url }: { readonly url: URL }, problem: string): FetchError {
  return new FetchError("unreadable", `${unreadableName(url)}: ${problem}`);
}
