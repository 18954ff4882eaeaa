import { internalProblem, problemResponse } from "../../http/problem.ts";
import type { Log } from "../../ports/log.ts";
import { StoreError } from "../../ports/store.ts";
import { QuotaError } from "./quota.ts";
import { RequestError } from "./requests.ts";

const TITLES = {
  400: "Bad request",
  401: "Not signed in",
  403: "Not allowed",
  404: "Not found",
  405: "Method not allowed",
  409: "Not possible",
  413: "Too large",
  415: "Wrong content type",
  429: "Too many wrong tokens",
  500: "Internal error",
  503: "Not ready",
} as const;

export type ProblemStatus = keyof typeof TITLES;

/** Error response as `application/problem+json`. `detail` is a sentence for the reader. */
export function errorResponse(
  status: ProblemStatus,
  code: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return problemResponse({ status, title: TITLES[status], code, detail, headers });
}

/** Error response for an error of a request. Errors that the client didn't cause are logged. */
export function problemOf(error: Error, log: Log): Response {
  if (error instanceof RequestError) return errorResponse(400, "bad-request", error.message);
  if (error instanceof QuotaError) return errorResponse(409, "quota-exceeded", error.message);
  if (!(error instanceof StoreError)) return internalProblem(error, log);
  log.error("web request failed", { error });
  const detail = "The store isn't available right now. Try again in a moment.";
  return errorResponse(503, "store-failed", detail, { "retry-after": "5" });
}
