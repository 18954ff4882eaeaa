import { expect, it } from "vitest";
import { cutEncoded, cutText, multiLine, oneLine, sanitizeText } from "./external-text.ts";

it.each([
  ["abc\u202Etxt.exe\u202C \u2066x\u2069\u200F", "abctxt.exe x"],
  ["a\u061Cb", "ab"],
  ["a\u0000b\u0007c\u001B[31md\u007F", "abc[31md"],
  ["a\uD800b", "a\uFFFDb"],
  ["one\r\ntwo\u2028three\rfour", "one\ntwo\nthree\nfour"],
  ["one\ttwo\n🦀", "one\ttwo\n🦀"],
])("removes control characters and bidirectional control marks: %j", (text, expected) => {
  expect(sanitizeText(text)).toBe(expected);
});

it("removes every bidirectional control mark from a line and from lines", () => {
  const marks = "a\u061Cb\u200E\u200Fc\u202Ed\u2066";
  expect([oneLine(marks, 80), multiLine(marks, 80)]).toEqual(["abcd", "abcd"]);
});

it.each([
  ["ab😀", 4, "ab😀"],
  ["ab😀c", 4, "ab…"],
  ["abcdef", 4, "abc…"],
  ["abc", 0, "…"],
])("cuts %j to %d units, between characters", (text, max, expected) => {
  expect(cutText(text, max)).toBe(expected);
});

const double = (text: string): string => text.replaceAll("*", String.raw`\*`);

it("truncates a text to the length of its encoded form", () => {
  expect(cutEncoded("*****", 10, double)).toBe(double("*****"));
  expect(cutEncoded("******", 10, double)).toBe(`${double("****")}…`);
  expect(cutEncoded("a🦀🦀", 4, double)).toBe("a🦀…");
  expect(cutEncoded("x".repeat(9), 0, double).length).toBeLessThanOrEqual(1);
});
