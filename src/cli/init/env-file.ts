import { isDeepStrictEqual } from "node:util";
import { parseDotEnv } from "../../config/dot-env.ts";

/** Sets variables in the text of a .env file. Keeps its other lines, comments and line ends. */
export function setVariables(text: string, values: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [name, value] of values) result = setVariable(result, name, value);
  return result;
}

function setVariable(text: string, name: string, value: string): string {
  const wanted = { ...parseDotEnv(text), [name]: value };
  // A value of several lines can't be replaced by line; the last assignment wins.
  const candidates = [replaceLine, insertBelowExample, appendLine];
  for (const edit of candidates) {
    for (const quoted of quotedForms(value)) {
      const edited = edit(text, name, `${name}=${quoted}`);
      if (edited !== null && isDeepStrictEqual({ ...parseDotEnv(edited) }, wanted)) return edited;
    }
  }
  throw new Error(`.env: ${name} can't be set; remove its lines and run init again`);
}

function replaceLine(text: string, name: string, assignment: string): string | null {
  const [last] = [
    ...text.matchAll(new RegExp(`^\\uFEFF?[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, "gm")),
  ].toReversed();
  if (last === undefined) return null;
  return text.slice(0, last.index) + assignment + text.slice(last.index + last[0].length);
}

/** Inserts the line below its commented example, as in a copy of .env.example. */
function insertBelowExample(text: string, name: string, assignment: string): string | null {
  const [example] = [...text.matchAll(new RegExp(`^\\uFEFF?#[ \\t]*${name}[ \\t]*=.*$`, "gm"))];
  if (example === undefined) return null;
  const end = example.index + example[0].length;
  return text.slice(0, end) + lineEnd(text) + assignment + text.slice(end);
}

function appendLine(text: string, _name: string, assignment: string): string {
  const separator = text === "" || text.endsWith("\n") ? "" : lineEnd(text);
  return `${text}${separator}${assignment}${lineEnd(text)}`;
}

function lineEnd(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The value as it may be written in a .env file, the simplest form first. */
function quotedForms(value: string): readonly string[] {
  const quoted = ["'", '"', "`"].map((quote) => `${quote}${value}${quote}`);
  return /^[\w./:@+=,-]*$/.test(value) ? [value, ...quoted] : quoted;
}
