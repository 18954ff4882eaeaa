import { expect, it } from "vitest";
import { readJson } from "./read-json.ts";
import type { WebAnswer } from "./web-answer.ts";

function answer(body: string): WebAnswer {
  const url = new URL("https://list.example/rows");
  return { status: 200, url, header: () => null, headers: () => [], body: Buffer.from(body) };
}

it("parses JSON, and returns undefined for other text", () => {
  expect(readJson(answer('{"rows":[1,"two"]}'))).toEqual({ rows: [1, "two"] });
  expect(readJson(answer('{"rows":['))).toBeUndefined();
});

it("parses JSON after a byte order mark", () => {
  expect(readJson(answer('\uFEFF{"rows":["é"]}'))).toEqual({ rows: ["é"] });
});

it("reports a web page", () => {
  const page = answer("<!DOCTYPE html><html><body>Under maintenance</body></html>");
  expect(() => readJson(page)).toThrow("list.example/rows: expected JSON, got a web page");
});

it.each([
  ["arrays", `[${"[],".repeat(100_000)}[]]`],
  ["objects", `[${"{},".repeat(100_000)}{}]`],
  ["fields", `{${Array.from({ length: 100_001 }, (_, n) => `"${n}":1`).join(",")}}`],
  ["nested arrays", "[".repeat(100_001)],
])("rejects too many %s before they are parsed", (_, body) => {
  expect(() => readJson(answer(body))).toThrow("list.example/rows: expected JSON of at most 100000 values, got more");
});
