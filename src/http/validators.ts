import type { HttpAnswer } from "./client.ts";

const CONDITIONS = [
  ["etag", "if-none-match"],
  ["last-modified", "if-modified-since"],
] as const;

/** Values that a request header can contain. Sending any other value back would make every later request fail. */
const HEADER_VALUE = /^[ -~]{1,300}$/;

/** Headers that make the next request for the same address conditional; empty if the answer has no validators. */
export function validatorsOf({ header }: Pick<HttpAnswer, "header">): Readonly<Record<string, string>> {
  const validators: Record<string, string> = {};
  for (const [name, condition] of CONDITIONS) {
    const value = header(name);
    if (value !== null && HEADER_VALUE.test(value)) validators[condition] = value;
  }
  return validators;
}
