import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { PRECEDENCE } from "./precedence.ts";

it("the documentation quotes the precedence of each term", async () => {
  const page = await readFile("docs/decisions/how-a-split-is-derived.md", "utf8");
  const quoted = [...page.matchAll(/^\| (\w+) \| ([a-z]+(?:, [a-z]+)+) \|$/gm)].map(([, term, sources]) => [
    term,
    sources?.split(", "),
  ]);
  expect(Object.fromEntries(quoted)).toEqual(PRECEDENCE);
});
