import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aKnownArticle,
  exchange as anExchange,
  aRecord,
  ticker as aTicker,
  day,
} from "../../../test/support/builders.ts";
import { PolledSource } from "../../../test/support/polled-source.ts";
import { growthFactor } from "../../../test/support/timing.ts";
import { indexArticles } from "../article/evidence.ts";
import type { Split, SplitId, SplitRecord, SplitStatus } from "../split/split.ts";
import { identify, isRenamed, type RenameClues } from "./identify.ts";

const TODAY = day("2026-03-02");

type RecordParts = Parameters<typeof aRecord>[0];

/** A followed split with the given id. */
function followed(id: string, parts: RecordParts, status: SplitStatus = "listed"): Split {
  const [adopted] = PolledSource.settled([aRecord(parts)]).splits;
  if (!adopted) throw new Error("the test's split was not adopted");
  return { ...adopted, id: id as SplitId, status };
}

function words({ ratioText, exDate, exchange }: SplitRecord): string {
  return `${ratioText} ${exDate} ${exchange}`;
}

function termsOf({ ticker, exchange, exDate, ratio, ratioText }: SplitRecord): string {
  return JSON.stringify([ticker, exchange, exDate, ratio ?? ratioText]);
}

/** The result in short form: `one: 1:20 2026-03-10 NASDAQ`, `new: …`, `absent: two`. */
function outcome(splits: readonly Split[], rows: readonly SplitRecord[], today = TODAY): string[] {
  const { pairs, newRecords, absent } = identify(splits, rows, today);
  return [
    ...pairs.map(({ split, record }) => `${split.id}: ${words(record)}`),
    ...newRecords.map((record) => `new: ${words(record)}`),
    ...absent.map(({ id }) => `absent: ${id}`),
  ].toSorted();
}

const PAST = { exDate: "2026-02-27" };
const NEXT = { exDate: "2026-03-10" };

describe("a row for a ticker whose split is followed", () => {
  it.each([
    ["nothing changed", NEXT, NEXT],
    ["the date moved later", NEXT, { exDate: "2026-03-20" }],
    ["the date moved earlier", NEXT, { exDate: "2026-03-04" }],
    ["the ratio changed", NEXT, { ...NEXT, ratio: "1:25" }],
    ["date and ratio moved together", NEXT, { exDate: "2026-04-20", ratio: "1:25" }],
    ["the exchange changed", NEXT, { ...NEXT, exchange: "OTC" }],
    ["exchange and ratio changed, the date did not", NEXT, { ...NEXT, exchange: "OTC", ratio: "1:25" }],
    ["exchange and date changed, the ratio did not", NEXT, { exDate: "2026-03-20", exchange: "OTC" }],
    ["the date moved on the ex date", { exDate: TODAY }, { exDate: "2026-03-20" }],
    ["the ratio was corrected after the ex date", PAST, { ...PAST, ratio: "1:25" }],
    ["the date was corrected to an earlier day after it had passed", PAST, { exDate: "2026-02-26" }],
    ["the exchange was corrected after the ex date", PAST, { ...PAST, exchange: "OTC" }],
  ])("is the same split when %s", (_, was, now) => {
    const { pairs, newRecords, absent } = identify([followed("one", was)], [aRecord(now)], TODAY);
    expect(pairs.map(({ split }) => split.id)).toEqual(["one"]);
    expect([...newRecords, ...absent]).toEqual([]);
  });

  it.each([
    ["the ex date of the followed split has passed", PAST, { exDate: "2026-03-20" }],
    ["nothing but the ticker is the same", NEXT, { exDate: "2026-03-20", ratio: "1:25", exchange: "TSX" }],
    ["the ticker and the company differ", NEXT, { ...NEXT, ticker: "ACMX", company: "Other Mills Inc." }],
  ])("is a second split when %s", (_, was, now) => {
    const { newRecords, absent } = identify([followed("one", was)], [aRecord(now)], TODAY);
    expect(newRecords).toHaveLength(1);
    expect(absent).toHaveLength(1);
  });

  it("is a second split if both are listed", () => {
    const rows = [aRecord(NEXT), aRecord({ exDate: "2026-06-10" })];
    expect(outcome([followed("one", NEXT)], rows)).toEqual([
      "new: 1:20 2026-06-10 NASDAQ",
      "one: 1:20 2026-03-10 NASDAQ",
    ]);
  });

  it("is a second split if the first is still listed on another exchange", () => {
    const rows = [aRecord(NEXT), aRecord({ ...NEXT, exchange: "TSX" })];
    expect(outcome([followed("one", NEXT)], rows)).toEqual(["new: 1:20 2026-03-10 TSX", "one: 1:20 2026-03-10 NASDAQ"]);
  });

  it("is compared with the latest listed record, not with the last alerted record", () => {
    const held = { ...followed("one", PAST), pendingRecord: aRecord(NEXT) };
    expect(outcome([held], [aRecord({ exDate: "2026-03-11" })])).toEqual(["one: 1:20 2026-03-11 NASDAQ"]);
  });
});

describe("a split that left the list after its ex date", () => {
  const closed = followed("old", PAST, "closed");

  it.each([
    ["with the same terms", PAST],
    ["with a corrected ratio", { ...PAST, ratio: "1:25" }],
    ["on another exchange", { ...PAST, exchange: "OTC" }],
  ])("is the same split if it returns %s", (_, now) => {
    expect(identify([closed], [aRecord(now)], TODAY).pairs).toHaveLength(1);
  });

  it.each([
    ["another date", { exDate: "2026-03-10" }],
    ["an earlier date", { exDate: "2026-02-20" }],
    ["another exchange and another ratio", { ...PAST, exchange: "OTC", ratio: "1:25" }],
  ])("is another split if a row has %s", (_, now) => {
    expect(identify([closed], [aRecord(now)], TODAY).newRecords).toHaveLength(1);
  });
});

describe("several splits of one ticker", () => {
  const one = followed("one", { exDate: "2026-03-10", ratio: "1:20" });
  const two = followed("two", { exDate: "2026-06-10", ratio: "1:30" });

  it("are distinguished by their dates first", () => {
    const rows = [aRecord({ exDate: "2026-03-10", ratio: "1:30" }), aRecord({ exDate: "2026-06-10", ratio: "1:20" })];
    expect(outcome([one, two], rows)).toEqual(["one: 1:30 2026-03-10 NASDAQ", "two: 1:20 2026-06-10 NASDAQ"]);
  });

  it("are distinguished by their ratios if both dates moved", () => {
    const rows = [aRecord({ exDate: "2026-07-01", ratio: "1:20" }), aRecord({ exDate: "2026-03-12", ratio: "1:30" })];
    expect(outcome([one, two], rows)).toEqual(["one: 1:20 2026-07-01 NASDAQ", "two: 1:30 2026-03-12 NASDAQ"]);
  });

  it("are distinguished by the nearer date if both ratios are equal", () => {
    const late = followed("late", { exDate: "2026-03-20" });
    const soon = followed("soon", { exDate: "2026-03-10" });
    const rows = [aRecord({ exDate: "2026-03-16" }), aRecord({ exDate: "2026-03-21" })];
    expect(outcome([soon, late], rows)).toEqual(["late: 1:20 2026-03-21 NASDAQ", "soon: 1:20 2026-03-16 NASDAQ"]);
  });

  it("leave one split absent if only one row is left", () => {
    expect(outcome([one, two], [aRecord({ exDate: "2026-06-10", ratio: "1:30" })])).toEqual([
      "absent: one",
      "two: 1:30 2026-06-10 NASDAQ",
    ]);
  });
});

const OLDA = { ticker: "OLDA", company: "Olda Mills Inc.", exDate: "2026-03-10" };
const NEWA = { ...OLDA, ticker: "NEWA" };

/** Ids of the splits that a row continues under another symbol. */
function renamed(
  splits: readonly Split[],
  rows: readonly SplitRecord[],
  clues: Partial<RenameClues> = {},
): readonly string[] {
  const all = { unreadableTickers: new Set<never>(), articles: new Map(), ...clues };
  return identify(splits, rows, TODAY, all)
    .pairs.filter(isRenamed)
    .map(({ split, record }) => `${split.id} ${record.ticker}`);
}

describe("a row under a symbol that is new", () => {
  it.each([
    ["nothing else changed", NEWA, "listed"],
    ["the company's legal form is written in another way", { ...NEWA, company: "Olda Mills, Incorporated" }, "listed"],
    ["the ratio changed too", { ...NEWA, ratio: "1:25" }, "listed"],
    ["the date moved by a few days", { ...NEWA, exDate: "2026-03-17" }, "listed"],
    ["the exchange changed too", { ...NEWA, exchange: "OTC" }, "listed"],
    ["the split was missing", NEWA, "missing"],
    ["the split left the list after its ex date", NEWA, "closed"],
  ] as const)("continues the absent split of the company when %s", (_, now, status) => {
    expect(renamed([followed("one", OLDA, status)], [aRecord(now)])).toEqual(["one NEWA"]);
  });

  it.each<[string, RecordParts]>([
    ["the company is another", { ...NEWA, company: "Other Mills Inc." }],
    ["the company isn't stated", { ...NEWA, company: "" }],
    ["ratio and date differ", { ...NEWA, ratio: "1:25", exDate: "2026-03-17" }],
    ["the date is months away", { ...NEWA, exDate: "2026-06-10" }],
    ["the exchange has symbols of its own", { ...NEWA, exchange: "TSX" }],
    ["it is another class of the same shares", { ...NEWA, ticker: "OLDA.B" }],
  ])("is another split when %s", (_, now) => {
    expect(renamed([followed("one", OLDA)], [aRecord(now)])).toEqual([]);
  });

  it("is another split while the old symbol is listed, or its row can't be read", () => {
    expect(renamed([followed("one", OLDA)], [aRecord(OLDA), aRecord(NEWA)])).toEqual([]);
    const unreadableTickers = new Set([aTicker("OLDA")]);
    expect(renamed([followed("one", OLDA)], [aRecord(NEWA)], { unreadableTickers })).toEqual([]);
  });

  it("is not chosen if two rows of the company match, or two splits", () => {
    const rows = [aRecord(NEWA), aRecord({ ...NEWA, ticker: "NEWB" })];
    expect(renamed([followed("one", OLDA)], rows)).toEqual([]);
    const splits = [followed("one", OLDA), followed("two", { ...OLDA, ticker: "OLDB" })];
    expect(renamed(splits, [aRecord(NEWA)])).toEqual([]);
    // The second split is still listed: the company has several securities.
    expect(renamed(splits, [aRecord({ ...OLDA, ticker: "OLDB" }), aRecord(NEWA)])).toEqual([]);
  });

  it("continues each of a company's two splits by its date", () => {
    const splits = [followed("past", { ...OLDA, exDate: "2026-02-27" }), followed("next", OLDA)];
    const rows = [aRecord(NEWA), aRecord({ ...NEWA, exDate: "2026-02-27" })];
    expect(renamed(splits, rows)).toEqual(["next NEWA", "past NEWA"]);
    expect(outcome(splits, rows)).toEqual(["next: 1:20 2026-03-10 NASDAQ", "past: 1:20 2026-02-27 NASDAQ"]);
  });

  it("continues the split of a company with a new name if a release about the split names both symbols", () => {
    const both = [
      { ticker: aTicker("OLDA"), exchange: anExchange("NASDAQ") },
      { ticker: aTicker("NEWA"), exchange: null },
    ];
    const now = aRecord({ ...NEWA, company: "Newa Brands Inc." });
    const articles = indexArticles([aKnownArticle({ concerns: both })]);
    expect(renamed([followed("one", OLDA)], [now], { articles })).toEqual(["one NEWA"]);
    const other = indexArticles([aKnownArticle({ concerns: both, kind: "other" })]);
    expect(renamed([followed("one", OLDA)], [now], { articles: other })).toEqual([]);
  });

  it("continues both splits if two companies exchange their symbols, and all splits of a chain", () => {
    const alfa = { ticker: "AAAA", company: "Alfa Mills Inc.", ratio: "1:20", exDate: "2026-03-10" };
    const beta = { ticker: "BBBB", company: "Beta Foods Corp.", ratio: "1:8", exDate: "2026-03-12" };
    const splits = [followed("alfa", alfa), followed("beta", beta)];
    const exchanged = [aRecord({ ...alfa, ticker: "BBBB" }), aRecord({ ...beta, ticker: "AAAA" })];
    expect(renamed(splits, exchanged)).toEqual(["alfa BBBB", "beta AAAA"]);
    expect(renamed(splits, exchanged.toReversed())).toEqual(["alfa BBBB", "beta AAAA"]);
    const chain = [aRecord({ ...alfa, ticker: "BBBB" }), aRecord({ ...beta, ticker: "CCCC" })];
    expect(renamed(splits, chain).toSorted()).toEqual(["alfa BBBB", "beta CCCC"]);
  });

  it("is the split of its symbol if companies with equal terms exchange their symbols, or a company isn't stated", () => {
    const alfa = { ticker: "AAAA", company: "Alfa Mills Inc." };
    const beta = { ticker: "BBBB", company: "Beta Foods Corp." };
    const swapped = [aRecord({ ...alfa, ticker: "BBBB" }), aRecord({ ...beta, ticker: "AAAA" })];
    expect(renamed([followed("alfa", alfa), followed("beta", beta)], swapped)).toEqual([]);
    const unnamed = [
      aRecord({ ...NEXT, ticker: "BBBB", company: "" }),
      aRecord({ ticker: "AAAA", ratio: "1:8", company: "" }),
    ];
    const splits = [followed("alfa", { ...alfa, ...NEXT }), followed("beta", { ...beta, ratio: "1:8" })];
    expect(renamed(splits, unnamed)).toEqual([]);
    // The row under the own symbol still has the split's terms, with the company's new name.
    const named = [aRecord({ ...alfa, company: "Other Brands Inc." }), aRecord({ ...alfa, ticker: "BBBB" })];
    expect(renamed([followed("alfa", alfa)], named)).toEqual([]);
  });

  it("that is the interim symbol of the over-the-counter market lists the split under its own symbol", () => {
    const otc = { ...OLDA, exchange: "OTC" };
    const split = followed("one", otc);
    const { pairs, newRecords, absent } = identify([split], [aRecord({ ...otc, ticker: "OLDAD" })], TODAY);
    expect(pairs).toEqual([{ split, record: aRecord(otc) }]);
    expect([...newRecords, ...absent]).toEqual([]);
    const others = aRecord({ ...otc, ticker: "OLDAD", company: "Other Mills Inc." });
    expect(identify([split], [others], TODAY).newRecords).toEqual([others]);
  });
});

describe("duplicate rows", () => {
  it("count once, regardless of how the ratio is written and of other fields", () => {
    const rows = [
      aRecord(NEXT),
      aRecord(NEXT),
      aRecord({ ...NEXT, ratio: "20:1" }),
      aRecord({ ...NEXT, company: "Acme Inc." }),
      aRecord({ ...NEXT, dateAnnounced: null }),
    ];
    const { newRecords } = identify([], rows, TODAY);
    expect(newRecords).toHaveLength(1);
    expect(identify([], rows.toReversed(), TODAY).newRecords).toEqual(newRecords);
  });

  it("with different terms are two splits", () => {
    expect(identify([], [aRecord(NEXT), aRecord({ ...NEXT, ratio: "1:25" })], TODAY).newRecords).toHaveLength(2);
  });
});

const someRecord = fc
  .record({
    ticker: fc.constantFrom("ACME", "BETA"),
    exchange: fc.constantFrom("NASDAQ", "TSX"),
    ratio: fc.constantFrom("1:20", "20:1", "1:30", "1:1"),
    exDate: fc.constantFrom("2026-02-20", "2026-02-27", "2026-03-02", "2026-03-10", "2026-03-16", "2026-03-20"),
    company: fc.constantFrom("Acme", "Acme Inc."),
  })
  .map(aRecord);

const someSplits = fc
  .array(fc.record({ record: someRecord, status: fc.constantFrom<SplitStatus>("listed", "missing", "closed") }), {
    maxLength: 6,
  })
  .map((list) => list.map(({ record, status }, index) => ({ ...followed(`split-${index}`, {}, status), record })));

describe("identify", () => {
  it("matches each split and each row at most once, and drops none", () => {
    fc.assert(
      fc.property(someSplits, fc.array(someRecord, { maxLength: 8 }), (splits, rows) => {
        const { pairs, newRecords, absent } = identify(splits, rows, TODAY);
        const ids = [...pairs.map(({ split }) => split.id), ...absent.map(({ id }) => id)];
        expect(ids.toSorted()).toEqual(splits.map(({ id }) => id).toSorted());
        const allRecords = [...pairs.map(({ record }) => record), ...newRecords];
        expect(new Set(allRecords).size).toBe(allRecords.length);
        expect(allRecords.map(termsOf).toSorted()).toEqual([...new Set(rows.map(termsOf))].toSorted());
      }),
    );
  });

  it("is independent of the order of rows and splits", () => {
    const shuffled = fc
      .tuple(someSplits, fc.array(someRecord, { maxLength: 8 }))
      .chain(([splits, rows]) =>
        fc.tuple(
          fc.constant({ splits, rows }),
          fc.shuffledSubarray(splits, { minLength: splits.length }),
          fc.shuffledSubarray(rows, { minLength: rows.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([{ splits, rows }, otherSplits, otherRows]) => {
        expect(outcome(otherSplits, otherRows)).toEqual(outcome(splits, rows));
        expect(identify(otherSplits, otherRows, TODAY).newRecords).toEqual(identify(splits, rows, TODAY).newRecords);
      }),
    );
  });

  it("sorts new rows by ex date, then ticker", () => {
    const dates = [
      ["BETA", "2026-03-10"],
      ["ACME", "2026-03-10"],
      ["ACME", "2026-03-20"],
      ["BETA", "2026-03-05"],
    ];
    const { newRecords } = identify(
      [],
      dates.map(([ticker = "", exDate = ""]) => aRecord({ ticker, exDate })),
      TODAY,
    );
    expect(newRecords.map(({ ticker, exDate }) => `${exDate} ${ticker}`)).toEqual([
      "2026-03-05 BETA",
      "2026-03-10 ACME",
      "2026-03-10 BETA",
      "2026-03-20 ACME",
    ]);
  });

  it("matches a row of another ticker only if that row and that split match nothing else", () => {
    fc.assert(
      fc.property(someSplits, fc.array(someRecord, { maxLength: 8 }), (splits, rows) => {
        for (const { split, record } of identify(splits, rows, TODAY).pairs.filter(isRenamed)) {
          const { ticker: old, exchange: market } = split.record;
          expect(rows.some((row) => row.ticker === old && row.exchange === market)).toBe(false);
          expect(record.exchange).toBe(market);
          const rivals = splits.filter(
            ({ record: one, status }) => status !== "closed" && termsOf(one) === termsOf(split.record),
          );
          expect(rivals.length).toBeLessThan(2);
        }
      }),
    );
  });

  it("takes at most quadratic time if a faulty source gives every row the same ticker", async () => {
    // A cubic time would grow by 64.
    expect(await growthFactor(identifyRows, 150)).toBeLessThan(32);
  });

  it("takes time in proportion to the list if every symbol changes", async () => {
    expect(await growthFactor(renameAll, 250)).toBeLessThan(10);
  });
});

/** Identifies `size` rows of as many companies, whose symbols all change. */
function renameAll(size: number): void {
  const rows = Array.from({ length: size }, (_, n) => aRecord({ ticker: `OLD${n}`, company: `Mills ${n} Inc.` }));
  const splits = rows.map((record, n) => ({ ...followed(`split-${n}`, {}), record }));
  const renamedRows = rows.map((record, n) => ({ ...record, ticker: aTicker(`NEW${n}`) }));
  expect(identify(splits, renamedRows, TODAY).pairs).toHaveLength(size);
}

/** Identifies `size` rows of one ticker, as new ones and as moved ones. */
function identifyRows(size: number): void {
  const rows = Array.from({ length: size }, (_, index) => aRecord({ ratio: `1:${index + 2}` }));
  const splits = rows.map((record, index) => ({ ...followed(`split-${index}`, {}), record }));
  const moved = rows.map((record) => ({ ...record, exDate: day("2026-03-11") }));
  expect(identify(splits.slice(0, 1), rows, TODAY).newRecords).toHaveLength(rows.length - 1);
  expect(identify(splits, moved, TODAY).pairs).toHaveLength(rows.length);
}
