import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Exchange, KNOWN_EXCHANGES, parseExchange } from "./exchange.ts";
import {
  canonicalTicker,
  listingOf,
  parseTicker,
  parseUserTicker,
  selectorsOf,
  selects,
  type Ticker,
} from "./ticker.ts";

describe("parseTicker", () => {
  it.each([
    ["ACME", "ACME"],
    ["acme", "ACME"],
    [" $acme ", "ACME"],
    ["$ACME", "ACME"],
    ["A", "A"],
    ["BRK.B", "BRK.B"],
    ["brk-b", "BRK.B"],
    ["BRK/B", "BRK.B"],
    ["BRK B", "BRK.B"],
    ["BRK\u2011B", "BRK.B"],
    ["BF/A", "BF.A"],
    ["REI-UN", "REI.UN"],
    ["REI UN", "REI.UN"],
    ["GODB.P", "GODB.P"],
    ["ACMEDW", "ACMEDW"],
    ["X1", "X1"],
    ["NaN", "NAN"],
    ["null", "NULL"],
    ["NASDAQ:ACME", "ACME"],
    ["nasdaq: acme", "ACME"],
    ["NYSE American: ACME", "ACME"],
    ["NYSE:BRK-B", "BRK.B"],
    ["OTC: ACMEF", "ACMEF"],
    ["NASDAQ:$ACME", "ACME"],
    ["ACME.US", "ACME"],
    ["BRK-B.US", "BRK.B"],
    ["OAKR.TO", "OAKR.TO"],
    ["oakr-to", "OAKR.TO"],
    ["TSX:OAKR", "OAKR.TO"],
    ["TSE:OAKR", "OAKR.TO"],
    ["TSX: OAKR.TO", "OAKR.TO"],
    ["MAPL.V", "MAPL.V"],
    ["TSXV:MAPL", "MAPL.V"],
    ["TSX-V:MAPL", "MAPL.V"],
    ["CVE:MAPL", "MAPL.V"],
    ["LEAF.CN", "LEAF.CN"],
    ["CSE:LEAF", "LEAF.CN"],
    ["CNSX:LEAF", "LEAF.CN"],
    ["PINE.NE", "PINE.NE"],
    ["NEO:PINE", "PINE.NE"],
    ["HARL-A.V", "HARL.A.V"],
    ["TSXV:HARL.A", "HARL.A.V"],
    ["REI-UN.TO", "REI.UN.TO"],
    ["ABC.XYZQ", "ABC.XYZQ"],
    ["OAKR-T", "OAKR.T"],
  ])("parses %j as %s", (text, ticker) => {
    expect(parseTicker(text)).toBe(ticker);
  });

  it.each([
    "",
    " ",
    "$",
    "$$ACME",
    "TOOLONG",
    "A B",
    "ACME BETA",
    "ACME,BETA",
    "123",
    "12.34",
    "12.TO",
    "BRK.",
    ".B",
    "A..B",
    "ACME!",
    "ÄCME",
    "ABC.XYZQR",
    "ABC.D.E",
    "ABC.TO.XYZ",
    "LSE:ACME",
    "XYZZY:ACME",
    "ACME:US",
    "NASDAQ:",
    "NYSE:OAKR.TO",
    "TSE:7203",
    "TSE:130A",
  ])("rejects %j", (text) => {
    expect(parseTicker(text)).toBeUndefined();
  });

  it("parses its own result in any case", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (text) => {
        const ticker = parseTicker(text);
        if (ticker === undefined) return;
        expect(parseTicker(ticker)).toBe(ticker);
        expect(parseTicker(`$${ticker.toLowerCase()}`)).toBe(ticker);
        expect(canonicalTicker(ticker)).toBe(ticker);
      }),
    );
  });
});

/** A security, and the exchange that its spellings may name; null: none. */
interface Security {
  readonly base: string;
  readonly part: string | null;
  readonly exchange: string | null;
}

const anySecurity: fc.Arbitrary<Security> = fc.record({
  base: fc.stringMatching(/^[A-Z][A-Z0-9]{1,5}$/),
  part: fc.option(fc.constantFrom("A", "B", "K", "P", "U", "UN")),
  exchange: fc.option(fc.constantFrom(...KNOWN_EXCHANGES, "NEO")),
});

const NAMES: Readonly<Record<string, readonly string[]>> = {
  NASDAQ: ["NASDAQ", "Nasdaq CM"],
  NYSE: ["NYSE", "nyse"],
  TSX: ["TSX", "TSE"],
  TSXV: ["TSXV", "TSX-V", "TSX.V", "TSX Venture", "CVE"],
  CSE: ["CSE", "CNSX", "CNQ"],
};
const SUFFIXES: Readonly<Record<string, string>> = { TSX: "TO", TSXV: "V", CSE: "CN", NEO: "NE" };

/** Any spelling of a security. */
function spellingsOf({ base, part, exchange }: Security): fc.Arbitrary<string> {
  const separators = part === null ? [""] : [".", "-", "/", " ", "\u2013"];
  const symbols = separators.map((separator) => `${base}${separator}${part ?? ""}`);
  const suffix = exchange === null ? undefined : SUFFIXES[exchange];
  const names = exchange === null ? [] : (NAMES[exchange] ?? [exchange]);
  const suffixed =
    suffix === undefined ? [] : symbols.filter((text) => !text.includes(" ")).map((text) => `${text}.${suffix}`);
  const tagged = names.flatMap((name) => symbols.flatMap((text) => [`${name}:${text}`, `${name}: ${text}`]));
  const plain = suffix === undefined ? symbols.flatMap((text) => [text, `$${text}`]) : [];
  return fc
    .tuple(fc.constantFrom(...plain, ...suffixed, ...tagged), fc.boolean(), fc.constantFrom("", " "))
    .map(([text, isLower, space]) => `${space}${isLower ? text.toLowerCase() : text}${space}`);
}

const anySpelling = anySecurity.chain((security) => spellingsOf(security).map((text) => ({ security, text })));

/** Symbols are unique among the exchanges of the US, and the suffixes name each Canadian exchange. */
function identityOf({ base, part, exchange }: Security): string {
  return JSON.stringify([base, part, exchange === null ? undefined : SUFFIXES[exchange]]);
}

describe("the canonical form", () => {
  it("is the same for all spellings of a security, and different for different securities", () => {
    fc.assert(
      fc.property(anySpelling, anySpelling, (a, b) => {
        const [first, second] = [parseTicker(a.text), parseTicker(b.text)];
        expect(first).toBeDefined();
        expect(first === second).toBe(identityOf(a.security) === identityOf(b.security));
      }),
    );
  });

  it("is the same for two spellings of one security", () => {
    const twoSpellings = anySecurity.chain((security) => fc.tuple(spellingsOf(security), spellingsOf(security)));
    fc.assert(
      fc.property(twoSpellings, ([a, b]) => {
        expect(parseTicker(a)).toBe(parseTicker(b));
      }),
    );
  });

  it("of a typed symbol ignores markup and punctuation around it", () => {
    fc.assert(
      fc.property(anySpelling, fc.constantFrom("*", "_", "'", ""), ({ text }, mark) => {
        expect(parseUserTicker(`${mark}${text.trim()}${mark}`)).toBe(parseTicker(text));
      }),
    );
  });
});

function listing(ticker: string, exchange: string | null) {
  return { ticker: ticker as Ticker, exchange: exchange === null ? null : (parseExchange(exchange) as Exchange) };
}

describe("listingOf", () => {
  it.each([
    ["OAKR.TO", "TSX", "OAKR", "TSX"],
    ["OAKR.TO", null, "OAKR", "TSX"],
    ["OAKR.TO", "TSE", "OAKR", "TSE"],
    ["MAPL.V", "TSXV", "MAPL", "TSXV"],
    ["HARL.A.CN", "CSE", "HARL.A", "CSE"],
    ["ABC.V", "NYSE", "ABC.V", "NYSE"],
    ["OAKR.TO", "CSE", "OAKR.TO", "CSE"],
    ["BRK.B", null, "BRK.B", null],
    ["V", null, "V", null],
  ])("reads %s on %s as %s on %s", (ticker, exchange, base, on) => {
    expect(listingOf(listing(ticker, exchange))).toEqual(listing(base, on));
  });
});

describe("a ticker selects", () => {
  it.each<[string, boolean, string, string | null]>([
    ["OAKR", true, "OAKR", "TSX"],
    ["OAKR", true, "OAKR", "NYSE"],
    ["OAKR.TO", true, "OAKR", "TSX"],
    ["OAKR.TO", true, "OAKR", "TSXV"],
    ["OAKR.TO", true, "OAKR", null],
    ["OAKR.TO", false, "OAKR", "NYSE"],
    ["OAKR.TO", false, "OAKRX", "TSX"],
    ["ABC.V", true, "ABC", "TSXV"],
    ["ABC.V", true, "ABC.V", "NYSE"],
    ["ABC.V", false, "ABC", "NYSE"],
    ["HARL.A.V", true, "HARL.A", "TSXV"],
    ["HARL.A", false, "HARL", "TSXV"],
  ])("%s: %j for %s on %s", (selector, expected, ticker, exchange) => {
    expect(selects(selector as Ticker, listing(ticker, exchange))).toBe(expected);
    const exchanges = exchange === null ? [] : [exchange as Exchange];
    expect(selectorsOf(ticker as Ticker, exchanges).includes(selector as Ticker)).toBe(expected);
  });
});
