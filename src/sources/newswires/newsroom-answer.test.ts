import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webAnswer } from "../../../test/support/web-answer.ts";
import { readNewsroomAnswer } from "./newsroom-answer.ts";

const API = "https://www.accessnewswire.com/newsroom/api";
const LINK = "https://www.accessnewswire.com/newsroom/en/computers/quillmere-announces-1-for-25-reverse-split-1000001";
const ARTICLE = {
  title: "Quillmere & Sons Announces 1-for-25 Reverse Stock Split",
  releaseurl: LINK,
  body: "LAKEFORD, OH / ACCESS Newswire",
  adate: "2026-03-02T08:30:00",
};
const ITEM = { url: LINK, heading: ARTICLE.title, publishedAt: Date.parse("2026-03-02T13:30:00Z") };

async function read(body: string) {
  const items = readNewsroomAnswer(webAnswer(body, API, "application/json"));
  return items.map(({ url, heading, publishedAt }) => ({ url, heading, publishedAt }));
}

function answerWith(parts: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ data: { articles: [{ ...ARTICLE, ...parts }] } });
}

describe("an article of ACCESS Newswire's newsroom", () => {
  it.each<[string, string]>([
    ["as the newsroom answers", answerWith({})],
    ["with a byte order mark", `\uFEFF${answerWith({})}`],
    ["with an escaped title", answerWith({ title: ARTICLE.title.replace("&", "&amp;") })],
    ["with a title on several lines", answerWith({ title: ARTICLE.title.replaceAll(" ", "\n ") })],
    ["with a title in tags", answerWith({ title: `<b>${ARTICLE.title.replace("&", "&amp;")}</b>` })],
    ["with a link without its host", answerWith({ releaseurl: new URL(LINK).pathname })],
    ["with a link over http", answerWith({ releaseurl: LINK.replace("https:", "http:") })],
    ["with tracking parameters", answerWith({ releaseurl: `${LINK}?utm_source=x` })],
    ["without a body", answerWith({ body: undefined })],
    ["with a body that is null", answerWith({ body: null })],
    ["with a body that is an object", answerWith({ body: { html: "<p>LAKEFORD</p>" } })],
    ["with a time in UTC", answerWith({ adate: "2026-03-02T13:30:00Z" })],
    ["with an offset", answerWith({ adate: "2026-03-02T08:30:00.0000000-05:00" })],
    ["with a blank in its time", answerWith({ adate: "2026-03-02 08:30:00" })],
    ["with an American time", answerWith({ adate: "3/2/2026 8:30:00 AM" })],
    ["with a time in words", answerWith({ adate: "Mar 2, 2026 8:30 AM EST" })],
    ["with further fields", answerWith({ id: 1_000_001, tags: ["a"], company: { name: "Quillmere" } })],
  ])("is read %s", async (_, body) => {
    expect(await read(body)).toEqual([ITEM]);
  });

  it.each([[undefined], [null], [1_772_454_600], ["soon"], ["2026-13-40T08:30:00"]])(
    "has no time if it is %j",
    async (adate) => {
      expect(await read(answerWith({ adate }))).toEqual([{ ...ITEM, publishedAt: null }]);
    },
  );

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["a title", { title: null }],
    ["a title that is a text", { title: 7 }],
    ["an address", { releaseurl: "" }],
    ["an address of the web", { releaseurl: "javascript:void(0)" }],
  ])("is omitted without %s; the others are read", async (_, parts) => {
    expect(await read(JSON.stringify({ data: { articles: [{ ...ARTICLE, ...parts }, ARTICLE] } }))).toEqual([ITEM]);
  });

  it("is read beside an entry that is no object", async () => {
    expect(await read(JSON.stringify({ data: { articles: [null, "One", [], ARTICLE] } }))).toEqual([ITEM]);
  });

  it("is read whatever its incidental parts are", async () => {
    const article = fc.record({
      order: fc.shuffledSubarray(["title", "releaseurl", "body", "adate", "more"], { minLength: 5 }),
      title: fc.constantFrom(ARTICLE.title, ARTICLE.title.replace("&", "&amp;"), ` ${ARTICLE.title}\n`),
      releaseurl: fc.constantFrom(LINK, new URL(LINK).pathname, `${LINK}?utm_source=x`, `${LINK}#top`),
      body: fc.constantFrom(ARTICLE.body, "<p>LAKEFORD</p>", "", null, undefined),
      adate: fc.constantFrom("2026-03-02T08:30:00", "2026-03-02T13:30:00Z", "2026-03-02 08:30", "03/02/2026 08:30 AM"),
      more: fc.jsonValue({ maxDepth: 2 }),
    });
    const beside = fc.constantFrom({}, { total: "1" }, { page: 1, errors: [] });
    await fc.assert(
      fc.asyncProperty(article, beside, fc.constantFrom(0, 2), async ({ order, ...fields }, more, indent) => {
        const values: Readonly<Record<string, unknown>> = fields;
        const ordered = Object.fromEntries(order.map((name) => [name, values[name]]));
        const body = JSON.stringify({ ...more, data: { ...more, articles: [ordered] }, ...more }, null, indent);
        expect(await read(body)).toEqual([ITEM]);
      }),
    );
  });

  it.each([
    ["a web page", "<!DOCTYPE html><html><form><input name=user></form></html>"],
    ["an error object", '{"error":"forbidden"}'],
    ["another list", '{"data":[{"title":"One"}]}'],
    ["truncated JSON", answerWith({}).slice(0, -5)],
    ["nothing", ""],
  ])("is not read from %s", async (_, body) => {
    await expect(read(body)).rejects.toMatchObject({ failure: "unreadable" });
  });
});
