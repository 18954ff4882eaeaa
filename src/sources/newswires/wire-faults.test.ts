import { afterEach, describe, expect, it } from "vitest";
import { type FakeWire, type Fault, faults, settingsFor, startFakeWire } from "../../../test/newswires/fake-wire.ts";
import { directReader } from "../../../test/support/direct-reader.ts";
import { SkippingClock } from "../../../test/support/skipping-clock.ts";
import { WIRES, type Wire } from "../../domain/article/wire.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { SourceStatus } from "../../ports/source-status.ts";
import { describeProblem, initialStatus, nextStatus } from "../source-status.ts";
import { createHostQueue } from "../web/host-queue.ts";
import type { FeedItem } from "../web/read-feed.ts";
import { createWeb } from "../web/web.ts";
import type { FeedPollResult, Newswire } from "./newswire.ts";
import type { NewswireSettings } from "./settings.ts";
import { connectNewswires, createNewswires } from "./wires.ts";

/** Each fault of the wires as it was observed, and the line that `/splits status` shows for it. */

const opened: (() => Promise<unknown>)[] = [];
const NO_ABORT = new AbortController().signal;

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function open(wire: Wire): Promise<FakeWire> {
  const fakeWire = await startFakeWire(wire);
  opened.push(() => fakeWire.close());
  return fakeWire;
}

interface Connected {
  readonly wire: Newswire;
  readonly clock: SkippingClock;
  /** Reads the wire and returns its status. */
  readonly status: () => Promise<SourceStatus>;
  /** The line of `/splits status`; null: no problem. The address of the fake wire is shown as `wire.example`. */
  readonly line: () => Promise<string | null>;
}

function connect(settings: NewswireSettings, clock = new SkippingClock()): Connected {
  const connected = connectNewswires(settings, clientOf(clock));
  opened.push(() => connected.close());
  return following(connected.wires[0] as Newswire, clock);
}

/** Like `connect`, with a client that waits 100 ms for an answer. */
function connectBriefly(settings: NewswireSettings): Connected {
  const clock = new SkippingClock();
  const queue = createHostQueue(clock);
  const limits = { headersTimeoutMs: 100, bodyTimeoutMs: 100 };
  const [wire] = createNewswires(settings, { clock, reader: directReader }, (configured) => {
    const web = createWeb({
      clock,
      queue,
      reader: directReader,
      userAgentFor: () => "splitwatch/0.0.0",
      configured,
      limits,
    });
    opened.push(() => web.close());
    return web;
  });
  return following(wire as Newswire, clock);
}

function clientOf(clock: SkippingClock) {
  return { clock, queue: createHostQueue(clock), reader: directReader, version: "1.0", contact: "https://bot.example" };
}

function following(wire: Newswire, clock: SkippingClock): Connected {
  let status = initialStatus(wire.name, clock.now());
  const read = async (): Promise<SourceStatus> => {
    const result = await wire.readFeeds(NO_ABORT);
    const isDaily = (WIRES as readonly string[]).includes(wire.name);
    status = nextStatus(status, result, clock.now(), isDaily);
    return status;
  };
  const line = async (): Promise<string | null> =>
    describeProblem(await read(), clock.now())?.replace(/127\.0\.0\.1:\d+/g, "wire.example") ?? null;
  return { wire, clock, status: read, line };
}

const SINCE = "since 2026-03-02 14:0\\d UTC";
const NEVER = "; not read since startup";

const CHALLENGE = { "cf-mitigated": "challenge" };
const emptyChannel = (title: string): Fault =>
  faults.body(`<rss version="2.0"><channel><title>${title}</title></channel></rss>`);
const BW_STUB = `<rss version="2.0"><channel><title>Business Wire</title><item><title>Feed unavailable</title>
  <link>http://www.businesswire.com/</link><description>This feed was deactivated by the administrator.</description></item></channel></rss>`;
const ALL_NEWS = `<rss version="2.0"><channel><title></title><item><title>Any release</title>
  <link>https://www.prnewswire.com/news-releases/any-release-309999901.html</link></item></channel></rss>`;

describe("the status line", () => {
  it.each<[string, Wire, Fault, string]>([
    [
      "redirects every request to the same address with a slash",
      "prnewswire",
      (request, response) => faults.redirect(`${request.url}/`, 301)(request, response),
      `prnewswire: down, unreachable ${SINCE} \\(wire.example/rss/news-releases-list.rss redirects to the same address with a slash, 3 times in a row\\)`,
    ],
    [
      "serves all news for an unknown section",
      "prnewswire",
      faults.body(ALL_NEWS),
      `prnewswire: down, unreadable answer ${SINCE} \\(wire.example/rss/news-releases-list.rss: its channel has no title: the section is unknown, and the feed shows all news instead\\)`,
    ],
    [
      "serves an empty channel",
      "businesswire",
      emptyChannel("Business Wire"),
      `businesswire: nothing new \\(wire.example/mrss/home/: the feed is empty, although it is a working day\\)`,
    ],
    [
      "serves a stub",
      "businesswire",
      faults.body(BW_STUB),
      `businesswire: down, unreadable answer ${SINCE} \\(wire.example/mrss/home/: got the notice "deactivated by the administrator", expected RSS, Atom or a JSON feed\\)`,
    ],
    [
      "denies access",
      "globenewswire",
      faults.status(403, { "content-type": "text/html" }, "<html><head><title>Access Denied</title></head></html>"),
      `globenewswire: down, requests refused ${SINCE} \\(wire.example/RssFeed/.* answered 403\\)`,
    ],
    [
      "serves a valid, empty feed for an unknown number",
      "globenewswire",
      emptyChannel("GlobeNewswire - Corporate Action"),
      `globenewswire: nothing new \\(wire.example/RssFeed/.*: the feed is empty, although it is a working day\\)`,
    ],
    [
      "answers its API with a challenge",
      "accesswire",
      faults.status(403, CHALLENGE, "<html><head><title>Just a moment...</title></head></html>"),
      `accesswire: down, requests refused ${SINCE} \\(wire.example/newsroom/api answered 403\\)`,
    ],
    [
      "has no stories",
      "newsfile",
      faults.body("No data could be found.", "text/html"),
      `newsfile: down, unreadable answer ${SINCE} \\(wire.example/global/Last25Stories: got the notice "No data could be found", expected RSS, Atom or a JSON feed\\)`,
    ],
    [
      "answers 202 with its firewall's challenge",
      "newsfile",
      faults.status(202, { "x-amzn-waf-action": "challenge" }, "<html><script>gokuProps</script></html>"),
      `newsfile: down, requests refused ${SINCE} \\(wire.example/global/Last25Stories answered 202\\)`,
    ],
    [
      "answers 200 with a firewall's challenge",
      "newsfile",
      faults.body(
        "<html><script src='x'></script><script>AwsWafIntegration.saveReferrer()</script></html>",
        "text/html",
      ),
      `newsfile: down, requests refused ${SINCE} \\(wire.example/global/Last25Stories answered a challenge page\\)`,
    ],
  ])("of a wire that %s (%s)", async (_, name, fault, line) => {
    const fakeWire = await open(name);
    fakeWire.publish({ id: "309999901" });
    fakeWire.break("feed", fault);

    const shown = await connect(settingsFor([fakeWire])).line();
    expect(shown).toMatch(new RegExp(`^${line}(?:${NEVER})?$`));
  });

  it.each([
    ["accepts the connection and sends nothing", faults.hangsBeforeTheHead(), "no answer in time"],
    ["stops in the middle of its feed", faults.hangsInTheBody(), "the answer stalled"],
  ])("of a wire that %s (globenewswire)", async (_, fault, reason) => {
    const fakeWire = await open("globenewswire");
    fakeWire.break("feed", fault);

    const shown = await connectBriefly(settingsFor([fakeWire])).line();
    expect(shown).toMatch(
      new RegExp(`^globenewswire: down, unreachable ${SINCE} \\(wire.example/RssFeed/\\S+: ${reason}\\)${NEVER}$`),
    );
  });

  it("of Business Wire's feed that its robots rules forbid, which is not requested", async () => {
    const fakeWire = await open("businesswire");
    fakeWire.robots("User-agent: *\nDisallow: /rss/\nSitemap: /mrss/home/?rss=G1QFDERJXkJcFVJYWQ==");
    fakeWire.publish({ id: "20260302005001", published: new Date("2026-03-02T13:30:00Z") });
    const forbidden = {
      ...settingsFor([fakeWire]),
      wires: withFeeds("businesswire", [`${fakeWire.address}/rss/home/?rss=G1QF`]),
    };

    expect(await connect(forbidden).line()).toMatch(
      /^businesswire: down, requests refused .* \(wire\.example\/rss\/home\/: the robots rules of wire\.example do not allow it\)/,
    );
    expect(fakeWire.received.map(({ target }) => target)).toEqual(["robots"]);
    expect(await connect(settingsFor([fakeWire])).line()).toBeNull();
  });

  it("of ACCESS Newswire names the refusing API beside the feed that can be read", async () => {
    const [substitute, api] = [await open("globenewswire"), await open("accesswire")];
    substitute.publish({ id: "9999901" });
    api.break("feed", faults.status(403, CHALLENGE));
    const settings = { ...settingsFor([]), wires: withFeeds("accesswire", [substitute.feed, api.feed]) };

    expect(await connect(settings).line()).toBe(
      "accesswire: a part can't be read (wire.example/newsroom/api answered 403)",
    );
  });

  it("has no entry for an empty feed at a weekend", async () => {
    const fakeWire = await open("globenewswire");
    fakeWire.break("feed", emptyChannel("GlobeNewswire"));
    const clock = new SkippingClock();
    clock.skip(5 * DAY_MS);

    expect(await connect(settingsFor([fakeWire]), clock).line()).toBeNull();
  });

  it("of a wire that shows nothing new for a working day", async () => {
    const fakeWire = await open("newsfile");
    fakeWire.publish({ id: "999901", published: new Date("2026-03-02T13:30:00Z") });
    const { line, clock } = connect(settingsFor([fakeWire]));

    expect(await line()).toBeNull();
    clock.skip(25 * HOUR_MS);
    expect(await line()).toBe("newsfile: nothing new since 2026-03-02 13:30 UTC, although it can be read");
    fakeWire.publish({ id: "999902", published: new Date("2026-03-03T14:30:00Z") });
    expect(await line()).toBeNull();
  });
});

function withFeeds(name: Wire, feeds: readonly string[]): NewswireSettings["wires"] {
  const { wires } = settingsFor([]);
  return { ...wires, [name]: { ...wires[name], feeds } };
}

describe("a feed that is refused", () => {
  it("is read again within minutes", async () => {
    const fakeWire = await open("globenewswire");
    fakeWire.publish({ id: "9999901" });
    fakeWire.break("feed", faults.status(403));
    const { line, clock } = connect(settingsFor([fakeWire]));

    expect(await line()).toMatch(/requests refused/);
    fakeWire.break("feed", null);
    clock.skip(MINUTE_MS);
    expect(await line()).toBeNull();
  });
});

/** Publishes releases in the given order; the last one is the newest. */
function publishMany(fakeWire: FakeWire, numbers: readonly number[]): void {
  for (const number of numbers) {
    const published = new Date(Date.parse("2026-03-02T10:00:00Z") + number * MINUTE_MS);
    fakeWire.publish({ id: String(309_999_000 + number), published, heading: `Release ${number}` });
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const numbersOf = ({ items }: FeedPollResult): number[] =>
  items.map(({ heading }: FeedItem) => Number(heading.split(" ")[1])).toSorted((a, b) => a - b);

describe("a gap", () => {
  it("in PR Newswire's feed is filled from its list of all releases", async () => {
    const fakeWire = await open("prnewswire");
    fakeWire.feedSize = 20;
    publishMany(fakeWire, range(1, 20));
    const { wire, status, clock } = connect(settingsFor([fakeWire]));
    await wire.readFeeds(NO_ABORT);
    publishMany(fakeWire, range(21, 190));
    const result = await wire.readFeeds(NO_ABORT);

    expect(numbersOf(result)).toEqual(expect.arrayContaining(range(21, 190)));
    expect(result).toMatchObject({ failures: [], gaps: 0 });
    expect(fakeWire.received.filter(({ target }) => target === "list")).toHaveLength(2);
    expect(describeProblem(await status(), clock.now())).toBeNull();
  });

  it("longer than the list is counted and shown", async () => {
    const fakeWire = await open("prnewswire");
    fakeWire.feedSize = 20;
    publishMany(fakeWire, range(1, 20));
    const { status, clock } = connect(settingsFor([fakeWire]));
    await status();
    fakeWire.break("list", faults.status(403));
    publishMany(fakeWire, range(21, 60));
    const after = await status();

    expect(after).toMatchObject({ gaps: 1, faults: { refused: 1 } });
    expect(describeProblem(after, clock.now())).toMatch(
      /^prnewswire: a part can't be read \(.*\/news-releases\/news-releases-list\/ answered 403\); 1 gap since startup, /,
    );
  });

  it("is filled by a later poll if the list can't be read at first", async () => {
    const fakeWire = await open("prnewswire");
    fakeWire.feedSize = 20;
    publishMany(fakeWire, range(1, 20));
    const { wire, status, clock } = connect(settingsFor([fakeWire]));
    await status();
    publishMany(fakeWire, range(21, 60));
    fakeWire.break("list", faults.status(503));
    expect(await status()).toMatchObject({ gaps: 1, faults: { "server-error": 1 } });
    fakeWire.break("list", null);
    clock.skip(2 * MINUTE_MS);
    publishMany(fakeWire, range(61, 62));
    const result = await wire.readFeeds(NO_ABORT);

    expect(numbersOf(result)).toEqual(expect.arrayContaining(range(21, 62)));
    expect(result).toMatchObject({ failures: [], gaps: 0 });
    expect(describeProblem(await status(), clock.now())).toMatch(/^prnewswire: 1 gap since startup/);
    expect(fakeWire.received.filter(({ target }) => target === "list")).toHaveLength(2);
  });

  it("that can't be filled is counted once, and its list is requested less and less often, for a day", async () => {
    const fakeWire = await open("prnewswire");
    fakeWire.feedSize = 20;
    publishMany(fakeWire, range(1, 20));
    const { status, clock } = connect(settingsFor([fakeWire]));
    await status();
    publishMany(fakeWire, range(21, 60));
    fakeWire.break("list", faults.status(404));
    const listRequests = (): number => fakeWire.received.filter(({ target }) => target === "list").length;
    const pollFor = async (hours: number): Promise<SourceStatus> => {
      for (let polls = 0; polls < hours * 12 - 1; polls += 1) {
        await status();
        clock.skip(5 * MINUTE_MS);
      }
      return status();
    };
    expect(await pollFor(23)).toMatchObject({ gaps: 1, problem: expect.stringContaining("404") });
    expect(listRequests()).toBeLessThanOrEqual(23 * 4 + 4);
    await pollFor(2);
    const before = listRequests();
    expect(await pollFor(2)).toMatchObject({ gaps: 1, problem: null });
    expect(listRequests()).toBe(before);
  });

  it.each(["globenewswire", "newsfile", "businesswire"] as const)("of %s is counted and shown", async (name) => {
    const fakeWire = await open(name);
    fakeWire.feedSize = 10;
    publishMany(fakeWire, range(1, 10));
    const { status, clock } = connect(settingsFor([fakeWire]));
    expect(await status()).toMatchObject({ newItemCount: 10, gaps: 0 });
    publishMany(fakeWire, range(11, 20));
    const after = await status();

    expect(after).toMatchObject({ newItemCount: 20, gaps: 1 });
    expect(describeProblem(after, clock.now())).toMatch(
      new RegExp(`^${name}: 1 gap since startup, the last at 2026-03-02 14:0\\d UTC: items may be missing$`),
    );
    // One item of the previous read is enough.
    publishMany(fakeWire, range(21, 29));
    expect(await status()).toMatchObject({ newItemCount: 29, gaps: 1 });
  });

  it("after downtime is filled back to the last activity of the earlier run", async () => {
    const fakeWire = await open("prnewswire");
    fakeWire.feedSize = 20;
    publishMany(fakeWire, range(1, 230));
    const { wire } = connect(settingsFor([fakeWire]));
    const downSince = Date.parse("2026-03-02T11:00:00Z");
    const result = await wire.readFeeds(NO_ABORT, downSince);

    expect(numbersOf(result)).toEqual(expect.arrayContaining(range(61, 230)));
    expect(fakeWire.received.filter(({ target }) => target === "list")).toHaveLength(2);
  });

  it("after downtime is not counted for a wire without a list, because the earlier run may have read more", async () => {
    const fakeWire = await open("globenewswire");
    fakeWire.feedSize = 20;
    publishMany(fakeWire, range(1, 60));
    const { wire } = connect(settingsFor([fakeWire]));

    expect(await wire.readFeeds(NO_ABORT, Date.parse("2026-03-02T10:05:00Z"))).toMatchObject({ gaps: 0, failures: [] });
  });

  it("is not assumed at the first start", async () => {
    const fakeWire = await open("prnewswire");
    publishMany(fakeWire, range(1, 20));
    const { status } = connect(settingsFor([fakeWire]));

    expect(await status()).toMatchObject({ gaps: 0 });
    expect(fakeWire.received.some(({ target }) => target === "list")).toBe(false);
  });
});

describe("a wire", () => {
  it("is polled more often from 06:00 to 20:00 in New York on trading days", () => {
    const wires = { ...settingsFor([]).wires };
    const feeds = ["https://www.prnewswire.com/rss/news-releases-list.rss"];
    wires.prnewswire = { feeds, everyMs: 120_000, daytimeEveryMs: 45_000 };
    wires.newsfile = {
      feeds: ["https://feeds.newsfilecorp.com/industry/health"],
      everyMs: 10_000,
      daytimeEveryMs: 45_000,
    };
    const clock = new SkippingClock();
    const [prnewswire, newsfile] = connectNewswires({ wires, feeds: [], userAgents: {} }, clientOf(clock)).wires;
    const intervalsAt = (time: string): readonly unknown[] =>
      [prnewswire, newsfile].map((wire) => wire?.intervalMs(Date.parse(time)));

    expect(intervalsAt("2026-03-02T10:59:00Z")).toEqual([120_000, 10_000]);
    expect(intervalsAt("2026-03-02T11:00:00Z")).toEqual([45_000, 10_000]);
    expect(intervalsAt("2026-03-03T00:59:00Z")).toEqual([45_000, 10_000]);
    expect(intervalsAt("2026-03-03T01:00:00Z")).toEqual([120_000, 10_000]);
    expect(intervalsAt("2026-03-07T15:00:00Z")).toEqual([120_000, 10_000]);
  });

  it("receives the user agent of its host, and the default elsewhere", async () => {
    const [own, other] = [await open("prnewswire"), await open("newsfile")];
    for (const fakeWire of [own, other]) fakeWire.publish({ id: "309999901" });
    const userAgents = { default: "splitwatchBot/{version} (+{contact})", [new URL(own.address).host]: "splitwatch" };
    const clock = new SkippingClock();
    const connected = connectNewswires({ ...settingsFor([own, other]), userAgents }, clientOf(clock));
    opened.push(() => connected.close());
    for (const wire of connected.wires) await wire.readFeeds(NO_ABORT);
    const agents = [own, other].map(({ received }) => new Set(received.map(({ headers }) => headers["user-agent"])));

    expect(agents).toEqual([new Set(["splitwatch"]), new Set(["splitwatchBot/1.0 (+https://bot.example)"])]);
  });
});

describe("GlobeNewswire", () => {
  it("is read on the host of its feed, although its links name the one that refuses servers", async () => {
    const fakeWire = await open("globenewswire");
    const url = fakeWire.publish({ id: "9999901" });
    const { wire } = connect(settingsFor([fakeWire]));
    const { items } = await wire.readFeeds(NO_ABORT);
    const official = new URL(url);
    official.host = "www.globenewswire.com";
    official.protocol = "https:";
    official.port = "";
    const text = await wire.readPage({ ...(items[0] as FeedItem), url: official.href }, NO_ABORT);

    expect(text).toContain("a 1-for-20 reverse stock split");
  });
});
