import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays } from "../../../src/domain/time/day.ts";
import { ALICE, aKnownArticle, aRule, aSplit, day, GENERAL, ticker } from "../../support/builders.ts";
import {
  announcedEvent,
  type CommandBench,
  IN_DIRECT_MESSAGE,
  IN_GENERAL,
  openCommandBench,
} from "../../support/command-bench.ts";
import { StallTable } from "../../support/stall.ts";
import { ARTICLES, repeat, SPLITS, symbol } from "./input.ts";

const RULES = 5_000;
const EVENTS = 2_000;
const WATCHED = 500;

const MAX_LINE = 3_980;
const MAX_IMPORT = 1_000_000;
const MAX_OPTION = 4_000;

const PIECES = [
  ["scope:me ", "a:", "tickers:A ", "A,", "A ", '"', "'", "'a ", '"a" ', "1,000,", "1 : ", "a : ", "<http://", "(("],
  ["<http://a|", "<http://a>", "$", "\u200b", "\u{1F4A5}", "rule 1 ", "and ", "NASDAQ: A ", "NYSE American ", "9"],
  ["timezone:new york ", "quiet:22:00-07:00 ", "for:1 day ", "1-for-20 ", "150 shares ", "events:announced ", "\n"],
  [";", "=", "/", "-", ".", "*_~", "!!", "ACME..", "é", "İ", "ß", "\u0000", "a_", "[", "}", "file:", "``` ", "[{", "#"],
].flat();

const table = new StallTable();

afterAll(() => table.print());

function inBatches(count: number, run: (n: number) => Promise<unknown>): Promise<unknown> {
  const workers = Array.from({ length: 64 }, async (_, first) => {
    for (let n = first; n < count; n += 64) await run(n);
  });
  return Promise.all(workers);
}

describe("commands", () => {
  let bench: CommandBench;

  beforeAll(async () => {
    bench = await openCommandBench();
    const splits = Array.from({ length: SPLITS }, (_, n) =>
      aSplit({ ticker: symbol(n), exDate: addDays(day("2026-03-03"), n % 60), company: `Company ${n} Inc.` }),
    );
    const articles = Array.from({ length: ARTICLES }, (_, n) =>
      aKnownArticle({
        url: `https://wire.example/${n}`,
        published: addDays(day("2026-01-05"), n % 55),
        concerns: [{ ticker: ticker(symbol(n % SPLITS)), exchange: null }],
      }),
    );
    await bench.seed({ splits, articles });
    await bench.commit(
      splits
        .slice(0, 1)
        .flatMap((split) =>
          Array.from({ length: EVENTS }, (_, n) =>
            announcedEvent(split, { id: `${split.id}.${n}` as never, at: bench.clock.now() - n * 60_000 }),
          ),
        ),
    );
    await inBatches(RULES, (n) =>
      bench.store.rules.add(
        aRule({ tickers: [ticker(symbol(n))], destination: { ...GENERAL, id: `channel-${n % 2_000}` } }),
      ),
    );
    for (let n = 0; n < 20; n += 1) await bench.store.rules.add(aRule({ tickers: [ticker(symbol(n))] }));
    await bench.store.watchlists.add(
      ALICE,
      Array.from({ length: WATCHED }, (_, n) => ticker(symbol(n))),
    );
  });

  afterAll(() => bench.close());

  async function line(name: string, text: string, call = IN_GENERAL): Promise<void> {
    await table.measure(`command ${name}`, text.length, () => bench.run(text, call));
  }

  async function completion(name: string, text: string): Promise<void> {
    await table.measure(`completion ${name}`, text.length, () => bench.commands.complete(text, IN_GENERAL));
  }

  it("with the largest state don't block the event loop", async () => {
    const first = symbol(0);
    const lines = ["list", "list when:all page:60", `show ${first}`, "articles", "articles page:999", "calendar"];
    lines.push(`articles ticker:${first}`, `why ${first}`, `why ${first} page:400`, "status", "watchlist", "export");
    lines.push(
      "subscriptions",
      "export scope:channel",
      `calc ${first} 100`,
      "subscribe tickers:ZZZ",
      "unsubscribe all",
    );
    lines.push("mute 2h", "test", "settings", "help");
    for (const text of lines) await line(text, text);
    const many = Array.from({ length: WATCHED }, (_, n) => symbol(n + 600)).join(" ");
    await line("watch with 500 tickers", `watch ${many}`, IN_DIRECT_MESSAGE);
    await table.measure("side panel", 0, () => bench.screens.overview(GENERAL));
    await table.measure("home page", 0, () => bench.screens.home(IN_DIRECT_MESSAGE));
    for (const text of ["", "show ", "watch A", "subscribe exclude:", "settings timezone:", "list exchange:"])
      await completion(JSON.stringify(text), text);
    await line("forget", "forget");
    expect(table.takeLong()).toEqual([]);
  });

  it("of 500 people at the same time don't block the event loop", async () => {
    for (const text of ["watch", "unwatch"]) {
      const lineOf500 = `${text} ${symbol(0)} ${symbol(1)} ${symbol(2)}`;
      const calls = Array.from({ length: 500 }, (_, n) => ({ ...IN_GENERAL, person: { ...ALICE, id: `person-${n}` } }));
      await table.measure(`500 times ${text} at the same time`, calls.length, () =>
        Promise.all(calls.map((call) => bench.run(lineOf500, call))),
      );
      await table.measure(`500 times ${text} at the same time, in the store`, calls.length, () =>
        Promise.all(
          calls.map(({ person }) =>
            bench.store.watchlists[text === "watch" ? "add" : "remove"](person, [ticker(symbol(3))]),
          ),
        ),
      );
    }
    expect(table.takeLong()).toEqual([]);
  });

  it("with hostile text don't block the event loop", async () => {
    for (const { name } of [...bench.commands.list, { name: "" }])
      for (const piece of PIECES) {
        const label = `${name} ${JSON.stringify(piece)}`;
        const max = name === "import" ? MAX_IMPORT : MAX_LINE;
        await line(label, `${name} ${repeat(piece, max)}`);
        await completion(label, `${name} ${repeat(piece, MAX_LINE)}`);
      }
    expect(table.takeLong()).toEqual([]);
  });

  it("with hostile typed options don't block the event loop", async () => {
    for (const { name, options } of bench.commands.list)
      for (const option of Object.keys(options))
        for (const piece of PIECES) {
          const values = { [option]: repeat(piece, MAX_OPTION) };
          await table.measure(`option ${name} ${option} ${JSON.stringify(piece)}`, MAX_OPTION, () =>
            bench.commands.run({ name, values }, IN_GENERAL),
          );
        }
    expect(table.takeLong()).toEqual([]);
  });

  it("with the largest imported texts don't block the event loop", async () => {
    const rules = `{"splitwatch":1,"rules":[{"tickers":["A"${',"A"'.repeat(5_990)}]}${",{}".repeat(900)}]}`;
    const invalid = `{"splitwatch":1,"rules":[{"tickers":[1${",1".repeat(5_990)}]}]}`;
    const texts = [`["A"${',"A"'.repeat(49_990)}]`, `[1${",1".repeat(490_000)}]`, rules, invalid];
    texts.push(`${" #".repeat(490_000)}\u2028A`, `${"!".repeat(990_000)}A`, "a\t".repeat(490_000), "İ".repeat(990_000));
    for (const text of texts) await line(`import ${text.slice(0, 30)}`, `import ${text}`);
    expect(table.takeLong()).toEqual([]);
  });
});
