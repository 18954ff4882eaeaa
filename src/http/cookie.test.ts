import { expect, it } from "vitest";
import { findCookie } from "./cookie.ts";

it.each<[string | undefined, string | undefined]>([
  ["session=abc", "abc"],
  ["theme=dark; session=abc; other=1", "abc"],
  ["a=b;session=a=b;session=c", "a=b"],
  ["  session=abc  ", "abc"],
  ["session=", ""],
  ["mysession=abc; session2=abc", undefined],
  ["session", undefined],
  ["", undefined],
  [undefined, undefined],
])("finds the cookie in %j", (header, value) => {
  expect(findCookie(header, "session")).toBe(value);
});
