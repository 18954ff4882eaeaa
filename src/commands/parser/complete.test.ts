import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aSplit } from "../../../test/support/builders.ts";
import { type CommandBench, IN_GENERAL, openCommandBench } from "../../../test/support/command-bench.ts";

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
  await bench.seed({
    splits: [
      aSplit({ ticker: "GLOBX", company: "Globex Foods AG", exDate: "2026-03-12", exchange: "XETRA" }),
      aSplit({ ticker: "ACME", exDate: "2026-03-10" }),
      aSplit({ ticker: "DONE", company: "Done Deal Corp." }, { status: "closed" }),
    ],
  });
  await bench.run("watch ZED GLOBX");
  await bench.run("subscribe");
  await bench.run("subscribe nasdaq");
});
afterEach(() => bench.close());

async function linesFor(typed: string): Promise<readonly string[]> {
  return (await bench.commands.complete(typed, IN_GENERAL)).map(({ line }) => line);
}

it.each([
  ["l", ["list"]],
  ["/splits SUB", ["subscribe", "subscriptions"]],
  ["unsubscibe", ["unsubscribe"]],
  ["xyzzy", []],
  ["show ", ["show GLOBX", "show ZED", "show ACME", "show ticker:"]],
  ["show a", ["show ACME"]],
  ["show $a", ["show ACME"]],
  ["watch ZED, a", ["watch ZED, ACME"]],
  ["watch ZED ", ["watch ZED GLOBX", "watch ZED ACME", "watch ZED tickers:"]],
  ["watch tickers:ACME,g", ["watch tickers:ACME,GLOBX"]],
  ["unwatch ", ["unwatch GLOBX", "unwatch ZED", "unwatch tickers:"]],
  ["list ", ["list exchange:", "list when:"]],
  ["list when:today ", ["list when:today exchange:"]],
  [
    "list when:",
    ["upcoming", "all", "today", "tomorrow", "week", "2026-03-10", "2026-03-12"].map((when) => `list when:${when}`),
  ],
  ["list when:2026-03-12", ["list when:2026-03-12"]],
  ["list WHEN:t", ["list when:today", "list when:tomorrow"]],
  ["list exchange:NYSE,NYSEA", ["list exchange:NYSE,NYSEAMERICAN", "list exchange:NYSE,NYSEARCA"]],
  ["list exchange:x", ["list exchange:XETRA"]],
  ["articles from:", ["articles from:today", "articles from:yesterday"]],
  ["articles source:g", ["articles source:globenewswire"]],
  ["subscribe events:announced,c", ["subscribe events:announced,changed", "subscribe events:announced,cancelled"]],
  ["subscribe minratio:", []],
  ["subscribe exclude:AC", ["subscribe exclude:ACME"]],
  ["unsubscribe ", ["unsubscribe 1", "unsubscribe 2", "unsubscribe all", "unsubscribe rule:"]],
  ["calc ", ["calc GLOBX", "calc ZED", "calc ACME", "calc ticker:", "calc ratio:", "calc shares:"]],
  ["calc 150 a", ["calc 150 ACME"]],
  ["calc shares:150 ticker:g", ["calc shares:150 ticker:GLOBX"]],
  ["calc ratio:", []],
  ["help su", ["help subscribe", "help subscriptions"]],
  ["status ", []],
  ["nonsense ", []],
  ["show glo", ["show GLOBX"]],
  ["show globex f", ["show GLOBX"]],
  ["show robotics", ["show ACME"]],
  ["show ticker:acme rob", ["show ticker:ACME"]],
  ["watch ZED, globex fo", ["watch ZED, GLOBX"]],
  ["watch ZED globex fo", ["watch ZED GLOBX"]],
  ["subscribe exclude:OTC,done d", ["subscribe exclude:OTC,DONE"]],
  ["unwatch acme", []],
  ["unwatch globex fo", ["unwatch GLOBX"]],
  ["globex", ["show GLOBX"]],
  ["acme rob", ["show ACME"]],
  ["$ac", ["show ACME"]],
])("%j is completed with %j", async (typed, lines) => {
  expect(await linesFor(typed)).toEqual(lines);
});

it.each([
  ["", ["GLOBX", "ZED", "ACME"]],
  ["AC", ["ACME"]],
  ["ACME, G", ["ACME,GLOBX"]],
  [" ACME G", ["ACME,GLOBX"]],
  ["ACME ; ", ["ACME,GLOBX", "ACME,ZED"]],
  ["acme rob", ["ACME"]],
  ["ZED, globex f", ["ZED, GLOBX"]],
])("the text %j of one option is completed with %j", async (text, values) => {
  const typed = { command: "watch", option: "tickers", text };
  const suggestions = await bench.commands.completeValue(typed, IN_GENERAL);
  expect(suggestions.map(({ value }) => value)).toEqual(values);
});

it.each([
  ["show harl-", ["show HARL.A"]],
  ["show HARL/A", ["show HARL.A"]],
  ["show NYSE:HARL-A", ["show HARL.A"]],
  ["show mapl.v", ["show MAPL"]],
  ["watch TSX-V:MAPL", ["watch MAPL"]],
  ["harl/", ["show HARL.A"]],
])("another spelling of a symbol in %j is completed with %j", async (line, lines) => {
  await bench.seed({
    splits: [
      aSplit({ ticker: "HARL.A", exchange: "NYSE", company: "Quillan Mills Inc." }),
      aSplit({ ticker: "MAPL", exchange: "TSXV", company: "Brigham Lithium Corp." }),
    ],
  });
  const suggestions = await bench.commands.complete(line, IN_GENERAL);
  expect(suggestions.map((suggestion) => suggestion.line)).toEqual(lines);
});

it("keeps the words of a single value together", async () => {
  const typed = { command: "settings", option: "timezone", text: "new y" };
  const suggestions = await bench.commands.completeValue(typed, IN_GENERAL);
  expect(suggestions.map(({ value }) => value)).toEqual(["America/New_York"]);
});

it("offers all commands for an empty line, with a trailing space if they require options", async () => {
  const lines = await linesFor("");
  expect(lines).toHaveLength(bench.commands.list.length);
  expect(lines.slice(0, 4)).toEqual(["list", "show ", "articles", "watch "]);
});

it("explains each suggestion", async () => {
  const [first] = await bench.commands.complete("unsubscribe 2", IN_GENERAL);
  expect(first).toEqual({
    line: "unsubscribe 2",
    label: "2",
    hint: "Alerts when a split is announced, changed, postponed, cancelled, no longer listed, listed again or in effect; on Nasdaq.",
  });
});

it("offers the next ex dates of listed splits, with their tickers, and further ones as they are typed", async () => {
  const days = Array.from({ length: 25 }, (_, index) => `2026-03-${String(index + 5).padStart(2, "0")}`);
  const splits = [
    aSplit({ ticker: "PAST", exDate: "2026-02-27" }),
    aSplit({ ticker: "GONE", exDate: "2026-03-03" }, { status: "missing" }),
    ...days.map((exDate, index) => aSplit({ ticker: `T${index}`, exDate })),
    aSplit({ ticker: "TOO", exDate: "2026-03-05" }),
  ];
  await bench.seed({ splits: splits.toReversed() });
  const offered = await bench.commands.complete("list when:2", IN_GENERAL);
  expect(offered.map(({ label }) => label)).toEqual(days.slice(0, 10));
  expect(offered[0]?.hint).toBe("Thu 5 Mar 2026: T0 and TOO");
  expect(await linesFor("list when:2026-03-2")).toEqual(days.slice(15).map((day) => `list when:${day}`));
});

it("reads the watchlist once, however many words precede a company's name", async () => {
  const reads = vi.spyOn(bench.store.watchlists, "of");
  expect(await linesFor("watch here are five other words globex fo")).toEqual([
    "watch here are five other words GLOBX",
  ]);
  expect(reads).toHaveBeenCalledTimes(1);
  await linesFor("watch here are five other unknown words");
  expect(reads).toHaveBeenCalledTimes(2);
});

it("has fewer suggestions for a long line, so that the answer stays short", async () => {
  await bench.seed({ splits: Array.from({ length: 40 }, (_, index) => aSplit({ ticker: `T${index}` })) });
  expect(await linesFor("watch ACME,")).toHaveLength(20);
  for (const words of [50, 500, 570, 572, 10_000]) {
    const line = `watch ${"ABCDE, ".repeat(words)}`;
    const lines = await linesFor(line);
    expect(lines.length > 0).toBe(line.length <= 4_000);
    expect(lines.join("").length).toBeLessThan(21_000);
  }
});
