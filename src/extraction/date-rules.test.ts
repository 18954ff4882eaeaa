import { describe, expect, it } from "vitest";
import { EXCLUSION_RULES, MOVED_TO, matchesDateRule, RELATIVE_RULES, TIME_RULES } from "./date-rules.ts";
import { findDates } from "./dates.ts";
import { TRADING_HINT, TRADING_RULES } from "./ex-date-rules.ts";
import { matchesNounRule } from "./text-rule.ts";

describe("rules on the context of a date", () => {
  it.each([...TIME_RULES, ...EXCLUSION_RULES])("match their own example: $name", (rule) => {
    const { example } = rule;
    const [date] = findDates(example, null);
    expect(date && matchesDateRule(rule, example.slice(0, date.start), example.slice(date.end))).toBe(true);
  });

  it.each(TIME_RULES)("are not shadowed by an earlier rule: $name", ({ example, category }) => {
    const [date] = findDates(example, null);
    const first = TIME_RULES.find(
      (rule) => date && matchesDateRule(rule, example.slice(0, date.start), example.slice(date.end)),
    );
    expect(first?.category).toBe(category);
  });

  it.each(RELATIVE_RULES)("match the relative day of their example: $name", ({ pattern, example }) => {
    expect([...example.matchAll(pattern)]).toHaveLength(1);
  });

  it.each(TRADING_RULES)("match the trading of their example: $name", (rule) => {
    expect(matchesNounRule(rule, rule.example)).toBe(true);
    expect(rule.example).toMatch(TRADING_HINT);
  });
});

describe("MOVED_TO", () => {
  it.each(["The split was postponed from May 4 to ", "It has been delayed until market open on "])(
    "matches before a new day: %s",
    (before) => {
      expect(before).toMatch(MOVED_TO);
    },
  );

  it.each(["The ratio will be changed to ", "It changes the ratio, to be effective on ", "The meeting is open to "])(
    "does not match: %s",
    (before) => {
      expect(before).not.toMatch(MOVED_TO);
    },
  );
});
