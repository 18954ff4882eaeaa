import { expect, it } from "vitest";
import { webAnswer } from "../../../test/support/web-answer.ts";
import { errorOf } from "./answer-error.ts";

const failureOf = (body: string): string | undefined =>
  errorOf(webAnswer(body, "https://wire.example/1", "text/html"), { name: "", kind: "page", now: 0 })?.failure;

const FILLER = "<p>Please wait.</p>".repeat(250);

it.each([
  ["a title in capitals", "<TITLE>\n ACCESS DENIED</TITLE>"],
  ["a title below other parts of the page", `${FILLER}<title>Robot Check</title>`],
  ["a script below other parts of the page", `${FILLER}<script>window._CF_chl_opt={}</script>`],
  ["the heading of an unavailable page", `${FILLER}<h2 class="error">\n Page not available.</h2>`],
])("recognizes a challenge or refusal by %s", (_, body) => {
  expect(failureOf(body)).toBe("refused");
});

it.each([
  ["a release", "<title>Security Checkpoint Corp. Announces Reverse Split</title>"],
  ["a feed with the title of a challenge", "<?xml version='1.0'?><rss><item><title>Access Denied</title></item></rss>"],
  ["a text that mentions an unavailable page", "<title>Acme</title><p>The text page not available is shown.</p>"],
])("accepts %s", (_, body) => {
  expect(failureOf(body)).toBeUndefined();
});
