import type { z } from "zod";
import { closestWord } from "../lib/closest-word.ts";
import { quoteValue } from "./values.ts";

export type Section = Readonly<Record<string, unknown>>;

/** What `over` says, and for the rest what `base` says: section by section, key by key. A list counts as one value. */
export function mergeSettings(base: unknown, over: unknown): unknown {
  // A section whose lines are all commented out reads as null.
  if (over === undefined || (over === null && isSection(base))) return base;
  if (!isSection(base) || !isSection(over)) return over;
  const keys = [...new Set([...Object.keys(base), ...Object.keys(over)])];
  return Object.fromEntries(keys.map((key) => [key, mergeSettings(own(base, key), own(over, key))]));
}

/** One line for each thing that is wrong with the settings: `poll.missingPolls: got 0, expected …`. */
export function settingProblems(error: z.ZodError, settings: unknown, known: readonly string[]): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => unknownKey([...issue.path, key].join("."), known));
    }
    const expected = issue.code === "custom" ? issue.message : "a section: lines of 'key: value' below it";
    return [
      `${issue.path.join(".") || "the file"}: got ${quoteValue(valueAt(settings, issue.path))}, expected ${expected}`,
    ];
  });
}

/** All keys of a map and of the sections in it: `poll`, `poll.splits`, … */
export function keysOf(settings: unknown, under = ""): string[] {
  if (!isSection(settings)) return [];
  return Object.entries(settings).flatMap(([key, value]) => [under + key, ...keysOf(value, `${under}${key}.`)]);
}

function unknownKey(name: string, known: readonly string[]): string {
  const lastPart = name.slice(name.lastIndexOf(".") + 1);
  const meant = known.find((key) => key.endsWith(`.${lastPart}`)) ?? closestWord(name, known);
  return `${name}: unknown key${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

function valueAt(settings: unknown, path: readonly PropertyKey[]): unknown {
  let value = settings;
  for (const key of path) value = isSection(value) ? own(value, String(key)) : undefined;
  return value;
}

function own(section: Section, key: string): unknown {
  return Object.hasOwn(section, key) ? section[key] : undefined;
}

export function isSection(value: unknown): value is Section {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
