import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClientLimits } from "../../src/data-service/client/client.ts";
import { MINUTE_MS } from "../../src/domain/time/day.ts";
import { cardsOf, type RunningApp } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import {
  ARTICLES,
  alertTitles,
  anEstablishedUpstream,
  ESTABLISHED,
  type EstablishedUpstream,
  NO_ALERTS,
  onListOnly,
} from "../support/established-upstream.ts";
import { anArticleRow, aSplitRow, lies, type Upstream } from "../support/upstream.ts";
import type { Fault } from "../support/upstream-faults.ts";
import type { Quirks } from "../support/upstream-pages.ts";
import { waitUntil } from "../support/wait-until.ts";

const NEWCOMER = aSplitRow({ ticker: "NEWC", company: "Newcomer Ltd.", ex_date: "2026-04-02" });
const NEWCOMER_ALERT = expect.stringMatching(/^NEWC 1-for-20 reverse split, ex date Thu 2 Apr 2026/);
const ONLY_NEWCOMER = { channel: [NEWCOMER_ALERT], person: [NEWCOMER_ALERT] };

let established: EstablishedUpstream;
let upstream: Upstream;

beforeEach(async () => {
  established = await anEstablishedUpstream();
  ({ upstream } = established);
});

afterEach(() => established.end());

async function statusOf(app: RunningApp): Promise<string> {
  return (await app.run("alice", "status")).map(cardText).join("\n");
}

interface Checks {
  readonly ready: boolean;
  readonly checks: { readonly splits: { readonly ok: boolean; readonly detail: string } };
}

/** Faults that are visible, with their text in status and readiness. */
const VISIBLE_FAULTS: readonly (readonly [what: string, lie: Fault, reason: RegExp])[] = [
  ["an empty list", onListOnly(lies.empty), /the list is empty, 21 splits were expected/],
  [
    "less than half of the list",
    onListOnly(lies.rows((rows) => rows.slice(0, 10))),
    /the list lacks 11 of the 21 splits/,
  ],
  ["a body that is cut short", lies.cutJson, /expected complete JSON/],
  ["a connection that breaks off half-way", lies.cutConnection, /the connection was lost/],
  ["a packed body that is cut short", lies.cutGzip, /damaged or cut short/],
  ["a web page", lies.html, /text\/html/],
  ["JSON of another kind", lies.body('{"message":"hello"}'), /expected/],
  ["a broken connection", lies.reset, /the connection was lost/],
  ["401", lies.status(401), /401.*SPLITS_API_KEY/],
  ["403", lies.status(403), /403.*SPLITS_API_KEY/],
  ["404", lies.status(404), /404/],
  ["429 without a time", lies.status(429), /429/],
  ["500", lies.status(500), /500/],
  ["502", lies.status(502, {}, "<h1>Bad gateway</h1>"), /502/],
  ["503", lies.status(503, { "retry-after": "1" }), /503/],
  ["a redirect to another host", lies.redirect("http://127.0.0.9:1/login"), /another origin/],
];

/** Slow faults, with short timeouts. */
const SLOW_LIES: readonly (readonly [what: string, lie: Fault, reason: RegExp])[] = [
  ["no answer", lies.hang, /no answer in time|no complete answer/],
  ["an answer that drips", lies.trickle, /no complete answer within 1000 ms/],
];

const SHORT_TIMEOUTS: Partial<ClientLimits> = {
  retries: 0,
  headersTimeoutMs: 1_000,
  bodyTimeoutMs: 1_000,
  totalTimeoutMs: 1_000,
};

/** Faults without any effect. */
const HARMLESS_FAULTS: readonly (readonly [what: string, lie: Fault])[] = [
  ["the list the other way round", lies.reversed],
  ["every row twice", lies.doubled],
  ["a packed answer", lies.gzip],
  ["unknown fields", lies.rows((rows) => rows.map((row) => ({ ...(row as object), extra: [1, { a: null }] })))],
];

/** Services that differ where the specification is silent. */
const OTHER_SERVICES: readonly (readonly [what: string, quirks: Partial<Quirks>])[] = [
  ["clamps the size of a page", { clamp: 7, pageSize: "clamped" }],
  ["clamps the size and does not say so", { clamp: 7 }],
  ["counts its pages from 1", { firstPage: 1 }],
  ["counts from 1 and refuses page 0", { firstPage: 1, noSuchPage: 400, clamp: 10 }],
  ["answers 404 past the last page", { noSuchPage: 404, clamp: 10 }],
  ["repeats its last page for ever", { noSuchPage: "nearest", clamp: 10 }],
  ["gives totals that are too large", { totals: "too-many", clamp: 10 }],
  ["gives totals of the page alone", { totals: "of-this-page", clamp: 10 }],
  ["gives no totals", { totals: "absent", clamp: 10 }],
  ["gives zero as totals", { totals: "zero", clamp: 10 }],
  ["shows the oldest first", { order: "oldest-first", clamp: 10 }],
  ["shows articles in no order", { order: "as-listed", clamp: 10 }],
  ["leaves `from` out of what it shows", { from: "exclusive" }],
  ["ignores `from`", { from: "ignored", clamp: 10 }],
  ["answers 404 for a ticker that it does not list, and sends no ETag", { unknownTicker: 404, etag: false }],
];

describe("a faulty data service", () => {
  it.each([
    ...VISIBLE_FAULTS.map((row) => [...row, { limits: { retries: 0 }, about: "/v1" }] as const),
    ...SLOW_LIES.map((row) => [...row, { limits: SHORT_TIMEOUTS, about: "/v1/splits" }] as const),
  ])(
    "with %s causes no flood and no lost alert, is reported with the reason, and recovers",
    async (_, lie, reason, { limits, about }) => {
      const app = await established.startFollowing({ sourceLimits: limits });
      upstream.injectFault(lie, { path: about });
      await app.poll(2);
      upstream.splits = [...ESTABLISHED, NEWCOMER];
      await app.poll(3);

      expect((await alertTitles(app)).channel.filter((title) => !title.startsWith("NEWC"))).toEqual([]);
      const readiness = await app.get("/readyz");
      const { ready, checks } = readiness.json as Checks;
      expect({ status: readiness.status, ready, splits: checks.splits }).toEqual({
        status: 503,
        ready: false,
        splits: { ok: false, detail: expect.stringMatching(reason) },
      });
      expect(await statusOf(app)).toMatch(reason);

      upstream.clearFault();
      await app.poll(4);
      expect(await alertTitles(app)).toEqual(ONLY_NEWCOMER);
      expect((await app.get("/readyz")).status).toBe(200);
      expect(await statusOf(app)).toContain("Up to date");
    },
  );

  it.each(HARMLESS_FAULTS)("%s changes nothing", async (_, lie) => {
    const app = await established.startFollowing();
    upstream.injectFault(lie);
    await app.poll(4);
    expect(await alertTitles(app)).toEqual(NO_ALERTS);
    upstream.splits = [...ESTABLISHED, NEWCOMER];
    await app.poll(4);
    expect(await alertTitles(app)).toEqual(ONLY_NEWCOMER);
    expect((await app.get("/readyz")).status).toBe(200);
  });

  it.each(OTHER_SERVICES)("sends each new article once: %s", async (_, quirks) => {
    upstream.quirks = quirks;
    const app = await established.startFollowing();
    const news = Array.from({ length: 25 }, (__, index) =>
      anArticleRow({
        url: `https://wire.example/new-${index}`,
        content: "It (NASDAQ: ESTA) says.",
        date_published: "2026-03-03",
      }),
    );
    upstream.articles = [...news, ...ARTICLES];
    await app.poll(4);
    const links = cardsOf(await app.messages("alice")).map(({ link }) => link);
    expect(links).toHaveLength(news.length);
    expect(new Set(links)).toEqual(new Set(news.map(({ url }) => url)));
    expect((await app.get("/readyz")).status).toBe(200);
  });

  it("that changes the URLs of its articles sends each article once", async () => {
    const app = await established.startFollowing();
    const news = anArticleRow({ content: "It (NASDAQ: ESTA) says.", date_published: "2026-03-03" });
    for (let session = 0; session < 4; session += 1) {
      upstream.articles = [news, ...ARTICLES].map((row) => ({ ...row, url: `${String(row.url)}?session=${session}` }));
      await app.poll();
    }
    expect(cardsOf(await app.messages("alice")).map(({ link }) => link)).toEqual([`${String(news.url)}?session=0`]);
  });

  it("alternating between all and half of the list makes no missing alerts", async () => {
    const app = await established.startFollowing();
    let answers = 0;
    upstream.injectFault(onListOnly((truth, request) => (answers++ % 2 === 0 ? lies.halved(truth, request) : truth)));
    await app.poll(20);
    upstream.clearFault();
    await app.poll(4);
    expect(await alertTitles(app)).toEqual(NO_ALERTS);
  });

  it("alternating between all and nothing makes no missing alerts, even for requests of single tickers", async () => {
    const app = await established.startFollowing();
    const flapping = lies.flapping();
    upstream.injectFault(flapping, { path: "/v1/splits" });
    await app.poll(20);
    upstream.clearFault();
    await app.poll(4);
    expect(await alertTitles(app)).toEqual(NO_ALERTS);
  });

  it("with half of its list stays suspicious while requests of single tickers return the other splits", async () => {
    const app = await established.startFollowing();
    upstream.injectFault(onListOnly(lies.halved));
    await app.poll(20);
    expect(await alertTitles(app)).toEqual(NO_ALERTS);
  });

  it("has unreadable rows quarantined, and the others processed", async () => {
    const app = await established.startFollowing();
    const broken = [null, { ticker: "ESTA", ex_date: "soon" }, aSplitRow({ ticker: "" }), "row"];
    upstream.splits = [...ESTABLISHED.slice(1), ...broken, NEWCOMER];
    await app.poll(5);
    expect(await alertTitles(app)).toEqual(ONLY_NEWCOMER);
    expect(await statusOf(app)).toContain("4 unusable records are quarantined.");
    expect(await statusOf(app)).toMatch(/ESTA: .*ex_date: got "soon", expected a day as YYYY-MM-DD/);
    expect((await app.get("/readyz")).status).toBe(200);
  });

  it.each(["0000-01-01", "0000-01-03", "0001-01-01", "9999-12-31"])(
    "has a split of %s announced and shown by every command and calendar",
    async (exDate) => {
      const app = await established.startFollowing();
      upstream.splits = [...ESTABLISHED, { ...NEWCOMER, ex_date: exDate, date_announced: exDate }];
      await app.poll();
      expect((await alertTitles(app)).person).toEqual([expect.stringMatching(/^NEWC 1-for-20 reverse split/)]);
      for (const line of ["show NEWC", "list when:all", "watchlist", "why NEWC", "calc NEWC shares:45", "calendar"])
        expect(JSON.stringify(await app.run("alice", line))).not.toMatch(/NaN|undefined|Invalid/);
      const file = (await app.get("/calendar/all.ics")).text;
      expect([...file.matchAll(/VALUE=DATE:(.*)\r/g)].filter(([, day]) => !/^\d{8}$/.test(day ?? ""))).toEqual([]);
      expect((await app.get("/calendar/upcoming.svg")).status).toBe(200);
      expect((await app.get("/api/overview")).status).toBe(200);
    },
  );

  it("with more articles than a limit shows the received amount in the status", async () => {
    upstream.quirks = { etag: false };
    const app = await established.startFollowing({ sourceLimits: { maxBytes: 10 } });
    await app.poll();
    expect(await statusOf(app)).toMatch(/GET \/v1\/articles: got \d+ bytes, expected at most 10/);
  });

  it("is not polled before the Retry-After of a 429", async () => {
    const app = await established.startFollowing();
    upstream.injectFault(lies.status(429, { "retry-after": "600" }));
    await app.poll();
    const asked = upstream.requests.length;
    await app.poll(4);
    expect(upstream.requests.length).toBe(asked);
    upstream.clearFault();
    upstream.splits = [...ESTABLISHED, NEWCOMER];
    established.clock.skip(10 * MINUTE_MS);
    await app.poll();
    expect(await alertTitles(app)).toEqual(ONLY_NEWCOMER);
  });

  it.each([-60 * MINUTE_MS, 60 * MINUTE_MS])(
    "is polled after the Retry-After of a 429 if the clock is set by %i ms",
    async (jumpMs) => {
      const app = await established.startFollowing();
      upstream.injectFault(lies.status(429, { "retry-after": "600" }));
      await app.poll();
      upstream.clearFault();
      upstream.splits = [...ESTABLISHED, NEWCOMER];
      established.clock.jump(jumpMs);
      const asked = upstream.requests.length;
      await app.poll(4);
      expect(upstream.requests.length).toBe(asked);
      established.clock.skip(2 * MINUTE_MS);
      await app.poll();
      expect(await alertTitles(app)).toEqual(ONLY_NEWCOMER);
    },
  );

  it("that drops two connections is asked a third time within the same poll", async () => {
    const app = await established.startFollowing({ sourceLimits: {} });
    upstream.splits = [...ESTABLISHED, NEWCOMER];
    upstream.injectFault(lies.reset, { times: 2 });
    const poll = app.tick("poll-splits");
    for (const tries of [1, 2]) {
      await waitUntil("it waits before it tries again", async () => app.log.count("data service retry") === tries);
      await established.clock.advance(3_000);
    }
    await poll;
    expect(await alertTitles(app)).toEqual(ONLY_NEWCOMER);
    expect(await app.metric("splitwatch_polls_total", 'outcome="failed"')).toBe(0);
  });

  it("that fails for half an hour is stale, and the age of its last list is shown", async () => {
    const app = await established.startFollowing();
    upstream.injectFault(lies.status(500));
    established.clock.skip(40 * MINUTE_MS);
    await app.poll();
    expect(await app.metric("splitwatch_data_age_seconds")).toBe(42 * 60);
    expect(await statusOf(app)).toContain("last complete list: 42 minutes ago");
    expect(((await app.get("/readyz")).json as Checks).checks.splits.detail).toContain("last complete 2520 s ago");
  });
});

const LONG_TIMEOUTS: Partial<ClientLimits> = { retries: 0, headersTimeoutMs: 120_000, totalTimeoutMs: 120_000 };

async function countTold(app: RunningApp): Promise<number> {
  return (await alertTitles(app)).channel.length;
}

/** Polls both resources while `path` hangs. Advances the time until `isSo`: the other resource waits for the hanging one. */
async function lookWhileHanging(app: RunningApp, path: string, isSo: () => Promise<boolean>): Promise<void> {
  upstream.injectFault(lies.hang, { path });
  established.clock.setTo("2026-03-03T16:00Z");
  // The hanging poll ends when the app stops.
  void app.tickBoth().catch(() => undefined);
  await waitUntil(`${path} is asked for`, async () => upstream.requests.some((request) => request.path === path));
  await waitUntil("the other alerts are sent", async () => {
    await established.clock.advance(1_000);
    return isSo();
  });
}

describe("a data service that answers for one resource only", () => {
  it("has its splits alerted at every poll while the articles hang", async () => {
    const app = await established.startFollowing({ sourceLimits: LONG_TIMEOUTS });
    upstream.requests.length = 0;
    upstream.splits = [...ESTABLISHED, NEWCOMER];
    await lookWhileHanging(app, "/v1/articles", async () => (await countTold(app)) === 1);
    expect(await alertTitles(app)).toEqual(ONLY_NEWCOMER);

    const [first, ...others] = upstream.splits as readonly Record<string, unknown>[];
    upstream.splits = [{ ...first, ex_date: "2026-04-09" }, ...others];
    established.clock.skip(2 * MINUTE_MS);
    await app.tick("poll-splits");
    expect(await countTold(app)).toBe(2);
  });

  it("has its articles alerted while the list hangs", async () => {
    const app = await established.startFollowing({ sourceLimits: LONG_TIMEOUTS });
    upstream.requests.length = 0;
    const release = anArticleRow({
      url: "https://wire.example/newc",
      date_published: "2026-03-03",
      content: "Newcomer Ltd. (NASDAQ: NEWC) reports.",
    });
    upstream.articles = [release, ...ARTICLES];
    await lookWhileHanging(app, "/v1/splits", async () => (await countTold(app)) === 1);
    expect((await alertTitles(app)).person).toHaveLength(1);
  });
});
