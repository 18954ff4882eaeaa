import type { RowResult } from "../rows.ts";

/** What a file of JSON lines holds. */
export interface ParsedLines<T> {
  readonly rows: readonly T[];
  /** `splits.jsonl line 4: ex_date: got "soon", expected a day as YYYY-MM-DD` */
  readonly problems: readonly string[];
  /** The last line breaks off in the middle: perhaps it is still being written. */
  readonly truncated: boolean;
}

const MOST_REASONS = 100;

/** Reads each line alone: one that is wrong is set aside, the others count. Blank lines do not matter. */
export function parseLines<T>(text: string, file: string, read: (value: unknown) => RowResult<T>): ParsedLines<T> {
  const rows: T[] = [];
  const reasons: string[] = [];
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  let truncated = false;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const value = parseJson(line);
    // Only the last line has no line break after it.
    truncated = value === NO_JSON && index === lines.length - 1;
    const result = value === NO_JSON ? noJson(truncated) : read(value);
    if (result.ok) rows.push(result.row);
    else reasons.push(`${file} line ${index + 1}: ${result.reason}`);
  }
  return { rows, problems: shorten(reasons, file), truncated };
}

const NO_JSON = Symbol("no JSON");

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return NO_JSON;
  }
}

function noJson(truncated: boolean): RowResult<never> {
  return { ok: false, reason: truncated ? "breaks off, expected a whole JSON object" : "not JSON, expected an object" };
}

function shorten(reasons: readonly string[], file: string): readonly string[] {
  if (reasons.length <= MOST_REASONS) return reasons;
  return [...reasons.slice(0, MOST_REASONS), `${file}: ${reasons.length - MOST_REASONS} more lines are set aside`];
}
