import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growthFactor } from "../../test/support/timing.ts";
import { toPlainText, withoutOtherReleases } from "./plain-text.ts";

describe("toPlainText", () => {
  it.each([
    ["spaces of every kind", "a\u00a0b\u2009c\td   e", "a b c d e"],
    ["a line break inside a sentence", "rounded\nup to the\r\nnext share", "rounded up to the next share"],
    ["hyphens and dashes", "1‑for‑20 – post−split", "1-for-20 - post-split"],
    ["curly quotes", "the “Company”’s ‘ADSs’", `the "Company"'s 'ADSs'`],
    ["bold", "the (“**Shares**”) **will**", 'the ("Shares") will'],
    ["bold with spaces inside", "the ** Shares ** will", "the Shares will"],
    ["invisible characters", "re\u00advers\u200be spl\u2060it\ufeff", "reverse split "],
    ["trade marks", "Nasdaq® and Acme™", "Nasdaq and Acme"],
    ["symbols in angle brackets", "Acme Inc. <ACM> and <ACN.O>, <PAGE> <b>", "Acme Inc. (ACM) and (ACN.O), <PAGE> <b>"],
    [
      "defined terms of forms",
      "each +security (+share) of A+ and 20+ years",
      "each security (share) of A+ and 20+ years",
    ],
    ["full-width brackets", "（NASDAQ：ACME）", "(NASDAQ:ACME)"],
    [
      "blanks before punctuation",
      "Mills , Inc. ( NASDAQ : HMIL ) , which closed .",
      "Mills, Inc. (NASDAQ: HMIL), which closed.",
    ],
    ["blanks before decimals, which stay", "for .05 of a share", "for .05 of a share"],
  ])("normalizes %s", (_, raw, plain) => {
    expect(toPlainText(raw).plain).toBe(plain);
  });

  it.each([
    ["a paragraph ends", "first\n\nSecond", "first\nSecond"],
    ["a row of a list begins", "rows:\n* one\n* two", "rows:\n* one\n* two"],
    ["a numbered row begins", "rows:\n1. one", "rows:\n1. one"],
    ["a label begins a line", "A memo\nEffective Date: May 4, 2026", "A memo\nEffective Date: May 4, 2026"],
    ["a line with a label ends", "Symbol: ACM\nAcme Inc. will split", "Symbol: ACM\nAcme Inc. will split"],
    ["a row with a number of two parts begins", "Part 3\n3.2a Effective date", "Part 3\n3.2a Effective date"],
    ["a row of a table ends", "a | b |\nc | d |", "a | b |\nc | d |"],
    ["a row of a table begins", "| a | b |\n| c | d |", "| a | b |\n| c | d |"],
  ])("keeps the line break where %s", (_, raw, plain) => {
    expect(toPlainText(raw).plain).toBe(plain);
  });

  it.each([
    ["digits that repeat a number", "every ten\n\n(10) shares", "every ten (10) shares"],
    ["a defined term", "the (“\n\n**Consolidation**\n\n”) is", 'the (" Consolidation ") is'],
    ["a comma", "on Monday,\n\nApril 6", "on Monday, April 6"],
    ["a word in lower case", "shares of common\n\nstock will", "shares of common stock will"],
    ["a date after its preposition", "opens on\n\nMay 4, 2026", "opens on May 4, 2026"],
    [
      "a tag",
      "Acme Inc. (\nNasdaq: ACM) and (NYSE\nAmerican: ACN)",
      "Acme Inc. (Nasdaq: ACM) and (NYSE American: ACN)",
    ],
    ["a date in a line with a label", "Note: the split is of May\n4, 2026", "Note: the split is of May 4, 2026"],
    ["a decimal", "an increase to\n3.4 million", "an increase to 3.4 million"],
    ["digits after their words", "for every thirty\n(30) shares", "for every thirty (30) shares"],
  ])("removes a hard break around %s", (_, raw, plain) => {
    expect(toPlainText(raw).plain).toBe(plain);
  });

  it("maps back to the original text, without removed characters at the ends", () => {
    const raw = "A **“bold”\u00a0\u00a0claim.** Then more.";
    const { plain, verbatim } = toPlainText(raw);
    const end = plain.indexOf(".") + 1;
    expect(plain.slice(0, end)).toBe('A "bold" claim.');
    expect(verbatim(0, end)).toBe("A **“bold”\u00a0\u00a0claim.");
    expect(verbatim(plain.indexOf("Then"), plain.length)).toBe("Then more.");
  });

  it("maps any range back to a piece of the text that normalizes to the same letters", () => {
    const signs = fc.array(
      fc.constantFrom("a", "B", " ", "\n", "**", "*", "“", "”", "\u00a0", "\u2011", ",", "(", ")", "®", "."),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(signs, fc.nat(60), fc.nat(60), (list, a, b) => {
        const raw = list.join("");
        const { plain, verbatim } = toPlainText(raw);
        const [start, end] = [Math.min(a, b, plain.length), Math.min(Math.max(a, b), plain.length)];
        const piece = verbatim(start, end);
        expect(raw).toContain(piece);
        expect(letters(toPlainText(piece).plain)).toBe(letters(plain.slice(start, end)));
      }),
    );
  });
});

function letters(text: string): string {
  return text.replaceAll(/[^aB.]/g, "");
}

const RELEASE = "Harbor Mills splits its stock. The ratio is 1-for-12. Fractions are rounded up.\n\nAbout Harbor Mills";
const OTHER = "Tide Corp (NYSE: TDE) Announces 1-for-99 Reverse Stock Split";

describe("withoutOtherReleases", () => {
  it.each([
    "Also from this source",
    "More Releases From This Source",
    "Related News:",
    "You may also like",
    "Latest news",
  ])("removes the list below %j", (line) => {
    expect(withoutOtherReleases(`${RELEASE}\n\n${line}\n\n${OTHER}`)).toBe(`${RELEASE}\n\n`);
  });

  it.each(["read next", "More from this ", "Related news:", "Related news: "])(
    "takes time linear in the spaces between a line of %j and a letter",
    async (line) => {
      const read = (spaces: number): void => {
        const text = `${RELEASE}\n\n${line}${" ".repeat(spaces)}x`;
        expect(withoutOtherReleases(text)).toBe(text);
      };
      expect(await growthFactor(read, 100_000)).toBeLessThan(8);
    },
  );

  it.each([
    ["navigation above a release", `Latest news\n\n${RELEASE}`],
    ["a sentence that begins with such words", `${RELEASE}\n\nRelated news of the split follows on May 4, 2026.`],
    ["a release without a list", RELEASE],
  ])("keeps %s", (_, text) => {
    expect(withoutOtherReleases(text)).toBe(text);
  });
});
