import { describe, expect, it } from "vitest";
import { CASH_RULES, HALF_RULES, INSTEAD_RULES, ROUNDING_RULES } from "./fraction-rules.ts";
import { ADS_CHANGE, AHEAD, ANNOUNCED, APPROVAL, COMPLETED, DENIED, PROPOSED, TOLD_AFTERWARDS } from "./kind-rules.ts";
import { TAKEN_BACK } from "./reinstatement.ts";
import { RANGE_RULES } from "./split-words.ts";
import { loose, matchesNounRule, placesOfNoun } from "./text-rule.ts";
import { CALLED_OFF } from "./withdrawal-rules.ts";

const PATTERN_RULES = [...RANGE_RULES, ...HALF_RULES, ...ROUNDING_RULES, ...TAKEN_BACK];
const NOUN_RULES = [
  ...AHEAD,
  ANNOUNCED,
  ...APPROVAL,
  ...COMPLETED,
  ...TOLD_AFTERWARDS,
  ...PROPOSED,
  ...ADS_CHANGE,
  ...DENIED,
  ...CALLED_OFF,
  ...INSTEAD_RULES,
  ...CASH_RULES,
];

describe("every rule", () => {
  it.each(PATTERN_RULES)("finds its own example: $name", ({ pattern, example }) => {
    expect(example).toMatch(pattern);
  });

  it.each(NOUN_RULES)("finds its own example: $name", (rule) => {
    expect(matchesNounRule(rule, rule.example)).toBe(true);
  });

  it.each(ROUNDING_RULES)("is not hidden by a rule before it: $name", ({ example, says }) => {
    expect(ROUNDING_RULES.find(({ pattern }) => pattern.test(example))?.says).toBe(says);
  });
});

describe("a loose pattern", () => {
  it.each(["nearest whole share", "nearestwhole share", "Nearest-Whole-Share", "NEAREST WHOLESHARE"])(
    "reads %s however its blanks are written",
    (text) => {
      expect(text).toMatch(loose("nearest whole share"));
    },
  );
});

describe("a noun rule", () => {
  const rule = {
    name: "a sold boat",
    says: "sold",
    noun: /boat/g,
    before: /sold/,
    unless: /toy/,
    example: "they sold a boat",
  };

  it("asks for its words on their side of the noun", () => {
    expect(placesOfNoun(rule, "they sold a boat, then a boat")).toEqual([12, 25]);
    expect(placesOfNoun(rule, "a boat is sold")).toEqual([]);
  });

  it("is silenced by a word that must not stand there", () => {
    expect(placesOfNoun(rule, "they sold a boat that was a toy")).toEqual([]);
  });

  it("does not reach for words that are far away", () => {
    expect(placesOfNoun(rule, `sold ${"x".repeat(300)} boat`)).toEqual([]);
  });
});
