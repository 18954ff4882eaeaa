import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { anyDay, anyExchange, anyRuleFilter, anyTicker } from "../../../test/support/any-rule.ts";
import { day, exchange } from "../../../test/support/builders.ts";
import { EVENT_KINDS } from "../../domain/alert/event.ts";
import { TREATMENTS } from "../../domain/article/article.ts";
import { WIRES } from "../../domain/article/wire.ts";
import { DEFAULT_CHANNEL_EVENTS, SPLIT_AND_RELEASE_EVENTS } from "../../domain/settings/rule.ts";
import {
  filterFromOptions,
  optionsFromFilter,
  RULE_FILTERS,
  type RuleOption,
  type RuleOptions,
} from "../../domain/settings/rule-filters.ts";
import { MAX_MUTE_MS } from "../../domain/settings/setting-values.ts";
import { ratioOfIntegers } from "../../domain/split/ratio.ts";
import { parseShares } from "../../domain/split/share-conversion.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { timeZones } from "../../domain/time/time-zone.ts";
import { problemText } from "../../messages/answers/problem-answer.ts";
import { articles } from "../articles.ts";
import { calc } from "../calc.ts";
import type { Command } from "../command.ts";
import { list } from "../list.ts";
import { settings } from "../settings.ts";
import { show } from "../show.ts";
import { status } from "../status.ts";
import { SUBSCRIBE_OPTIONS, subscribe } from "../subscribe.ts";
import { unsubscribe } from "../subscriptions.ts";
import { watch } from "../watch.ts";
import { OPTION_KINDS, type OptionKindName, type OptionSpec } from "./option-kinds.ts";
import { type FieldValues, type ParsedOptions, readFieldOptions, readOptions, writeLine } from "./options.ts";
import { readCommandLine } from "./words.ts";

const VOCABULARY = { exchanges: [exchange("XETRA")], today: day("2026-03-02") };

function read(command: Command, line: string): ParsedOptions {
  return readOptions(command, readCommandLine(`x ${line}`).words, VOCABULARY);
}

type Cases = readonly (readonly [Command, string, Readonly<Record<string, unknown>>])[];

describe("options of a line", () => {
  const exchanges: Cases = [
    [list, "", {}],
    [list, "exchange:NASDAQ", { exchange: ["NASDAQ"] }],
    [list, "EXCHANGES = nasdaq", { exchange: ["NASDAQ"] }],
    [list, "NYSE American", { exchange: ["NYSEAMERICAN"] }],
    [list, "2026-11-27 nyse", { exchange: ["NYSE"], when: "2026-11-27" }],
    [list, "when:2026-11-27", { when: "2026-11-27" }],
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
    [watch, "acme, globx;inite\n$zed", { tickers: { tickers: ["ACME", "GLOBX", "INITE", "ZED"], invalid: [] } }],
    [watch, "tickers:ACME GLOBX", { tickers: { tickers: ["ACME", "GLOBX"], invalid: [] } }],
    [watch, "ACME and GLOBX & ZED", { tickers: { tickers: ["ACME", "GLOBX", "ZED"], invalid: [] } }],
    [watch, "$AND", { tickers: { tickers: ["AND"], invalid: [] } }],
    [watch, "ACME ??? toolongname ACME", { tickers: { tickers: ["ACME"], invalid: ["???", "toolongname"] } }],
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
    [subscribe, "all", { events: SPLIT_AND_RELEASE_EVENTS }],
    [subscribe, "events:early", { events: ["early"] }],
    [subscribe, "event:default article", { events: [...DEFAULT_CHANNEL_EVENTS, "article"] }],
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

describe("invalid options", () => {
  const cases: readonly (readonly [Command, string, RegExp])[] = [
    [list, "exchange:NASDQ", /^exchange: got "NASDQ", expected one or more of NASDAQ, NYSE, .* Did you mean NASDAQ\?$/],
    [
      list,
      "when:tody",
      /^when: got "tody", expected one of upcoming, all, today, tomorrow, week, or a day as YYYY-MM-DD\. Did you mean today\?$/,
    ],
    [
      list,
      "foo",
      /^Got "foo", expected one of upcoming, all, today, tomorrow, week, or a day as YYYY-MM-DD; or one or more of NASDAQ, NYSE,/,
    ],
    [list, "exchange:", /^exchange: missing, expected one or more of NASDAQ/],
    [list, "when", /^when: missing, expected one of upcoming, all, today, tomorrow, week, or a day as YYYY-MM-DD\.$/],
    [settings, "digest", /^digest: missing, expected "on" or "off"\.$/],
    [list, "exchnge:NYSE", /^Unknown option "exchnge": list takes exchange and when\. Did you mean exchange\?$/],
    [list, "when:today when:week", /^when: got "week", expected only one value; "today" was already given\.$/],
    [list, "page:0", /^page: got "0", expected a whole number from 1 to 10,000\.$/],
    [list, "page:-1", /^page: got "-1", expected a whole number/],
    [list, "page:two", /^page: got "two", expected a whole number/],
    [show, "", /^ticker: missing, expected a ticker such as ZRVNK or BRK\.B, or a company's name\.$/],
    [show, "12345", /^Got "12345", expected a ticker/],
    [show, "ACME GLOBX", /^ticker: got "GLOBX", expected only one value; "ACME" was already given\.$/],
    [show, "ticker:ACME,GLOBX", /^ticker: got "GLOBX", expected only one value; "ACME" was already given\.$/],
    [watch, "", /^tickers: missing, expected tickers/],
    [watch, "??? 123", /^tickers: got "\?\?\?, 123", expected tickers such as/],
    [
      articles,
      "from:2026-02-30",
      /^from: got "2026-02-30", expected a day as YYYY-MM-DD, or "today" or "yesterday"\.$/,
    ],
    [articles, "from:03/02/2026", /^from: got "03\/02\/2026", expected a day/],
    [articles, "source:reuters", /^source: got "reuters", expected one or more of prnewswire, /],
    [subscribe, "minratio:0", /^minratio: got "0", expected a ratio above 1/],
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
    [unsubscribe, "one", /^Got "one", expected rule numbers such as 1 or 1,3, or "all"\.$/],
    [unsubscribe, "-1", /^Got "-1", expected rule numbers/],
    [status, "now", /^Got "now", expected no more values after "status"\.$/],
    [status, "a:b", /^Unknown option "a": status has no options\.$/],
  ];

  it.each(cases.map(([command, line, problem]) => ({ command, name: command.name, line, problem })))(
    "$name $line",
    (given) => {
      const { command, line, problem } = given;
      const [first] = read(command, line).problems;
      expect(first && problemText(first)).toMatch(problem);
    },
  );

  it("are all reported together, next to the valid ones", () => {
    const { problems, understood } = read(subscribe, "exchange:NASDQ minratio:zz tickers:ACME foo:bar OTC");
    expect(problems).toHaveLength(3);
    expect(understood).toEqual(["exchange OTC", "tickers ACME"]);
  });

  it("are compared with known words in the first ten problems", () => {
    const { problems } = read(subscribe, "tikers:ACME ".repeat(2_000));
    expect(problems).toHaveLength(2_000);
    expect(problems.filter(({ text }) => text.includes("Did you mean tickers?"))).toHaveLength(10);
  });

  it("are truncated in messages if they are long", () => {
    expect(read(list, `when:${"x".repeat(5000)}`).problems[0]?.text.length).toBeLessThan(200);
  });
});

function readTyped(command: Command, values: FieldValues): ParsedOptions {
  return readFieldOptions(command, values, VOCABULARY);
}

describe("typed values", () => {
  it.each([
    ["ACME", ["ACME"]],
    ["acme, $bolt; BRK.B", ["ACME", "BOLT", "BRK.B"]],
    ["ACME and BOLT", ["ACME", "BOLT"]],
    ["(NASDAQ: ACME), (NYSE:BOLT)", ["ACME", "BOLT"]],
    ["“ACME” 'BOLT'", ["ACME", "BOLT"]],
    ["ACME\nBOLT", ["ACME", "BOLT"]],
  ])("are read as leniently as a line: %j", (value, tickers) => {
    expect(readTyped(watch, { tickers: value }).options).toEqual({ tickers: { tickers, invalid: [] } });
  });

  it.each([
    ["exchange", "nyse american, Nasdaq", ["NYSEAMERICAN", "NASDAQ"]],
    ["exchange", "NASDAQ NYSE American OTC", ["NASDAQ", "NYSEAMERICAN", "OTC"]],
    ["exchange", ["NYSE", "NASDAQ"], ["NYSE", "NASDAQ"]],
    ["events", "announced changed", ["announced", "changed"]],
    ["fractional", "round up, cash in lieu", ["round_up", "cash_in_lieu"]],
    ["minratio", "1 for 20", 20],
    ["minratio", "1:2,400", 2_400],
    ["minratio", 7.7, 7.7],
    ["exclude", "OTC ACME", { exchanges: ["OTC"], tickers: ["ACME"] }],
    ["mention", "<@&77>", "<@&77>"],
  ])("keep the words of one value together: %s %j", (name, value, expected) => {
    const { options, problems } = readTyped(subscribe, { [name]: value });
    expect(problems).toEqual([]);
    expect(options).toEqual({ [name]: expected });
  });

  it.each([
    ["ratio", "1 for 20", { ratio: { newShares: 1, oldShares: 20 } }],
    ["ratio", "20:1", { ratio: { newShares: 1, oldShares: 20 } }],
    ["shares", "1,234.5", { shares: { numerator: 2_469n, denominator: 2n } }],
    ["shares", " 150 shares ", { shares: { numerator: 150n, denominator: 1n } }],
    ["shares", 12.5, { shares: { numerator: 25n, denominator: 2n } }],
  ])("keep amounts and ratios unchanged: %s %j", (name, value, expected) => {
    expect(readTyped(calc, { [name]: value }).options).toEqual(expected);
  });

  it.each([
    [{ minratio: "steep" }, /^minratio: got "steep", expected a ratio above 1/],
    [{ tickers: "ACME events:all" }, /^tickers: got "events:", expected tickers/],
    [{ exclude: " " }, /^exclude: missing/],
    [{ exchange: "NASDQ" }, /^exchange: got "NASDQ", .* Did you mean NASDAQ\?$/],
    [{ colour: "red" }, /^Unknown option "colour"/],
  ])("that are invalid are reported by option: %j", (values: FieldValues, problem) => {
    const [first] = readTyped(subscribe, values).problems;
    expect(first && problemText(first)).toMatch(problem);
  });

  it.each(["mention:x", "foo events:all", "tickers ACME", "NYSE mention=<@&1>", "'x mention:y'", "a :b mention : c"])(
    "never fill another option: %j",
    (exclude) => {
      const { options } = readTyped(subscribe, { exclude, minratio: "20" });
      expect(Object.keys(options).filter((name) => name !== "exclude" && name !== "minratio")).toEqual([]);
      expect(options).toMatchObject({ minratio: 20 });
    },
  );

  it("never set another option", () => {
    const names = Object.keys(subscribe.options);
    const piece = fc.oneof(
      fc.constantFrom(...names, ":", "=", " ", ",", '"', "'", "”", "：", "\n", "ACME", "NASDAQ", "all", "(", "1", "/"),
      fc.string({ unit: anyCharacter, maxLength: 3 }),
    );
    const value = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.constantFrom("exchange", "tickers", "exclude", "events", "sources"), value, (name, text) => {
        const { options } = readTyped(subscribe, { [name]: text });
        expect(Object.keys(options).filter((filled) => filled !== name)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

const someTickers = fc.uniqueArray(anyTicker, { minLength: 1, maxLength: 4 });
const someExchanges = fc.uniqueArray(anyExchange, { minLength: 1, maxLength: 4 });
const ratio = fc
  .tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 4_000 }))
  .map(([newShares, more]) => ratioOfIntegers(newShares, newShares + more));
const minuteOfDay = fc.integer({ min: 0, max: 1_439 });
const word = fc.stringMatching(/^[A-Za-z0-9<@>!^]{1,12}$/).filter((text) => !/^(?:and|values?)$/i.test(text));
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" "));

/** Any value of each kind; a new kind needs an entry. */
const ANY_VALUE: Readonly<Record<OptionKindName, fc.Arbitrary<unknown>>> = {
  ticker: anyTicker,
  tickers: someTickers,
  tickerText: someTickers.map((tickers) => ({ tickers, invalid: [] })),
  exchanges: someExchanges,
  tickersOrExchanges: fc.record({ tickers: someTickers, exchanges: fc.uniqueArray(anyExchange, { maxLength: 2 }) }),
  choice: fc.constantFrom("week", "all"),
  choiceOrDay: fc.oneof(fc.constantFrom("week", "all"), anyDay),
  events: fc.subarray([...EVENT_KINDS], { minLength: 1 }),
  sources: fc.subarray([...WIRES], { minLength: 1 }),
  fractional: fc.subarray([...TREATMENTS], { minLength: 1 }),
  day: anyDay,
  page: fc.integer({ min: 1, max: 10_000 }),
  minRatio: anyRuleFilter.map(({ minRatio }) => minRatio ?? 20),
  ratio,
  shares: fc
    .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 9_999 }))
    .map(([whole, part]) => parseShares(`${whole}.${String(part).padStart(4, "0")}`)),
  ruleNumber: fc.integer({ min: 1, max: 1_000_000 }),
  ruleNumbers: fc.oneof(fc.constant("all"), fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1 })),
  duration: fc.integer({ min: 1, max: MAX_MUTE_MS / MINUTE_MS }).map((minutes) => minutes * MINUTE_MS),
  timezone: fc.oneof(fc.constant(null), fc.constantFrom(...timeZones())),
  quietHours: fc.oneof(
    fc.constant(null),
    fc.record({ from: minuteOfDay, to: minuteOfDay }).filter(({ from, to }) => from !== to),
  ),
  switch: fc.boolean(),
  mention: words,
  command: words,
  text: words,
  pastedText: words,
  file: words,
};

describe("a written value", () => {
  it.each(Object.keys(OPTION_KINDS) as OptionKindName[])("of %s is read back, from a line and typed", (kind) => {
    const spec: OptionSpec = { kind, summary: "", ...(kind.startsWith("choice") && { choices: ["week", "all"] }) };
    const command = { name: "try", options: { value: spec } };
    fc.assert(
      fc.property(ANY_VALUE[kind], (value) => {
        const line = writeLine(command, { value: value as never });
        const { words: typed } = readCommandLine(line);
        expect(readOptions(command, typed, VOCABULARY)).toMatchObject({ options: { value }, problems: [] });
        const text = line.slice("try value:".length).replace(/^"(.*)"$/, "$1");
        expect(readFieldOptions(command, { value: text }, VOCABULARY)).toMatchObject({
          options: { value },
          problems: [],
        });
      }),
    );
  });

  it.each(Object.keys(RULE_FILTERS) as RuleOption[])("of the rule filter %s sets the same filter", (option) => {
    fc.assert(
      fc.property(anyRuleFilter, (any) => {
        const filter = filterFromOptions({ [option]: optionsFromFilter(any)[option] });
        const line = writeLine({ name: "x", options: SUBSCRIBE_OPTIONS }, optionsFromFilter(filter));
        const { options, problems } = read(subscribe, line.slice(2));
        expect(problems).toEqual([]);
        expect(filterFromOptions(options as RuleOptions)).toEqual(filter);
      }),
    );
  });

  it("is left out if there is none", () => {
    expect(writeLine(list, { exchange: [exchange("NASDAQ"), exchange("NYSE")], when: undefined, page: 2 })).toBe(
      "list exchange:NASDAQ,NYSE page:2",
    );
  });
});
