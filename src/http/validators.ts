import type { HttpAnswer } from "./client.ts";

const CONDITIONS = [
  ["etag", "if-none-match"],
  ["last-modified", "if-modified-since"],
] as const;

/** Values that are valid in a request. Another one would fail every later request. */
const HEADER_VALUE = /^[ -~]{1,300}$/;

/** Headers of a conditional request for an address that was answered before; none if the answer has no validators. */
export function validatorsOf({ header }: Pick<HttpAnswer, "header">): Readonly<Record<string, string>> {
  const validators: Record<string, string> = {};
  for (const [name, condition] of CONDITIONS) {
    const value = header(name);
    if (value !== null && HEADER_VALUE.test(value)) validators[condition] = value;
  }
  return validators;
}
