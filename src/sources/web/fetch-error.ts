import { errorMessage } from "../../lib/error-text.ts";

export type FetchFailure =
  | "unreachable"
  | "timeout"
  | "refused" // 401, 403, 451, a bot challenge, or forbidden by the robots rules; no workaround is tried
  | "rate-limited"
  | "server-error"
  | "gone" // 404 and 410
  | "unreadable" // not a feed, or a page without a release
  | "empty" // a feed without items where there should be some
  | "too-large";

export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly failure: FetchFailure;
  /** Milliseconds that the host asked to wait; null if it did not. */
  readonly retryAfterMs: number | null;

  constructor(failure: FetchFailure, message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** Whether other addresses of the host would fail, too: the host refuses, fails or is out of reach. */
export function isHostFailure({ failure }: FetchError): boolean {
  return failure !== "gone" && failure !== "unreadable" && failure !== "too-large";
}

/** Returns the error as a FetchError; an unexpected one counts as an unreadable answer. */
export function toFetchError(error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  return new FetchError("unreadable", errorMessage(error), { cause: error });
}

/** The error with the part of the source that it concerns. */
export function withPart(part: string, { failure, message, retryAfterMs, cause }: FetchError): FetchError {
  return new FetchError(failure, `${part}: ${message}`, { retryAfterMs, cause });
}

export function unreadable({ url }: { readonly url: URL }, problem: string): FetchError {
  return new FetchError("unreadable", `${url.host}${url.pathname}: ${problem}`);
}
