import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WIRES, type Wire } from "../../src/domain/article/article.ts";
import { faults } from "../newswires/fake-wire.ts";
import { splitRelease, WiresHarness } from "../newswires/wires-harness.ts";
import { BEST_OF_THREE } from "../support/timing.ts";

/** The five wires, read by the whole app over real sockets. */
let bench: WiresHarness;

const close = (): Promise<void> => bench.close();

const TICKERS: Readonly<Record<Wire, string>> = {
  prnewswire: "PRNA",
  businesswire: "BWIR",
  globenewswire: "GLOB",
  accesswire: "ACSS",
  newsfile: "NWSF",
};

/** Each wire has a release from before the start. */
async function settled(source: "auto" | "wires" = "wires"): Promise<void> {
  bench = await WiresHarness.open(source);
  for (const [index, wire] of WIRES.entries()) {
    bench.wires[wire].publish(splitRelease(`OLD${"ABCDE"[index]}`, { id: String(1_000 + index) }));
  }
  await bench.start();
  await bench.until("all releases from before are listed", async () => {
    const answer = await bench.asked("/v1/splits");
    return answer.status === 200 && (await bench.splits()).length === WIRES.length;
  });
  await bench.isRead();
  await bench.say("subscribe");
}

async function unreachable(): Promise<void> {
  bench = await WiresHarness.open("auto");
  for (const wire of WIRES) bench.wires[wire].break("feed", faults.status(503));
}

describe("a new release on a wire", () => {
  afterEach(close);

  it("is told in the chat after one look at its feed, for each of the five", async () => {
    await settled();
    expect((await bench.splits()).map(({ ticker }) => ticker)).toEqual(["OLDA", "OLDB", "OLDC", "OLDD", "OLDE"]);
    for (const [index, wire] of WIRES.entries()) {
      const before = bench.wires[wire].seen.filter(({ what }) => what === "feed").length;
      const url = bench.wires[wire].publish(splitRelease(TICKERS[wire], { id: String(2_000 + index) }));
      const card = await bench.hears(new RegExp(`${TICKERS[wire]} 1-for-20`));
      expect(JSON.stringify(card)).toContain("rounded up to the nearest whole share");
      const { seen } = bench.wires[wire];
      // One look was perhaps under way, the next one has shown it.
      expect(seen.filter(({ what }) => what === "feed").length - before).toBeLessThanOrEqual(3);
      expect(seen.filter(({ what, path }) => what === "page" && url.endsWith(path))).toHaveLength(1);
    }
    expect((await bench.articles()).map(({ source }) => source).toSorted()).toEqual([...WIRES, ...WIRES].toSorted());
    expect(await bench.told()).toHaveLength(WIRES.length);
    expect((await bench.readiness()).ready).toBe(true);
  });

  it("that corrects, postpones or cancels is told as that", async () => {
    await settled();
    const wire = bench.wires.globenewswire;
    for (const [index, ticker] of ["CORR", "POST", "CANC"].entries())
      wire.publish(splitRelease(ticker, { id: String(3_000 + index) }));
    for (const ticker of ["CORR", "POST", "CANC"]) await bench.hears(new RegExp(`${ticker} 1-for-20`));

    wire.publish(
      splitRelease("CORR", {
        id: "3000",
        ratio: "1-for-25",
        heading: "Corr Robotics, Inc. Corrects Reverse Split Release",
      }),
    );
    await bench.hears(/CORR.*changed|CORR 1-for-25/i);
    wire.publish({
      ...splitRelease("POST", { id: "3011", heading: "Post Robotics, Inc. Postpones Reverse Stock Split" }),
      teaser:
        "Post Robotics, Inc. (Nasdaq: POST) today announced that it has postponed its previously announced reverse stock split.",
      body: "<p>A new date will be announced.</p>",
    });
    await bench.hears(/POST.*postponed/i);
    wire.publish({
      ...splitRelease("CANC", { id: "3012", heading: "Canc Robotics, Inc. Cancels Reverse Stock Split" }),
      teaser:
        "Canc Robotics, Inc. (Nasdaq: CANC) today announced that it has cancelled its previously announced reverse stock split.",
      body: "<p>The common stock will continue to trade on its present basis.</p>",
    });
    await bench.hears(/CANC.*cancelled/i);

    const listed = (await bench.splits()).map(({ ticker, ratio }) => `${ticker} ${ratio}`);
    expect(listed).toContain("CORR 1:25");
    expect(listed.filter((row) => /POST|CANC/.test(row))).toEqual([]);
  });

  it("is not lost when the app is killed between finding it and reading it", async () => {
    await settled();
    const wire = bench.wires.businesswire;
    wire.break("page", faults.status(500));
    wire.publish(splitRelease("KILL", { id: "4000" }));
    await bench.until("the page was asked for", () => bench.log.count("release read failed") > 0);
    await bench.stop();
    // The feed has moved on.
    wire.break(
      "feed",
      faults.body('<?xml version="1.0"?><rss version="2.0"><channel><title>x</title></channel></rss>'),
    );
    wire.break("page", null);
    await bench.start();
    expect(bench.origin).toBe("live");
    await bench.hears(/KILL 1-for-20/);
  });
});

describe("a wire that is not well", () => {
  beforeAll(() => settled());
  afterAll(close);

  it.each([
    ["refuses", faults.status(403), /refuses to be read/],
    ["asks us to wait", faults.status(429, { "retry-after": "60" }), /refuses to be read/],
    ["fails", faults.status(500), /cannot be reached/],
    ["sends a page in place of its feed", faults.html(), /sends nothing that can be read/],
    ["sends half a feed", faults.brokenXml(), /sends nothing that can be read/],
    ["sends an entity bomb", faults.entityBomb(), /sends nothing that can be read/],
    ["sends more and more", faults.huge(), /sends nothing that can be read/],
    ["breaks off", faults.breaksOff(), /cannot be reached/],
  ])("that %s is told of, holds up no other, and loses nothing", async (_, fault, words) => {
    const wire = bench.wires.globenewswire;
    const faultsMet = bench.log.count("wire read failed");
    const toldBefore = (await bench.told()).length;
    const [missing, good] = [`MS${toldBefore}X`, `GD${toldBefore}X`];
    wire.break("feed", fault);
    const missed = wire.publish(splitRelease(missing, { id: `5${toldBefore}0` }));
    await bench.until("the fault was met", () => bench.log.count("wire read failed") > faultsMet);
    bench.wires.prnewswire.publish(splitRelease(good, { id: `5${toldBefore}1` }));
    await bench.hears(new RegExp(`${good} 1-for-20`));

    const status = await bench.say("status");
    expect(status.lines.join("\n")).toMatch(new RegExp(`globenewswire ${words.source} since`));
    expect((await bench.readiness()).checks.source).toEqual({ ok: true, detail: expect.stringMatching(words) });
    expect(await bench.told()).toHaveLength(toldBefore + 1);

    wire.break("feed", null);
    // A wire that was asked too much is left alone for up to an hour.
    await bench.until("the wire is read again", () => {
      bench.clock.skip(60_000);
      return wire.seen.some(({ what, path }) => what === "page" && missed.endsWith(path));
    });
    await bench.hears(new RegExp(`${missing} 1-for-20`));
    expect(bench.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("the data service before its first fill", () => {
  afterEach(close);

  it("answers 503 while no wire can be read, though it may never show the sample, and is filled by the first that can", async () => {
    bench = await WiresHarness.open("wires");
    for (const wire of WIRES) bench.wires[wire].break("feed", faults.status(403));
    await bench.start();
    expect(bench.origin).toBe("live");
    const answer = await bench.asked("/v1/splits");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    await bench.until("every wire has refused", async () => (await bench.readiness()).checks.source?.ok === false);
    const { ready, checks } = await bench.readiness();
    expect(ready).toBe(false);
    expect(checks.source?.detail).toContain("None of the news wires can be read");
    expect((await bench.say("list")).badges).toEqual([]);

    bench.wires.newsfile.publish(splitRelease("FRST", { id: "6000" }));
    bench.wires.newsfile.break("feed", null);
    await bench.until("a wire is read", async () => {
      bench.clock.skip(60_000);
      return (await bench.asked("/v1/splits")).status === 200;
    });
    await bench.isRead();
    await bench.say("subscribe");
    expect((await bench.splits()).map(({ ticker }) => ticker)).toEqual(["FRST"]);
    // What was there before us is no news.
    expect(await bench.told()).toEqual([]);
  });
});

describe("a wire that is read for the first time when the others have long been", () => {
  afterEach(close);

  it("tells what came out lately, and lists without a word what had been out for days", async () => {
    bench = await WiresHarness.open("wires");
    const late = bench.wires.globenewswire;
    late.break("feed", faults.status(503));
    bench.wires.prnewswire.publish(splitRelease("OLDA", { id: "1000" }));
    await bench.start();
    await bench.isRead();
    await bench.say("subscribe");

    late.publish(splitRelease("KNWN", { id: "6100", published: new Date("2026-02-26T13:30:00Z") }));
    late.publish(splitRelease("FRSH", { id: "6101", published: new Date("2026-03-01T13:30:00Z") }));
    late.break("feed", null);
    await bench.until("both are listed", async () => {
      bench.clock.skip(60_000);
      return (await bench.splits()).length === 3;
    });
    await bench.hears(/FRSH 1-for-20/);
    late.publish(splitRelease("NEXT", { id: "6102" }));
    await bench.hears(/NEXT 1-for-20/);
    expect((await bench.told()).filter((title) => /OLDA|KNWN/.test(title))).toEqual([]);
    // It is followed all the same.
    expect((await bench.say("show KNWN")).title).toMatch(/^KNWN 1-for-20 reverse split/);
  });
});

describe("a wire that has shown nothing of interest so far", () => {
  afterEach(close);

  it("has its first split told, though that was out for days when we came back", async () => {
    bench = await WiresHarness.open("wires");
    bench.wires.prnewswire.publish(splitRelease("OLDA", { id: "1000" }));
    const quiet = bench.wires.newsfile;
    quiet.publish({
      ...splitRelease("PLNT", { id: "6200", heading: "Plnt Robotics, Inc. Opens a Plant" }),
      teaser: "Plnt Robotics, Inc. has opened a plant.",
      body: "<p>It has a roof.</p>",
    });
    await bench.start();
    await bench.isRead();
    await bench.say("subscribe");
    await bench.stop();

    bench.clock.skip(4 * 24 * 3_600_000);
    quiet.publish(splitRelease("AWAY", { id: "6201", published: new Date("2026-03-03T13:30:00Z") }));
    await bench.start();
    await bench.hears(/AWAY 1-for-20/);
    expect((await bench.told()).filter((title) => /OLDA|PLNT/.test(title))).toEqual([]);
  });
});

describe("service.source: auto", () => {
  afterEach(close);

  it(
    "shows the sample while no wire can be read and says so, then changes to the wires without a word of the sample",
    BEST_OF_THREE,
    async () => {
      await unreachable();
      const before = performance.now();
      await bench.start();
      expect(performance.now() - before).toBeLessThan(3_000);
      expect(bench.origin).toBe("sample-until-live");
      await bench.isRead();
      await bench.say("subscribe");
      const status = await bench.say("status");
      expect(status.badges).toEqual(["SAMPLE"]);
      expect(status.lines.join("\n")).toContain("Demo data (invented companies): no source is reachable yet");
      expect((await bench.readiness()).checks.source?.ok).toBe(true);
      const sample = new Set((await bench.splits()).map(({ ticker }) => ticker));
      expect(sample.size).toBeGreaterThan(3);

      bench.wires.globenewswire.publish(splitRelease("REAL", { id: "7000" }));
      bench.wires.globenewswire.break("feed", null);
      await bench.until("the source has changed", () => bench.log.count("source changed") > 0);
      expect((await bench.splits()).map(({ ticker }) => ticker)).toEqual(["REAL"]);
      await bench.until(
        "the wires are read",
        async () =>
          (await bench.say("status")).badges.length === 0 && (await bench.say("list when:all")).rows.length === 1,
      );

      // A first run of another source: nothing of either is news, and nothing of the sample is missed.
      bench.wires.globenewswire.publish(splitRelease("NEWS", { id: "7001" }));
      const card = await bench.hears(/NEWS 1-for-20/);
      expect(card.badges).not.toContain("SAMPLE");
      const told = await bench.cards();
      expect(told.filter(({ badges }) => !badges.includes("SAMPLE")).map(({ title }) => title.slice(0, 4))).toEqual([
        "NEWS",
      ]);
      const pages = JSON.stringify(await bench.say("list when:all"));
      for (const ticker of sample) expect(pages).not.toContain(ticker);
    },
  );

  it("goes on with what it kept when no wire can be reached at the next start", async () => {
    bench = await WiresHarness.open("wires");
    bench.wires.globenewswire.publish(splitRelease("KEPT", { id: "8000" }));
    await bench.start();
    await bench.isRead();
    await bench.stop();
    bench.source = "auto";
    for (const wire of WIRES) bench.wires[wire].break("feed", faults.status(503));
    await bench.start();
    expect(bench.origin).toBe("live");
    await bench.isRead();
    expect((await bench.splits()).map(({ ticker }) => ticker)).toEqual(["KEPT"]);
    await bench.until("all have failed", async () => (await bench.readiness()).checks.source?.ok === false);
    expect((await bench.say("status")).title).toContain("can't be read");
  });

  it("runs alone as a service, and fills from the wires as soon as it can", async () => {
    await unreachable();
    await bench.start({}, "service");
    expect(bench.origin).toBe("sample-until-live");
    bench.wires.newsfile.publish(splitRelease("ALON", { id: "9000" }));
    for (const wire of WIRES) bench.wires[wire].break("feed", null);
    await bench.until("the wires have taken over", async () => {
      bench.clock.skip(60_000);
      return (await bench.splits()).some(({ ticker }) => ticker === "ALON");
    });
    expect(await bench.splits()).toHaveLength(1);
  });
});
