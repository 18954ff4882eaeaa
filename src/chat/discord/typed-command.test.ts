import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { day } from "../../../test/support/builders.ts";
import { calc } from "../../commands/calc.ts";
import type { Command } from "../../commands/command.ts";
import { readOptions } from "../../commands/parser/options.ts";
import { readCommandLine } from "../../commands/parser/words.ts";
import { subscribe } from "../../commands/subscribe.ts";
import { watch } from "../../commands/watch.ts";
import { choicesOf, commandTextOf, completionText, type TypedOption } from "./typed-command.ts";

function read(command: Command, typed: readonly TypedOption[]): ReturnType<typeof readOptions> {
  const line = readCommandLine(commandTextOf(command, typed));
  expect(line.name).toBe(command.name);
  return readOptions(command, line.words, { exchanges: [], today: day("2026-03-02") });
}

function tickersOf(value: string): unknown {
  return read(watch, [{ name: "tickers", value }]).options.tickers;
}

describe("a typed option", () => {
  it.each([
    ["ACME", ["ACME"]],
    ["acme, $bolt; BRK.B", ["ACME", "BOLT", "BRK.B"]],
    ["ACME and BOLT", ["ACME", "BOLT"]],
    ["(NASDAQ: ACME), (NYSE:BOLT)", ["ACME", "BOLT"]],
    ["“ACME” 'BOLT'", ["ACME", "BOLT"]],
    ["ACME\nBOLT", ["ACME", "BOLT"]],
  ])("accepts the same forms as typed text: %j", (value, tickers) => {
    expect(tickersOf(value)).toEqual({ tickers, refused: [] });
  });

  it.each([
    ["exchange", "nyse american, Nasdaq", { exchanges: ["NYSEAMERICAN", "NASDAQ"] }],
    ["exchange", "NASDAQ NYSE American OTC", { exchanges: ["NASDAQ", "NYSEAMERICAN", "OTC"] }],
    ["events", "announced changed", { events: ["announced", "changed"] }],
    ["fractional", "round up, cash in lieu", { fractional: ["round_up", "cash_in_lieu"] }],
    ["minratio", "1 for 20", { minratio: 20 }],
    ["minratio", "1:2,400", { minratio: 2_400 }],
    ["exclude", "OTC ACME", { exclude: { exchanges: ["OTC"], tickers: ["ACME"] } }],
  ])("keeps the words of one value together: %s %j", (name, value, expected) => {
    const { options, problems } = read(subscribe, [{ name, value }]);
    expect(problems).toEqual([]);
    expect(options).toEqual("exchanges" in expected ? { exchange: expected.exchanges } : expected);
  });

  it.each([
    ["ratio", "1 for 20", { ratio: { newShares: 1, oldShares: 20 } }],
    ["ratio", "20:1", { ratio: { newShares: 1, oldShares: 20 } }],
    ["shares", "1,234.5", { shares: { numerator: 2_469n, denominator: 2n } }],
    ["shares", " 150 shares ", { shares: { numerator: 150n, denominator: 1n } }],
    ["shares", 12.5, { shares: { numerator: 25n, denominator: 2n } }],
  ])("keeps amounts and ratios intact: %s %j", (name, value, expected) => {
    const { options } = read(calc, [{ name, value }]);
    expect(options).toEqual(expected);
  });

  it("passes a role by its ID", () => {
    expect(commandTextOf(subscribe, [{ name: "mention", value: "77" }])).toBe('subscribe mention:"<@&77>"');
  });

  it.each(["mention:x", "foo events:all", "tickers ACME", "NYSE mention=<@&1>", "'x mention:y'", "a :b mention : c"])(
    "cannot set another option: %j",
    (value) => {
      const { options } = read(subscribe, [
        { name: "exclude", value },
        { name: "minratio", value: "20" },
      ]);
      expect(Object.keys(options).filter((name) => name !== "exclude" && name !== "minratio")).toEqual([]);
      expect(options).toMatchObject({ minratio: 20 });
    },
  );

  it("cannot set another option, whatever its text", () => {
    const names = Object.keys(subscribe.options);
    const piece = fc.oneof(
      fc.constantFrom(...names, ":", "=", " ", ",", '"', "'", "”", "：", "\n", "ACME", "NASDAQ", "all", "(", "1", "/"),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    const value = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.constantFrom("exchange", "tickers", "exclude", "events", "sources"), value, (name, text) => {
        const { options } = read(subscribe, [{ name, value: text }]);
        expect(Object.keys(options).filter((filled) => filled !== name)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("autocompletion", () => {
  it.each([
    ["", "watch tickers:"],
    ["AC", "watch tickers:AC"],
    ["ACME, BO", "watch tickers:ACME,BO"],
    [" ACME BO", "watch tickers:ACME,BO"],
    ["ACME ; ", "watch tickers:ACME,"],
  ])("of %j requests %j", (typed, line) => {
    expect(completionText("watch", "tickers", typed)).toBe(line);
  });

  it("offers the complete value with a hint", () => {
    const suggestions = [{ line: "watch tickers:ACME,BOLT", label: "BOLT", hint: "no split listed" }];
    expect(choicesOf("watch", "tickers", suggestions)).toEqual({
      choices: [{ name: "ACME, BOLT · no split listed", value: "ACME,BOLT" }],
    });
  });

  it("stays within Discord's limits and the focused option", () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      line: `watch tickers:T${index}`,
      label: "",
      hint: "x".repeat(200),
    }));
    const { choices = [] } = choicesOf("watch", "tickers", [
      { line: `watch tickers:${"A".repeat(101)}`, label: "", hint: "" },
      { line: "watch exclude:", label: "", hint: "" },
      { line: "watch tickers:", label: "", hint: "" },
      ...many,
    ]);
    expect(choices).toHaveLength(25);
    expect(choices[0]).toMatchObject({ value: "T0" });
    for (const { name } of choices) expect(name.length).toBeLessThanOrEqual(100);
  });
});
