import { afterEach, describe, expect, it } from "vitest";
import { type FakeWire, type Fault, faults, settingsFor, startFakeWire } from "../../../test/newswires/fake-wire.ts";
import { directReader } from "../../../test/support/direct-reader.ts";
import { SkippingClock } from "../../../test/support/skipping-clock.ts";
import { WIRES, type Wire } from "../../domain/article/wire.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { FetchFailure } from "../web/fetch-error.ts";
import { createHostQueue } from "../web/host-queue.ts";
import type { FeedItem } from "../web/read-feed.ts";
import { createWeb } from "../web/web.ts";
import type { FeedPollResult, Newswire } from "./newswire.ts";
import type { NewswireSettings } from "./settings.ts";
import { createNewswires } from "./wires.ts";

const opened: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function open(wire: Wire): Promise<FakeWire> {
  const fakeWire = await startFakeWire(wire);
  opened.push(() => fakeWire.close());
  return fakeWire;
}

const LIMITS = { headersTimeoutMs: 1_000, bodyTimeoutMs: 1_000, totalTimeoutMs: 5_000 };
const NO_ABORT = new AbortController().signal;

interface Connected {
  readonly clock: SkippingClock;
  readonly newswires: readonly Newswire[];
  readonly newswire: Newswire;
}

const userAgentFor = (): string => "splitwatch/0.0.0";

function connect(settings: NewswireSettings): Connected {
  const clock = new SkippingClock();
  const queue = createHostQueue(clock);
  const newswires = createNewswires(settings, { clock, reader: directReader }, (configured) => {
    const web = createWeb({ clock, queue, reader: directReader, userAgentFor, configured, limits: LIMITS });
    opened.push(() => web.close());
    return web;
  });
  return { clock, newswires, newswire: newswires[0] as Newswire };
}

const read = (newswire: Newswire): Promise<FeedPollResult> => newswire.readFeeds(NO_ABORT);

const rssOf = (heading: string): string =>
  `<rss version="2.0"><channel><item><title>${heading}</title><link>https://wire.example/1</link></item></channel></rss>`;

const headings = ({ items: shown }: FeedPollResult): string[] => shown.map(({ heading }) => heading);

const FAULTS: readonly (readonly [string, Fault, FetchFailure])[] = [
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
  ["no answer", faults.hangsBeforeTheHead(), "timeout"],
  ["half an answer", faults.hangsInTheBody(), "timeout"],
  ["a broken connection", faults.breaksOff(), "unreachable"],
];

/** Answers that are valid pages. */
const FEED_FAULTS: ReadonlySet<string> = new Set(["HTML", "broken XML", "an entity bomb"]);

describe.each(WIRES)("%s", (wire) => {
  it("returns its releases newest first, and the text of each", async () => {
    const fakeWire = await open(wire);
    const { newswire } = connect(settingsFor([fakeWire]));
    fakeWire.publish({ id: "9000001", published: new Date("2026-03-02T13:30:00Z"), heading: "Older & older" });
    const url = fakeWire.publish({ id: "9000002", published: new Date("2026-03-02T14:30:00Z"), heading: "Newer" });

    const result = await read(newswire);

    expect(result.failures).toEqual([]);
    expect(headings(result)).toEqual(["Newer", "Older & older"]);
    expect(result.items[0]).toMatchObject({
      url,
      heading: "Newer",
      teaser: expect.stringContaining("Delvex Therapeutics, Inc. (Nasdaq: DLVX) today announced"),
      publishedAt: Date.parse("2026-03-02T14:30:00Z"),
      tickers: wire === "globenewswire" ? [{ ticker: "DLVX", exchange: "NASDAQ" }] : [],
    });
    const text = await newswire.readPage(result.items[0] as FeedItem, NO_ABORT);
    expect(text).toContain("a 1-for-20 reverse stock split of its common stock.\n\nThe common stock will begin");
    expect(text).toContain("Any fraction will be rounded up to the nearest whole share.");
    expect(text).not.toMatch(/Search the wire|Subscribe|Other releases|tracking/);
  });

  it("returns a correction at the same address with another version", async () => {
    const fakeWire = await open(wire);
    const { newswire } = connect(settingsFor([fakeWire]));
    fakeWire.publish({ id: "9000001" });
    const [first] = (await read(newswire)).items;
    const [unchanged] = (await read(newswire)).items;
    fakeWire.publish({ id: "9000001", heading: "CORRECTION: Delvex Announces 1-for-25 Reverse Stock Split" });
    const [corrected] = (await read(newswire)).items;

    expect(unchanged).toEqual(first);
    expect(corrected?.url).toBe(first?.url);
    expect(corrected?.version).not.toBe(first?.version);
  });

  it("receives one request at a time, with a pause between requests", async () => {
    const fakeWire = await open(wire);
    const { clock, newswire } = connect(settingsFor([fakeWire]));
    for (const id of ["9000001", "9000002", "9000003"]) fakeWire.publish({ id });
    const { items: shown } = await read(newswire);
    clock.slept.length = 0;

    await Promise.all(shown.map((release) => newswire.readPage(release, NO_ABORT)));

    expect(fakeWire.maxInFlight).toBe(1);
    const pauseMs = {
      prnewswire: 1_000,
      businesswire: 2_000,
      globenewswire: 10_000,
      accesswire: 2_000,
      newsfile: 10_000,
    };
    expect(clock.slept).toEqual([pauseMs[wire], pauseMs[wire], pauseMs[wire]]);
    expect(fakeWire.received.every(({ headers }) => headers["user-agent"] === "splitwatch/0.0.0")).toBe(true);
  });

  it.each(FAULTS)("reports %s in its feed, and returns all items after it", async (_, fault, failure) => {
    const fakeWire = await open(wire);
    const { clock, newswire } = connect(settingsFor([fakeWire]));
    fakeWire.publish({ id: "9000001", heading: "Before" });
    await read(newswire);
    fakeWire.publish({ id: "9000002", heading: "Meanwhile" });
    fakeWire.break("feed", fault);

    const broken = await read(newswire);
    fakeWire.break("feed", null);
    clock.skip(HOUR_MS);
    const recovered = await read(newswire);

    expect(broken.items).toEqual([]);
    expect(broken.failures).toMatchObject([{ failure, message: expect.stringContaining("127.0.0.1:") }]);
    expect(recovered.failures).toEqual([]);
    expect(headings(recovered).toSorted()).toEqual(["Before", "Meanwhile"]);
  });

  it("is not read if its robots rules forbid it", async () => {
    const fakeWire = await open(wire);
    const { newswire } = connect(settingsFor([fakeWire]));
    fakeWire.robots("User-agent: *\nDisallow: /");

    expect((await read(newswire)).failures).toMatchObject([{ failure: "refused" }]);
    expect(fakeWire.received.filter(({ target: what }) => what !== "robots")).toEqual([]);
  });

  it("stops reading on an abort", async () => {
    const fakeWire = await open(wire);
    const { newswire } = connect(settingsFor([fakeWire]));
    fakeWire.break("feed", faults.hangsBeforeTheHead());

    await expect(newswire.readFeeds(AbortSignal.abort())).rejects.toMatchObject({ message: "the read was stopped" });
  });
});

describe("a page", () => {
  it.each(FAULTS.filter(([name]) => !FEED_FAULTS.has(name)))(
    "reports %s instead of a release, and reads the release after it",
    async (_, fault, failure) => {
      const fakeWire = await open("prnewswire");
      const { clock, newswire } = connect(settingsFor([fakeWire]));
      fakeWire.publish({ id: "9000001" });
      const [release] = (await read(newswire)).items as [FeedItem];
      fakeWire.break("page", fault);

      await expect(newswire.readPage(release, NO_ABORT)).rejects.toMatchObject({ name: "FetchError", failure });
      fakeWire.break("page", null);
      clock.skip(MINUTE_MS);

      expect(await newswire.readPage(release, NO_ABORT)).toContain("Delvex Therapeutics");
    },
  );
});

describe("a feed", () => {
  it("is requested conditionally, and returns its previous items if it is unchanged", async () => {
    const fakeWire = await open("globenewswire");
    const { newswire } = connect(settingsFor([fakeWire]));
    fakeWire.publish({ id: "9000001" });

    const first = await read(newswire);
    const second = await read(newswire);

    const feeds = fakeWire.received.filter(({ target: what }) => what === "feed");
    expect(feeds.map(({ status }) => status)).toEqual([200, 304]);
    expect(feeds[1]?.headers["if-none-match"]).toMatch(/^"[0-9a-f]{16}"$/);
    expect(second).toEqual({ ...first, newItemCount: 0, requests: 3 });
  });

  it("is unreadable if the first answer is 304", async () => {
    const fakeWire = await open("globenewswire");
    fakeWire.break("feed", faults.status(304));
    const { failures } = await read(connect(settingsFor([fakeWire])).newswire);
    expect(failures).toMatchObject([{ failure: "unreadable" }]);
  });

  it("is not mistaken for a challenge page because of a release's heading", async () => {
    const fakeWire = await open("globenewswire");
    fakeWire.break("feed", faults.body(rssOf("Access Denied: Orvane Announces Reverse Stock Split")));
    expect(headings(await read(connect(settingsFor([fakeWire])).newswire))).toHaveLength(1);
  });

  it("that fails doesn't block the wire's other feeds; a release in several feeds is returned once", async () => {
    const [one, two, three] = [await open("prnewswire"), await open("prnewswire"), await open("prnewswire")];
    one.break("feed", faults.status(500));
    for (const fakeWire of [two, three]) fakeWire.publish({ id: "9000001" });
    const settings = settingsFor([one, two, three, two]);

    const { failures, items: shown } = await read(connect(settings).newswire);

    expect(failures).toMatchObject([{ failure: "server-error" }]);
    expect(shown).toHaveLength(2);
  });

  it("that is configured has the configured name and interval", async () => {
    const fakeWire = await open("newsfile");
    fakeWire.publish({ id: "9000001" });
    const settings = { ...settingsFor([]), feeds: [{ name: "house", url: fakeWire.feed, everyMs: 5_000 }] };
    const { newswires } = connect(settings);

    expect(newswires.map(({ name, intervalMs }) => [name, intervalMs(0)])).toEqual([["house", 5_000]]);
    const { items: shown } = await read(newswires[0] as Newswire);
    expect(await (newswires[0] as Newswire).readPage(shown[0] as FeedItem, NO_ABORT)).toContain("Delvex Therapeutics");
  });
});

describe("the newsroom of ACCESS Newswire", () => {
  it("is requested with the page's token, which is renewed after it expires", async () => {
    const fakeWire = await open("accesswire");
    fakeWire.publish({ id: "9000001" });
    const { newswire } = connect(settingsFor([fakeWire]));
    await read(newswire);
    await read(newswire);
    let expired = true;
    fakeWire.break("feed", (_, response) => {
      expired = false;
      fakeWire.break("feed", null);
      response.writeHead(400).end();
    });

    const { failures, items: shown } = await read(newswire);

    expect(expired).toBe(false);
    expect(failures).toEqual([]);
    expect(shown).toHaveLength(1);
    expect(
      fakeWire.received
        .filter(({ target: what }) => what !== "robots")
        .map(({ method, status }) => `${method} ${status}`),
    ).toEqual(["GET 200", "POST 200", "POST 200", "POST 400", "GET 200", "POST 200"]);
  });

  it.each([
    ["winter", "2026-01-15T13:30:00Z"],
    ["summer", "2026-07-15T12:30:00Z"],
    ["the night of the clock change", "2026-03-08T07:30:00Z"],
  ])("has times in New York's zone in %s", async (_, published) => {
    const fakeWire = await open("accesswire");
    fakeWire.publish({ id: "9000001", published: new Date(published) });

    const { items: shown } = await read(connect(settingsFor([fakeWire])).newswire);

    expect(shown[0]?.publishedAt).toBe(Date.parse(published));
  });

  it.each([
    ["other JSON", '{"data":[]}', "expected JSON with data.articles"],
    ["HTML", "<html></html>", "expected JSON, got a web page"],
  ])("is unreadable if it returns %s", async (_, body, words) => {
    const fakeWire = await open("accesswire");
    fakeWire.break("feed", faults.body(body, "application/json"));

    const { failures } = await read(connect(settingsFor([fakeWire])).newswire);

    expect(failures).toMatchObject([{ failure: "unreadable", message: expect.stringContaining(words) }]);
  });
});
