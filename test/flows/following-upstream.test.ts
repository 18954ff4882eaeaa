import { writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/domain/time/day.ts";
import { announced, deliveryOf } from "../contract/store-builders.ts";
import { cardsOf } from "../support/app.ts";
import {
  ARTICLES,
  alertTitles,
  anEstablishedUpstream,
  ESTABLISHED,
  type EstablishedUpstream,
  KEY,
  NO_ALERTS,
  onListOnly,
} from "../support/established-upstream.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { openIn } from "../support/store-folder.ts";
import { anArticleRow, aSplitRow, lies, startUpstream, type Upstream } from "../support/upstream.ts";

const [FIRST, ...OTHERS] = ESTABLISHED;

let established: EstablishedUpstream;
let upstream: Upstream;

beforeEach(async () => {
  established = await anEstablishedUpstream();
  ({ upstream } = established);
});

afterEach(() => established.end());

/** Matches titles that start with the text. */
function startingWith(start: string): unknown {
  return expect.stringMatching(new RegExp(`^${start}`));
}

function both(...titles: readonly unknown[]): unknown {
  return { channel: titles, person: titles };
}

describe("a split that leaves the list", () => {
  it("is alerted as missing after three complete polls, and as returned when it is listed again", async () => {
    const app = await established.startFollowing();
    upstream.splits = OTHERS;
    await app.poll(2);
    expect(await alertTitles(app)).toEqual(NO_ALERTS);
    await app.poll();
    const missing = startingWith("ESTA 1-for-2 reverse split is no longer listed");
    expect(await alertTitles(app)).toEqual(both(missing));
    await app.poll(5);
    upstream.splits = ESTABLISHED;
    await app.poll(4);
    const returned = startingWith("ESTA 1-for-2 reverse split is listed again");
    expect(await alertTitles(app)).toEqual(both(missing, returned));
    const messages = await app.messages("alice");
    expect(messages[1]?.replyTo).toBe(messages[0]?.messageId);
  });

  it("is counted from zero after each poll that lists it, and not by failed polls", async () => {
    const app = await established.startFollowing();
    for (const splits of [OTHERS, OTHERS, ESTABLISHED, OTHERS, OTHERS]) {
      upstream.splits = splits;
      await app.poll();
    }
    upstream.injectFault(lies.status(500));
    await app.poll(5);
    expect(await alertTitles(app)).toEqual(NO_ALERTS);
    upstream.clearFault();
    await app.poll();
    expect(await alertTitles(app)).toEqual(both(startingWith("ESTA 1-for-2 reverse split is no longer listed")));
  });

  it("is not missing while the request of its ticker returns it or fails", async () => {
    const app = await established.startFollowing();
    upstream.injectFault(onListOnly(lies.rows((rows) => rows.slice(1))));
    await app.poll(8);
    upstream.splits = OTHERS;
    upstream.injectFault(lies.status(500), { path: "/v1/splits/ESTA" });
    await app.poll(8);
    expect(await alertTitles(app)).toEqual(NO_ALERTS);
    upstream.clearFault();
    await app.poll();
    expect(await alertTitles(app)).toEqual(both(startingWith("ESTA 1-for-2 reverse split is no longer listed")));
  });

  it("after its ex date makes no alert, even if the whole list empties", async () => {
    const app = await established.startFollowing();
    established.clock.setTo("2026-03-31T15:00Z");
    await app.poll();
    const before = await alertTitles(app);
    upstream.splits = [];
    await app.poll(6);
    expect(await alertTitles(app)).toEqual(before);
    expect((await app.get("/readyz")).status).toBe(200);
  });
});

describe("another data service on the same state", () => {
  it("is a first run: no alerts for its list, none repeated, and alerts for later changes", async () => {
    await established.stop(await established.startFollowing());
    const other = await startUpstream({
      key: KEY,
      splits: [...OTHERS.map((row) => ({ ...row, ratio: "1:99" })), aSplitRow({ ticker: "OTHR" })],
      articles: [...ARTICLES, anArticleRow({ url: "https://other.example/1", content: "It (NASDAQ: ESTU) says." })],
    });
    try {
      const app = await established.start({ env: { SPLITS_API_URL: other.url } });
      await app.poll(6);
      expect(await alertTitles(app)).toEqual(NO_ALERTS);
      other.splits = [...other.splits, aSplitRow({ ticker: "NEWC", ex_date: "2026-04-02" })];
      await app.poll(3);
      expect(await alertTitles(app)).toEqual(both(startingWith("NEWC 1-for-20 reverse split, ex date")));
      await established.stop(app);
      const back = await established.start();
      await back.poll(6);
      expect(await alertTitles(back)).toEqual(both(startingWith("NEWC 1-for-20 reverse split, ex date")));
      await established.stop(back);
    } finally {
      await other.stop();
    }
  });
});

describe("the first run", () => {
  it("sends nothing unless a digest is configured", async () => {
    const app = await established.startFollowing();
    expect(await alertTitles(app)).toEqual(NO_ALERTS);
  });

  it("sends each channel one digest of the splits that its rules would have announced", async () => {
    const settings = `${established.dataDir}-settings.yaml`;
    await writeFile(settings, "alerts:\n  firstRun: digest\n");
    // The rules exist before the first poll.
    const earlier = await established.start({ env: { SPLITS_API_URL: "http://127.0.0.1:9" } });
    await earlier.run("alice", "subscribe minratio:10");
    await earlier.run("bob", "watch ESTA");
    await established.stop(earlier);

    const app = await established.start({ env: { SPLITWATCH_CONFIG: settings } });
    await app.poll(4);
    await established.stop(app);
    const again = await established.start({ env: { SPLITWATCH_CONFIG: settings } });
    await again.poll(2);
    const [digest, ...more] = cardsOf(await again.messages("alice", "general"));
    expect(more).toEqual([]);
    expect(digest?.title).toMatch(/^13 reverse splits already listed by this source/);
    expect(digest?.rows.map(({ title }) => title)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^ESTU 1-for-22/)]),
    );
    expect(await again.messages("bob")).toEqual([]);
  });
});

describe("three days of downtime", () => {
  it("are caught up: each change is alerted once in its final form, and reverted ones are not", async () => {
    const app = await established.startFollowing();
    await established.stop(app);
    established.clock.skip(3 * DAY_MS);
    upstream.splits = [
      { ...FIRST, ratio: "1:3", ex_date: "2026-04-10" },
      ...OTHERS,
      aSplitRow({ ticker: "NEWC", ex_date: "2026-03-05", date_announced: "2026-03-04" }),
    ];
    upstream.articles = [
      ...ARTICLES,
      anArticleRow({
        url: "https://wire.example/late",
        content: "It (NASDAQ: ESTU) says.",
        date_published: "2026-03-04",
      }),
    ];
    const back = await established.start();
    await back.poll(4);
    const { person } = await alertTitles(back);
    expect(person.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      startingWith("ESTA reverse split changed: ratio 1-for-2 → 1-for-3; ex date .* → Fri 10 Apr 2026"),
      startingWith("ESTU: Acme Robotics Announces"),
      startingWith("NEWC 1-for-20 reverse split, already in effect since Thu 5 Mar 2026"),
    ]);
    await established.stop(back);
    const later = await established.start();
    await later.poll(2);
    expect((await alertTitles(later)).person).toEqual(person);
  });

  it("in which a split took effect are followed by one effective alert, without its reminder", async () => {
    established.clock.setTo("2026-03-18T20:30Z");
    await established.stop(await established.startFollowing());
    established.clock.setTo("2026-03-21T20:30Z");
    const effective = [
      startingWith("ESTA 1-for-2 reverse split in effect since Fri 20 Mar 2026"),
      startingWith("ESTU 1-for-22 reverse split in effect since Fri 20 Mar 2026"),
    ];
    const back = await established.start();
    expect((await alertTitles(back)).person).toEqual(effective);
    await established.stop(back);
    const later = await established.start();
    await later.tick("remind");
    expect((await alertTitles(later)).person).toEqual(effective);
  });

  it("are followed by alerts from before them, marked as late, with their true time", async () => {
    const app = await established.startFollowing();
    await established.stop(app);
    const store = await openIn(established.dataDir, { clock: established.clock });
    const event = announced("LATE-1", { ticker: "LATE", at: established.clock.now() });
    await store.snapshot.commit({ patch: null, events: [event], deliveries: [deliveryOf(event)] });
    await store.close();
    established.clock.skip(3 * DAY_MS);

    const back = await established.start();
    await back.poll(2);
    const cards = cardsOf(await back.messages("alice", "general"));
    expect(cards.map(({ badges, lines }) => ({ badges, lines }))).toEqual([
      {
        badges: ["LATE"],
        lines: [startingWith("This alert is late: the event was seen on Tue 3 Mar 2026, 10:08 EST, 3 days ago.")],
      },
    ]);
  });

  it("of only an hour do not mark alerts as late", async () => {
    const app = await established.startFollowing();
    await established.stop(app);
    const store = await openIn(established.dataDir, { clock: established.clock });
    const event = announced("LATE-1", { ticker: "LATE", at: established.clock.now() });
    await store.snapshot.commit({ patch: null, events: [event], deliveries: [deliveryOf(event)] });
    await store.close();
    established.clock.skip(HOUR_MS);
    const back = await established.start();
    expect(cardsOf(await back.messages("alice", "general")).map(({ badges }) => badges)).toEqual([[]]);
  });
});

describe("the key of the data service", () => {
  const ASKED = [
    "/",
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/overview",
    "/api/messages?name=alice",
    "/v1/splits",
    "/v1/openapi.json",
    "/nothing-here",
  ];

  it.each([
    ["the data is served", null],
    ["the key is refused", lies.status(401, {}, `{"detail":"the key ${KEY} is unknown"}`)],
    ["a page quotes the address", lies.body(`<a href="/v1/splits?apiKey=${KEY}">login</a>`)],
    ["it redirects", lies.redirect("http://127.0.0.9:1/login")],
    ["the connection breaks", lies.reset],
  ])("does not leak when %s", async (_, lie) => {
    const log = recordedLog();
    const app = await established.startFollowing({ log });
    if (lie) upstream.injectFault(lie);
    await app.poll(2);
    const pages = await Promise.all(ASKED.map(async (path) => (await app.get(path)).text));
    const answers = await Promise.all(["status", "why ESTA", "list", "help"].map((line) => app.run("alice", line)));
    expect([...pages, JSON.stringify(answers), log.text()].filter((text) => text.includes(KEY))).toEqual([]);
    expect(upstream.requests.every(({ query }) => query.get("apiKey") === KEY)).toBe(true);
  });
});
