import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../src/domain/time/day.ts";
import { cardsOf, type RunningApp } from "../support/app.ts";
import { anEstablishedUpstream, ESTABLISHED, type EstablishedUpstream } from "../support/established-upstream.ts";
import { aSplitRow, lies, type Upstream } from "../support/upstream.ts";
import { waitUntil } from "../support/wait-until.ts";

const INVENTED = ["SAMA", "SAMB", "SAMC"].map((ticker) => aSplitRow({ ticker, company: `Sample ${ticker} Inc.` }));

let established: EstablishedUpstream;
let upstream: Upstream;

beforeEach(async () => {
  established = await anEstablishedUpstream();
  ({ upstream } = established);
  upstream.sample = true;
  upstream.splits = INVENTED;
  upstream.articles = [];
});

afterEach(() => established.end());

async function statusOf(app: RunningApp) {
  const [status] = await app.run("alice", "status");
  return { badges: status?.badges, text: JSON.stringify(status) };
}

async function alertsOf(app: RunningApp) {
  return cardsOf(await app.messages("alice", "general")).map(({ title, badges, footer }) => ({
    title,
    badges,
    footer,
  }));
}

/** Polls the list after two minutes, as soon as no switch of the source is in progress. */
async function pollList(app: RunningApp): Promise<void> {
  app.clock.skip(2 * MINUTE_MS);
  await waitUntil("the list is polled", () =>
    app.tick("poll-splits").then(
      () => true,
      () => false,
    ),
  );
}

function isAbout(ticker: string): unknown {
  return expect.stringMatching(new RegExp(`^${ticker} `));
}

describe("a data service that serves sample data", () => {
  it("has its answers and alerts marked as sample", async () => {
    const app = await established.startFollowing();
    const { badges, text } = await statusOf(app);
    expect(badges).toEqual(["SAMPLE"]);
    expect(text).toContain(`${upstream.url} (sample data)`);
    expect(text).toContain("Sample data (invented companies), served by the data service.");
    expect(await app.run("alice", "show SAMA")).toMatchObject([{ badges: expect.arrayContaining(["SAMPLE"]) }]);
    upstream.splits = [...INVENTED, aSplitRow({ ticker: "SAMD" })];
    await app.poll();
    expect(await alertsOf(app)).toEqual([
      {
        title: isAbout("SAMD"),
        badges: expect.arrayContaining(["SAMPLE"]),
        footer: expect.stringContaining("Sample data, not a real company."),
      },
    ]);
    expect((await app.get("/api/overview")).json).toMatchObject({ source: { sample: true } });
  });

  it("is not reported as failed when the first answer shows it", async () => {
    const app = await established.start();
    expect(app.log.lines.filter(({ event }) => event === "poll failed")).toEqual([]);
    expect(app.log.count("source changed")).toBe(1);
  });

  it("is marked after a restart before it can be read", async () => {
    await established.stop(await established.startFollowing());
    upstream.injectFault(lies.status(500));
    const app = await established.start();
    expect((await statusOf(app)).badges).toEqual(["SAMPLE"]);
    expect(await app.run("alice", "show SAMA")).toMatchObject([{ badges: expect.arrayContaining(["SAMPLE"]) }]);
  });

  it("causes no alert for the rows of either when it switches to live data", async () => {
    const app = await established.startFollowing();
    upstream.sample = false;
    upstream.splits = ESTABLISHED;
    await pollList(app);
    await waitUntil("live data is shown", async () => (await statusOf(app)).badges?.length === 0);
    await pollList(app);
    await app.poll(4);
    const { badges, text } = await statusOf(app);
    expect({ badges, isMarked: text.includes("ample data") }).toEqual({ badges: [], isMarked: false });
    expect(await app.run("alice", "show ESTA")).toMatchObject([{ badges: [] }]);
    expect(await alertsOf(app)).toEqual([]);
    upstream.splits = [...ESTABLISHED, aSplitRow({ ticker: "NEWC" })];
    await app.poll();
    expect(await alertsOf(app)).toEqual([
      { title: isAbout("NEWC"), badges: [], footer: expect.not.stringContaining("ample") },
    ]);
  });

  it("and live data in turn is not mixed with it", async () => {
    const app = await established.startFollowing();
    let answers = 0;
    // Two servers behind one address.
    upstream.beforeAnswer = () => {
      answers += 1;
      upstream.sample = answers % 2 === 0;
      upstream.splits = upstream.sample ? INVENTED : ESTABLISHED;
    };
    const before = upstream.requests.length;
    for (let left = 6; left > 0; left -= 1) await pollList(app);
    // Each switch starts a poll, which may see other data again, but does not switch again within a minute.
    expect(upstream.requests.length - before).toBeLessThan(60);
    expect(await alertsOf(app)).toEqual([]);
  });
});
