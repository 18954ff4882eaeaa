import { parseJson } from "../../lib/json.ts";
import { unreadable } from "./fetch-error.ts";
import { isWebPage } from "./html-scan.ts";
import type { WebAnswer } from "./web.ts";

/** Parsing this many values takes about 10 ms. The largest lists have about 10,000. */
const MAX_VALUES = 100_000;

/** Parses the JSON of an answer; undefined if it is not JSON. Throws a FetchError for a web page or too many values. */
export function readJson(answer: WebAnswer): unknown {
  const text = answer.body.toString("utf8");
  if (isWebPage(text)) throw unreadable(answer, "expected JSON, got a web page");
  if (hasTooManyValues(text)) throw unreadable(answer, `expected JSON of at most ${MAX_VALUES} values, got more`);
  return parseJson(text);
}

/** Estimates the number of values from the commas and opening brackets outside strings. */
export function hasTooManyValues(json: string): boolean {
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at);
    else if (character === "," || character === "[" || character === "{") values += 1;
    if (values > MAX_VALUES) return true;
  }
  return false;
}

/** Position of the closing quotation mark of a string; the end of the text if there is none. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
