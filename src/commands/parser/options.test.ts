import { describe, expect, it } from "vitest";
import { day, exchange } from "../../../test/support/builders.ts";
import { articles } from "../articles.ts";
import type { Command } from "../command.ts";
import { list } from "../list.ts";
import { settings } from "../settings.ts";
import { show } from "../show.ts";
import { status } from "../status.ts";
import { subscribe } from "../subscribe.ts";
import { unsubscribe } from "../unsubscribe.ts";
import { watch } from "../watch.ts";
import { type ReadOptions, readOptions } from "./options.ts";
import { readCommandLine } from "./words.ts";

const VOCABULARY = { exchanges: [exchange("XETRA")], today: day("2026-03-02") };

function read(command: Command, line: string): ReadOptions {
  return readOptions(command, readCommandLine(`x ${line}`).words, VOCABULARY);
}

type Cases = readonly (readonly [Command, string, Readonly<Record<string, unknown>>])[];

describe("options that are understood", () => {
  const exchanges: Cases = [
    [list, "", {}],
    [list, "exchange:NASDAQ", { exchange: ["NASDAQ"] }],
    [list, "EXCHANGES = nasdaq", { exchange: ["NASDAQ"] }],
    [list, "NYSE American", { exchange: ["NYSEAMERICAN"] }],
    [list, "exchange:NYSE American when:today", { exchange: ["NYSEAMERICAN"], when: "today" }],
    [list, "exchange:nyse,american", { exchange: ["NYSE", "NYSEAMERICAN"] }],
    [list, "new york stock exchange, The Nasdaq Capital Market", { exchange: ["NYSE", "NASDAQ"] }],
    [list, 'exchange:"NYSE Arca" today', { exchange: ["NYSEARCA"], when: "today" }],
    [list, "today exchange:OTC Pink", { exchange: ["OTC"], when: "today" }],
    [list, "exchange NYSE week", { exchange: ["NYSE"], when: "week" }],
    [list, "nasdaq and nyse", { exchange: ["NASDAQ", "NYSE"] }],
    [list, "nasdaq nasdaq", { exchange: ["NASDAQ"] }],
    [list, "xetra", { exchange: ["XETRA"] }],
    [list, "WHEN:All page:2", { when: "all", page: 2 }],
    [list, "2", { page: 2 }],
  ];
  const tickers: Cases = [
    [show, "acme", { ticker: "ACME" }],
    [show, "$acme", { ticker: "ACME" }],
    [show, "ticker:ACME", { ticker: "ACME" }],
    [show, "tickers:ACME", { ticker: "ACME" }],
    [show, "symbol: brk.b", { ticker: "BRK.B" }],
    [show, "(NASDAQ: ACME)", { ticker: "ACME" }],
    [show, "`ACME`.", { ticker: "ACME" }],
    [show, "*ACME*", { ticker: "ACME" }],
    [show, "<http://ABC.AI|ABC.AI>", { ticker: "ABC.AI" }],
    [show, "ACME acme", { ticker: "ACME" }],
    [watch, "acme, globx;inite\n$zed", { tickers: { tickers: ["ACME", "GLOBX", "INITE", "ZED"], refused: [] } }],
    [watch, "tickers:ACME GLOBX", { tickers: { tickers: ["ACME", "GLOBX"], refused: [] } }],
    [watch, "ACME and GLOBX & ZED", { tickers: { tickers: ["ACME", "GLOBX", "ZED"], refused: [] } }],
    [watch, "$AND", { tickers: { tickers: ["AND"], refused: [] } }],
    [watch, "ACME ??? toolongname ACME", { tickers: { tickers: ["ACME"], refused: ["???", "toolongname"] } }],
  ];
  const days: Cases = [
    [articles, "from:2026-01-01 to:today", { from: "2026-01-01", to: "2026-03-02" }],
    [articles, "since:yesterday", { from: "2026-03-01" }],
    [articles, "from 2026-01-01 to 2026-02-01", { from: "2026-01-01", to: "2026-02-01" }],
    [articles, "acme 2026-01-01 2026-02-01", { ticker: "ACME", from: "2026-01-01", to: "2026-02-01" }],
    [articles, "PR Newswire", { source: ["prnewswire"] }],
    [articles, "sources: Business Wire, GlobeNewswire", { source: ["businesswire", "globenewswire"] }],
    [articles, "wire:gnw acme", { source: ["globenewswire"], ticker: "ACME" }],
  ];
  const rules: Cases = [
    [subscribe, "minratio:20", { minratio: 20 }],
    [subscribe, "minratio:1-for-20", { minratio: 20 }],
    [subscribe, "minratio:1:20", { minratio: 20 }],
    [subscribe, "minratio:1 for 20", { minratio: 20 }],
    [subscribe, "min-ratio=7.7", { minratio: 7.7 }],
    [subscribe, "minratio:1:2,400", { minratio: 2400 }],
    [subscribe, "1-for-20", { minratio: 20 }],
    [subscribe, "exclude:OTC,BAD", { exclude: { exchanges: ["OTC"], tickers: ["BAD"] } }],
    [
      subscribe,
      "exclude: BAD OTC NYSE American",
      { exclude: { exchanges: ["OTC", "NYSEAMERICAN"], tickers: ["BAD"] } },
    ],
    [subscribe, "except:OTC NASDAQ", { exclude: { exchanges: ["OTC", "NASDAQ"], tickers: [] } }],
    [subscribe, "events: announced, Canceled reminders", { events: ["announced", "cancelled", "reminder"] }],
    [subscribe, "all", { events: ["all"] }],
    [subscribe, "events:early", { events: ["early"] }],
    [subscribe, "event:default article", { events: ["default", "article"] }],
    [subscribe, "fractional:round up,cash", { fractional: ["round_up", "cash_in_lieu"] }],
    [subscribe, "fractions: Cash in lieu", { fractional: ["cash_in_lieu"] }],
    [subscribe, "tickers:ACME GLOBX NASDAQ", { tickers: ["ACME", "GLOBX"], exchange: ["NASDAQ"] }],
    [subscribe, "nasdaq acme announced", { exchange: ["NASDAQ"], tickers: ["ACME"], events: ["announced"] }],
    [subscribe, "mention:@traders exchange:NYSE", { mention: "@traders", exchange: ["NYSE"] }],
    [unsubscribe, "2", { rule: [2] }],
    [unsubscribe, "#2", { rule: [2] }],
    [unsubscribe, "rule 2", { rule: [2] }],
    [unsubscribe, "rules:1,3 5", { rule: [1, 3, 5] }],
    [unsubscribe, "number:2", { rule: [2] }],
    [unsubscribe, "ALL", { rule: "all" }],
    [unsubscribe, "1 all", { rule: "all" }],
  ];

  const all = [...exchanges, ...tickers, ...days, ...rules];

  it.each(all.map(([command, line, options]) => ({ command, name: command.name, line, options })))(
    "$name $line",
    (given) => {
      const { command, line, options } = given;
      const { options: got, problems } = read(command, line);
      expect(problems).toEqual([]);
      expect(got).toEqual(options);
    },
  );
});

describe("options that are wrong", () => {
  const cases: readonly (readonly [Command, string, RegExp])[] = [
    [list, "exchange:NASDQ", /^exchange: got "NASDQ", expected an exchange such as .* Did you mean NASDAQ\?$/],
    [list, "when:tody", /^when: got "tody", expected one of upcoming, all, today, week\. Did you mean today\?$/],
    [list, "foo", /^Got "foo", expected one of upcoming, all, today, week; or an exchange such as/],
    [list, "exchange:", /^exchange: missing, expected an exchange/],
    [list, "when", /^when: missing, expected one of upcoming, all, today, week\.$/],
    [settings, "digest", /^digest: missing, expected on or off\.$/],
    [list, "exchnge:NYSE", /^Unknown option "exchnge": list takes exchange and when\. Did you mean exchange\?$/],
    [list, "when:today when:week", /^when: got "week", expected only one value; today was already given\.$/],
    [list, "page:0", /^page: got "0", expected a whole number from 1 to 10,000\.$/],
    [list, "page:-1", /^page: got "-1", expected a whole number/],
    [list, "page:two", /^page: got "two", expected a whole number/],
    [show, "", /^ticker: missing, expected a ticker such as ZRVNK or BRK\.B\.$/],
    [show, "12345", /^Got "12345", expected a ticker/],
    [show, "ACME GLOBX", /^ticker: got "GLOBX", expected only one value; ACME was already given\.$/],
    [show, "ticker:ACME,GLOBX", /^ticker: got "GLOBX", expected only one value;/],
    [watch, "", /^tickers: missing, expected tickers/],
    [watch, "??? 123", /^tickers: got "\?\?\?, 123", expected tickers such as/],
    [articles, "from:2026-02-30", /^from: got "2026-02-30", expected a day as YYYY-MM-DD, or today, or yesterday\.$/],
    [articles, "from:03/02/2026", /^from: got "03\/02\/2026", expected a day/],
    [articles, "source:reuters", /^source: got "reuters", expected one or more of prnewswire, /],
    [subscribe, "minratio:0", /^minratio: got "0", expected a number of old shares per new/],
    [subscribe, "minratio:1", /^minratio: got "1", expected/],
    [subscribe, "minratio:0.5", /^minratio: got "0\.5", expected/],
    [subscribe, "minratio:-5", /^minratio: got "-5", expected/],
    [subscribe, "minratio:steep", /^minratio: got "steep", expected/],
    [
      subscribe,
      "events:earlier",
      /^events: got "earlier", expected one or more of announced, .*, article, early, stale, all/,
    ],
    [subscribe, "events:announced,anounced2,foo", /^events: got "anounced2", .* Did you mean announced\?$/],
    [subscribe, "tickers:ACME,!!!", /^tickers: got "!!!", expected tickers/],
    [unsubscribe, "0", /^Got "0", expected rule numbers/],
    [unsubscribe, "one", /^Got "one", expected rule numbers such as 1 or 1,3, or all\.$/],
    [unsubscribe, "-1", /^Got "-1", expected rule numbers/],
    [status, "now", /^Got "now", expected no more values after status\.$/],
    [status, "a:b", /^Unknown option "a": status takes none\.$/],
  ];

  it.each(cases.map(([command, line, problem]) => ({ command, name: command.name, line, problem })))(
    "$name $line",
    (given) => {
      const { command, line, problem } = given;
      expect(read(command, line).problems[0]).toMatch(problem);
    },
  );

  it("are all named at once, beside what was understood", () => {
    const { problems, understood } = read(subscribe, "exchange:NASDQ minratio:zz tickers:ACME foo:bar OTC");
    expect(problems).toHaveLength(3);
    expect(understood).toEqual(["exchange OTC", "tickers ACME"]);
  });

  it("are echoed no longer than can be read", () => {
    expect(read(list, `when:${"x".repeat(5000)}`).problems[0]?.length).toBeLessThan(200);
  });
});
