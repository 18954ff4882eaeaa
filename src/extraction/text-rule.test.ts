import { describe, expect, it } from "vitest";
import { CASH_RULES, HALF_RULES, NON_ROUNDING_RULES, ROUNDING_RULES } from "./fraction-rules.ts";
import { GENERAL_RULES } from "./general-rules.ts";
import {
  ADS_CHANGE_RULES,
  ANNOUNCEMENT_RULE,
  APPROVAL_RULES,
  DENIAL_RULES,
  PAST_SPLIT_RULES,
  PROPOSAL_RULES,
  RETROSPECTIVE_RULES,
  UPCOMING_RULES,
} from "./kind-rules.ts";
import { RANGE_RULES } from "./split-patterns.ts";
import {
  findMatches,
  findMatchingRule,
  loosePattern,
  matchesNounRule,
  matchIndexes,
  startingWith,
} from "./text-rule.ts";
import { REINSTATEMENT_RULES, WITHDRAWAL_RULES } from "./withdrawal.ts";

const PATTERN_RULES = [...GENERAL_RULES, ...RANGE_RULES, ...HALF_RULES, ...ROUNDING_RULES, ...REINSTATEMENT_RULES];
const NOUN_RULES = [
  ...UPCOMING_RULES,
  ANNOUNCEMENT_RULE,
  ...APPROVAL_RULES,
  ...PAST_SPLIT_RULES,
  ...RETROSPECTIVE_RULES,
  ...PROPOSAL_RULES,
  ...ADS_CHANGE_RULES,
  ...DENIAL_RULES,
  ...WITHDRAWAL_RULES,
  ...NON_ROUNDING_RULES,
  ...CASH_RULES,
];

describe("rules", () => {
  it.each(PATTERN_RULES)("match the pattern of their example: $name", ({ pattern, example }) => {
    expect(example).toMatch(pattern);
  });

  it.each(NOUN_RULES)("match the noun of their example: $name", (rule) => {
    expect(matchesNounRule(rule, rule.example)).toBe(true);
  });

  it.each(ROUNDING_RULES)("are not shadowed by an earlier rule: $name", ({ example, category }) => {
    expect(ROUNDING_RULES.find(({ pattern }) => pattern.test(example))?.category).toBe(category);
  });
});

describe("a loose pattern", () => {
  it.each(["nearest whole share", "nearestwhole share", "Nearest-Whole-Share", "NEAREST WHOLESHARE"])(
    "matches %s with any spaces",
    (text) => {
      expect(text).toMatch(loosePattern("nearest whole share"));
    },
  );
});

describe("a noun rule", () => {
  const rule = {
    name: "a sold boat",
    category: "sold",
    noun: /boat/g,
    before: /sold/,
    notNear: /toy/,
    example: "they sold a boat",
  };

  it("requires its words on the right side of the noun", () => {
    expect(matchIndexes(rule, "they sold a boat, then a boat")).toEqual([12, 25]);
    expect(matchIndexes(rule, "a boat is sold")).toEqual([]);
  });

  it("does not match beside an excluded word", () => {
    expect(matchIndexes(rule, "they sold a boat that was a toy")).toEqual([]);
  });

  it("ignores distant words", () => {
    expect(matchIndexes(rule, `sold ${"x".repeat(300)} boat`)).toEqual([]);
  });
});

describe("a rule list", () => {
  const sold = { name: "sold", noun: /boat/g, before: /sold/, example: "sold a boat" };
  const found = { name: "found", noun: sold.noun, before: /found/, example: "found a boat" };
  const car = { name: "car", noun: /car/g, example: "a car" };

  it("returns the first rule that matches, of rules with the same noun and with another", () => {
    const rules = [sold, found, car];
    expect(findMatchingRule(rules, "they found a boat and a car")).toBe(found);
    expect(findMatchingRule(rules, "a boat and a car")).toBe(car);
    expect(findMatchingRule(rules, "a boat")).toBeUndefined();
  });
});

describe("a pattern that starts with words", () => {
  it("matches what it matches without them", () => {
    const source = "(?<=the )split|roll ?back";
    const text = "the split, a split, a rollback and the roll back";
    const found = findMatches(new RegExp(startingWith("split|roll", source), "g"), text);
    expect(found.map(({ index }) => index)).toEqual(
      [...text.matchAll(new RegExp(source, "g"))].map(({ index }) => index),
    );
  });
});

describe("finding matches", () => {
  it("finds as many as matchAll, empty ones included, and starts again for each text", () => {
    const pattern = /b*/g;
    for (const text of ["abba", "b"]) {
      expect(findMatches(pattern, text).map(String)).toEqual([...text.matchAll(pattern)].map(String));
    }
  });

  it("stops at the limit", () => {
    expect(findMatches(/a/g, "aaa", 2).map(({ index }) => index)).toEqual([0, 1]);
  });

  it("rejects a pattern that would match the same text endlessly", () => {
    expect(() => findMatches(/a/, "a")).toThrow("expected a pattern with the flag g");
  });
});
