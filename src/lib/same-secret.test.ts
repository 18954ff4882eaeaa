import { expect, it } from "vitest";
import { isSameSecret } from "./same-secret.ts";

it.each([
  ["the same text", "s3cret", true],
  ["another case", "S3cret", false],
  ["a prefix", "s3cre", false],
  ["a longer text", "s3cret ", false],
  ["an empty text", "", false],
])("compares a secret with %s", (_, text, isSame) => {
  expect(isSameSecret("s3cret", text)).toBe(isSame);
});
