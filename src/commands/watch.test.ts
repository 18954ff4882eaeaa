import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALICE, aSplit, BOB, GENERAL } from "../../test/support/builders.ts";
import { type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import type { SplitId } from "../domain/split/split.ts";

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
  await bench.seed({ splits: [aSplit()] });
});
afterEach(() => bench.close());

/** The given number of tickers: `T1`, `T2`, … */
function manyTickers(count: number): string {
  return Array.from({ length: count }, (_, index) => `T${index + 1}`).join(" ");
}

describe("watch", () => {
  it("adds tickers in any format, shows the state of each and can be undone", async () => {
    expect(await bench.runAsText("/splits watch acme, $globx")).toBe(
      [
        "You now watch ACME and GLOBX",
        "You'll get a direct message about each of their events.",
        "- ACME | 1-for-20 on Nasdaq, ex date Tue 10 Mar 2026 (in 6 trading days)",
        "- GLOBX | no split listed",
        "! No split or release has GLOBX, and no symbol directory covers it: check its spelling.",
        "(Undo: unwatch ACME GLOBX)",
      ].join("\n"),
    );
    expect(await bench.store.watchlists.of(ALICE)).toEqual(["ACME", "GLOBX"]);
    await bench.run("unwatch ACME GLOBX");
    expect(await bench.store.watchlists.of(ALICE)).toEqual([]);
  });

  it("shows the upcoming splits of every company with the symbol", async () => {
    const oaker = aSplit(
      { ticker: "OAKR", exchange: "NASDAQ", company: "Oaker Pharma, Inc." },
      { id: "OAKR-2" as SplitId },
    );
    const mines = aSplit(
      { ticker: "OAKR", exchange: "TSX", company: "Oakridge Mines Ltd.", ratio: "1:5", exDate: "2026-03-09" },
      { id: "OAKR-1" as SplitId },
    );
    await bench.seed({ splits: [oaker, mines] });
    expect(await bench.runAsText("watch OAKR")).toContain(
      "- OAKR | 1-for-5 on TSX, ex date Mon 9 Mar 2026 (in 5 trading days) · also 1-for-20 on Nasdaq, ex date Tue 10 Mar 2026 (in 6 trading days)",
    );
    expect(await bench.runAsText("watch OAKR.TO")).not.toContain("also");
  });

  it("keeps one list per person, in any destination", async () => {
    await bench.run("watch ACME");
    await bench.run("watch GLOBX", { person: BOB, destination: GENERAL, mayManage: async () => "not you" });
    expect(await bench.store.watchlists.of(ALICE)).toEqual(["ACME"]);
    expect(await bench.store.watchlists.of(BOB)).toEqual(["GLOBX"]);
  });

  it("adds the valid tickers and names the others", async () => {
    const text = await bench.runAsText("watch ACME ??? toolongname");
    expect(text).toContain("You now watch ACME");
    expect(text).toContain('Not valid: "???" and "toolongname".');
    expect(await bench.store.watchlists.of(ALICE)).toEqual(["ACME"]);
  });

  it("names tickers that were already watched, and undoes only new ones", async () => {
    await bench.run("watch ACME");
    const text = await bench.runAsText("watch ACME GLOBX");
    expect(text).toContain("You now watch GLOBX");
    expect(text).toContain("You were already watching ACME.");
    expect(text).toContain("(Undo: unwatch GLOBX)");
    expect(await bench.runAsText("watch ACME")).toContain("You already watch ACME");
  });

  it("accepts at most 500 tickers and names the rejected ones", async () => {
    await bench.run(`watch ${manyTickers(498)}`);
    const text = await bench.runAsText("watch AA BB CC DD");
    expect(text).toContain("You now watch AA and BB");
    expect(text).toContain("Not added: CC and DD. A watchlist can have at most 500 tickers.");
    expect(await bench.runAsText("watch EE")).toContain("Nothing was added: your watchlist is full");
    expect(await bench.store.watchlists.of(ALICE)).toHaveLength(500);
  });

  it("has no undo button for too many tickers and shows only the first", async () => {
    const { cards } = await bench.run(`watch ${manyTickers(30)}`);
    expect(cards[0]?.buttons).toEqual([]);
    expect(cards[0]?.rows).toHaveLength(15);
    expect(cards[0]?.lines).toContain("There are too many tickers for an undo button.");
    expect(cards[0]?.lines).toContain("The first 15 are shown. See them all: /splits watchlist");
  });
});

describe("unwatch", () => {
  it("removes tickers, names those that were not watched, and can be undone", async () => {
    await bench.run("watch ACME");
    expect(await bench.runAsText("unwatch ACME ZZZZ")).toBe(
      ["You no longer watch ACME", "You weren't watching ZZZZ.", "(Undo: watch ACME)"].join("\n"),
    );
    expect(await bench.store.watchlists.of(ALICE)).toEqual([]);
  });

  it("reports that nothing was removed", async () => {
    expect(await bench.runAsText("unwatch ZZZZ")).toBe("You don't watch ZZZZ");
  });

  it("reads all as the ticker ALL, and offers to clear the list if ALL is not watched", async () => {
    await bench.run("watch ACME GLOBX");
    expect(await bench.runAsText("unwatch all")).toBe(
      ["You don't watch ALL", "ALL was read as a ticker.", "(Clear your watchlist: unwatch ACME GLOBX)"].join("\n"),
    );
    await bench.run("watch ALL");
    expect(await bench.runAsText("unwatch all")).toBe(["You no longer watch ALL", "(Undo: watch ALL)"].join("\n"));
    expect(await bench.store.watchlists.of(ALICE)).toEqual(["ACME", "GLOBX"]);
  });
});

describe("watchlist", () => {
  it("shows each ticker with its state", async () => {
    await bench.run("watch GLOBX ACME");
    expect(await bench.runAsText("watchlist")).toBe(
      [
        "You watch 2 tickers",
        "- ACME | 1-for-20 on Nasdaq, ex date Tue 10 Mar 2026 (in 6 trading days)",
        "- GLOBX | no split listed",
      ].join("\n"),
    );
  });

  it.each([
    [
      "missing",
      aSplit({}, { status: "missing" }),
      "1-for-20 on Nasdaq, no longer listed (ex date was Tue 10 Mar 2026)",
    ],
    ["past", aSplit({ exDate: "2026-02-27" }), "1-for-20 on Nasdaq, in effect since Fri 27 Feb 2026"],
  ])("shows the state of a split that is %s", async (_what, split, words) => {
    await bench.seed({ splits: [split] });
    await bench.run("watch ACME");
    expect(await bench.runAsText("watchlist")).toContain(words);
  });

  it("has pages", async () => {
    await bench.run(`watch ${manyTickers(16)}`);
    expect(await bench.runAsText("watchlist")).toContain("(Next: watchlist page:2)");
    expect((await bench.run("watchlist page:2")).cards[0]?.rows).toHaveLength(1);
  });

  it("explains how to add tickers if it is empty", async () => {
    expect(await bench.runAsText("watchlist")).toContain("/splits watch ZRVNK");
  });
});
