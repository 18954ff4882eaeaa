import { describe, expect, it } from "vitest";
import { exchange, ticker } from "../../test/support/builders.ts";
import { EVENT_KINDS } from "../domain/alert/event.ts";
import { DEFAULT_FILTER, type RuleFilter } from "../domain/settings/rule.ts";
import { describeRule } from "./rule-text.ts";

const DEFAULT_TEXT =
  "Alerts when a split is announced, changed, postponed, cancelled, no longer listed, listed again or in effect";

describe("the description of a rule", () => {
  const cases: readonly (readonly [string, Partial<RuleFilter & { mention: string }>, string])[] = [
    ["the default", {}, `${DEFAULT_TEXT}.`],
    ["one event", { events: ["announced"] }, "Alerts when a split is announced."],
    [
      "every event",
      { events: EVENT_KINDS },
      `${DEFAULT_TEXT}, and before an ex date, and for each press release, and for each release about an approval or a range of ratios, and when the data becomes outdated or recovers.`,
    ],
    [
      "releases of two wires",
      { events: ["article"], sources: ["prnewswire", "newsfile"] },
      "Alerts for each press release from PR Newswire or Newsfile.",
    ],
    [
      "exchanges",
      { exchanges: [exchange("NYSE American"), exchange("OTC")] },
      `${DEFAULT_TEXT}; on NYSE American or OTC.`,
    ],
    ["tickers", { tickers: [ticker("ACME"), ticker("BRK.B")] }, `${DEFAULT_TEXT}; for ACME and BRK.B.`],
    ["a steep ratio", { minRatio: 7.7 }, `${DEFAULT_TEXT}; 1-for-7.7 or steeper.`],
    ["a large ratio", { minRatio: 2400 }, `${DEFAULT_TEXT}; 1-for-2,400 or steeper.`],
    [
      "treatments",
      { fractional: ["cash_in_lieu", "round_up"] },
      `${DEFAULT_TEXT}; where fractional shares are rounded up to a whole share or paid out in cash (cash in lieu).`,
    ],
    [
      "exclusions",
      { excludeTickers: [ticker("BAD")], excludeExchanges: [exchange("OTC")] },
      `${DEFAULT_TEXT}; except for BAD or on OTC.`,
    ],
    ["a mention", { mention: "@traders" }, `${DEFAULT_TEXT}; mentioning @traders.`],
  ];

  it.each(cases)("includes %s", (_case, parts, words) => {
    expect(describeRule({ ...DEFAULT_FILTER, ...parts })).toBe(words);
  });
});
