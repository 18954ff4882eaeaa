import { expect, it } from "vitest";
import { firstElement } from "./html-scan.ts";

it.each([
  ["<p>a</p><H1 class='x'>Name <b>Change</b></H1><h1>other</h1>", "h1", "Name <b>Change</b>"],
  ["<h3>a</h3><h1>b</h1>", "h[1-6]", "a"],
  ["<header>a</header>", "h[1-6]", undefined],
  ["<title>no end", "title", undefined],
  [`<title>${"x".repeat(100)}</title>`, "title", undefined],
])("the first element of %j is found by its name", (html, elements, content) => {
  expect(firstElement(html, elements, 50)).toBe(content);
});
