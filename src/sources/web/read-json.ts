import { hasMoreValues, parseJson } from "../../lib/json.ts";
import { decodeText } from "./decode-text.ts";
import { unreadable } from "./fetch-error.ts";
import { isWebPage } from "./html-scan.ts";
import type { WebAnswer } from "./web-answer.ts";

/** Parsing this many values takes about 10 ms. The largest lists have about 10,000. */
export const MAX_JSON_VALUES = 100_000;

/** Parses the JSON of an answer; undefined if it is not JSON. Throws a FetchError for a web page or too many values. */
export function readJson(answer: WebAnswer): unknown {
  const text = decodeText(answer.body, answer.header("content-type"));
  if (isWebPage(text)) throw unreadable(answer, "expected JSON, got a web page");
  if (hasMoreValues(text, MAX_JSON_VALUES))
    throw unreadable(answer, `expected JSON of at most ${MAX_JSON_VALUES} values, got more`);
  return parseJson(text);
}
