import { expect, it } from "vitest";
import { quoteValue } from "./error-text.ts";

it.each([
  ["a text", "ACME", '"ACME"'],
  ["a text with quotation marks and line breaks", 'a "b"\n', String.raw`"a \"b\"\n"`],
  ["an empty text", "", '""'],
  ["a number", 41, "41"],
  ["a number that JSON lacks", Number.NaN, "NaN"],
  ["a switch", false, "false"],
  ["null", null, "null"],
  ["a missing value", undefined, "nothing"],
  ["a list", ["a", 1], '["a",1]'],
  ["an object", { a: null }, '{"a":null}'],
])("quotes %s", (_, value, expected) => {
  expect(quoteValue(value)).toBe(expected);
});

it("truncates to 81 characters and never within one", () => {
  expect(quoteValue("x".repeat(81))).toBe(`"${"x".repeat(81)}"`);
  expect(quoteValue("x".repeat(82))).toBe(`"${"x".repeat(80)}…"`);
  expect(quoteValue(`${"x".repeat(79)}🦀🦀`)).toBe(`"${"x".repeat(79)}…"`);
  expect(quoteValue(["x".repeat(90)])).toBe(`["${"x".repeat(78)}…`);
});

it("masks before it truncates", () => {
  expect(quoteValue(`${"x".repeat(77)}secret`, maskSecret)).toBe(`"${"x".repeat(77)}***"`);
  expect(quoteValue(["secret"], maskSecret)).toBe('["***"]');
});

function maskSecret(text: string): string {
  return text.replaceAll("secret", "***");
}
