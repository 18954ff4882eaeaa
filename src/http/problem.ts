import { STATUS_CODES } from "node:http";
import type { Log } from "../ports/log.ts";

export interface ProblemDetails {
  readonly status: number;
  /** Default: the status phrase. */
  readonly title?: string;
  /** Distinguishes problems of one status, for programs. */
  readonly code: string;
  /** Problem and action, for people. Sent to the caller: contains no key and no internals. */
  readonly detail: string;
  /** Further members of the body. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers 500 for an unexpected error, whose details are only logged; 400 if the client disconnected within the body. */
export function internalProblem(error: Error, log: Log): Response {
  if (isAbortedBody(error)) {
    log.debug("request aborted by the client");
    return problemResponse({
      status: 400,
      code: "aborted",
      detail: "The connection ended before the body was complete.",
    });
  }
  log.error("request failed", { error });
  const detail = "The service failed to process this valid request. Try again later; the log contains the details.";
  return problemResponse({ status: 500, code: "internal", detail });
}

/** True for the error of `node:http` if a client disconnects while it sends a body. */
function isAbortedBody(error: Error): boolean {
  return error.message === "aborted" && "code" in error && error.code === "ECONNRESET";
}

/** Error answer as `application/problem+json` (RFC 9457). */
export function problemResponse(problem: ProblemDetails): Response {
  const { status, headers, body } = problemMessage(problem);
  return new Response(body, { status, headers });
}

/** Parts of the error answer, for a server that answers without a Response. */
export function problemMessage({ status, title, code, detail, members, headers }: ProblemDetails): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer>;
} {
  const phrase = STATUS_CODES[status] ?? "Error";
  const body = Buffer.from(
    JSON.stringify({ type: "about:blank", title: title ?? phrase, status, detail, code, ...members }),
  );
  return {
    status,
    body,
    headers: {
      "Content-Type": "application/problem+json",
      "Content-Length": String(body.length),
      "Cache-Control": "no-store",
      ...headers,
    },
  };
}
