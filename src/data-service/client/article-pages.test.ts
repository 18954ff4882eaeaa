import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anArticle, day } from "../../../test/support/builders.ts";
import { SourceError } from "../../ports/split-source.ts";
import { type PageAnswer, readArticlePages } from "./article-pages.ts";
import type { ArticlePage } from "./records.ts";

const FROM = day("2026-03-01");

/** A change of the list between two page reads. Positions wrap around. */
type Change = { readonly kind: "insert" | "remove"; readonly at: number };

interface Shifting {
  readonly size: number;
  readonly rows: number;
  readonly tellsTotals: boolean;
  /** What happens after each page read; nothing more when they run out. */
  readonly changes: readonly (readonly Change[])[];
}

const shifting: fc.Arbitrary<Shifting> = fc.record({
  size: fc.integer({ min: 1, max: 5 }),
  rows: fc.integer({ min: 0, max: 16 }),
  tellsTotals: fc.boolean(),
  changes: fc.array(
    fc.array(fc.record({ kind: fc.constantFrom("insert" as const, "remove" as const), at: fc.nat(20) }), {
      maxLength: 4,
    }),
    { maxLength: 24 },
  ),
});

/** Reads the pages of a list that changes while it is read. `stayed`: the articles that were there all the time. */
async function readWhileShifting({ size, rows, tellsTotals, changes }: Shifting) {
  let made = 0;
  const make = (): string => `https://wire.example/${made++}`;
  const list = Array.from({ length: rows }, make);
  const stayed = new Set(list);
  let reads = 0;

  async function readPage(number: number): Promise<PageAnswer> {
    const keys = list.slice(number * size, (number + 1) * size);
    const page = pageOf(keys, tellsTotals ? list.length : null);
    for (const { kind, at } of changes[reads++] ?? []) {
      if (kind === "insert") list.splice(at % (list.length + 1), 0, make());
      else for (const gone of list.splice(at % Math.max(1, list.length), 1)) stayed.delete(gone);
    }
    return { kind: "page", page };
  }

  const read = await readArticlePages({ readPage, from: FROM, maxPages: 250 });
  return { read, stayed, reads };
}

function pageOf(urls: readonly string[], total: number | null = null, published = "2026-03-02"): ArticlePage {
  return { articles: urls.map((url) => anArticle({ url, published })), quarantined: [], keys: urls, total };
}

/** A service with fixed pages. What lies past them is empty, or refused. */
function fixed(pages: readonly (ArticlePage | "refused")[], past: "empty" | "refused" = "empty") {
  const asked: number[] = [];
  return {
    asked,
    read: (maxPages = 250) =>
      readArticlePages({
        from: FROM,
        maxPages,
        readPage: async (number) => {
          asked.push(number);
          const page = pages[number] ?? (past === "empty" ? pageOf([]) : "refused");
          return page === "refused"
            ? { kind: "refused", error: new SourceError("not-found", `page ${number} is refused`) }
            : { kind: "page", page };
        },
      }),
  };
}

describe("reading pages that shift", () => {
  it("loses no article that was there all the time, or says that it may have", async () => {
    await fc.assert(
      fc.asyncProperty(shifting, async (story) => {
        const { read, stayed } = await readWhileShifting(story);
        const urls = new Set(read.articles.map(({ url }) => url));
        const lost = [...stayed].filter((url) => !urls.has(url));
        expect(read.complete ? lost : []).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is complete once the list has come to rest", async () => {
    await fc.assert(
      fc.asyncProperty(shifting, async (story) => {
        const { read } = await readWhileShifting({ ...story, changes: story.changes.slice(0, 1) });
        expect(read.complete).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("finds the article that a removal pulls onto a page that was read already", async () => {
    const { read, stayed } = await readWhileShifting({
      size: 2,
      rows: 6,
      tellsTotals: true,
      // One goes from the first page and one comes at the end, so that no total tells of it.
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

  it("gives up after four times through a list that never rests, and says so", async () => {
    const restless = Array.from({ length: 100 }, () => [{ kind: "insert" as const, at: 0 }]);

    const { read } = await readWhileShifting({ size: 3, rows: 6, tellsTotals: true, changes: restless });

    expect(read.complete).toBe(false);
    expect(read.articles.length).toBeGreaterThanOrEqual(6);
  });
});

function urlsFrom(number: number): string[] {
  return [`https://wire.example/${number}`];
}

describe("the end of the pages", () => {
  it("needs one time through when one page holds all, by its rows and by its total", async () => {
    const service = fixed([pageOf(["a", "b"], 2)]);

    expect(await service.read()).toMatchObject({ complete: true });
    expect(service.asked).toEqual([0, 1]);
  });

  it.each([
    ["the total says more", [pageOf(["a", "b"], 9)]],
    ["there is no total", [pageOf(["a", "b"])]],
    ["there are two pages", [pageOf(["a", "b"], 3), pageOf(["c"], 3)]],
    [
      "the page is as long as pages get",
      [
        pageOf(
          Array.from({ length: 40 }, (_, n) => `a${n}`),
          40,
        ),
      ],
    ],
  ])("reads a second time when %s", async (_, pages) => {
    const service = fixed(pages);

    expect(await service.read()).toMatchObject({ complete: true });
    expect(service.asked.filter((number) => number === 0)).toHaveLength(2);
  });

  it("takes a refused page for the end", async () => {
    const read = await fixed([pageOf(["a", "b"], 3), pageOf(["c"], 3)], "refused").read();

    expect(read.complete).toBe(true);
    expect(read.articles).toHaveLength(3);
  });

  it("is not complete when a page is refused although there should be more", async () => {
    const read = await fixed([pageOf(["a", "b"], 100), pageOf(["c"], 100)], "refused").read();

    expect(read.complete).toBe(false);
    expect(read.articles).toHaveLength(3);
  });

  it("throws the refusal when neither number 0 nor number 1 is a page", async () => {
    await expect(fixed([], "refused").read()).rejects.toThrow("page 0 is refused");
  });

  it("counts from 1 where number 0 is refused", async () => {
    const read = await fixed(["refused", pageOf(["a", "b"]), pageOf(["c"])], "refused").read();

    expect(read.articles.map(({ url }) => url)).toEqual(["a", "b", "c"]);
    expect(read.complete).toBe(true);
  });

  it.each([
    ["empty", [pageOf([]), pageOf(["a", "b"]), pageOf(["c"])]],
    ["the first page as well", [pageOf(["a", "b"]), pageOf(["a", "b"]), pageOf(["c"])]],
  ])("counts from 1 where number 0 is %s", async (_, pages) => {
    const read = await fixed(pages).read();

    expect(read.articles.map(({ url }) => url)).toEqual(["a", "b", "c"]);
    expect(read.complete).toBe(true);
  });

  it("stops when the same page comes for ever", async () => {
    const same = Array.from({ length: 300 }, () => pageOf(["a", "b"]));
    const service = fixed(same);

    const read = await service.read();

    expect(read.articles).toHaveLength(2);
    expect(read.complete).toBe(true);
    expect(service.asked.length).toBeLessThan(12);
  });

  it("is not complete at the limit of pages", async () => {
    const service = fixed(Array.from({ length: 300 }, (_, n) => pageOf([`a${n}`])));

    const read = await service.read(5);

    expect(read.complete).toBe(false);
    expect(read.articles).toHaveLength(5);
    expect(service.asked).toEqual([0, 1, 2, 3, 4]);
  });
});

function tenOf(name: string, published: string): ArticlePage {
  const urls = Array.from({ length: 10 }, (_, n) => `${name}${n}`);
  return pageOf(urls, null, published);
}

describe("a service that shows articles older than asked for", () => {
  it("leaves them out", async () => {
    const read = await fixed([pageOf(["old"], null, "2026-02-28"), pageOf(["new"], null, "2026-03-01")]).read();

    expect(read.articles.map(({ url }) => url)).toEqual(["new"]);
  });

  it("is not read to its end when it runs from new to old", async () => {
    const service = fixed([
      tenOf("a", "2026-03-02"),
      tenOf("b", "2026-02-20"),
      ...Array.from({ length: 50 }, (_, n) => tenOf(`c${n}-`, "2026-02-01")),
    ]);

    const read = await service.read();

    expect(read.complete).toBe(true);
    expect(read.articles).toHaveLength(10);
    expect(service.asked).toEqual([0, 1, 0, 1]);
  });

  it.each([
    ["from old to new", [tenOf("a", "2026-02-01"), tenOf("b", "2026-02-02"), tenOf("c", "2026-03-02")]],
    ["in no order", [tenOf("a", "2026-03-02"), tenOf("b", "2026-02-01"), tenOf("c", "2026-03-03")].toReversed()],
    [
      "with one day only on its first pages",
      [tenOf("a", "2026-02-01"), tenOf("b", "2026-02-01"), tenOf("c", "2026-03-02")],
    ],
  ])("is read to its end when it runs %s", async (_, pages) => {
    const read = await fixed(pages).read();

    expect(read.articles.some(({ url }) => url.startsWith("c"))).toBe(true);
    expect(read.complete).toBe(true);
  });
});
