import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addDays, DAY_MS, type Day, MINUTE_MS } from "../../src/domain/time/day.ts";
import { cardsOf, type RunningApp, startApp, temporaryFolder, titlesOf } from "../support/app.ts";
import { day } from "../support/builders.ts";
import { cardText } from "../support/card-text.ts";
import { aDataFolder } from "../support/data-folder.ts";
import { KEY } from "../support/established-upstream.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { anArticleRow, aSplitRow, startUpstream, type Upstream } from "../support/upstream.ts";

const TODAY = day("2026-03-03");
const ACME = aSplitRow({ ex_date: "2026-03-30" });
const BETA = aSplitRow({ ticker: "BETA", company: "Beta Motors Inc.", ratio: "1:8", ex_date: "2026-03-31" });
const RELEASE = "Acme Robotics Inc. (NASDAQ: ACME) will effect a 1-for-20 reverse stock split.";
const CORRECTED = `${RELEASE} Any fractional share will be rounded up to the next whole share.`;

/** Between two polls where each page need only be read once: the small archive has one page per poll at most. */
const LONG_POLL_MS = 30 * MINUTE_MS;

type Row = Readonly<Record<string, unknown>>;

/** A data service whose rows the test changes, and the app that polls it. */
interface Served {
  /** Replaces the rows, and polls until the app may have seen them. */
  show(splits: readonly Row[], articles: readonly Row[]): Promise<void>;
  restart(): Promise<void>;
  readonly app: RunningApp;
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const endings: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
  await folder.remove();
});

async function startOn(clock: ManualClock, env: Readonly<Record<string, string>>): Promise<RunningApp> {
  const app = await startApp({ dataDir: join(folder.path, "state"), clock, env, sourceLimits: { retries: 0 } });
  endings.push(() => app.stop());
  return app;
}

async function pollArticles(app: RunningApp, times: number, everyMs = 5 * MINUTE_MS): Promise<void> {
  for (let polls = 0; polls < times; polls += 1) {
    app.clock.skip(everyMs);
    await app.tick("poll-articles");
  }
}

/** The embedded service, whose changes are seen at the next poll. */
async function embedded(splits: readonly Row[], articles: readonly Row[]): Promise<Served> {
  const data = await aDataFolder(folder.path);
  const clock = new ManualClock(`${TODAY}T15:00Z`);
  await data.write({ splits, articles });
  let app = await startOn(clock, data.env);
  return {
    get app() {
      return app;
    },
    async show(nextSplits, nextArticles) {
      await data.write({ splits: nextSplits, articles: nextArticles });
      await app.followFolder();
      await app.tick("poll-articles");
    },
    async restart() {
      await app.stop();
      app = await startOn(clock, data.env);
    },
  };
}

/** An external service, whose changes are seen within a day. */
async function external(splits: readonly Row[], articles: readonly Row[]): Promise<Served & { upstream: Upstream }> {
  const upstream = await startUpstream({ key: KEY, splits, articles });
  endings.push(() => upstream.stop());
  const clock = new ManualClock(`${TODAY}T15:00Z`);
  const env = { SPLITS_API_URL: upstream.url, SPLITS_API_KEY: KEY };
  let app = await startOn(clock, env);
  return {
    upstream,
    get app() {
      return app;
    },
    async show(nextSplits, nextArticles) {
      Object.assign(upstream, { splits: nextSplits, articles: nextArticles });
      await app.poll();
      await pollArticles(app, DAY_MS / LONG_POLL_MS, LONG_POLL_MS);
    },
    async restart() {
      await app.stop();
      app = await startOn(clock, env);
    },
  };
}

async function shown({ app }: Served, ticker = "ACME"): Promise<string> {
  return (await app.run("alice", `show ${ticker}`)).map(cardText).join("\n");
}

function releaseOn(published: Day, parts: Row = {}): Row {
  return anArticleRow({ date_published: published, content: RELEASE, ...parts });
}

describe.each([
  ["the embedded data service", embedded],
  ["an external data service", external],
])("articles of %s", (_source, start) => {
  it("that are corrected in place after ten days reach show, without an alert", async () => {
    const published = addDays(TODAY, -10);
    const served = await start([ACME], [releaseOn(published)]);
    await served.app.run("alice", "watch ACME");
    expect(await shown(served)).toMatch(/not stated|doesn’t state|does not state/i);
    await served.show([ACME], [releaseOn(published, { content: CORRECTED })]);
    expect(await shown(served)).toContain("Any fractional share will be rounded up");
    expect(titlesOf(await served.app.messages("alice"))).toEqual([]);
  });

  it("that are corrected while splitwatch is stopped reach show after the start", async () => {
    const published = addDays(TODAY, -10);
    const served = await start([ACME], [releaseOn(published)]);
    await served.show([ACME, BETA], [releaseOn(published)]);
    await served.restart();
    await served.show([ACME, BETA], [releaseOn(published, { content: CORRECTED })]);
    expect(await shown(served)).toContain("Any fractional share will be rounded up");
  });

  it("that appear ten days after their date are alerted once, as new ones are", async () => {
    const served = await start([ACME], []);
    await served.app.run("alice", "watch ACME");
    served.app.clock.skip(12 * DAY_MS);
    await served.show([ACME, BETA], []);
    const late = releaseOn(addDays(TODAY, 1), { url: "https://wire.example/late", content: CORRECTED });
    await served.show([ACME, BETA], [late]);
    await served.restart();
    await served.show([ACME], [late]);
    const messages = await served.app.messages("alice");
    expect(titlesOf(messages).filter((title) => title.startsWith("ACME: Acme Robotics Announces"))).toHaveLength(1);
    expect(await shown(served)).toContain("Any fractional share will be rounded up");
  });

  it("that appear late in large numbers make one message", async () => {
    const served = await start([ACME], []);
    await served.app.run("alice", "watch ACME");
    served.app.clock.skip(12 * DAY_MS);
    await served.show([ACME, BETA], []);
    const late = Array.from({ length: 100 }, (_, index) =>
      releaseOn(addDays(TODAY, 1 + (index % 3)), { url: `https://wire.example/${index}`, heading: `Release ${index}` }),
    );
    await served.show([ACME], late);
    expect(titlesOf(await served.app.messages("alice"))).toEqual(["100 press releases"]);
  });

  it("that are older than the first poll complete their splits in silence, also many of them", async () => {
    const served = await start([ACME, BETA], []);
    await served.app.run("alice", "watch ACME BETA");
    await served.app.run("alice", "subscribe events:all");
    const older = Array.from({ length: 60 }, (_, index) =>
      releaseOn(addDays(TODAY, -20 - index), {
        url: `https://wire.example/${index}`,
        heading: `Release ${index}`,
        content: index === 0 ? CORRECTED : `${RELEASE} Number ${index}.`,
      }),
    );
    await served.show([ACME, BETA, aSplitRow({ ticker: "GAMA", ex_date: "2026-04-02" })], older);
    expect(await shown(served)).toContain("Any fractional share will be rounded up");
    const titles = titlesOf([
      ...(await served.app.messages("alice", "general")),
      ...(await served.app.messages("alice")),
    ]);
    expect(titles.filter((title) => !title.startsWith("GAMA"))).toEqual([]);
  });
});

describe("an external data service with 2,400 articles in 120 days", () => {
  const ARTICLES = Array.from({ length: 2_400 }, (_, index) =>
    releaseOn(addDays(TODAY, -(index % 120)), {
      url: `https://wire.example/${index}`,
      heading: `Release ${index}`,
      content: `Company ${index} Inc. reports. `.repeat(20),
    }),
  );

  it("receives few requests at each poll, reads each page once a day, and answers unchanged pages with 304", async () => {
    const served = await external([ACME], ARTICLES);
    const { app, upstream } = served;
    const swept = (): typeof upstream.requests =>
      upstream.requests.filter(({ path, query }) => path === "/v1/articles" && query.has("to"));
    const pagesOf = (requests: typeof upstream.requests): ReadonlySet<string> =>
      new Set(requests.map(({ query }) => `${query.get("from")} ${query.get("page")}`));
    const perPoll: number[] = [];
    async function pollFor(polls: number): Promise<void> {
      for (let poll = 0; poll < polls; poll += 1) {
        const before = swept().length;
        await pollArticles(app, 1);
        perPoll.push(swept().length - before);
      }
    }
    await pollFor(40);
    const first = swept();
    // Every article is on a page, and some are on the pages of two windows.
    expect(pagesOf(first).size).toBeGreaterThan(ARTICLES.length / 40);
    expect(first.length).toBeLessThanOrEqual(160);

    await pollFor(DAY_MS / (5 * MINUTE_MS));
    expect(Math.max(...perPoll)).toBeLessThanOrEqual(8);
    const second = swept().slice(first.length);
    expect(second.length).toBeLessThanOrEqual(160);
    const [known, read] = [pagesOf(first), pagesOf(second)];
    // The oldest days leave the range, and the window of the next days is new.
    expect([...known].filter((page) => !read.has(page)).length).toBeLessThanOrEqual(8);
    const newPages = [...read].filter((page) => !known.has(page));
    // Once the articles of a window are known, its end is an empty page.
    expect(newPages.filter((page) => !page.endsWith(" 4")).length).toBeLessThanOrEqual(8);
    const unconditional = second.filter(({ headers }) => headers["if-none-match"] === undefined);
    expect(unconditional).toHaveLength(newPages.length);
  });

  it("loses no alert and no poll when its older pages fail, and is read again afterwards", async () => {
    const served = await external([ACME], ARTICLES);
    const { app, upstream } = served;
    await app.run("alice", "watch ACME");
    upstream.injectFault((truth, { query }) => (query.has("to") ? { ...truth, status: 500 } : truth), {
      path: "/v1/articles",
    });
    const late = releaseOn(addDays(TODAY, -30), { url: "https://wire.example/late", content: CORRECTED });
    upstream.articles = [...ARTICLES, late, releaseOn(TODAY, { url: "https://wire.example/today" })];
    await pollArticles(app, 3);
    expect(cardsOf(await app.messages("alice")).map(({ title }) => title)).toEqual([expect.stringMatching(/^ACME: /)]);
    expect((await app.get("/readyz")).json).toMatchObject({
      checks: { articles: { ok: true, detail: expect.stringContaining("earlier articles not checked: GET ") } },
    });
    upstream.clearFault();
    await pollArticles(app, 30);
    expect(await shown(served)).toContain("Any fractional share will be rounded up");
  });
});
