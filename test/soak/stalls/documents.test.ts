import { afterAll, describe, expect, it } from "vitest";
import { FetchError } from "../../../src/sources/web/fetch-error.ts";
import { createPageReader } from "../../../src/sources/web/page-text.ts";
import { readFeed } from "../../../src/sources/web/read-feed.ts";
import type { WebAnswer } from "../../../src/sources/web/web.ts";
import { StallTable } from "../../support/stall.ts";
import { repeat } from "./input.ts";

const table = new StallTable();

afterAll(() => table.print());

function answerOf(body: string): WebAnswer {
  const url = new URL("https://wire.example/feed");
  return { status: 200, url, header: () => "text/html", headers: () => [], body: Buffer.from(body) };
}

/** A refusal counts as a result. */
function settle(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
  }
}

describe("documents of sources", () => {
  const pieces = [
    ["<a ", "<a <br class=x ", '<div class="x" ', "<div class='x ", "<div", "<div>", "<p>a</p>", "<p>", "</p>", "<b>"],
    ["<tr><td>a", "<table><tr><td>", "<ul><li>", "<!--", "<!-- -->", "<!a ", "&amp;", "&#60;", "&", "<script>", "<"],
    ["<![CDATA[", "]]>", "<item>", "<item><title>a</title><link>http://a</link></item>", "<entry>", "<title>", "{"],
    [
      "(NASDAQ: ",
      "(",
      "1-for-",
      "one-for-",
      "reverse stock split of 1 ",
      "March 1, 2026 ",
      "CUSIP ",
      "A ",
      "a.",
      "a\n",
    ],
    [" ", "\t", "| ", "• ", "Inc. ", "é", "\u2028", "Mr. ", "U.S. ", "<pre>", "<img ", "<head>", "\0", "<x:item ", '"'],
    ["<author>(", "<author><", "&lt;p&gt;", "\\"],
  ].flat();
  const heads = [
    '<rss version="2.0"><channel>',
    '<rss version="2.0"><channel><item><title>a</title><description>',
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry>',
    '{"version":"https://jsonfeed.org/version/1","items":[{"content_html":"',
  ];
  const readPage = createPageReader([".main", "#x", ".x", '[itemprop="articleBody"]']);

  it("don't block the event loop", async () => {
    for (const piece of pieces) {
      const label = JSON.stringify(piece);
      for (const length of [500_000, 2_000_000]) {
        const page = `<html><body><div class="main">${repeat(piece, length)}</div></body></html>`;
        await table.measure(`page ${label}`, page.length, async () => {
          settle(() => readPage(answerOf(page), "Split"));
        });
      }
      for (const head of heads) {
        const feed = head + repeat(piece, 200_000);
        await table.measure(`feed ${head.slice(0, 12)} ${label}`, feed.length, async () => {
          settle(() => readFeed(answerOf(feed)));
        });
      }
    }
    expect(table.takeLong()).toEqual([]);
  });
});
