import { describe, expect, it } from "vitest";
import { matchesSponsorRule, SPONSOR_RULES } from "./funds.ts";

function around(example: string): { readonly before: string; readonly after: string } {
  const [before = "", after = ""] = example.split(/\([^)]*\)/);
  return { before, after };
}

function isSponsor(example: string): boolean {
  return SPONSOR_RULES.some((rule) => matchesSponsorRule(rule, around(example)));
}

describe("the house behind a fund", () => {
  it.each(SPONSOR_RULES)("is known by the rule's own example: $name", (rule) => {
    expect(matchesSponsorRule(rule, around(rule.example))).toBe(true);
  });

  it.each([
    "Ridge Daily Copper Bear 2X ETF (NYSE: RCOP) will be split",
    "Ridge Daily Copper Bear 2X ETF (NYSE: RCOP) announced",
    "Ridge Copper Notes (NYSE: RCOP) and their issuer, Harbor Bank,",
    "Ridge Copper Notes (NYSE: RCOP), a product of the sponsor",
  ])("is not taken for: %s", (text) => {
    expect(isSponsor(text)).toBe(false);
  });
});
