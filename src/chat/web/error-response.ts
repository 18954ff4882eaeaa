import { problemResponse } from "../../http/problem.ts";

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
