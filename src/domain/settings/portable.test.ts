import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { growthFactor } from "../../../test/support/timing.ts";
import { EVENT_KINDS } from "../alert/event.ts";
import { TREATMENTS } from "../article/article.ts";
import { WIRES } from "../article/wire.ts";
import { isKnownExchange, KNOWN_EXCHANGES } from "../split/exchange.ts";
import { parseTicker, type Ticker } from "../split/ticker.ts";
import { timeZones } from "../time/time-zone.ts";
import { DEFAULT_SETTINGS, type DestinationSettings } from "./destination-settings.ts";
import {
  MAX_IMPORT_BYTES,
  MAX_IMPORT_LINES,
  MAX_IMPORT_PROBLEMS,
  MAX_IMPORT_RULES,
  MAX_IMPORT_VALUES,
  type ParsedPortable,
  type Portable,
  type PortableRule,
  readPortable,
  writePortable,
  writeTickerList,
} from "./portable.ts";
import { DEFAULT_CHANNEL_EVENTS, DEFAULT_FILTER } from "./rule.ts";

function readAny(text: string): ReturnType<typeof readPortable> {
  return readPortable(text, isKnownExchange, () => Promise.resolve());
}

async function read(text: string): Promise<ParsedPortable> {
  const found = await readAny(text);
  if (found.kind !== "read") throw new Error(`not read: ${JSON.stringify(found)}`);
  return found;
}

const tickers = fc
  .uniqueArray(fc.stringMatching(/^[A-Z][A-Z0-9]{0,5}(\.[A-Z])?$/), { maxLength: 12 })
  .map((names) => names.flatMap((name) => parseTicker(name) ?? []));
const exchanges = fc.subarray([...KNOWN_EXCHANGES]);

const rules: fc.Arbitrary<PortableRule> = fc
  .record({
    exchanges,
    tickers,
    excludeExchanges: exchanges,
    excludeTickers: tickers,
    events: fc.subarray([...EVENT_KINDS], { minLength: 1 }),
    sources: fc.subarray([...WIRES]),
    fractional: fc.subarray([...TREATMENTS]),
    minRatio: fc.option(fc.integer({ min: 11, max: 25_000 }).map((tenths) => tenths / 10)),
  })
  .filter(
    (filter) =>
      !(filter.tickers.length > 0 && filter.tickers.every((one) => filter.excludeTickers.includes(one))) &&
      !(filter.exchanges.length > 0 && filter.exchanges.every((one) => filter.excludeExchanges.includes(one))) &&
      (filter.sources.length === 0 || filter.events.includes("article") || filter.events.includes("early")),
  )
  .chain((filter) => fc.boolean().map((hadMention) => ({ filter, hadMention })));

const minute = fc.integer({ min: 0, max: 1439 });
const settings: fc.Arbitrary<DestinationSettings> = fc.record({
  timezone: fc.option(fc.constantFrom(...timeZones())),
  reminders: fc.boolean(),
  digest: fc.boolean(),
  quiet: fc.option(fc.record({ from: minute, to: minute }).filter(({ from, to }) => from !== to)),
  mutedUntil: fc.constant(null),
});

const portables: fc.Arbitrary<Portable> = fc.record({
  watchlist: tickers,
  rules: fc.array(rules, { maxLength: 5 }),
  settings: fc.option(settings),
});

describe("an export", () => {
  it("is imported unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(portables, async (portable) => {
        const { mutedUntil: _, ...carried } = portable.settings ?? { mutedUntil: null };
        expect(await read(writePortable(portable))).toEqual({
          kind: "read",
          watchlist: portable.watchlist,
          rules: portable.rules,
          settings: carried,
          problems: [],
        });
      }),
    );
  });

  it("of tickers only is imported unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(tickers, async (watchlist) => {
        fc.pre(watchlist.length > 0);
        expect(await read(writeTickerList(watchlist))).toMatchObject({ watchlist, problems: [] });
      }),
    );
  });

  it("of any content never throws", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.json(),
          fc.json().map((json) => `{"splitwatch":1,"watchlist":${json},"rules":${json}}`),
        ),
        async (text) => {
          expect(await readAny(text)).toHaveProperty("kind");
        },
      ),
    );
  });

  it("is readable for people", () => {
    const rule = { filter: { ...DEFAULT_FILTER, tickers: ["ACME" as Ticker] }, hadMention: true };
    const text = writePortable({ watchlist: ["ACME", "BRK.B"] as Ticker[], rules: [rule], settings: DEFAULT_SETTINGS });
    expect(text.split("\n")).toEqual([
      "{",
      '  "splitwatch": 1,',
      '  "watchlist": [',
      '    "ACME",',
      '    "BRK.B"',
      "  ],",
      '  "rules": [',
      `    {"exchanges":[],"tickers":["ACME"],"excludeExchanges":[],"excludeTickers":[],"events":${JSON.stringify(DEFAULT_CHANNEL_EVENTS)},"sources":[],"fractional":[],"minRatio":null,"hadMention":true}`,
      "  ],",
      '  "settings": {"timezone":null,"reminders":true,"digest":false,"quiet":null}',
      "}",
      "",
    ]);
  });
});

describe("a list of tickers", () => {
  it.each([
    ["ACME,GLOBX", ["ACME", "GLOBX"]],
    ["acme globx\tinite", ["ACME", "GLOBX", "INITE"]],
    ["$ACME; $BRK.B", ["ACME", "BRK.B"]],
    ["ACME\r\nGLOBX\rINITE\n", ["ACME", "GLOBX", "INITE"]],
    ["Ticker\nACME\nGLOBX", ["ACME", "GLOBX"]],
    ["# mine\nACME # bought in May\n// old\nGLOBX", ["ACME", "GLOBX"]],
    ['Symbol,Name,Shares\nACME,"Acme, Inc.",100\nGLOBX,Globex Corp,5', ["ACME", "GLOBX"]],
    ["Name;Ticker\nAcme Corp;ACME", ["ACME"]],
    ["NASDAQ:ACME,NYSE:BRK.B", ["ACME", "BRK.B"]],
    ["1. ACME\n2) GLOBX\n- INITE\n* UMBRX", ["ACME", "GLOBX", "INITE", "UMBRX"]],
    ['["ACME", "brk.b"]', ["ACME", "BRK.B"]],
    ["\uFEFFACME", ["ACME"]],
    ["```\nACME\n```", ["ACME"]],
    ["ACME acme $ACME", ["ACME"]],
  ])("reads the tickers of %j", async (text, expected) => {
    expect(await read(text)).toMatchObject({ watchlist: expected, problems: [] });
  });

  it("names the line of each invalid entry, and reads the valid entries", async () => {
    expect(await read("ACME\n\nhello-everybody\nGLOBX, 1234\n")).toEqual({
      kind: "read",
      watchlist: ["ACME", "GLOBX"],
      rules: [],
      settings: {},
      problems: [
        { line: 3, got: '"hello-everybody"', expected: "a ticker such as ACME or BRK.B" },
        { line: 4, got: '"1234"', expected: "a ticker such as ACME or BRK.B" },
      ],
    });
  });

  it("names the line of a table row without a ticker", async () => {
    expect(
      (await read("Symbol,Shares\nACME,1\n,2\nTotal of all rows,3")).problems.map(({ line, got }) => [line, got]),
    ).toEqual([
      [3, '""'],
      [4, '"Total of all rows"'],
    ]);
  });

  it(`may have ${MAX_IMPORT_LINES} lines, and not one more`, async () => {
    const names = Array.from({ length: MAX_IMPORT_LINES }, (_, index) => `A${index.toString(36).toUpperCase()}`);
    expect((await read(names.join("\n"))).watchlist).toHaveLength(MAX_IMPORT_LINES);
    expect((await read(`${names.join("\r\n")}\r\n`)).watchlist).toHaveLength(MAX_IMPORT_LINES);
    expect(await readAny([...names, "ACME"].join("\n"))).toEqual({
      kind: "too-many-lines",
      lines: MAX_IMPORT_LINES + 1,
    });
  });
});

describe("a large text", () => {
  it.each([
    ["tickers", `["A"${',"A"'.repeat(49_000)}]`, 90],
    ["rules", `{"splitwatch":1,"rules":[{}${",{}".repeat(900)}]}`, 900],
    ["a list", "A ".repeat(49_000), 90],
  ])("is read with pauses: %s", async (_, text, minPauses) => {
    let pauses = 0;
    await readPortable(text, isKnownExchange, async () => {
      pauses += 1;
    });
    expect(pauses).toBeGreaterThan(minPauses);
  });
});

describe("an unreadable text", () => {
  it.each([
    ["", { kind: "empty" }],
    [" \r\n\t", { kind: "empty" }],
    ["<!DOCTYPE html><p>ACME</p>", { kind: "markup" }],
    ["\n <svg/>", { kind: "markup" }],
    ["A".repeat(MAX_IMPORT_BYTES + 1), { kind: "too-long", characters: MAX_IMPORT_BYTES + 1 }],
    ['{"splitwatch": 2}', { kind: "other-version", line: 1, got: "2" }],
    ['{\n"watchlist": []}', { kind: "other-version", line: 1, got: "nothing" }],
    [
      '{"splitwatch": 1,\n "watchlist": ["ACME" "GLOBX"]}',
      { kind: "broken", line: 2, got: '"GLOBX"', expected: "a comma or ]" },
    ],
    [
      '{"splitwatch": 1, "watchlist": ["ACME"',
      { kind: "broken", line: 1, got: "the end of the text", expected: "a comma or ]" },
    ],
    [
      '{"splitwatch": 1, "watchlist": ["ACME"]',
      { kind: "broken", line: 1, got: "the end of the text", expected: "a comma or }" },
    ],
    [
      '{"splitwatch": 1,',
      { kind: "broken", line: 1, got: "the end of the text", expected: "a key within quotation marks" },
    ],
    ["[".repeat(50_000), { kind: "broken", line: 1, got: "[", expected: "at most 20 nested lists and objects" }],
    ["A ".repeat(MAX_IMPORT_VALUES + 1), { kind: "too-many-values" }],
    [`["A"${',"A"'.repeat(MAX_IMPORT_VALUES)}]`, { kind: "too-many-values" }],
    ["toolong ".repeat(MAX_IMPORT_PROBLEMS + 1), { kind: "too-many-problems" }],
    [`[1${",1".repeat(MAX_IMPORT_PROBLEMS)}]`, { kind: "too-many-problems" }],
  ])("%.40j is rejected with one reason", async (text, refusal) => {
    expect(await readAny(text)).toEqual(refusal);
  });

  it.each([
    ["a word that ends in punctuation", (size: number) => `${"!".repeat(size)}A`],
    ["comment signs before a line separator", (size: number) => `${" #".repeat(size / 2)}\u2028A`],
    ["a heading", (size: number) => "a\t".repeat(size / 2)],
    ["invalid entries", (size: number) => `[1${",1".repeat(size / 2)}]`],
  ])("is rejected in linear time: %s", async (_, textOf) => {
    const factor = await growthFactor((size) => readAny(textOf(size)), MAX_IMPORT_BYTES / 8);
    expect(factor).toBeLessThan(8);
  });

  it("has too many rules, which are reported as one problem", async () => {
    const found = await read(`{"splitwatch": 1, "rules": [{}${",{}".repeat(MAX_IMPORT_RULES)}]}`);
    expect([found.rules, found.problems]).toEqual([
      [],
      [{ line: 1, got: "rules (a list of 1001)", expected: "at most 1000 rules" }],
    ]);
  });
});

describe("the JSON reader", () => {
  it.each([
    [`${"[".repeat(20)}${"]".repeat(20)}`, "read"],
    [`${"[".repeat(50_000)}${"]".repeat(50_000)}`, "broken"],
    [`${"[".repeat(500_000)}${"]".repeat(500_000)}`, "too-many-values"],
    [`{"splitwatch":1,"watchlist":[${'"!",\n'.repeat(999)}"!"]}`, "read"],
    [`["${"\\u0041".repeat(170_000)}"]`, "read"],
  ])("bounds hostile text: %.20j", async (text, kind) => {
    expect(await readAny(text)).toHaveProperty("kind", kind);
  });

  it("uses the last of duplicate keys, and its line", async () => {
    expect(await read('{"splitwatch":1,"watchlist":["!"],\n"watchlist":["ACME",\n"!"]}')).toMatchObject({
      watchlist: ["ACME"],
      problems: [{ line: 3, got: 'watchlist "!"' }],
    });
  });

  it.each([
    ["[ACME]", "ACME", "a JSON value"],
    ["{ACME: 1}", "ACME", "a key within quotation marks"],
    ['{"a" 1}', "1", "a colon"],
    ["[] []", "[", "nothing more"],
    ['["a",]', "]", "a JSON value"],
    ['["a\\q"]', '"a\\q"', "a string with valid escapes"],
    ["[1] // comment", "// comment", "a JSON value"],
  ])("names what it got and what it expected: %s", async (text, got, expected) => {
    expect(await readAny(text)).toEqual({ kind: "broken", line: 1, got, expected });
  });
});

function fileOf(rule: string): string {
  return `{"splitwatch": 1, "rules": [\n${rule}\n]}`;
}

describe("an imported rule", () => {
  it("needs only the fields that differ from the default", async () => {
    expect((await read(fileOf("{}"))).rules).toEqual([{ filter: DEFAULT_FILTER, hadMention: false }]);
    expect((await read(fileOf('{"exchanges": ["NYSE American"], "minRatio": 20}'))).rules).toEqual([
      { filter: { ...DEFAULT_FILTER, exchanges: ["NYSEAMERICAN"], minRatio: 20 }, hadMention: false },
    ]);
  });

  it("records that it had a mention, without the id", async () => {
    for (const rule of ['{"mention": "<@&7>"}', '{"called": true}'])
      expect((await read(fileOf(rule))).rules).toEqual([{ filter: DEFAULT_FILTER, hadMention: true }]);
    expect((await read(fileOf('{"mention": null}'))).rules).toEqual([{ filter: DEFAULT_FILTER, hadMention: false }]);
  });

  it.each([
    ['{"events": ["announce"]}', 'rules[1].events "announce"', /^one of announced, changed/],
    ['{"events": []}', "rules[1]: no events", /^at least one event$/],
    ['{"exchanges": ["NASDQ"]}', 'rules[1].exchanges "NASDQ"', /^an exchange such as/],
    ['{"exchanges": "NYSE"}', 'rules[1].exchanges "NYSE"', /^a list in brackets$/],
    ['{"tickers": [17]}', "rules[1].tickers 17", /^a ticker such as/],
    ['{"minRatio": 1}', "rules[1].minRatio 1", /more than 1/],
    ['{"minRatio": 1e999}', "rules[1].minRatio Infinity", /more than 1/],
    ['{"minratio": 20}', "rules[1].minratio", /^one of exchanges, tickers/],
    [
      '{"tickers": ["ACME"], "excludeTickers": ["ACME"]}',
      "rules[1]: all of its tickers excluded",
      /^at least one ticker that isn't excluded$/,
    ],
    ['{"sources": ["newsfile"]}', 'rules[1]: "sources"', /^"article" or "early" among its events$/],
    ['"NASDAQ"', 'rules[1] "NASDAQ"', /^a rule in braces$/],
  ])("%s is skipped, with its line and the reason", async (rule, got, expected) => {
    const { rules: good, problems } = await read(fileOf(`${rule},\n{}`));
    expect(good).toHaveLength(1);
    expect(problems).toEqual([{ line: 2, got, expected: expect.stringMatching(expected) }]);
  });
});

describe("imported settings", () => {
  it("change only the fields that they name, and report each invalid one", async () => {
    const text =
      '{"splitwatch":1,"settings":{"quiet":"22:00-07:00","digest":"yes",\n"timezone":"Mars/Base","colour":1}}';
    expect(await read(text)).toMatchObject({
      settings: { quiet: { from: 1320, to: 420 } },
      problems: [
        { line: 1, got: 'settings.digest "yes"', expected: "true or false" },
        { line: 2, got: 'settings.timezone "Mars/Base"' },
        { line: 2, got: "settings.colour 1", expected: "one of timezone, reminders, digest, quiet" },
      ],
    });
  });
});
