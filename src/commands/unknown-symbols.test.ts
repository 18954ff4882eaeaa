import { afterEach, expect, it } from "vitest";
import { ALICE, aSplit, exchange, ticker } from "../../test/support/builders.ts";
import { type CommandBench, IN_DIRECT_MESSAGE, openCommandBench } from "../../test/support/command-bench.ts";
import type { LiveSourcesInfo } from "./context.ts";

const DIRECTORY = new Map([
  [ticker("HARLX"), { company: "Harlex Foods, Inc. - Common Stock", exchange: exchange("NASDAQ") }],
  [ticker("QUIL.A"), { company: "Quillan Mills Inc.", exchange: exchange("NYSE") }],
]);

let bench: CommandBench;
afterEach(() => bench.close());

async function open(directories: LiveSourcesInfo["directories"] | null): Promise<void> {
  const live: LiveSourcesInfo | null = directories && {
    statuses: () => [],
    splitOf: () => null,
    listingProblems: () => [],
    labelOf: (source) => source,
    directories,
  };
  const base = { id: "http://splits.example", name: "splits.example", sample: false, notes: () => [] };
  bench = await openCommandBench({ source: { ...base, problem: () => null, releaseText: () => null, live } });
  await bench.seed({
    splits: [aSplit({ ticker: "BRGH.B", exchange: "NYSE", company: "Brigham Mills Inc." }), aSplit({ ticker: "ACME" })],
  });
}

const UNKNOWN = (symbol: string): string =>
  `No split, release or US symbol directory has ${symbol}: check its spelling.`;

const UNCOVERED = (symbol: string): string =>
  `No split or release has ${symbol}, and no symbol directory covers it: check its spelling.`;

it.each([
  ["QQQQQ", UNKNOWN("QQQQQ")],
  ["BRGHB", `${UNKNOWN("BRGHB")} Did you mean BRGH.B (Brigham Mills Inc.)?`],
  ["ACME.XYZQ", `${UNKNOWN("ACME.XYZQ")} Did you mean ACME (Acme Robotics Inc.)?`],
  ["ACMR", `${UNKNOWN("ACMR")} Did you mean ACME (Acme Robotics Inc.)?`],
  ["HARLY", `${UNKNOWN("HARLY")} Did you mean HARLX (Harlex Foods, Inc.)?`],
  ["ACMR.TO", UNCOVERED("ACMR.TO")],
  ["HARLX", null],
  ["QUIL-A", null],
  ["BRGH/B", null],
])("watch and subscribe accept %s, with the warning %s", async (symbol, warning) => {
  await open(() => [DIRECTORY]);
  for (const line of [`watch ${symbol}`, `subscribe tickers:${symbol}`]) {
    const [card] = (await bench.run(line)).cards;
    expect(card?.warnings).toEqual(warning === null ? [] : [warning]);
  }
  expect(await bench.store.watchlists.of(ALICE)).toHaveLength(1);
});

it.each([
  ["QQQQQ", [UNCOVERED("QQQQQ")]],
  ["BRGHB", [`${UNCOVERED("BRGHB")} Did you mean BRGH.B (Brigham Mills Inc.)?`]],
  ["ACME-T", [`${UNCOVERED("ACME.T")} Did you mean ACME (Acme Robotics Inc.)?`]],
  ["ACME", []],
])("without a directory, watch, subscribe and import warn about %s by the list: %s", async (symbol, warnings) => {
  await open(null);
  for (const line of [`watch ${symbol}`, `subscribe tickers:${symbol}`, `unwatch ${symbol}`, `import ${symbol}`]) {
    const [card] = (await bench.run(line)).cards;
    expect([line, card?.warnings]).toEqual([line, line.startsWith("unwatch") ? [] : warnings]);
  }
});

it("import accepts unknown symbols of the watchlist and of rules, with a warning and a suggestion for each", async () => {
  await open(() => [DIRECTORY]);
  const text = JSON.stringify({
    splitwatch: 1,
    watchlist: ["ACME", "HARLY"],
    rules: [{ tickers: ["QQQQQ", "QUIL-A"] }],
  });
  const [card] = (await bench.run(`import text:${text}`, IN_DIRECT_MESSAGE)).cards;
  expect(card?.warnings).toEqual([`${UNKNOWN("HARLY")} Did you mean HARLX (Harlex Foods, Inc.)?`, UNKNOWN("QQQQQ")]);
  expect(card?.title).toContain("2 tickers and 1 rule");
});

it("names the first unknown symbols of a long list one by one, and the others in one warning", async () => {
  await open(() => [DIRECTORY]);
  const tickers = Array.from({ length: 20 }, (_, index) => `QQ${String.fromCharCode(65 + index)}Z`);
  const [card] = (await bench.run(`import ${tickers.join(" ")}`)).cards;
  expect(card?.warnings).toHaveLength(16);
  expect(card?.warnings.at(-1)).toMatch(/^Also unknown: QQPZ, /);
});

it("has no warning before the first list", async () => {
  bench = await openCommandBench();
  await bench.seed({ header: { splitsKnown: false } });
  const [card] = (await bench.run("watch QQQQQ")).cards;
  expect(card?.warnings).toEqual([]);
});
