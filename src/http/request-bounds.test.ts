import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import {
  boundExceededBy,
  MAX_HEADER_LENGTH,
  MAX_HEADERS,
  MAX_PARAMETERS,
  MAX_PATH_LENGTH,
  MAX_TARGET_LENGTH,
  READ_HEADERS,
} from "./request-bounds.ts";

const SOURCE = fileURLToPath(new URL("../", import.meta.url));

/** Ways to read a header of a request. A platform reads the headers of its own routes in another way, with a bound of its own. */
const READING = /req\.header\("([a-z-]+)"\)|headers\["([a-z-]+)"\]/g;

function headers(count: number): string[] {
  return Array.from({ length: count }, () => ["X-A", "b"]).flat();
}

function parameters(count: number): string {
  return Array(count).fill("a").join("&");
}

it.each<[string, string, readonly string[]]>([
  ["a path of the maximum length", `/${"a".repeat(MAX_PATH_LENGTH - 1)}`, []],
  ["a target of the maximum length", `/?${"a".repeat(MAX_TARGET_LENGTH - 2)}`, []],
  ["the maximum number of parameters", `/?${parameters(MAX_PARAMETERS)}`, []],
  ["the maximum number of headers", "/", headers(MAX_HEADERS)],
  ["a header of the maximum length", "/", ["Authorization", "a".repeat(MAX_HEADER_LENGTH)]],
  ["a long header that splitwatch doesn't read", "/", ["X-Amzn-Oidc-Data", "a".repeat(9_000)]],
  ["long cookies of other services", "/", ["Cookie", "a".repeat(9_000)]],
])("accepts %s", (_, url, rawHeaders) => {
  expect(boundExceededBy({ url, rawHeaders: [...rawHeaders] })).toBeNull();
});

it.each<[string, string, readonly string[], number, string]>([
  ["a longer path", `/${"a".repeat(MAX_PATH_LENGTH)}`, [], 414, "The path has 1025 characters, expected at most 1024."],
  ["a longer target", `/?${"a".repeat(4_095)}`, [], 414, "The address has 4097 characters, expected at most 4096."],
  ["more parameters", `/?${parameters(51)}`, [], 400, "The query has 51 parameters, expected at most 50."],
  ["more headers", "/", headers(101), 431, "The request has 101 headers, expected at most 100."],
  ["a longer header", "/", ["HOST", "a".repeat(4_097)], 431, "host: got 4097 characters, expected at most 4096."],
  [
    "a longer header in two parts",
    "/",
    ["Origin", "a".repeat(2_500), "origin", "a".repeat(2_500)],
    431,
    "origin: got 5000 characters, expected at most 4096.",
  ],
])("refuses %s", (_, url, rawHeaders, ...[status, detail]) => {
  expect(boundExceededBy({ url, rawHeaders: [...rawHeaders] })).toMatchObject({ status, detail, code: "oversized" });
});

it("bounds every header that the source reads", () => {
  const sources = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (path) => /^(?:http|data-service.server|chat)\b/.test(path) && path.endsWith(".ts") && !path.endsWith(".test.ts"),
  );
  const read = new Set(
    sources.flatMap((path) =>
      [...readFileSync(join(SOURCE, path), "utf8").matchAll(READING)].map((names) => names.slice(1).join("")),
    ),
  );
  expect(read).toContain("authorization");
  expect([...read].filter((name) => name !== "cookie" && !(READ_HEADERS as readonly string[]).includes(name))).toEqual(
    [],
  );
});
