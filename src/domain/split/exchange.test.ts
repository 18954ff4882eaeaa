import { describe, expect, it } from "vitest";
import { exchange } from "../../../test/support/builders.ts";
import {
  exchangeName,
  followsUsTradingDays,
  isKnownExchange,
  KNOWN_EXCHANGES,
  parseExchange,
  sharesSymbols,
} from "./exchange.ts";

describe("parseExchange", () => {
  it.each([
    ["NASDAQ", "NASDAQ"],
    ["Nasdaq", "NASDAQ"],
    ["NasdaqCM", "NASDAQ"],
    ["Nasdaq Capital Market", "NASDAQ"],
    ["The Nasdaq Stock Market", "NASDAQ"],
    ["Nasdaq®", "NASDAQ"],
    ["NYSE", "NYSE"],
    ["New York Stock Exchange", "NYSE"],
    ["The New York Stock Exchange", "NYSE"],
    ["NYSE American", "NYSEAMERICAN"],
    ["NYSE-American", "NYSEAMERICAN"],
    ["NYSE MKT", "NYSEAMERICAN"],
    ["amex", "NYSEAMERICAN"],
    ["NYSE Arca", "NYSEARCA"],
    ["Cboe BZX", "CBOE"],
    ["OTCQB", "OTC"],
    ["OTC Pink", "OTC"],
    ["OTC Markets", "OTC"],
    ["TSX", "TSX"],
    ["TSX-V", "TSXV"],
    ["TSX.V", "TSXV"],
    ["TSX Venture Exchange", "TSXV"],
    ["CSE", "CSE"],
    ["Canadian Securities Exchange", "CSE"],
    ["XETRA", "XETRA"],
  ])("parses %j as %s", (text, code) => {
    expect(parseExchange(text)).toBe(code);
  });

  it.each(["", " ", "A", "1ST", "ÅSX", "NASDAQ (US)", "constructor!", "X".repeat(31)])("rejects %j", (text) => {
    expect(parseExchange(text)).toBeUndefined();
  });

  it.each(["constructor", "toString", "__proto__"])("treats %j as an unknown name", (text) => {
    const code = exchange(text);
    expect(isKnownExchange(code)).toBe(false);
    expect(exchangeName(code)).toBe(code);
  });

  it.each([...KNOWN_EXCHANGES])("parses the code and the display name of %s", (code) => {
    const known = exchange(code);
    expect(known).toBe(code);
    expect(isKnownExchange(known)).toBe(true);
    expect(parseExchange(exchangeName(known))).toBe(code);
  });
});

describe("an exchange", () => {
  it("that is unknown has its code as its name", () => {
    expect(exchangeName(exchange("XETRA"))).toBe("XETRA");
    expect(isKnownExchange(exchange("XETRA"))).toBe(false);
  });

  it.each([
    ["NASDAQ", true],
    ["NYSE", true],
    ["NYSEAMERICAN", true],
    ["NYSEARCA", true],
    ["CBOE", true],
    ["OTC", true],
    ["TSX", false],
    ["TSXV", false],
    ["CSE", false],
    ["XETRA", false],
  ])("%s has US trading days: %s", (code, keeps) => {
    expect(followsUsTradingDays(exchange(code))).toBe(keeps);
  });

  it.each([
    ["NYSE", "NYSEAMERICAN", true],
    ["OTC", "NASDAQ", true],
    ["TSX", "TSX", true],
    ["XETRA", "XETRA", true],
    ["TSX", "NASDAQ", false],
    ["TSX", "TSXV", false],
    ["XETRA", "NASDAQ", false],
  ])("%s and %s share symbols: %s", (a, b, shared) => {
    expect(sharesSymbols(exchange(a), exchange(b))).toBe(shared);
    expect(sharesSymbols(exchange(b), exchange(a))).toBe(shared);
  });
});
