import { describe, expect, it } from "vitest";
import { choicesOf, completionText } from "./autocomplete.ts";

describe("completing an option", () => {
  it.each([
    ["", "watch tickers:"],
    ["AC", "watch tickers:AC"],
    ["ACME, BO", "watch tickers:ACME,BO"],
    [" ACME BO", "watch tickers:ACME,BO"],
    ["ACME ; ", "watch tickers:ACME,"],
  ])("after %j asks for %j", (typed, line) => {
    expect(completionText("watch", "tickers", typed)).toBe(line);
  });

  it("offers the whole value, with a hint", () => {
    const suggestions = [{ line: "watch tickers:ACME,BOLT", label: "BOLT", hint: "no split listed" }];
    expect(choicesOf("watch", "tickers", suggestions)).toEqual({
      choices: [{ name: "ACME, BOLT · no split listed", value: "ACME,BOLT" }],
    });
  });

  it("offers no more and nothing longer than Discord takes, and no other option", () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      line: `watch tickers:T${index}`,
      label: "",
      hint: "x".repeat(200),
    }));
    const { choices = [] } = choicesOf("watch", "tickers", [
      { line: `watch tickers:${"A".repeat(101)}`, label: "", hint: "" },
      { line: "watch exclude:", label: "", hint: "" },
      { line: "watch tickers:", label: "", hint: "" },
      ...many,
    ]);
    expect(choices).toHaveLength(25);
    expect(choices[0]).toMatchObject({ value: "T0" });
    for (const { name } of choices) expect(name.length).toBeLessThanOrEqual(100);
  });
});
