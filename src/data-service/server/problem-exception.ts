import { HTTPException } from "hono/http-exception";
import { problemResponse } from "../../http/problem.ts";
import { quoteValue } from "../../lib/error-text.ts";
import { PROBLEM_STATUSES, type ProblemCode } from "../schema.ts";

interface ProblemExtras {
  readonly parameter?: string;
  readonly allowed?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Creates an exception whose response is a problem (RFC 9457). `detail` is sent to the caller and must contain no key and no
 * internals.
 */
export function problemException(
  code: ProblemCode,
  detail: string,
  { headers = {}, ...members }: ProblemExtras = {},
): HTTPException {
  const status = PROBLEM_STATUSES[code];
  return new HTTPException(status, { res: problemResponse({ status, code, detail, members, headers }) });
}

/** Problem such as `size: got "41", expected a whole number from 1 to 40`. */
export function badParameter(
  parameter: string,
  got: string,
  expected: string,
  allowed?: readonly string[],
): HTTPException {
  const detail = `${parameter}: got ${quoteValue(got)}, expected ${expected}`;
  return problemException("bad_parameter", detail, { parameter, ...(allowed && { allowed }) });
}
