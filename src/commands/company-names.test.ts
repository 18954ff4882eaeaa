import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALICE, aSplit, GENERAL, ticker } from "../../test/support/builders.ts";
import { type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import { growthFactor } from "../../test/support/timing.ts";
import type { LiveSourcesInfo } from "./context.ts";

const SPLITS = [
  aSplit({ ticker: "ZRVNK", company: "Zorvane Robotics, Inc." }),
  aSplit({ ticker: "ACMF", company: "Acme Foods Corp.", exDate: "2026-03-12" }),
  aSplit({ ticker: "ACMR", company: "Acme Robotics Inc." }),
  aSplit({ ticker: "ON", company: "Onward Semiconductor Ltd." }),
];

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
  await bench.seed({ splits: SPLITS });
});
afterEach(() => bench.close());

async function titleOf(line: string): Promise<string> {
  return (await bench.run(line)).cards[0]?.title ?? "";
}

describe("a company name", () => {
  it.each([
    ["show Zorvane", /^ZRVNK 1-for-20 reverse split/],
    ["show zorvane robotics", /^ZRVNK/],
    ["show Zorvane Robotics, Inc.", /^ZRVNK/],
    ["show ticker:zorvane", /^ZRVNK/],
    ["show the acme foods", /^ACMF/],
    ["show me onward", /^ON 1-for-20/],
    ["calc zorvane 150", /^150 ZRVNK shares/],
    ["calc 150 shares of Acme Foods", /^150 ACMF shares/],
    ["why zorvane", /ZRVNK/],
    ["articles acme foods", /ACMF/],
    ["watch zorvane, acme foods", /^You now watch ACMF and ZRVNK|^You now watch ZRVNK and ACMF/],
    ["watch Acme Foods Corp. ON", /^You now watch ACMF and ON/],
    ["unwatch zorvane", /^You don't watch ZRVNK/],
  ])("works where a ticker does: %s", async (line, title) => {
    expect(await titleOf(line)).toMatch(title);
  });

  it("sets the tickers of a rule", async () => {
    await bench.run("subscribe to zorvane robotics exclude:acme foods");
    const [rule] = await bench.store.rules.at(GENERAL);
    expect(rule).toMatchObject({ tickers: ["ZRVNK"], excludeTickers: ["ACMF"] });
  });

  it("of several companies is asked about, with a button for each", async () => {
    const text = await bench.runAsText("calc acme 150");
    expect(text).toContain('ticker: "acme" names several companies. Did you mean Acme Foods Corp. (ACMF) or');
    expect(text).toContain("(Calc ACMR: calc ticker:ACMR shares:150)");
    expect(await titleOf("calc ticker:ACMR shares:150")).toMatch(/^150 ACMR shares/);
  });

  it("is offered if only its beginning was typed", async () => {
    const text = await bench.runAsText("show zorva");
    expect(text).toContain("Did you mean Zorvane Robotics, Inc. (ZRVNK)?");
    expect(text).toContain("(Show ZRVNK: show ticker:ZRVNK)");
    expect(await titleOf("show $zorva")).toBe("No reverse split of ZORVA is known");
  });
});

describe("a word that is no known ticker", () => {
  it.each([
    "watch apple computer",
    "watch zrvnk apple",
    "subscribe to nasdq",
    "subscribe tickers:apple",
    "watch robotics",
  ])("is not taken for one: %s", async (line) => {
    const before = await bench.state();
    expect(await titleOf(line)).toMatch(/^Couldn't run "(watch|subscribe)"\. Nothing was changed\.$/);
    expect(await bench.state()).toBe(before);
  });

  it("is taken for one with a dollar sign, in capitals, and by the button", async () => {
    const text = await bench.runAsText("watch zrvnk apple");
    expect(text).toContain(`tickers: "apple" isn't a known ticker or company. To use it as a ticker, write $APPLE.`);
    const [confirm = ""] = /watch tickers:\S+(?=\))/.exec(text) ?? [];
    expect(confirm).toBe("watch tickers:ZRVNK,$APPLE");
    await bench.run(confirm);
    await bench.run("watch GLOBX");
    await bench.run("watch $brk.b");
    expect(await bench.store.watchlists.of(ALICE)).toEqual(["APPLE", "BRK.B", "GLOBX", "ZRVNK"]);
  });

  it("is searched among all listed companies", async () => {
    const listed = new Map([
      [ticker("AAPL"), { company: "Apple Inc. - Common Stock", exchange: null }],
      [ticker("APLE"), { company: "Apple Hospitality REIT, Inc.", exchange: null }],
      [ticker("MSFT"), { company: "Microsoft Corporation - Common Stock", exchange: null }],
    ]);
    const live: LiveSourcesInfo = {
      statuses: () => [],
      splitOf: () => null,
      listingProblems: () => [],
      labelOf: (source) => source,
      directories: () => [listed],
    };
    const base = { id: "live", name: "live sources", sample: false, notes: () => [], problem: () => null };
    const withDirectory = await openCommandBench({ source: { ...base, releaseText: () => null, live } });
    expect(await withDirectory.runAsText("watch apple computer")).toContain("(Watch AAPL: watch tickers:AAPL)");
    expect(await withDirectory.runAsText("watch microsoft")).toMatch(/^You now watch MSFT/);
    expect(await withDirectory.runAsText("watch aapl")).toMatch(/^You now watch AAPL/);
    const repeated = await withDirectory.runAsText(`watch ${"qqqq, ".repeat(300)}apple`);
    expect(repeated).toContain("And 294 more problems.");
    expect(await withDirectory.runAsText("apple")).toMatch(/AAPL/);
    expect(await withDirectory.runAsText("microsoft")).toMatch(/^No reverse split of MSFT is known/);
    await withDirectory.close();
  });
});

describe("a bare ticker or company name", () => {
  it.each([
    "zrvnk",
    "ZRVNK",
    "$zrvnk",
    "zorvane",
    "Zorvane Robotics, Inc.",
    "/splits zorvane",
    "NASDAQ:ZRVNK",
    "nasdaq: zrvnk",
    "(NYSE American: ZRVNK)",
  ])("is shown: %s", async (line) => {
    const answer = await bench.run(line);
    expect(answer.cards[0]?.title).toMatch(/^ZRVNK 1-for-20/);
    expect(answer.command?.name).toBe("show");
    expect(
      (await bench.commands.runPublicly(line, { person: ALICE, destination: GENERAL, mayManage: async () => true }))
        .shareable,
    ).toBe(true);
    expect(bench.ran).toEqual(["show ok", "show ok"]);
  });

  it("in capitals is a ticker even if it isn't known", async () => {
    expect(await titleOf("MSFT")).toBe("No reverse split of MSFT is known");
  });

  it("in lower case is offered as a ticker if it isn't known", async () => {
    const { cards } = await bench.run("msft");
    expect(cards[0]?.title).toBe('Unknown command "msft"');
    expect(cards[0]?.lines[0]).toBe("No known company has this ticker or name. If it's a ticker: /splits show MSFT");
    expect(await titleOf(cards[0]?.buttons[0]?.command ?? "")).toBe("No reverse split of MSFT is known");
    expect(await bench.runAsText("no such words")).not.toContain("If it's a ticker");
  });

  it.each(["lst", "LST", "xyzzy", "NASDAQ:", "?!", "exchange:ZRVNK", "robotics and more", "x".repeat(5_000)])(
    "isn't %j",
    async (line) => {
      expect((await bench.run(line)).command).toBeUndefined();
    },
  );
});

describe("list", () => {
  it.each(["list this week", "list next 7 days", "list tomorrow", "list today", "list week"])(
    "answers %s",
    async (line) => {
      expect((await bench.run(line)).command?.name).toBe("list");
    },
  );

  it.each(["tomorrow", "splits tomorrow", "nasdaq week"])("is suggested for its options alone: %s", async (line) => {
    const [card] = (await bench.run(line)).cards;
    expect(card?.lines[0]).toBe(`Did you mean list ${line.replace("splits ", "")}?`);
    expect((await bench.run(card?.buttons[0]?.command ?? "")).command?.name).toBe("list");
  });

  it.each([
    ["what splits tomorrow", "list when:tomorrow"],
    ["which reverse splits are on NASDAQ this week", "list exchange:NASDAQ when:week"],
    ["any splits on 2026-03-10?", "list when:2026-03-10"],
    ["when does ZRVNK split", "show ZRVNK"],
    ["news about $zrvnk please", "show ZRVNK"],
    ["how many shares will I get of ZRVNK", "show ZRVNK"],
    ["notify me about ZRVNK", "watch ZRVNK"],
    ["add MSFT please", "watch MSFT"],
    ["remove ZRVNK", "unwatch ZRVNK"],
    ["what splits next week", "list when:nextweek"],
  ])("is suggested, or a split, for a sentence: %s", async (line, suggestion) => {
    const { cards, command } = await bench.run(line);
    expect([command, cards[0]?.lines[0]]).toEqual([undefined, `Did you mean ${suggestion}?`]);
    expect(cards[0]?.buttons[0]?.command).toBe(suggestion);
    expect((await bench.run(suggestion)).command?.name).toBe(suggestion.split(" ")[0]);
  });

  it.each([
    "delete all my data",
    "what is a reverse split",
    "does ZRVNK or ACMR split",
    "buy MSFT today",
    "TURN THE SPLITS ON",
    "which splits in the next 5 days",
    "splits 1 for 10",
    "are there splits today or tomorrow",
  ])("isn't suggested for %s", async (line) => {
    expect(JSON.stringify((await bench.run(line)).cards)).not.toContain("Did you mean");
  });

  it("takes time linear in the length of an unknown line", async () => {
    expect(await growthFactor((size) => bench.run(`${"!".repeat(size)}x`), 4_900)).toBeLessThan(8);
  });

  it("names the next ex date if the days have none", async () => {
    expect(await bench.runAsText("list tomorrow")).toContain(
      "The next ex date is Tue 10 Mar 2026 (in 6 trading days): ACMR, ON and ZRVNK.",
    );
    expect(await bench.runAsText("list 2026-02-28")).toBe(
      [
        "No reverse splits with an ex date on Sat 28 Feb 2026",
        "The US exchanges are closed on Sat 28 Feb 2026.",
        "The next ex date is Tue 10 Mar 2026 (in 6 trading days): ACMR, ON and ZRVNK.",
        (await bench.runAsText("list tomorrow")).split("\n").at(-1),
      ].join("\n"),
    );
    expect(await bench.runAsText("list 2026-03-11")).toContain("The next ex date is Thu 12 Mar 2026");
    expect(await bench.runAsText("list 2026-02-30")).toContain('Got "2026-02-30", expected one of upcoming, all');
    await bench.clock.advance(4 * 86_400_000);
    expect(await bench.runAsText("list tomorrow")).toContain("The US exchanges are closed tomorrow.");
  });

  it("explains an exchange that isn't covered", async () => {
    const text = await bench.runAsText("list exchange:LSE");
    expect(text).toContain('exchange: got "LSE", expected one or more of NASDAQ, NYSE');
    expect(text).toContain("splitwatch has no splits of the London Stock Exchange.");
    expect(text).not.toContain("Did you mean");
    expect(await bench.runAsText("list london")).toContain("London Stock Exchange");
  });
});
