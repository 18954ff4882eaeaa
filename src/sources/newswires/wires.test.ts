import { afterEach, describe, expect, it } from "vitest";
import { type FakeWire, type Fault, faults, settingsFor, startFakeWire } from "../../../test/newswires/fake-wire.ts";
import { SkippingClock } from "../../../test/newswires/skipping-clock.ts";
import { WIRES, type Wire } from "../../domain/article/article.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { FeedItem, FeedsReading, Newswire, WireFailure } from "./newswire.ts";
import { feedAddresses, type NewswireSettings } from "./settings.ts";
import { createWeb } from "./web.ts";
import { createNewswires } from "./wires.ts";

const opened: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function open(wire: Wire): Promise<FakeWire> {
  const standIn = await startFakeWire(wire);
  opened.push(() => standIn.close());
  return standIn;
}

const LIMITS = { headersTimeoutMs: 100, bodyTimeoutMs: 100, totalTimeoutMs: 2_000 };
const NEVER = new AbortController().signal;

interface Bench {
  readonly clock: SkippingClock;
  readonly newswires: readonly Newswire[];
  readonly newswire: Newswire;
}

function follow(settings: NewswireSettings): Bench {
  const clock = new SkippingClock();
  const web = createWeb({ clock, userAgent: "splitwatch/0.0.0", feeds: feedAddresses(settings), limits: LIMITS });
  opened.push(() => web.close());
  const newswires = createNewswires(settings, { web });
  return { clock, newswires, newswire: newswires[0] as Newswire };
}

const look = (newswire: Newswire): Promise<FeedsReading> => newswire.readFeeds(NEVER);

const rssOf = (heading: string): string =>
  `<rss version="2.0"><channel><item><title>${heading}</title><link>https://wire.example/1</link></item></channel></rss>`;

const headings = ({ items: shown }: FeedsReading): string[] => shown.map(({ heading }) => heading);

const FAULTS: readonly (readonly [string, Fault, WireFailure])[] = [
  ["403", faults.status(403), "refused"],
  ["a challenge", faults.challenge(), "refused"],
  ["429", faults.status(429, { "retry-after": "30" }), "rate-limited"],
  ["500", faults.status(500), "server-error"],
  ["404", faults.status(404), "gone"],
  ["HTML", faults.html(), "unreadable"],
  ["broken XML", faults.brokenXml(), "unreadable"],
  ["an entity bomb", faults.entityBomb(), "unreadable"],
  ["a gzip bomb", faults.gzipBomb(), "too-large"],
  ["20 MB", faults.huge(), "too-large"],
  ["a redirect loop", faults.redirectLoop(), "unreadable"],
  ["a redirect to a file", faults.redirect("file:///etc/passwd"), "unreadable"],
  ["a redirect into the network", faults.redirect("http://192.168.1.1/"), "unreadable"],
  ["silence", faults.hangsBeforeTheHead(), "timeout"],
  ["half an answer", faults.hangsInTheBody(), "timeout"],
  ["a broken connection", faults.breaksOff(), "unreachable"],
];

/** What would be a page, if not the release's. */
const FEED_FAULTS: ReadonlySet<string> = new Set(["HTML", "broken XML", "an entity bomb"]);

describe.each(WIRES)("%s", (wire) => {
  it("shows its releases newest first and gives the text of each", async () => {
    const standIn = await open(wire);
    const { newswire } = follow(settingsFor([standIn]));
    standIn.publish({ id: "9000001", published: new Date("2026-03-02T13:30:00Z"), heading: "Older & older" });
    const url = standIn.publish({ id: "9000002", published: new Date("2026-03-02T14:30:00Z"), heading: "Newer" });

    const seen = await look(newswire);

    expect(seen.failures).toEqual([]);
    expect(headings(seen)).toEqual(["Newer", "Older & older"]);
    expect(seen.items[0]).toMatchObject({
      url,
      heading: "Newer",
      teaser: expect.stringContaining("Delvex Therapeutics, Inc. (Nasdaq: DLVX) today announced"),
      publishedAt: Date.parse("2026-03-02T14:30:00Z"),
      tickers: wire === "globenewswire" ? [{ ticker: "DLVX", exchange: "NASDAQ" }] : [],
    });
    const text = await newswire.readPage(seen.items[0] as FeedItem, NEVER);
    expect(text).toContain("a 1-for-20 reverse stock split of its common stock.\n\nThe common stock will begin");
    expect(text).toContain("Any fraction will be rounded up to the nearest whole share.");
    expect(text).not.toMatch(/Search the wire|Subscribe|Other releases|tracking/);
  });

  it("shows a correction under the same address as another version", async () => {
    const standIn = await open(wire);
    const { newswire } = follow(settingsFor([standIn]));
    standIn.publish({ id: "9000001" });
    const [first] = (await look(newswire)).items;
    const [again] = (await look(newswire)).items;
    standIn.publish({ id: "9000001", heading: "CORRECTION: Delvex Announces 1-for-25 Reverse Stock Split" });
    const [corrected] = (await look(newswire)).items;

    expect(again).toEqual(first);
    expect(corrected?.url).toBe(first?.url);
    expect(corrected?.version).not.toBe(first?.version);
  });

  it("is asked by one request at a time with its pause between them", async () => {
    const standIn = await open(wire);
    const { clock, newswire } = follow(settingsFor([standIn]));
    for (const id of ["9000001", "9000002", "9000003"]) standIn.publish({ id });
    const { items: shown } = await look(newswire);
    clock.slept.length = 0;

    await Promise.all(shown.map((release) => newswire.readPage(release, NEVER)));

    expect(standIn.mostAtOnce).toBe(1);
    const pauseMs = {
      prnewswire: 1_000,
      businesswire: 2_000,
      globenewswire: 1_000,
      accesswire: 2_000,
      newsfile: 10_000,
    };
    expect(clock.slept).toEqual([pauseMs[wire], pauseMs[wire], pauseMs[wire]]);
    expect(standIn.seen.every(({ headers }) => headers["user-agent"] === "splitwatch/0.0.0")).toBe(true);
  });

  it.each(FAULTS)("tells of %s in its feed, and shows all when that is over", async (_, fault, failure) => {
    const standIn = await open(wire);
    const { clock, newswire } = follow(settingsFor([standIn]));
    standIn.publish({ id: "9000001", heading: "Before" });
    await look(newswire);
    standIn.publish({ id: "9000002", heading: "Meanwhile" });
    standIn.break("feed", fault);

    const broken = await look(newswire);
    standIn.break("feed", null);
    clock.skip(HOUR_MS);
    const well = await look(newswire);

    expect(broken.items).toEqual([]);
    expect(broken.failures).toMatchObject([{ failure, message: expect.stringContaining("127.0.0.1:") }]);
    expect(well.failures).toEqual([]);
    expect(headings(well).toSorted()).toEqual(["Before", "Meanwhile"]);
  });

  it("refuses where its robots rules do", async () => {
    const standIn = await open(wire);
    const { newswire } = follow(settingsFor([standIn]));
    standIn.robots("User-agent: *\nDisallow: /");

    expect((await look(newswire)).failures).toMatchObject([{ failure: "refused" }]);
    expect(standIn.seen.filter(({ what }) => what !== "robots")).toEqual([]);
  });

  it("stops at once when it is told to", async () => {
    const standIn = await open(wire);
    const { newswire } = follow(settingsFor([standIn]));
    standIn.break("feed", faults.hangsBeforeTheHead());

    await expect(newswire.readFeeds(AbortSignal.abort())).rejects.toMatchObject({ message: "the reading was stopped" });
  });
});

describe("a page", () => {
  it.each(FAULTS.filter(([name]) => !FEED_FAULTS.has(name)))(
    "tells of %s in place of a release, and reads it when that is over",
    async (_, fault, failure) => {
      const standIn = await open("prnewswire");
      const { clock, newswire } = follow(settingsFor([standIn]));
      standIn.publish({ id: "9000001" });
      const [release] = (await look(newswire)).items as [FeedItem];
      standIn.break("page", fault);

      await expect(newswire.readPage(release, NEVER)).rejects.toMatchObject({ name: "WireError", failure });
      standIn.break("page", null);
      clock.skip(MINUTE_MS);

      expect(await newswire.readPage(release, NEVER)).toContain("Delvex Therapeutics");
    },
  );
});

describe("a feed", () => {
  it("is asked for what is new, and shows what it showed when nothing is", async () => {
    const standIn = await open("globenewswire");
    const { newswire } = follow(settingsFor([standIn]));
    standIn.publish({ id: "9000001" });

    const first = await look(newswire);
    const second = await look(newswire);

    const feeds = standIn.seen.filter(({ what }) => what === "feed");
    expect(feeds.map(({ status }) => status)).toEqual([200, 304]);
    expect(feeds[1]?.headers["if-none-match"]).toMatch(/^"[0-9a-f]{16}"$/);
    expect(second).toEqual(first);
  });

  it("that is unchanged from nothing is no feed", async () => {
    const standIn = await open("globenewswire");
    standIn.break("feed", faults.status(304));
    const { failures } = await look(follow(settingsFor([standIn])).newswire);
    expect(failures).toMatchObject([{ failure: "unreadable" }]);
  });

  it("is no challenge because a release in it is named like one", async () => {
    const standIn = await open("globenewswire");
    standIn.break("feed", faults.body(rssOf("Access Denied: Orvane Announces Reverse Stock Split")));
    expect(headings(await look(follow(settingsFor([standIn])).newswire))).toHaveLength(1);
  });

  it("that fails does not hold up the wire's others, and the same release in both is one", async () => {
    const [one, two, three] = [await open("prnewswire"), await open("prnewswire"), await open("prnewswire")];
    one.break("feed", faults.status(500));
    for (const standIn of [two, three]) standIn.publish({ id: "9000001" });
    const settings = settingsFor([one, two, three, two]);

    const { failures, items: shown } = await look(follow(settings).newswire);

    expect(failures).toMatchObject([{ failure: "server-error" }]);
    expect(shown).toHaveLength(2);
  });

  it("of the operator's own is read under its name", async () => {
    const standIn = await open("newsfile");
    standIn.publish({ id: "9000001" });
    const settings = { ...settingsFor([]), feeds: [{ name: "house", url: standIn.feed, everyMs: 5_000 }] };
    const { newswires } = follow(settings);

    expect(newswires.map(({ name, everyMs }) => [name, everyMs])).toEqual([["house", 5_000]]);
    const { items: shown } = await look(newswires[0] as Newswire);
    expect(await (newswires[0] as Newswire).readPage(shown[0] as FeedItem, NEVER)).toContain("Delvex Therapeutics");
  });
});

describe("the newsroom's listing", () => {
  it("is asked with the page's token, which is fetched anew when it has run out", async () => {
    const standIn = await open("accesswire");
    standIn.publish({ id: "9000001" });
    const { newswire } = follow(settingsFor([standIn]));
    await look(newswire);
    await look(newswire);
    let expired = true;
    standIn.break("feed", (_, response) => {
      expired = false;
      standIn.break("feed", null);
      response.writeHead(400).end();
    });

    const { failures, items: shown } = await look(newswire);

    expect(expired).toBe(false);
    expect(failures).toEqual([]);
    expect(shown).toHaveLength(1);
    expect(
      standIn.seen.filter(({ what }) => what !== "robots").map(({ method, status }) => `${method} ${status}`),
    ).toEqual(["GET 200", "POST 200", "POST 200", "POST 400", "GET 200", "POST 200"]);
  });

  it.each([
    ["winter", "2026-01-15T13:30:00Z"],
    ["summer", "2026-07-15T12:30:00Z"],
    ["the night of the change", "2026-03-08T07:30:00Z"],
  ])("writes New York's time in %s", async (_, published) => {
    const standIn = await open("accesswire");
    standIn.publish({ id: "9000001", published: new Date(published) });

    const { items: shown } = await look(follow(settingsFor([standIn])).newswire);

    expect(shown[0]?.publishedAt).toBe(Date.parse(published));
  });

  it.each([
    ["other JSON", '{"data":[]}'],
    ["no JSON", "<html></html>"],
  ])("that answers with %s is unreadable", async (_, body) => {
    const standIn = await open("accesswire");
    standIn.break("feed", faults.body(body, "application/json"));

    const { failures } = await look(follow(settingsFor([standIn])).newswire);

    expect(failures).toMatchObject([{ failure: "unreadable", message: expect.stringContaining("data.articles") }]);
  });
});
