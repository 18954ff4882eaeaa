import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webAnswer } from "../../../test/support/web-answer.ts";
import { readFeed } from "../web/read-feed.ts";
import { readReleaseList } from "./read-release-list.ts";

const LINK = "https://www.prnewswire.com/news-releases/quillmere-announces-1-for-25-reverse-stock-split-309999901.html";
const TITLE = "Quillmere & Sons Announces 1-for-25 Reverse Stock Split";
const AT = Date.parse("2026-03-02T13:30:00Z");

const PARTS = {
  title: "<title>Quillmere &amp; Sons Announces 1-for-25 Reverse Stock Split</title>",
  link: `<link>${LINK}</link>`,
  guid: `<guid>${LINK}</guid>`,
  time: "<pubDate>Mon, 02 Mar 2026 13:30:00 +0000</pubDate>",
  summary: "<description><![CDATA[<p>LAKEFORD, Ohio</p>]]></description>",
};

function feedOf(parts: Partial<typeof PARTS> = {}, order = Object.keys(PARTS)): string {
  const item: Record<string, string> = { ...PARTS, ...parts };
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>All News</title><item>${order.map((part) => item[part]).join("\n")}</item></channel></rss>`;
}

function read(body: string) {
  const { items } = readFeed(webAnswer(body, "https://www.prnewswire.com/rss/news-releases-list.rss"));
  return items.map(({ url, heading, publishedAt }) => ({ url, heading, publishedAt }));
}

const ITEM = { url: LINK, heading: TITLE, publishedAt: AT };

describe("an item of a feed", () => {
  it.each<[string, string]>([
    ["as the wire writes it", feedOf()],
    ["with a title that is escaped twice", feedOf({ title: PARTS.title.replace("&amp;", "&amp;amp;") })],
    ["with a title in CDATA", feedOf({ title: `<title><![CDATA[${TITLE}]]></title>` })],
    ["with a title on several lines", feedOf({ title: PARTS.title.replaceAll(" ", "\n  ") })],
    ["with a time without seconds", feedOf({ time: "<pubDate>Mon, 02 Mar 2026 13:30 GMT</pubDate>" })],
    ["with the zone UT", feedOf({ time: "<pubDate>Mon, 2 Mar 2026 13:30:00 UT</pubDate>" })],
    ["with another zone", feedOf({ time: "<pubDate>Mon, 02 Mar 2026 08:30:00 -0500</pubDate>" })],
    ["with a wrong weekday", feedOf({ time: "<pubDate>Tue, 02 Mar 2026 13:30:00 +0000</pubDate>" })],
    ["with an ISO time", feedOf({ time: "<pubDate>2026-03-02T13:30:00Z</pubDate>" })],
    ["with its address in the guid only", feedOf({ link: "" })],
    ["with a number as guid", feedOf({ guid: '<guid isPermaLink="false">309999901en</guid>' })],
    ["without guid and summary", feedOf({ guid: "", summary: "" })],
    ["with tracking parameters", feedOf({ link: `<link>${LINK}?tc=eml&amp;utm_source=x</link>` })],
    [
      "in an Atom feed",
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><id>1</id>${PARTS.title}<link href="${LINK}"/><updated>2026-03-02T13:30:00Z</updated></entry></feed>`,
    ],
  ])("is read %s", async (_, body) => {
    expect(read(body)).toEqual([ITEM]);
  });

  it("is read without a time if it states none", async () => {
    expect(read(feedOf({ time: "" }))).toEqual([{ ...ITEM, publishedAt: null }]);
  });

  it("is read whatever its incidental parts are", async () => {
    const incidental = fc.record({
      order: fc.shuffledSubarray(Object.keys(PARTS), { minLength: 5 }),
      parts: fc.record({
        guid: fc.constantFrom(PARTS.guid, "", "<guid>309999901</guid>"),
        summary: fc.constantFrom(PARTS.summary, "", "<media:content url='x'/><dc:language>en</dc:language>"),
      }),
      gap: fc.constantFrom("", "\n", "<!-- item -->"),
    });
    await fc.assert(
      fc.asyncProperty(incidental, async ({ order, parts, gap }) => {
        expect(read(feedOf(parts, order).replaceAll("><", `>${gap}<`))).toEqual([ITEM]);
      }),
    );
  });

  it.each([
    ["an error page", "<html><h1>Not found</h1></html>"],
    ["a form to sign in", "<!DOCTYPE html><html><form><input name=user></form></html>"],
    ["JSON of another shape", '{"error":"forbidden"}'],
    ["nothing", ""],
  ])("is not read from %s", (_, body) => {
    expect(() => read(body)).toThrow(/expected|got/);
  });
});

const CARD = `<div class="card" aria-label="News Release"><a class="newsreleaseconsolidatelink" href="/news-releases/quillmere-announces-1-for-25-reverse-stock-split-309999901.html">
<h3><small>Mar 02, 2026, 08:30 ET</small>Quillmere &amp; Sons Announces 1-for-25 Reverse Stock Split</h3></a><p>LAKEFORD, Ohio</p></div>`;

const readList = (html: string) =>
  readReleaseList(webAnswer(html, "https://www.prnewswire.com/news-releases/news-releases-list/", "text/html"), AT).map(
    ({ url, heading, publishedAt }) => ({ url, heading, publishedAt }),
  );

describe("a card of PR Newswire's list", () => {
  it.each<[string, string]>([
    ["as the wire writes it", CARD],
    ["without its label", CARD.replace(' aria-label="News Release"', "")],
    ["with another level of heading", CARD.replaceAll("h3", "h2")],
    ["with links in apostrophes", CARD.replace(/href="([^"]*)"/, "href='$1'")],
    ["with an absolute link", CARD.replace('href="/', 'href="https://www.prnewswire.com/')],
    ["with a time of twelve hours", CARD.replace("Mar 02, 2026, 08:30 ET", "March 2, 2026 8:30 AM EST")],
    ["with the weekday and the day in figures", CARD.replace("Mar 02, 2026, 08:30 ET", "Mon, 3/2/2026, 08:30 ET")],
    ["with the time of today only", CARD.replace("Mar 02, 2026, 08:30 ET", "08:30 ET")],
    [
      "with the time in another element",
      CARD.replace(/<small>(.*?)<\/small>/, "").replace("<p>", "<span>Mar 02, 2026, 08:30 ET</span><p>"),
    ],
    ["without a summary", CARD.replace(/<p>.*<\/p>/, "")],
  ])("is read %s", (_, html) => {
    expect(readList(`<html><body>${html}</body></html>`)).toEqual([ITEM]);
  });
});
