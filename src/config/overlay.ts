import type { z } from "zod";
import { closestWord } from "../lib/closest-word.ts";
import { isJsonObject, type JsonObject } from "../lib/json.ts";
import { quoteSetting } from "./value-schemas.ts";

/** Merges `over` into `base`, section by section and key by key. Lists are replaced as a whole. */
export function mergeSettings(base: unknown, over: unknown): unknown {
  // A section with all lines commented out is null.
  if (over === undefined || (over === null && isJsonObject(base))) return base;
  if (!isJsonObject(base) || !isJsonObject(over)) return over;
  const keys = [...new Set([...Object.keys(base), ...Object.keys(over)])];
  return Object.fromEntries(keys.map((key) => [key, mergeSettings(own(base, key), own(over, key))]));
}

/** One line per problem: `poll.missingPolls: got 0, expected …`. */
export function settingProblems(error: z.ZodError, settings: unknown, known: readonly string[]): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => unknownKey([...issue.path, key].join("."), known));
    }
    const expected = issue.code === "custom" ? issue.message : "a section: lines of 'key: value' below it";
    return [
      `${issue.path.join(".") || "the file"}: got ${quoteSetting(valueAt(settings, issue.path))}, expected ${expected}`,
    ];
  });
}

/** Keys of all levels: `poll`, `poll.splits`, … */
export function keysOf(settings: unknown, prefix = ""): string[] {
  if (!isJsonObject(settings)) return [];
  return Object.entries(settings).flatMap(([key, value]) => [prefix + key, ...keysOf(value, `${prefix}${key}.`)]);
}

function unknownKey(name: string, known: readonly string[]): string {
  const lastPart = name.slice(name.lastIndexOf(".") + 1);
  const suggestion = known.find((key) => key.endsWith(`.${lastPart}`)) ?? closestWord(name, known);
  return `${name}: unknown key${suggestion === undefined ? "" : `; did you mean ${suggestion}?`}`;
}

/** The value at the path; undefined if there is none. */
export function valueAt(settings: unknown, path: readonly PropertyKey[]): unknown {
  let value = settings;
  for (const key of path) value = isJsonObject(value) ? own(value, String(key)) : undefined;
  return value;
}

function own(section: JsonObject, key: string): unknown {
  return Object.hasOwn(section, key) ? section[key] : undefined;
}
