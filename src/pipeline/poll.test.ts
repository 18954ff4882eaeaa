import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/app.ts";
import { anArticle, aRecord, aRule, GENERAL } from "../../test/support/builders.ts";
import { directReader } from "../../test/support/direct-reader.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { aPoller } from "../../test/support/poll-parts.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { Event } from "../domain/alert/event.ts";
import type { Article } from "../domain/article/article.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import { type Day, MINUTE_MS } from "../domain/time/day.ts";
import type { ArticleReader } from "../ports/article-reader.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { type ArticlePages, SourceError } from "../ports/split-source.ts";
import type { Store } from "../ports/store.ts";
import { createArticleReader } from "../sources/reading/article-reader.ts";
import { createQuarantine } from "../sources/reading/quarantine.ts";
import { ReaderThread } from "../sources/reading/reader-thread.ts";
import { configuredStore } from "../store/index.ts";
import type { Poller } from "./poll.ts";

const LISTED = aRecord({ ticker: "ACME", company: "Acme Robotics Inc." });
const NEWCOMER = aRecord({ ticker: "NEWC", company: "Newcomer Inc.", exDate: "2026-03-27", ratio: "1:30" });
const RELEASE = anArticle({
  url: "https://wire.example/newc",
  heading: "Newcomer Announces 1-for-30 Reverse Stock Split",
  content: "Newcomer Inc. (NASDAQ: NEWC) will effect a 1-for-30 reverse stock split. Fractions are rounded up.",
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clock: ManualClock;
let store: Store;
let poller: Poller;
let stopping: AbortController;
/** What the source answers, and when. */
let rows: readonly SplitRecord[];
let articles: readonly Article[];
let search: (showPage: (page: readonly Article[]) => void) => Promise<void>;
let list: () => Promise<void>;
let requests: string[];
let articleReader: ArticleReader;
/** Answers that a test holds back. */
const answers: PromiseWithResolvers<void>[] = [];
/** Committed events and articles, in order. */
let committed: string[];

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock("2026-03-02T15:00:00Z");
  store = await configuredStore({ dataDir: folder.path }).open({ clock, log: SILENT_LOG });
  await store.rules.add(aRule({ destination: GENERAL }));
  rows = [LISTED];
  articles = [];
  requests = [];
  committed = [];
  search = async () => undefined;
  list = async () => undefined;
  articleReader = createArticleReader(directReader, SILENT_LOG);
  stopping = new AbortController();
  poller = createPoller();
  // The settling polls after a first run announce few new rows.
  for (let polls = 0; polls < 4; polls += 1) await pollTogether();
  committed = [];
  requests = [];
});

afterEach(async () => {
  stopping.abort();
  for (const held of answers.splice(0)) held.resolve();
  await poller.idle();
  await store.close();
  await folder.remove();
});

function createPoller({ id = "test", onSearch = (_from: Day): unknown => undefined } = {}): Poller {
  const snapshot: Store["snapshot"] = {
    read: () => store.snapshot.read(),
    async commit(changes) {
      committed.push(...(changes.patch?.articles ?? []).map(({ url }) => url), ...changes.events.map(nameOf));
      await store.snapshot.commit(changes);
    },
  };
  return aPoller({
    store: { ...store, snapshot },
    source: {
      id,
      sample: false,
      async listSplits() {
        requests.push("list");
        await list();
        return { records: rows, quarantined: [] };
      },
      lookUp: async () => ({ records: [], quarantined: [] }),
      async searchArticles(from, _signal, options) {
        requests.push("search");
        onSearch(from);
        await search((page) => options?.onPage?.(page));
        return pagesOf(articles);
      },
    },
    clock,
    articleReader: { read: (...args) => articleReader.read(...args) },
    signal: stopping.signal,
  });
}

/** Delays the reader of articles until the test resolves the answer. */
function holdReader(): PromiseWithResolvers<void> {
  const held = heldAnswer();
  const working = articleReader;
  articleReader = {
    async read(...args) {
      await held.promise;
      return working.read(...args);
    },
  };
  return held;
}

/** A reader whose thread doesn't read any more. */
async function closedReader(): Promise<ArticleReader> {
  const thread = new ReaderThread({ quarantine: createQuarantine(), clock, log: SILENT_LOG });
  await thread.close();
  return createArticleReader(thread, SILENT_LOG);
}

function nameOf(event: Event): string {
  if ("article" in event) return `${event.kind} ${event.article.url}`;
  return "record" in event
    ? `${event.kind} ${event.record.ticker}${event.release ? " with its release" : ""}`
    : event.kind;
}

function pagesOf(found: readonly Article[]): ArticlePages {
  return { articles: found, urls: new Set(found.map(({ url }) => url)), quarantined: [], complete: true };
}

/** An answer that the source gives when the test resolves it. */
function heldAnswer(): PromiseWithResolvers<void> {
  const held = Promise.withResolvers<void>();
  answers.push(held);
  return held;
}

/** Polls both, as two schedules do at the same tick. */
async function pollTogether(): Promise<void> {
  clock.skip(2 * MINUTE_MS);
  await Promise.all([poller.poll("splits"), poller.poll("articles")]);
}

/** Starts both polls with a search that the returned function continues. */
function pollWhileSearching(): { readonly splits: Promise<void>; readonly articles: Promise<void>; end(): void } {
  const held = heldAnswer();
  search = () => held.promise;
  clock.skip(2 * MINUTE_MS);
  const splits = poller.poll("splits");
  return { splits, articles: poller.poll("articles"), end: () => held.resolve() };
}

/** Waits until the list waits for the articles. */
async function untilListWaits(): Promise<void> {
  await waitUntil("the list waits for the articles", async () => clock.sleepers > 0);
}

/** A poll with a split and a search that takes longer than the list waits. */
async function pollWithLateSearch(ticker: string): Promise<void> {
  rows = [...rows, aRecord({ ticker, exDate: "2026-03-27" })];
  const polls = pollWhileSearching();
  await untilListWaits();
  await clock.advance(300);
  await polls.splits;
  polls.end();
  await polls.articles;
}

describe("a new split whose articles are searched at the same time", () => {
  beforeEach(() => {
    rows = [LISTED, NEWCOMER];
    articles = [RELEASE];
  });

  it("is announced with its release, which is sent first", async () => {
    await pollTogether();

    expect(committed).toEqual([RELEASE.url, `article ${RELEASE.url}`, "announced NEWC with its release"]);
  });

  it("is announced with a release that arrives after 299 ms", async () => {
    const polls = pollWhileSearching();
    await untilListWaits();
    await clock.advance(299);
    expect(committed).toEqual([]);
    polls.end();
    await Promise.all([polls.splits, polls.articles]);

    expect(committed).toEqual([RELEASE.url, `article ${RELEASE.url}`, "announced NEWC with its release"]);
  });

  it("is announced after 300 ms without the articles, which follow once", async () => {
    const polls = pollWhileSearching();
    await untilListWaits();
    await clock.advance(300);
    await polls.splits;
    expect(committed).toEqual(["announced NEWC"]);
    polls.end();
    await polls.articles;
    await pollTogether();

    expect(committed).toEqual(["announced NEWC", RELEASE.url, `article ${RELEASE.url}`]);
  });

  it("is announced when the search fails", async () => {
    search = () => Promise.reject(new SourceError("server-error", "GET /v1/articles: got 500"));

    await pollTogether();

    expect(committed).toEqual(["announced NEWC"]);
    expect((await store.polls.read()).articles).toMatchObject({ outcome: "failed" });
  });

  it("is announced with a release on the first page, 10 ms after it, while other pages are read", async () => {
    const held = [heldAnswer(), heldAnswer()] as const;
    search = async (showPage) => {
      await held[0].promise;
      showPage([RELEASE]);
      await held[1].promise;
    };
    clock.skip(2 * MINUTE_MS);
    const splits = poller.poll("splits");
    const all = poller.poll("articles");
    await untilListWaits();
    await clock.advance(200);
    held[0].resolve();
    await waitUntil("the page has arrived", async () => clock.nextWake === clock.now() + 10);
    await clock.advance(10);
    await splits;

    expect(committed).toEqual([RELEASE.url, `article ${RELEASE.url}`, "announced NEWC with its release"]);
    held[1].resolve();
    await all;
    expect(committed).toHaveLength(3);
  });

  it("is announced before other new articles are saved", async () => {
    const others = Array.from({ length: 30 }, (_, n) =>
      anArticle({
        url: `https://wire.example/${n}`,
        content: `Other Corp. (NASDAQ: OTHR) reports. ${"x".repeat(9_000)}`,
      }),
    );
    articles = [...others, RELEASE];

    await pollTogether();

    const announcement = committed.indexOf("announced NEWC with its release");
    expect(committed.slice(0, announcement)).toEqual([RELEASE.url, `article ${RELEASE.url}`]);
    expect(committed.slice(announcement).filter((name) => name.startsWith("https:"))).toHaveLength(others.length);
    expect((await store.polls.read()).articles?.detail).toBe("31 articles since 2026-02-27, 31 new or corrected");
  });

  it("is announced with its release although many known articles name its ticker", async () => {
    const others = Array.from({ length: 12 }, (_, n) =>
      anArticle({ url: `https://wire.example/${n}`, content: `NEWC ${n} ${"x".repeat(9_000)}` }),
    );
    rows = [LISTED];
    articles = others;
    await pollTogether();
    committed = [];
    rows = [LISTED, NEWCOMER];
    articles = [...others, RELEASE];

    await pollTogether();

    expect(committed).toEqual([RELEASE.url, `article ${RELEASE.url}`, "announced NEWC with its release"]);
  });

  it("is announced after two seconds without articles that take longer to read, which follow once", async () => {
    const held = holdReader();
    clock.skip(2 * MINUTE_MS);
    const splits = poller.poll("splits");
    const all = poller.poll("articles");
    await waitUntil("the list waits for the reader", async () => clock.nextWake === clock.now() + 2_000);
    await clock.advance(2_000);
    await splits;
    expect(committed).toEqual(["announced NEWC"]);
    held.resolve();
    await all;
    await pollTogether();

    expect(committed).toEqual(["announced NEWC", RELEASE.url, `article ${RELEASE.url}`]);
  });

  it("is announced when no article can be read, and the articles follow once they can", async () => {
    const working = articleReader;
    articleReader = await closedReader();
    await pollTogether();
    expect(committed).toEqual(["announced NEWC"]);
    expect((await store.polls.read()).articles).toMatchObject({
      outcome: "failed",
      detail: "The reader of documents was closed.",
    });
    articleReader = working;
    await pollTogether();

    expect(committed).toEqual(["announced NEWC", RELEASE.url, `article ${RELEASE.url}`]);
  });

  it("isn't announced on a stop before its articles arrive", async () => {
    const polls = pollWhileSearching();
    await untilListWaits();
    stopping.abort();
    polls.end();
    await Promise.all([polls.splits, polls.articles]);

    expect(committed.filter((name) => name.startsWith("announced"))).toEqual([]);
  });
});

describe("a list", () => {
  it("without changes is applied while the articles are searched", async () => {
    const polls = pollWhileSearching();
    await polls.splits;

    expect((await store.polls.read()).splits).toMatchObject({ outcome: "complete", at: clock.now() });
    polls.end();
    await polls.articles;
  });

  it("doesn't wait for articles that arrived late at the last poll, until one search arrives in time", async () => {
    await pollWithLateSearch("LATE");
    committed = [];

    rows = [...rows, NEWCOMER];
    articles = [RELEASE];
    const polls = pollWhileSearching();
    await polls.splits;
    expect(committed).toEqual(["announced NEWC"]);
    polls.end();
    await polls.articles;
    search = async () => undefined;
    await pollTogether();

    rows = [...rows, aRecord({ ticker: "MORE", exDate: "2026-03-27" })];
    const waiting = pollWhileSearching();
    await untilListWaits();
    waiting.end();
    await Promise.all([waiting.splits, waiting.articles]);
    expect(committed.at(-1)).toBe("announced MORE");
  });

  it("is requested once by polls of splits and articles that run at the same time", async () => {
    rows = [LISTED, NEWCOMER];
    articles = [RELEASE];

    await pollTogether();

    expect(requests).toEqual(["list", "search"]);
  });

  it("is polled at an announcement of new data while articles are searched, which are searched once more", async () => {
    const polls = pollWhileSearching();
    await polls.splits;
    requests = [];
    rows = [LISTED, NEWCOMER];
    poller.pollNow();
    poller.pollNow();
    await untilListWaits();
    await clock.advance(300);
    await waitUntil("the list is polled twice", async () => requests.length > 1);
    expect(requests).toEqual(["list", "list"]);
    expect(committed).toEqual(["announced NEWC"]);
    search = async () => undefined;
    polls.end();
    await poller.idle();

    expect(requests).toEqual(["list", "list", "search"]);
    expect(committed).toEqual(["announced NEWC"]);
  });
});

describe("articles", () => {
  it("that arrive before the list are saved after it, linked with its splits", async () => {
    rows = [LISTED, NEWCOMER];
    articles = [RELEASE];
    const held = heldAnswer();
    list = () => held.promise;
    clock.skip(2 * MINUTE_MS);
    const polls = [poller.poll("splits"), poller.poll("articles")];
    await waitUntil("the articles wait for the list", async () => clock.sleepers > 0);
    expect(committed).toEqual([]);
    held.resolve();
    await Promise.all(polls);

    expect(committed).toEqual([RELEASE.url, `article ${RELEASE.url}`, "announced NEWC with its release"]);
  });

  it("are saved without the list after ten seconds", async () => {
    articles = [RELEASE];
    const held = heldAnswer();
    list = () => held.promise;
    clock.skip(2 * MINUTE_MS);
    const splits = poller.poll("splits");
    const saved = poller.poll("articles");
    await waitUntil("the articles wait for the list", async () => clock.sleepers > 0);
    await clock.advance(10_000);
    await saved;

    expect(committed).toEqual([RELEASE.url, `article ${RELEASE.url}`]);
    held.resolve();
    await splits;
  });

  it("of a first search are searched again if none could be read", async () => {
    const working = articleReader;
    const searched: Day[] = [];
    const first = createPoller({ id: "other", onSearch: (from) => searched.push(from) });
    articleReader = await closedReader();
    articles = [RELEASE];
    await first.poll("articles");
    articleReader = working;
    await first.poll("articles");

    expect(searched).toEqual(["2026-01-16", "2026-01-16"]);
    expect(committed).toEqual([RELEASE.url]);
  });

  it("that are being read don't delay a stop", async () => {
    articles = [RELEASE];
    holdReader();
    clock.skip(2 * MINUTE_MS);
    const saved = poller.poll("articles");
    await waitUntil("the articles are searched", async () => requests.includes("search"));
    stopping.abort();
    await saved;

    expect(committed).toEqual([]);
  });
});
