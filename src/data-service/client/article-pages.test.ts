import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anArticle, day } from "../../../test/support/builders.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { type ArticlePages, SourceError } from "../../ports/split-source.ts";
import { DEFAULT_SEARCH_LIMITS, type PageAnswer, readArticlePages, type SearchLimits } from "./article-pages.ts";
import type { ArticlePage } from "./records.ts";

const FROM = day("2026-03-01");

/** A change of the list between two page reads. Positions wrap around. */
type Change = { readonly kind: "insert" | "remove"; readonly at: number };

interface Shifting {
  readonly size: number;
  readonly rows: number;
  readonly statesTotal: boolean;
  /** The changes after each page read. */
  readonly changes: readonly (readonly Change[])[];
}

const shifting: fc.Arbitrary<Shifting> = fc.record({
  size: fc.integer({ min: 1, max: 5 }),
  rows: fc.integer({ min: 0, max: 16 }),
  statesTotal: fc.boolean(),
  changes: fc.array(
    fc.array(fc.record({ kind: fc.constantFrom("insert" as const, "remove" as const), at: fc.nat(20) }), {
      maxLength: 4,
    }),
    { maxLength: 24 },
  ),
});

/** Reads the pages of a list that changes meanwhile. `stayed`: articles that were listed throughout. */
async function readWhileShifting({ size, rows, statesTotal, changes }: Shifting) {
  let made = 0;
  const make = (): string => `https://wire.example/${made++}`;
  const list = Array.from({ length: rows }, make);
  const stayed = new Set(list);
  let reads = 0;

  async function readPage(number: number): Promise<PageAnswer> {
    const keys = list.slice(number * size, (number + 1) * size);
    const page = pageOf(keys, statesTotal ? list.length : null);
    for (const { kind, at } of changes[reads++] ?? []) {
      if (kind === "insert") list.splice(at % (list.length + 1), 0, make());
      else for (const gone of list.splice(at % Math.max(1, list.length), 1)) stayed.delete(gone);
    }
    return { kind: "page", page, bytes: 1 };
  }

  const read = await readArticlePages({ readPage, from: FROM, limits: DEFAULT_SEARCH_LIMITS, now: 0 });
  return { read, stayed, reads };
}

function pageOf(urls: readonly string[], total: number | null = null, published = "2026-03-02"): ArticlePage {
  return { articles: urls.map((url) => anArticle({ url, published })), quarantined: [], keys: urls, total };
}

/** A service with fixed pages. Further pages are empty or refused. */
function fixed(pages: readonly (ArticlePage | "refused")[], past: "empty" | "refused" = "empty") {
  const requested: number[] = [];
  return {
    requested,
    read: (limits: Partial<SearchLimits> = {}) =>
      readArticlePages({
        from: FROM,
        now: 0,
        limits: { ...DEFAULT_SEARCH_LIMITS, ...limits },
        readPage: async (number) => {
          requested.push(number);
          const page = pages[number] ?? (past === "empty" ? pageOf([]) : "refused");
          return page === "refused"
            ? { kind: "refused", error: new SourceError("not-found", `page ${number} is refused`) }
            : { kind: "page", page, bytes: 100 };
        },
      }),
  };
}

describe("shifting pages", () => {
  it("contain every article that was listed throughout, unless they are incomplete", async () => {
    await fc.assert(
      fc.asyncProperty(shifting, async (list) => {
        const { read, stayed } = await readWhileShifting(list);
        const urls = new Set(read.articles.map(({ url }) => url));
        const lost = [...stayed].filter((url) => !urls.has(url));
        expect(read.complete ? lost : []).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("are complete once the list no longer changes", async () => {
    await fc.assert(
      fc.asyncProperty(shifting, async (list) => {
        const { read } = await readWhileShifting({ ...list, changes: list.changes.slice(0, 1) });
        expect(read.complete).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("contain an article that a removal moves to a page that was already read", async () => {
    const { read, stayed } = await readWhileShifting({
      size: 2,
      rows: 6,
      statesTotal: true,
      // One article is removed and one is added, so the total does not change.
      changes: [
        [
          { kind: "remove", at: 0 },
          { kind: "insert", at: 5 },
        ],
      ],
    });

    expect(new Set(read.articles.map(({ url }) => url))).toEqual(new Set([...stayed, ...urlsFrom(0), ...urlsFrom(6)]));
    expect(read.complete).toBe(true);
  });

  it("are incomplete after four passes through a list that keeps changing", async () => {
    const changes = Array.from({ length: 100 }, () => [{ kind: "insert" as const, at: 0 }]);

    const { read } = await readWhileShifting({ size: 3, rows: 6, statesTotal: true, changes });

    expect(read.complete).toBe(false);
    expect(read.articles.length).toBeGreaterThanOrEqual(6);
  });
});

function urlsFrom(number: number): string[] {
  return [`https://wire.example/${number}`];
}

describe("the end of the pages", () => {
  it("is known after one pass if one page contains all rows, according to its size and the total", async () => {
    const service = fixed([pageOf(["a", "b"], 2)]);

    expect(await service.read()).toMatchObject({ complete: true });
    expect(service.requested).toEqual([0, 1]);
  });

  it.each([
    ["the total is larger", [pageOf(["a", "b"], 9)]],
    ["there is no total", [pageOf(["a", "b"])]],
    ["there are two pages", [pageOf(["a", "b"], 3), pageOf(["c"], 3)]],
    [
      "the page is full",
      [
        pageOf(
          Array.from({ length: 40 }, (_, n) => `a${n}`),
          40,
        ),
      ],
    ],
  ])("is confirmed by a second pass if %s", async (_, pages) => {
    const service = fixed(pages);

    expect(await service.read()).toMatchObject({ complete: true });
    expect(service.requested.filter((number) => number === 0)).toHaveLength(2);
  });

  it("is a refused page", async () => {
    const read = await fixed([pageOf(["a", "b"], 3), pageOf(["c"], 3)], "refused").read();

    expect(read.complete).toBe(true);
    expect(read.articles).toHaveLength(3);
  });

  it("is not reached if a page is refused although the total is larger", async () => {
    const read = await fixed([pageOf(["a", "b"], 100), pageOf(["c"], 100)], "refused").read();

    expect(read.complete).toBe(false);
    expect(read.articles).toHaveLength(3);
  });

  it("is not searched if pages 0 and 1 are both refused: the search fails", async () => {
    await expect(fixed([], "refused").read()).rejects.toThrow("page 0 is refused");
  });

  it("is found if pages are numbered from 1 and page 0 is refused", async () => {
    const read = await fixed(["refused", pageOf(["a", "b"]), pageOf(["c"])], "refused").read();

    expect(read.articles.map(({ url }) => url)).toEqual(["a", "b", "c"]);
    expect(read.complete).toBe(true);
  });

  it.each([
    ["empty", [pageOf([]), pageOf(["a", "b"]), pageOf(["c"])]],
    ["the first page, too", [pageOf(["a", "b"]), pageOf(["a", "b"]), pageOf(["c"])]],
  ])("is found if pages are numbered from 1 and page 0 is %s", async (_, pages) => {
    const read = await fixed(pages).read();

    expect(read.articles.map(({ url }) => url)).toEqual(["a", "b", "c"]);
    expect(read.complete).toBe(true);
  });

  it("is reached if the same page is returned for every number", async () => {
    const same = Array.from({ length: 300 }, () => pageOf(["a", "b"]));
    const service = fixed(same);

    const read = await service.read();

    expect(read.articles).toHaveLength(2);
    expect(read.complete).toBe(true);
    expect(service.requested.length).toBeLessThan(12);
  });

  it("is not reached if the page limit comes first", async () => {
    const service = fixed(Array.from({ length: 300 }, (_, n) => pageOf([`a${n}`])));

    const read = await service.read({ maxPages: 5 });

    expect(read.complete).toBe(false);
    expect(read.articles).toHaveLength(5);
    expect(service.requested).toEqual([0, 1, 2, 3, 4]);
  });
});

function tenOf(name: string, published: string): ArticlePage {
  const urls = Array.from({ length: 10 }, (_, n) => `${name}${n}`);
  return pageOf(urls, null, published);
}

describe("a search beyond a limit", () => {
  const pages = Array.from({ length: 300 }, (_, n) => pageOf([`a${n}`, `b${n}`]));

  it.each<[string, Partial<SearchLimits>, string, number]>([
    ["pages", { maxPages: 5 }, "5 pages without an end, expected fewer", 5],
    ["rows", { maxRows: 10 }, "12 rows, expected at most 10", 6],
    ["bytes", { maxBytes: 650 }, "700 bytes, expected at most 650", 7],
    ["new bytes", { maxNewBytes: 300 }, "400 bytes of different pages, expected at most 300", 4],
  ])(
    "of %s stops, keeps the articles already read, and reports the amount received",
    async (_, limits, text, requests) => {
      const service = fixed(pages);

      const read = await service.read(limits);

      expect(read.complete).toBe(false);
      expect(read.articles).toHaveLength(2 * requests);
      expect(service.requested).toHaveLength(requests);
      expect(read.excess).toMatchObject({ failure: "bad-answer", message: `GET /v1/articles: got ${text}` });
    },
  );

  it("of new bytes is not reached by a second pass through the same pages", async () => {
    const read = await fixed(pages.slice(0, 3)).read({ maxNewBytes: 300 });

    expect(read).toMatchObject({ complete: true });
    expect(read.excess).toBeUndefined();
  });
});

const MINUTES_UNTIL_ALL_PAGES = 15;

/** A list of which a search was saved. `read` searches it again, `minutes` after that. */
async function searchedBefore(rows: readonly string[], { size = 2, statesTotal = true } = {}) {
  const list = [...rows];
  const requested: number[] = [];
  const read = (saved: ArticlePages | null, minutes = 0): Promise<ArticlePages> =>
    readArticlePages({
      from: FROM,
      limits: DEFAULT_SEARCH_LIMITS,
      now: minutes * MINUTE_MS,
      saved,
      readPage: async (number) => {
        requested.push(number);
        const keys = list.slice(number * size, (number + 1) * size);
        return { kind: "page", page: pageOf(keys, statesTotal ? list.length : null), bytes: 1 };
      },
    });
  const saved = await read(null);
  requested.length = 0;
  return { list, requested, saved, read: (minutes?: number, last = saved) => read(last, minutes) };
}

describe("a search after a saved one", () => {
  const ROWS = ["a", "b", "c", "d", "e"];

  it("reads the first page if nothing has changed", async () => {
    const service = await searchedBefore(ROWS);

    const read = await service.read();

    expect(service.requested).toEqual([0]);
    expect(read).toMatchObject({ complete: true, urls: new Set(ROWS) });
    expect((await service.read(1, read)).urls).toEqual(new Set(ROWS));
    expect(service.requested).toEqual([0, 0]);
  });

  it("reads one page if there are still no articles", async () => {
    const service = await searchedBefore([]);

    expect(await service.read()).toMatchObject({ complete: true, articles: [] });
    expect(service.requested).toEqual([0]);
  });

  it("reads pages until it has found all new articles", async () => {
    const service = await searchedBefore(ROWS);
    service.list.splice(3, 0, "new");

    const read = await service.read();

    expect(service.requested).toEqual([0, 1]);
    expect(read.articles.map(({ url }) => url)).toContain("new");
    expect(read.urls).toEqual(new Set([...ROWS, "new"]));
    service.requested.length = 0;
    await service.read(1, read);
    expect(service.requested).toEqual([0]);
  });

  it("reads all pages twice if a row was removed", async () => {
    const service = await searchedBefore(ROWS);
    service.list.shift();

    expect(await service.read()).toMatchObject({ complete: true, urls: new Set(ROWS.slice(1)) });
    expect(service.requested).toEqual([0, 1, 2, 0, 1, 2]);
  });

  it.each([
    ["some time has passed since all pages were read", {}, MINUTES_UNTIL_ALL_PAGES],
    ["the service states no total", { statesTotal: false }, 0],
  ])("reads all pages once if %s, and finds the same rows", async (_, options, minutes) => {
    const service = await searchedBefore(ROWS, options);

    expect(await service.read(minutes)).toMatchObject({ complete: true, articles: { length: ROWS.length } });
    expect(service.requested).toEqual([0, 1, 2, 3]);
  });

  it("reads all pages in time even if each search in between finds the first page unchanged", async () => {
    const service = await searchedBefore(ROWS);
    let last = service.saved;
    for (let minutes = 5; minutes <= MINUTES_UNTIL_ALL_PAGES; minutes += 5) last = await service.read(minutes, last);

    expect(service.requested).toEqual([0, 0, 0, 1, 2, 3]);
  });

  it("of other days reads all pages again", async () => {
    const service = await searchedBefore(ROWS);
    const { listed } = service.saved;
    if (listed === undefined) throw new Error("the first search is incomplete");

    await service.read(0, { ...service.saved, listed: { ...listed, from: day("2026-02-28") } });

    expect(service.requested).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  });

  it("contains every added article, wherever it was added", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(20), { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (additions, count, size) => {
          const service = await searchedBefore(
            Array.from({ length: count }, (_, n) => `old-${n}`),
            { size },
          );
          const received = new Set(service.saved.articles.map(({ url }) => url));
          let last = service.saved;
          for (const [poll, positions] of additions.entries()) {
            for (const [n, at] of positions.entries())
              service.list.splice(at % (service.list.length + 1), 0, `new-${poll}-${n}`);
            last = await service.read(poll, last);
            for (const { url } of last.articles) received.add(url);
            expect(last.complete).toBe(true);
            expect([...last.urls].toSorted()).toEqual(service.list.toSorted());
          }
          expect([...received].toSorted()).toEqual(service.list.toSorted());
        },
      ),
      { numRuns: 500 },
    );
  });

  it("contains every article after other rows were removed and added, once all pages were read", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ remove: fc.nat(20), add: fc.nat(20) }), { maxLength: 5 }),
        fc.integer({ min: 0, max: 12 }),
        async (changes, count) => {
          const service = await searchedBefore(Array.from({ length: count }, (_, n) => `old-${n}`));
          for (const [n, { remove, add }] of changes.entries()) {
            service.list.splice(remove % Math.max(1, service.list.length), 1);
            service.list.splice(add % (service.list.length + 1), 0, `new-${n}`);
          }
          const soon = await service.read(1);
          const later = await service.read(1 + MINUTES_UNTIL_ALL_PAGES, soon);
          expect(later.articles.map(({ url }) => url).toSorted()).toEqual(service.list.toSorted());
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("a service that returns articles older than requested", () => {
  it("has its old articles dropped", async () => {
    const read = await fixed([pageOf(["old"], null, "2026-02-28"), pageOf(["new"], null, "2026-03-01")]).read();

    expect(read.articles.map(({ url }) => url)).toEqual(["new"]);
  });

  it("is not read to the end if articles are sorted newest first", async () => {
    const service = fixed([
      tenOf("a", "2026-03-02"),
      tenOf("b", "2026-02-20"),
      ...Array.from({ length: 50 }, (_, n) => tenOf(`c${n}-`, "2026-02-01")),
    ]);

    const read = await service.read();

    expect(read.complete).toBe(true);
    expect(read.articles).toHaveLength(10);
    expect(service.requested).toEqual([0, 1, 0, 1]);
  });

  it.each([
    ["sorted oldest first", [tenOf("a", "2026-02-01"), tenOf("b", "2026-02-02"), tenOf("c", "2026-03-02")]],
    ["unsorted", [tenOf("a", "2026-03-02"), tenOf("b", "2026-02-01"), tenOf("c", "2026-03-03")].toReversed()],
    [
      "of a single day on the first pages",
      [tenOf("a", "2026-02-01"), tenOf("b", "2026-02-01"), tenOf("c", "2026-03-02")],
    ],
  ])("is read to the end if articles are %s", async (_, pages) => {
    const read = await fixed(pages).read();

    expect(read.articles.some(({ url }) => url.startsWith("c"))).toBe(true);
    expect(read.complete).toBe(true);
  });
});
