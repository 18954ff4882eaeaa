import type { Contradiction } from "../domain/settings/rule-filters.ts";
import { KNOWN_EXCHANGES } from "../domain/split/exchange.ts";
import type { Day } from "../domain/time/day.ts";
import { EXAMPLE_TICKER } from "./example-tickers.ts";
import type { Button } from "./message.ts";
import { RULE_OPTION_TEXT } from "./rule-text.ts";

/** Problem with a command. `option` is the invalid option; null for a problem with the whole command. */
export interface CommandProblem {
  readonly option: string | null;
  readonly text: string;
  /** Text beside the option's field in a form; defaults to `text`. */
  readonly inForm?: string;
  /** Present if a value is invalid. */
  readonly invalid?: { readonly got: string; readonly expected: string };
  /** Buttons that run the command with valid values. */
  readonly buttons?: readonly Button[];
}

/** Completes "expected …" for each kind of option. */
export const EXPECTED = {
  ticker: `a ticker such as ${EXAMPLE_TICKER} or BRK.B, or a company's name`,
  tickers: `tickers such as ${EXAMPLE_TICKER}, BRK.B, or companies' names`,
  exchanges: someOf(KNOWN_EXCHANGES),
  tickersOrExchanges: `tickers and exchanges such as ${EXAMPLE_TICKER}, OTC`,
  day: 'a day as YYYY-MM-DD, or "today" or "yesterday"',
  isoDay: "a day as YYYY-MM-DD",
  page: "a whole number from 1 to 10,000",
  minRatio: "a ratio above 1, such as 20, 1-for-20 or 1:20",
  ratio: "a ratio such as 1-for-20, 1:20 or 1-for-7.7",
  shares: "a number of shares above 0, such as 150, 12.5 or 1,234.5678 (at most 15 digits)",
  ruleNumber: "a rule number such as 1",
  ruleNumbers: 'rule numbers such as 1 or 1,3, or "all"',
  duration: "a duration such as 90m, 2h, 3d or 1w, from 1 minute to 90 days",
  timezone: 'a time zone such as Pacific/Auckland or America/New_York, or "default"',
  quietHours: 'hours such as 22:00-07:00 or 10pm-7am with different start and end times, or "off"',
  switch: '"on" or "off"',
  mention: "a mention such as @traders",
  command: "a command such as list",
  text: "a word",
  pastedText: "tickers separated by commas, spaces or line breaks, or the text of an exported file",
  file: "a file of at most 1 MB; if you can't attach one, paste its text after the command",
} as const;

export function oneOf(words: readonly string[]): string {
  return `one of ${words.join(", ")}`;
}

export function someOf(words: readonly string[]): string {
  return `one or more of ${words.join(", ")}`;
}

/** `name`: an exchange that no source covers, without "the". */
export function uncoveredExchangeText(name: string): string {
  return `splitwatch has no splits of the ${name}.`;
}

export function onlyOneValueText(firstValue: string): string {
  return `only one value; "${firstValue}" was already given`;
}

export function nothingMoreText(command: string): string {
  return `no more values after "${command}"`;
}

export function fromAfterToProblem(from: Day, to: Day): CommandProblem {
  return { option: "from", text: `got "${from}", expected a day on or before "to" (${to}).` };
}

/** Problem of a combination of rule options that matches no event. */
export function contradictionProblem(contradiction: Contradiction): CommandProblem {
  switch (contradiction.kind) {
    case "no-events":
      return { option: "events", text: "select at least one." };
    case "all-excluded": {
      const { option, excluded } = contradiction;
      return {
        option: "exclude",
        text: `got "${excluded.join(", ")}", which excludes everything in "${option}".`,
        inForm: `This excludes everything in "${RULE_OPTION_TEXT[option].label}". Remove entries from one of the two.`,
      };
    }
    case "sources-without-releases":
      return {
        option: "sources",
        text: 'applies to press releases only. Add "article" or "early" to "events", or leave out "sources".',
        inForm:
          "This applies to press releases only, and none are selected above. Select them, or leave this field empty.",
      };
  }
}

export const TICKER_OR_RATIO_MISSING: CommandProblem = {
  option: null,
  text: `ticker or ratio: missing, expected a ticker such as ${EXAMPLE_TICKER} or a ratio such as 1-for-20.`,
};
