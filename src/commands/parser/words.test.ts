import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { growthFactor, HOSTILE_QUARTER } from "../../../test/support/timing.ts";
import { readCommandLine, suggestWord, type Word } from "./words.ts";

/** `key:`, `"quoted"`, `bare`; a bar precedes a separated word. */
function formatWords(words: readonly Word[]): string {
  const forms = {
    key: (text: string) => `${text}:`,
    quoted: (text: string) => `"${text}"`,
    bare: (text: string) => text,
  };
  return words.map(({ kind, text, isSeparated }) => `${isSeparated ? "| " : ""}${forms[kind](text)}`).join(" ");
}

describe("the name of a command", () => {
  it.each([
    ["list", "list"],
    ["  LIST  ", "list"],
    ["/splits list", "list"],
    ["splits list", "list"],
    ["/SPLITS List", "list"],
    ["/list", "list"],
    ["\u200b/splits\u00a0list", "list"],
    ["", ""],
    ["/splits", ""],
    ["  \n ", ""],
    ["splitsville", "splitsville"],
  ])("is read from %j", (line, name) => {
    expect(readCommandLine(line).name).toBe(name);
  });

  it("is removed from the rest, which stays as typed", () => {
    expect(readCommandLine("/splits shw  $ACME now").rest).toBe("$ACME now");
  });
});

describe("the words of a command line", () => {
  it.each([
    ["x a b", "a b"],
    ["x a,b;c\nd", "a | b | c | d"],
    ["x exchange:NYSE", "exchange: NYSE"],
    ["x exchange=NYSE", "exchange: NYSE"],
    ["x exchange: NYSE", "exchange: NYSE"],
    ["x exchange : NYSE", "exchange: NYSE"],
    ["x exchange：NYSE", "exchange: NYSE"],
    ['x exchange:"NYSE American"', 'exchange: "NYSE American"'],
    ["x exchange:“NYSE American”", 'exchange: "NYSE American"'],
    ["x exchange:‘NYSE American’", 'exchange: "NYSE American"'],
    ["x 'NYSE American'", '"NYSE American"'],
    ["x don't", "don't"],
    ['x "open', "open"],
    ["x minratio:1:20", "minratio: 1:20"],
    ["x minratio: 1 : 20", "minratio: 1:20"],
    ["x minratio:1:2,400", "minratio: 1:2,400"],
    ["x 1,3", "1 | 3"],
    ["x 1–for–20", "1-for-20"],
    ["x (NASDAQ: ACME)", "| NASDAQ: ACME"],
    ["x tickers:NASDAQ:ACME", "tickers: NASDAQ: ACME"],
    ["x <http://ABC.AI|ABC.AI> b", "ABC.AI b"],
    ["x <https://abc.example/>", "https: //abc.example/"],
    ["x <@U012|bob>", "<@U012|bob>"],
    ["x A\u200bC\u2060ME\ufeff", "ACME"],
    ["x $ACME", "$ACME"],
    ["x exchange:", "exchange:"],
    ["x , ; ,", ""],
  ])("are read from %j", (line, words) => {
    expect(formatWords(readCommandLine(line).words)).toBe(words);
  });

  it("are found in any text and contain no spaces", () => {
    const anything = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.string({ unit: fc.constantFrom(...Array.from(`ab1:,"'= \n<|>$`)), maxLength: 300 }),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const { name, words } = readCommandLine(text);
        const invalid = words.filter((word) => word.kind !== "quoted" && !/^\S+$/.test(word.text));
        expect([name.toLowerCase(), invalid]).toEqual([name, []]);
      }),
    );
  });

  it.each([
    ["blanks", " "],
    ["colons", "a:"],
    ["quotes", "'a"],
    ["links", "<http://"],
    ["digits", "1,000"],
  ])("are found in time linear in the number of %s", async (_what, piece) => {
    const readPieces = (size: number): unknown => readCommandLine(`x ${piece.repeat(size / piece.length)}`);
    expect(await growthFactor(readPieces, HOSTILE_QUARTER)).toBeLessThan(8);
  });
});

describe("an unknown word", () => {
  const NAMES = ["list", "show", "watch", "unwatch", "subscribe", "unsubscribe", "subscriptions", "status"];

  it.each([
    ["lst", "list"],
    ["LITS", "list"],
    ["shwo", "show"],
    ["unsubscibe", "unsubscribe"],
    ["unwach", "unwatch"],
    ["sub", "subscribe"],
    ["stat", "status"],
  ])("%s suggests %s", (typed, name) => {
    expect(suggestWord(typed, NAMES)).toBe(name);
  });

  it.each(["", "calc", "export", "mute", "xyzzy", "l".repeat(5000)])("%s suggests none", (typed) => {
    expect(suggestWord(typed, NAMES)).toBeUndefined();
  });
});
