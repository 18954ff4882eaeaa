import { type Day, parseDay } from "../../domain/time/day.ts";
import { badParameter, Problem, quote } from "./problem.ts";

/** The parameters of a request as they came: each name with all its values. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** The parameters of an operation, each given once and not empty. The key is not among them. */
export type Parameters = ReadonlyMap<string, string>;

const KEY_PARAMETER = "apiKey";
const LONGEST_NAME = 60;

/** Reads the query string of an address. Bytes that are no text are refused: they would silently match nothing. */
export function readQuery(address: string): Query {
  const query = new Map<string, string[]>();
  for (const pair of queryOf(address).split("&")) {
    if (pair === "") continue;
    const [name, value] = cutAt(pair, "=");
    const values = query.get(decodeParameter(name)) ?? [];
    query.set(decodeParameter(name), [...values, decodeParameter(value)]);
  }
  return query;
}

/** The caller's key; undefined when there is none. An empty one is none. */
export function readKey(query: Query): string | undefined {
  const values = query.get(KEY_PARAMETER) ?? [];
  // The values are keys, perhaps good ones: the answer does not repeat them.
  if (values.length > 1) throw repeated(KEY_PARAMETER, values.length);
  return values[0] === "" ? undefined : values[0];
}

/** The parameters besides the key, which must be among `names`. */
export function readParameters(query: Query, names: readonly string[]): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, values] of query) {
    if (name === KEY_PARAMETER) continue;
    if (!names.includes(name)) throw unknownParameter(name, names);
    if (values.length > 1) throw repeated(name, values.length);
    const [value = ""] = values;
    if (value.trim() === "") throw badParameter(name, value, "a value, or leave the parameter out");
    parameters.set(name, value);
  }
  return parameters;
}

/** The members of a comma-separated list without the blanks around them; undefined when the parameter is not given. */
export function readList(parameters: Parameters, name: string): readonly string[] | undefined {
  const text = parameters.get(name);
  const members = text?.split(",").map((member) => member.trim());
  if (members?.includes("")) throw badParameter(name, text ?? "", "a comma-separated list without empty members");
  return members;
}

/** No sign, no exponent, no leading zero, no blanks: `10`, not `1e1`, `+10` or `010`. */
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]*)$/;

export function readWholeNumber(
  parameters: Parameters,
  name: string,
  limits: { readonly min: number; readonly max: number; readonly byDefault: number },
): number {
  const text = parameters.get(name);
  if (text === undefined) return limits.byDefault;
  const value = WHOLE_NUMBER.test(text) ? Number(text) : Number.NaN;
  if (value >= limits.min && value <= limits.max) return value;
  throw badParameter(name, text, `a whole number from ${limits.min} to ${limits.max}`);
}

export function readDay(parameters: Parameters, name: string): Day | undefined {
  const text = parameters.get(name);
  if (text === undefined) return undefined;
  const day = parseDay(text);
  if (day) return day;
  throw badParameter(name, text, "a day of the calendar as YYYY-MM-DD");
}

/** The last segment of the path of an address. It is read from the address as it came, where it is still encoded. */
export function readLastSegment(address: string, name: string): string {
  const path = cutAt(address, "?")[0];
  const segment = path.slice(path.lastIndexOf("/") + 1);
  const text = decode(segment);
  if (text === undefined) throw badParameter(name, segment, "text in UTF-8, percent-encoded");
  return text;
}

function queryOf(address: string): string {
  return cutAt(cutAt(address, "#")[0], "?")[1];
}

function decodeParameter(text: string): string {
  const decoded = decode(text.replaceAll("+", " "));
  // What came is not quoted: it may be the key.
  if (decoded === undefined) throw new Problem("bad_parameter", "query string: expected UTF-8, percent-encoded");
  return decoded;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function repeated(name: string, times: number): Problem {
  return new Problem("bad_parameter", `${name}: given ${times} times, expected once`, { parameter: name });
}

function unknownParameter(name: string, names: readonly string[]): Problem {
  const allowed = [KEY_PARAMETER, ...names];
  const detail = `${quote(name)} is not a parameter here, expected only ${allowed.join(", ")}`;
  return new Problem("bad_parameter", detail, { parameter: name.slice(0, LONGEST_NAME), allowed });
}

function cutAt(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}
