import type { HTTPException } from "hono/http-exception";
import { quoteValue } from "../../lib/error-text.ts";
import { badParameter, problemException } from "./problem-exception.ts";

/** Query parameters as received: each name with all its values. */
export type Query = ReadonlyMap<string, readonly string[]>;

const KEY_PARAMETER = "apiKey";
const MAX_NAME_LENGTH = 60;

/**
 * Reads the query string of an address. Hono's parser returns undecodable text unchanged and drops a parameter named
 * `__proto__`; here both are errors.
 */
export function readQuery(address: string): Query {
  const query = new Map<string, string[]>();
  const search = address.split("#", 1)[0]?.replace(/^[^?]*\??/, "") ?? "";
  for (const pair of search.split("&").filter((text) => text !== "")) {
    const [name = "", value = ""] = pair.split(/=(.*)/s, 2).map(decodeParameter);
    const values = query.get(name) ?? [];
    values.push(value);
    query.set(name, values);
  }
  return query;
}

/** Returns the caller's key; undefined if it is missing or empty. */
export function readKey(query: Query): string | undefined {
  const values = query.get(KEY_PARAMETER) ?? [];
  if (values.length > 1) throw repeatedParameter(KEY_PARAMETER, values.length);
  return values[0] === "" ? undefined : values[0];
}

/** Throws a problem unless every parameter except the key is one of `names` and occurs once, with a value. */
export function checkParameters(query: Query, names: readonly string[]): void {
  for (const [name, values] of query) {
    if (name === KEY_PARAMETER) continue;
    if (!names.includes(name)) throw unknownParameter(name, names);
    if (values.length > 1) throw repeatedParameter(name, values.length);
    const [value = ""] = values;
    if (value.trim() === "") throw badParameter(name, value, "a value; omit the parameter otherwise");
  }
}

/** Throws a problem unless the last segment of the path is percent-encoded UTF-8. `name`: name of the segment in the message. */
export function checkLastSegment(address: string, name: string): void {
  const segment = address.split("?", 1)[0]?.split("/").at(-1) ?? "";
  if (decode(segment) === undefined) throw badParameter(name, segment, "text in UTF-8, percent-encoded");
}

function decodeParameter(text: string): string {
  const decoded = decode(text.replaceAll("+", " "));
  // The text isn't quoted, because it may contain the key.
  if (decoded === undefined) throw problemException("bad_parameter", "query string: expected UTF-8, percent-encoded");
  return decoded;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Doesn't quote the values, which may be keys. */
function repeatedParameter(parameter: string, count: number): HTTPException {
  return problemException("bad_parameter", `${parameter}: got ${count} values, expected one`, { parameter });
}

function unknownParameter(name: string, names: readonly string[]): HTTPException {
  const allowed = [KEY_PARAMETER, ...names];
  const detail = `${quoteValue(name)} is not a parameter here, expected only ${allowed.join(", ")}`;
  return problemException("bad_parameter", detail, { parameter: name.slice(0, MAX_NAME_LENGTH), allowed });
}
