import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Card } from "../../src/chat/web/page/protocol.ts";
import { WIRES, type Wire } from "../../src/domain/article/wire.ts";
import { faults, type ReceivedRequest } from "../newswires/fake-wire.ts";
import { SPEED, splitRelease, WiresHarness } from "../newswires/wires-harness.ts";
import { readMetric } from "../support/web-chat-client.ts";

/** The whole app reads fake servers of the five wires over real sockets. */
let app: WiresHarness;

const close = (): Promise<void> => app.close();

/** Speed of polls that quote releases. A list waits 300 ms for its articles: three seconds at this speed. */
const QUOTING_SPEED = 0.1;

/** Publishes a release, and lets time pass until its page is requested. Returns the alert and the requests. */
async function publishForQuote(wire: Wire, ticker: string, id: string): Promise<[Card, readonly ReceivedRequest[]]> {
  const { received } = app.wires[wire];
  const before = received.length;
  const url = app.wires[wire].publish(splitRelease(ticker, { id }));
  await app.until("its page is requested", () => {
    const isRequested = received.some(({ path }) => url.endsWith(path));
    // Only until then: a list would not wait for its articles.
    if (!isRequested) app.clock.skip(1_000);
    return isRequested;
  });
  return [await app.waitForAlert(new RegExp(`${ticker} 1-for-20`)), received.slice(before)];
}

const TICKERS: Readonly<Record<Wire, string>> = {
  prnewswire: "PRNA",
  businesswire: "BWIR",
  globenewswire: "GLOB",
  accesswire: "ACSS",
  newsfile: "NWSF",
};

/** Starts the app; each wire has a release from before the start. */
async function startWithReleases(source: "auto" | "wires" = "wires"): Promise<void> {
  app = await WiresHarness.open(source);
  for (const [index, wire] of WIRES.entries()) {
    app.wires[wire].publish(splitRelease(`OLD${"ABCDE"[index]}`, { id: String(1_000 + index) }));
  }
  await app.start();
  await app.until("all releases from before are listed", async () => {
    const answer = await app.request("/v1/splits");
    return answer.status === 200 && (await app.splits()).length === WIRES.length;
  });
  // An earlier poll may have read fewer.
  await app.until("a poll has read all of them", async () => {
    const cards = JSON.stringify(await app.runCommandForCards("list"));
    return ["OLDA", "OLDB", "OLDC", "OLDD", "OLDE"].every((ticker) => cards.includes(ticker));
  });
  await app.runCommand("subscribe");
}

async function unreachable(): Promise<void> {
  app = await WiresHarness.open("auto");
  for (const wire of WIRES) app.wires[wire].break("feed", faults.status(503));
}

describe("a new release on a wire", () => {
  afterEach(close);

  it("causes an alert after one poll of its feed, for each of the five wires", async () => {
    await startWithReleases();
    expect((await app.splits()).map(({ ticker }) => ticker)).toEqual(["OLDA", "OLDB", "OLDC", "OLDD", "OLDE"]);
    app.clock.setSpeed(QUOTING_SPEED);
    // A list doesn't wait for articles that were late before, as at full speed.
    await publishForQuote("newsfile", "SLOW", "1900");
    for (const [index, wire] of WIRES.entries()) {
      const [card, requests] = await publishForQuote(wire, TICKERS[wire], String(2_000 + index));
      expect(JSON.stringify(card)).toContain("rounded up to the nearest whole share");
      expect(requests.filter(({ target }) => target === "page")).toHaveLength(1);
      expect(requests.filter(({ target, status }) => target === "feed" && status === 200)).toHaveLength(1);
    }
    app.clock.setSpeed(SPEED);
    for (const line of ["show PRNA", "why PRNA"]) {
      const [, sources] = await app.runCommandForCards(line);
      expect(sources?.title).toBe("Sources of the terms of PRNA");
      expect(sources?.rows[0]).toMatchObject({
        title: "Ratio 1-for-20: PR Newswire",
        detail: expect.stringContaining("announced a 1-for-20 reverse stock split"),
        link: expect.stringContaining("http"),
      });
    }
    expect((await app.articles()).map(({ source }) => source).toSorted()).toEqual(
      [...WIRES, ...WIRES, "newsfile"].toSorted(),
    );
    expect(await app.alertTitles()).toHaveLength(WIRES.length + 1);
    expect((await app.readiness()).ready).toBe(true);
  });

  it("that corrects, postpones or cancels a split causes an alert of that kind", async () => {
    await startWithReleases();
    const wire = app.wires.globenewswire;
    for (const [index, ticker] of ["CORR", "POST", "CANC"].entries())
      wire.publish(splitRelease(ticker, { id: String(3_000 + index) }));
    for (const ticker of ["CORR", "POST", "CANC"]) await app.waitForAlert(new RegExp(`${ticker} 1-for-20`));

    wire.publish(
      splitRelease("CORR", {
        id: "3000",
        ratio: "1-for-25",
        heading: "Corr Robotics, Inc. Corrects Reverse Split Release",
      }),
    );
    await app.waitForAlert(/CORR.*changed|CORR 1-for-25/i);
    wire.publish({
      ...splitRelease("POST", { id: "3011", heading: "Post Robotics, Inc. Postpones Reverse Stock Split" }),
      teaser:
        "Post Robotics, Inc. (Nasdaq: POST) today announced that it has postponed its previously announced reverse stock split.",
      body: "<p>A new date will be announced.</p>",
    });
    await app.waitForAlert(/POST.*postponed/i);
    wire.publish({
      ...splitRelease("CANC", { id: "3012", heading: "Canc Robotics, Inc. Cancels Reverse Stock Split" }),
      teaser:
        "Canc Robotics, Inc. (Nasdaq: CANC) today announced that it has cancelled its previously announced reverse stock split.",
      body: "<p>The common stock will continue to trade on its present basis.</p>",
    });
    await app.waitForAlert(/CANC.*cancelled/i);

    const listed = (await app.splits()).map(({ ticker, ratio }) => `${ticker} ${ratio}`);
    expect(listed).toContain("CORR 1:25");
    expect(listed.filter((row) => /POST|CANC/.test(row))).toEqual([]);
  });

  it("is not lost if the app stops between finding it and reading it", async () => {
    await startWithReleases();
    const wire = app.wires.businesswire;
    wire.break("page", faults.status(500));
    wire.publish(splitRelease("KILL", { id: "4000" }));
    await app.until("the page was asked for", () => app.log.count("release read failed") > 0);
    await app.stop();
    // The feed no longer contains the release.
    wire.break(
      "feed",
      faults.body('<?xml version="1.0"?><rss version="2.0"><channel><title>x</title></channel></rss>'),
    );
    wire.break("page", null);
    await app.start();
    expect(app.origin).toBe("live");
    await app.waitForAlert(/KILL 1-for-20/);
  });
});

describe("a faulty wire", () => {
  beforeAll(() => startWithReleases());
  afterAll(close);

  it.each([
    ["refuses", faults.status(403), /requests refused/],
    ["is rate-limited", faults.status(429, { "retry-after": "60" }), /requests refused/],
    ["fails", faults.status(500), /unreachable/],
    ["sends a page instead of its feed", faults.html(), /unreadable answer/],
    ["sends half a feed", faults.brokenXml(), /unreadable answer/],
    ["sends an entity bomb", faults.entityBomb(), /unreadable answer/],
    ["sends an endless answer", faults.huge(), /unreadable answer/],
    ["closes connections", faults.breaksOff(), /unreachable/],
  ])("that %s is reported, does not block the others, and loses nothing", async (_, fault, words) => {
    const wire = app.wires.globenewswire;
    const downBefore = app.log.count("source down");
    const alertsBefore = (await app.alertTitles()).length;
    const [missing, good] = [`MS${alertsBefore}X`, `GD${alertsBefore}X`];
    wire.break("feed", fault);
    const missed = wire.publish(splitRelease(missing, { id: `5${alertsBefore}0` }));
    await app.until("the wire is down", () => app.log.count("source down") > downBefore);
    app.wires.prnewswire.publish(splitRelease(good, { id: `5${alertsBefore}1` }));
    await app.waitForAlert(new RegExp(`${good} 1-for-20`));

    const status = await app.runCommand("status");
    expect(status.lines.join("\n")).toMatch(new RegExp(`GlobeNewswire: down, ${words.source} since`));
    expect(await app.sourceState("GlobeNewswire")).toMatchObject({
      tone: "bad",
      problem: expect.stringContaining("since"),
    });
    expect(await readMetric(app.address, 'splitwatch_source_up{source="globenewswire"}')).toBe(0);
    expect(await readMetric(app.address, 'splitwatch_source_up{source="prnewswire"}')).toBe(1);
    const { ready, checks } = await app.readiness();
    expect({ ready, ...checks.source }).toEqual({ ready: true, ok: true, detail: expect.stringMatching(words) });
    expect(await app.alertTitles()).toHaveLength(alertsBefore + 1);

    wire.break("feed", null);
    // A rate-limited wire is not requested for up to an hour.
    await app.until("the wire is read again", () => {
      app.clock.skip(60_000);
      return wire.received.some(({ target: what, path }) => what === "page" && missed.endsWith(path));
    });
    await app.waitForAlert(new RegExp(`${missing} 1-for-20`));
    expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("the data service before its first fill", () => {
  afterEach(close);

  it("answers 503 while no wire can be read, and is filled by the first one that can", async () => {
    app = await WiresHarness.open("wires");
    for (const wire of WIRES) app.wires[wire].break("feed", faults.status(403));
    await app.start();
    expect(app.origin).toBe("live");
    const answer = await app.request("/v1/splits");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    await app.until("every wire has refused", async () => (await app.readiness()).checks.source?.ok === false);
    const { ready, checks } = await app.readiness();
    expect(ready).toBe(false);
    expect(checks.source?.detail).toMatch(
      /^0 of 5 split sources can be read; PR Newswire: .* answered 403; none was read yet$/,
    );
    expect((await app.runCommand("list")).badges).toEqual([]);

    // The first fill waits for the page for a limited time, which must not pass on a busy machine.
    app.clock.setSpeed(5);
    const { newsfile } = app.wires;
    newsfile.publish(splitRelease("FRST", { id: "6000" }));
    newsfile.break("feed", null);
    await app.until("a wire is read", async () => {
      // Only until the feed is read: the first fill waits a limited time for the page, which must not pass in a jump.
      const isFeedRead = newsfile.received.some(({ target, status }) => target === "feed" && status === 200);
      if (!isFeedRead) app.clock.skip(60_000);
      return (await app.request("/v1/splits")).status === 200;
    });
    await app.waitForPoll();
    await app.runCommand("subscribe");
    expect((await app.splits()).map(({ ticker }) => ticker)).toEqual(["FRST"]);
    // Releases from before the first fill cause no alert.
    expect(await app.alertTitles()).toEqual([]);
  });
});

describe("a wire that is read for the first time later than the others", () => {
  afterEach(close);

  it("causes alerts for recent releases only, and lists older ones without an alert", async () => {
    app = await WiresHarness.open("wires");
    const late = app.wires.globenewswire;
    late.break("feed", faults.status(503));
    app.wires.prnewswire.publish(splitRelease("OLDA", { id: "1000" }));
    await app.start();
    await app.waitForPoll();
    await app.runCommand("subscribe");

    late.publish(splitRelease("KNWN", { id: "6100", published: new Date("2026-02-26T13:30:00Z") }));
    late.publish(splitRelease("FRSH", { id: "6101", published: new Date("2026-03-01T13:30:00Z") }));
    late.break("feed", null);
    await app.until("both are listed", async () => {
      app.clock.skip(60_000);
      return (await app.splits()).length === 3;
    });
    await app.waitForAlert(/FRSH 1-for-20/);
    late.publish(splitRelease("NEXT", { id: "6102" }));
    await app.waitForAlert(/NEXT 1-for-20/);
    expect((await app.alertTitles()).filter((title) => /OLDA|KNWN/.test(title))).toEqual([]);
    // The older split is listed nevertheless.
    expect((await app.runCommand("show KNWN")).title).toMatch(/^KNWN 1-for-20 reverse split/);
  });
});

describe("a wire without a release about a split so far", () => {
  afterEach(close);

  it("causes an alert for its first split after a downtime of days", async () => {
    app = await WiresHarness.open("wires");
    app.wires.prnewswire.publish(splitRelease("OLDA", { id: "1000" }));
    const quiet = app.wires.newsfile;
    quiet.publish({
      ...splitRelease("PLNT", { id: "6200", heading: "Plnt Robotics, Inc. Opens a Plant" }),
      teaser: "Plnt Robotics, Inc. has opened a plant.",
      body: "<p>It has a roof.</p>",
    });
    await app.start();
    await app.waitForPoll();
    await app.runCommand("subscribe");
    await app.stop();

    app.clock.skip(4 * 24 * 3_600_000);
    quiet.publish(splitRelease("AWAY", { id: "6201", published: new Date("2026-03-03T13:30:00Z") }));
    await app.start();
    await app.waitForAlert(/AWAY 1-for-20/);
    expect((await app.alertTitles()).filter((title) => /OLDA|PLNT/.test(title))).toEqual([]);
  });
});

describe("service.source: auto", () => {
  afterEach(close);

  it("serves the sample, marked as such, until a wire can be read, then the wires without alerts for the sample", async () => {
    await unreachable();
    await app.start();
    expect(app.origin).toBe("sample-until-live");
    await app.waitForPoll();
    await app.runCommand("subscribe");
    const status = await app.runCommand("status");
    expect(status.badges).toEqual(["SAMPLE"]);
    expect(status.lines.join("\n")).toContain("Sample data (invented companies): no source is reachable yet");
    const { ready, checks } = await app.readiness();
    expect([ready, checks.source?.ok]).toEqual([false, false]);
    const sample = new Set((await app.splits()).map(({ ticker }) => ticker));
    expect(sample.size).toBeGreaterThan(3);
    expect((await app.request("/v1/splits")).headers.get("X-Splitwatch-Data")).toBe("sample");

    app.wires.globenewswire.publish(splitRelease("REAL", { id: "7000" }));
    app.wires.globenewswire.break("feed", null);
    await app.until("the source has changed", () => app.log.count("source changed") > 0);
    const live = await app.request("/v1/splits");
    expect(live.headers.get("X-Splitwatch-Data")).toBeNull();
    expect(await live.json()).toMatchObject({ data: [{ ticker: "REAL" }] });
    await app.until(
      "the wires are read",
      async () =>
        (await app.runCommand("status")).badges.length === 0 &&
        (await app.runCommand("list when:all")).rows.length === 1,
    );

    // First run of another source: no alerts for the rows of either one.
    app.wires.globenewswire.publish(splitRelease("NEWS", { id: "7001" }));
    const card = await app.waitForAlert(/NEWS 1-for-20/);
    expect(card.badges).not.toContain("SAMPLE");
    const cards = await app.cards();
    expect(cards.filter(({ badges }) => !badges.includes("SAMPLE")).map(({ title }) => title.slice(0, 4))).toEqual([
      "NEWS",
    ]);
    const pages = JSON.stringify(await app.runCommand("list when:all"));
    for (const ticker of sample) expect(pages).not.toContain(ticker);
  });

  it("serves the stored releases if no wire can be reached at the next start", async () => {
    app = await WiresHarness.open("wires");
    app.wires.globenewswire.publish(splitRelease("KEPT", { id: "8000" }));
    await app.start();
    await app.waitForPoll();
    await app.stop();
    app.source = "auto";
    for (const wire of WIRES) app.wires[wire].break("feed", faults.status(503));
    await app.start();
    expect(app.origin).toBe("live");
    await app.waitForPoll();
    expect((await app.splits()).map(({ ticker }) => ticker)).toEqual(["KEPT"]);
    await app.until("all have failed", async () => (await app.readiness()).checks.source?.ok === false);
    expect((await app.runCommand("status")).title).toContain("can't be read");
  });

  it("runs without the bot, and changes to the wires as soon as one can be read", async () => {
    await unreachable();
    await app.start({}, "service");
    expect(app.origin).toBe("sample-until-live");
    app.wires.newsfile.publish(splitRelease("ALON", { id: "9000" }));
    for (const wire of WIRES) app.wires[wire].break("feed", null);
    await app.until("the wires have taken over", async () => {
      app.clock.skip(60_000);
      return (await app.splits()).some(({ ticker }) => ticker === "ALON");
    });
    expect(await app.splits()).toHaveLength(1);
  });
});
