import { describe, expect, it } from "vitest";
import { type FakeRelease, SHAPES } from "../../../test/newswires/wire-shapes.ts";
import { splitRelease } from "../../../test/newswires/wires-harness.ts";
import { webAnswer } from "../../../test/support/web-answer.ts";
import { WIRES } from "../../domain/article/wire.ts";
import { newswires } from "./index.ts";

const NOW = Date.parse("2026-03-02T15:00:00Z");
const RELEASE = {
  ...splitRelease("QLMR", { id: "309999901" }),
  published: new Date("2026-03-02T13:30:00Z"),
} as FakeRelease;

const HOSTS = {
  prnewswire: "https://www.prnewswire.com",
  businesswire: "https://www.businesswire.com",
  globenewswire: "https://rss.globenewswire.com",
  accesswire: "https://www.accessnewswire.com",
  newsfile: "https://www.newsfilecorp.com",
};

const read = (body: string, url: string, type: string | null = null) =>
  newswires.readDocument?.(webAnswer(body, url, type), { now: NOW });

describe.each(WIRES)("a captured document of %s", (wire) => {
  const shape = SHAPES[wire];
  const host = HOSTS[wire];

  it("is a feed, by its address or its content", async () => {
    const body = shape.feed([RELEASE], host);
    for (const path of [shape.feedPath, "/captured"]) {
      const reading = await read(body, host + path, shape.feedType);
      expect(reading).toMatchObject({
        document: "feed",
        entries: [{ title: RELEASE.heading, publishedAt: RELEASE.published.getTime(), isFollowed: true }],
      });
    }
  });

  it("is the page of a release, with the facts that a poll reads", async () => {
    for (const url of [host + shape.pagePath(RELEASE), "https://captures.example/page.html"]) {
      const reading = await read(shape.page(RELEASE), url, "text/html");
      expect(reading).toMatchObject({
        document: "release",
        releases: [
          {
            facts: {
              kind: "reverse_split",
              splits: [{ ticker: "QLMR", ratio: { newShares: 1, oldShares: 20 }, exDate: "2026-03-12" }],
              fraction: expect.anything(),
            },
          },
        ],
      });
    }
  });
});

describe("a captured document", () => {
  it("of PR Newswire is a list of releases, by its address or its content", async () => {
    const body = SHAPES.prnewswire.list?.page([RELEASE]) ?? "";
    for (const path of ["/news-releases/financial-services-latest-news/stock-split-list/", "/page"]) {
      const reading = await read(body, HOSTS.prnewswire + path, "text/html");
      expect(reading).toMatchObject({ document: "list of releases", entries: [{ isFollowed: true }] });
    }
  });

  it.each([
    ["an error page", "<html><head><title>Error</title></head><body><h1>Not found</h1></body></html>"],
    ["a form to sign in", "<html><body><h1>Sign in</h1><form><input name=user></form></body></html>"],
    ["a challenge", "<html><head><title>Just a moment...</title></head><body><script>x()</script></body></html>"],
    ["nothing", ""],
  ])("is refused if it is %s", async (_, body) => {
    await expect(read(body, `${HOSTS.prnewswire}/news-releases/a-309999901.html`)).rejects.toThrow(
      "no release was found",
    );
    await expect(read(body, `${HOSTS.prnewswire}/news-releases/news-releases-list/`)).rejects.toThrow(
      "expected a list of releases, got none",
    );
  });
});
