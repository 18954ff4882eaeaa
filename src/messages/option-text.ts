import type { Day } from "../domain/time/day.ts";
import { A_TICKER } from "./example-tickers.ts";

/** What an option takes, as far as words for it need to know. */
interface Expectation {
  readonly kind:
    | "ticker"
    | "tickers"
    | "looseTickers"
    | "exchanges"
    | "names"
    | "choice"
    | "choices"
    | "day"
    | "number"
    | "ratio"
    | "exactRatio"
    | "shares"
    | "rule"
    | "numbers"
    | "duration"
    | "timezone"
    | "hours"
    | "switch"
    | "text"
    | "pasted"
    | "file";
  readonly choices?: readonly string[];
  readonly range?: readonly [number, number];
}

/** The values of an `Expectation` that hold words of their own; the other kinds always take the same. */
const FIXED_WORDS = {
  ticker: `a ticker such as ${A_TICKER} or BRK.B`,
  tickers: `tickers such as ${A_TICKER}, BRK.B`,
  looseTickers: `tickers such as ${A_TICKER}, BRK.B`,
  exchanges: "an exchange such as NASDAQ, NYSE, NYSE American or OTC",
  names: `tickers and exchanges such as ${A_TICKER}, OTC`,
  day: "a day as YYYY-MM-DD, or today, or yesterday",
  ratio: "a number of old shares per new share above 1, such as 20, 1-for-20 or 1:20",
  exactRatio: "a ratio such as 1-for-20, 1:20 or 1-for-7.7",
  shares: "a number of shares such as 150, 12.5 or 1,234.5678 (at most 15 digits)",
  rule: "a rule number such as 1",
  numbers: "rule numbers such as 1 or 1,3, or all",
  duration: "a duration such as 90m, 2h, 3d or 1w, from 1 minute to 90 days",
  timezone: "a time zone such as Pacific/Auckland or America/New_York, or default",
  hours: "hours such as 22:00-07:00 or 10pm-7am with different start and end times, or off",
  switch: "on or off",
  text: "a word",
  pasted: "tickers separated by commas, spaces or line breaks, or the text of an exported file",
  file: "a file of at most 1 MB; if you can't attach one, paste its text after the command",
} as const;

/** Completes "expected …". */
export function expectedText({ kind, choices = [], range = [1, 1_000_000] }: Expectation): string {
  if (kind === "choice") return `one of ${choices.join(", ")}`;
  if (kind === "choices") return `one or more of ${choices.join(", ")}`;
  if (kind === "number") return `a whole number from ${range[0]} to ${range[1].toLocaleString("en-US")}`;
  return FIXED_WORDS[kind];
}

export function onlyOneValueText(given: string): string {
  return `only one value; ${given} was already given`;
}

export function nothingMoreText(command: string): string {
  return `no more values after ${command}`;
}

export function fromAfterToText(from: Day, to: Day): string {
  return `from: got "${from}", expected a day no later than to (${to}).`;
}

export function excludesAllText(option: string, excluded: readonly string[]): string {
  return `exclude: got "${excluded.join(", ")}", which excludes everything in ${option}.`;
}

export const SOURCES_WITHOUT_ARTICLES =
  "sources: applies to press releases only, but events includes neither article nor early. Add one of them to events, or leave out sources.";

export const TICKER_OR_RATIO_MISSING = `ticker or ratio: missing, expected a ticker such as ${A_TICKER} or a ratio such as 1-for-20.`;
