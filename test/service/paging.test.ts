import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findArticles } from "../../src/data-service/server/served-catalog.ts";
import { WIRES } from "../../src/domain/article/wire.ts";
import { anArticleRow, startService, urlsIn } from "./service-under-test.ts";

const day = fc.integer({ min: 1, max: 9 }).map((n) => `2026-03-0${n}`);
const article = fc.record({
  source: fc.constantFrom(...WIRES),
  url: fc.integer({ min: 0, max: 400 }).map((n) => `https://wire.example/${n}`),
  date_published: day,
});
const filter = fc.record(
  { sources: fc.subarray([...WIRES], { minLength: 1 }), from: day, to: day },
  { requiredKeys: [] },
);

it("returns each matching article exactly once, in order, when paging through any filter", async () => {
  const service = await startService();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(article, { selector: ({ url }) => url, maxLength: 90 }),
      filter,
      fc.integer({ min: 1, max: 40 }),
      async (rows, { sources, from = "2026-03-01", to = "2026-03-09" }, size) => {
        fc.pre(from <= to);
        service.catalog.replace({ splits: [], articles: rows.map((row) => anArticleRow(row)) });
        const query = `from=${from}&to=${to}&size=${size}${sources ? `&sources=${sources.join(",")}` : ""}`;
        const expected = rows
          .filter((row) => row.date_published >= from && row.date_published <= to)
          .filter((row) => !sources || sources.includes(row.source))
          .toSorted((a, b) => (a.url < b.url ? -1 : 1))
          .toSorted((a, b) => b.date_published.localeCompare(a.date_published))
          .map((row) => row.url);
        const found: string[] = [];
        const pages = Math.ceil(expected.length / size);
        for (let page = 0; page < pages; page += 1) {
          const answer = await askAsBot(`${query}&page=${page}`);
          expect(answer.json).toMatchObject({ total_results: expected.length, total_pages: pages, page_number: page });
          found.push(...urlsIn(answer));
        }
        expect(found).toEqual(expected);
        expect(urlsIn(await askAsBot(`${query}&page=${pages}`))).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );

  function askAsBot(query: string) {
    return service.askBare(`/v1/articles?${query}&apiKey=${service.botKey}`);
  }
});

it("returns an empty page beyond the last one, for any number", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 40 }), (page, size) => {
      const search = { sources: undefined, from: undefined, to: undefined, page: page + 1, size };
      expect(findArticles([anArticleRow()], search).articles).toEqual([]);
    }),
  );
});
