import { afterEach, describe, expect, it } from "vitest";
import { type FakeRelease, SHAPES } from "../../../test/newswires/wire-shapes.ts";
import { splitRelease } from "../../../test/newswires/wires-harness.ts";
import { directReader } from "../../../test/support/direct-reader.ts";
import { type SourceAnswer, type SourceServer, startSourceServer } from "../../../test/support/source-server.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/day.ts";
import { createFeedWire } from "./feed-wire.ts";
import { sectionListUrl } from "./release-list.ts";
import { WIRE_RULES } from "./wires.ts";

const FEED = "/rss/financial-services-latest-news/stock-split-list.rss";
const LIST = "/news-releases/financial-services-latest-news/stock-split-list/";
const NOTE = `${LIST} is read instead of ${FEED}`;

const release = (ticker: string, id: string): FakeRelease =>
  ({ ...splitRelease(ticker, { id }), published: new Date("2026-03-02T13:30:00Z") }) as FakeRelease;
const SPLIT = release("QLMR", "309999901");
const OTHER_NEWS = release("OTHR", "309999902");

const feedOf = (news: FakeRelease): SourceAnswer => ({
  type: "text/xml",
  body: SHAPES.prnewswire.feed([news], "https://www.prnewswire.com"),
});
/** What the host serves for an unknown section: all news, without a title. */
const ALL_NEWS: SourceAnswer = {
  type: "text/xml",
  body: String(feedOf(OTHER_NEWS).body).replace(/<title>PR Newswire[^<]*<\/title>/, "<title></title>"),
};
const LISTED: SourceAnswer = { type: "text/html", body: SHAPES.prnewswire.list?.page([SPLIT]) ?? "" };

const servers: SourceServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function startWire(answers: { feed: SourceAnswer; list: SourceAnswer }) {
  const server = await startSourceServer(({ path }) => {
    if (path === FEED) return answers.feed;
    return path === LIST ? answers.list : { status: 404 };
  });
  servers.push(server);
  const { web, clock } = server.tools;
  const feeds = [server.origin + FEED];
  const wire = createFeedWire({
    web,
    reader: directReader,
    clock,
    name: "prnewswire",
    everyMs: 1,
    daytimeEveryMs: 1,
    feeds,
    ...WIRE_RULES.prnewswire,
  });
  const read = () => wire.readFeeds(new AbortController().signal);
  return { read, clock, requests: (path: string) => server.received.filter((request) => request.path === path).length };
}

const headings = ({ items }: { readonly items: readonly { readonly heading: string }[] }) =>
  items.map(({ heading }) => heading);

describe("a section of PR Newswire", () => {
  it("is read from its feed if that has a title", async () => {
    const { read, requests } = await startWire({ feed: feedOf(SPLIT), list: LISTED });
    const result = await read();
    expect(headings(result)).toEqual([SPLIT.heading]);
    expect(result).toMatchObject({ failures: [], notes: [] });
    expect(requests(LIST)).toBe(0);
  });

  it.each<[string, SourceAnswer]>([
    ["all news without a title", ALL_NEWS],
    ["404", { status: 404 }],
    ["a web page", { type: "text/html", body: "<html><h1>Page not found</h1></html>" }],
  ])("is read from its list, which the status names, while its feed answers with %s", async (_, feed) => {
    const answers = { feed, list: LISTED };
    const { read, clock, requests } = await startWire(answers);
    const result = await read();
    expect(headings(result)).toEqual([SPLIT.heading]);
    expect(result).toMatchObject({ failures: [], notes: [NOTE] });
    clock.skip(MINUTE_MS);
    expect(headings(await read())).toEqual([SPLIT.heading]);
    expect([requests(FEED), requests(LIST)]).toEqual([1, 1]);
    clock.skip(5 * MINUTE_MS);
    await read();
    expect([requests(FEED), requests(LIST)]).toEqual([1, 2]);
    clock.skip(DAY_MS);
    answers.feed = feedOf(SPLIT);
    expect(await read()).toMatchObject({ failures: [], notes: [] });
    expect(requests(FEED)).toBe(2);
  });

  it("is reported with the problem of its feed if its list can't be read either", async () => {
    const { read, requests } = await startWire({ feed: ALL_NEWS, list: { type: "text/html", body: "<html></html>" } });
    expect(await read()).toMatchObject({ items: [], notes: [], failures: [{ failure: "unreadable" }] });
    await read();
    expect([requests(FEED), requests(LIST)]).toEqual([2, 1]);
  });

  it("isn't read from its list while its host refuses requests", async () => {
    const { read, requests } = await startWire({ feed: { status: 403 }, list: LISTED });
    expect(await read()).toMatchObject({ items: [], failures: [{ failure: "refused" }] });
    expect(requests(LIST)).toBe(0);
  });

  it("has a list at the address of its feed below /news-releases/", () => {
    expect(sectionListUrl(`https://wire.example${FEED}`)).toBe(`https://wire.example${LIST}`);
    expect(sectionListUrl("https://wire.example/rss/news-releases-list.rss")).toBeNull();
  });
});
