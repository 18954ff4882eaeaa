import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anyRuleFilter } from "../../test/support/any-rule.ts";
import { type CommandBench, IN_GENERAL, openCommandBench } from "../../test/support/command-bench.ts";
import type { RuleFilter } from "../domain/settings/rule.ts";
import { writeMinRatio } from "./parser/option-values.ts";
import { writeRuleLine } from "./subscribe.ts";

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
});
afterEach(() => bench.close());

describe("the command line of a rule", () => {
  it("recreates the rule for any filter", async () => {
    await fc.assert(
      fc.asyncProperty(anyRuleFilter, async (filter: RuleFilter) => {
        const rule = {
          ...filter,
          number: 1,
          destination: IN_GENERAL.destination,
          createdBy: IN_GENERAL.person,
          createdAt: 0,
          mention: null,
        };
        await bench.run(writeRuleLine(rule) ?? "");
        const [set] = await bench.store.rules.at(IN_GENERAL.destination);
        await bench.run("unsubscribe all");
        expect({ ...set, number: 1, createdAt: 0 }).toEqual(rule);
      }),
      { numRuns: 60 },
    );
  });

  it("is null for a rule with a mention", () => {
    const rule = fc.sample(anyRuleFilter, 1)[0];
    if (!rule) throw new Error("no rule was made");
    const { destination, person } = IN_GENERAL;
    expect(
      writeRuleLine({ ...rule, number: 1, destination, createdBy: person, createdAt: 0, mention: "<@U1>" }),
    ).toBeNull();
  });
});

describe("the minimum ratio", () => {
  it.each([
    [20, "20"],
    [7.7, "7.7"],
    [2400, "2400"],
    [100 / 3, "3:100"],
  ])("%s is written as %s", (oldPerNew, word) => {
    expect(writeMinRatio(oldPerNew)).toBe(word);
  });
});
