import { afterEach, expect, it } from "vitest";
import { ALICE, aSplit, exchange, ticker } from "../../test/support/builders.ts";
import { type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import type { LiveSourcesInfo } from "./context.ts";

const DIRECTORY = new Map([
  [ticker("HARLX"), { company: "Harlex Foods, Inc. - Common Stock", exchange: exchange("NASDAQ") }],
  [ticker("QUIL.A"), { company: "Quillan Mills Inc.", exchange: exchange("NYSE") }],
]);

let bench: CommandBench;
afterEach(() => bench.close());

async function open(directories: LiveSourcesInfo["directories"] | null): Promise<void> {
  const live: LiveSourcesInfo | null = directories && {
    health: () => [],
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

it.each([
  ["QQQQQ", UNKNOWN("QQQQQ")],
  ["BRGHB", `${UNKNOWN("BRGHB")} Did you mean BRGH.B (Brigham Mills Inc.)?`],
  ["ACME.XYZQ", `${UNKNOWN("ACME.XYZQ")} Did you mean ACME (Acme Robotics Inc.)?`],
  ["ACMR", `${UNKNOWN("ACMR")} Did you mean ACME (Acme Robotics Inc.)?`],
  ["HARLY", `${UNKNOWN("HARLY")} Did you mean HARLX (Harlex Foods, Inc.)?`],
  ["ACMR.TO", null],
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
  ["QQQQQ", []],
  ["BRGHB", ["BRGHB isn't listed. Did you mean BRGH.B (Brigham Mills Inc.)?"]],
  ["ACME-T", ["ACME.T isn't listed. Did you mean ACME (Acme Robotics Inc.)?"]],
])("without a directory, %s has a warning only if a similar symbol is listed", async (symbol, warnings) => {
  await open(null);
  const [card] = (await bench.run(`watch ${symbol}`)).cards;
  expect(card?.warnings).toEqual(warnings);
});
