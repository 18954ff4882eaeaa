import { describe, expect, it, onTestFinished, vi } from "vitest";
import { closestWord, closestWords } from "./closest-word.ts";

const WORDS = ["start", "service", "doctor", "keys"];

describe("closestWord", () => {
  it.each([
    ["strat", "start"],
    ["START", "start"],
    ["servce", "service"],
    ["dcotor", "doctor"],
    ["key", "keys"],
    ["sevrices", "service"],
  ])("corrects %s to %s", (word, expected) => {
    expect(closestWord(word, WORDS)).toBe(expected);
  });

  it.each(["backup", "x", "", "stop"])("finds no close word for %j", (word) => {
    expect(closestWord(word, WORDS)).toBeUndefined();
  });

  it("doesn't compare words whose lengths differ too much, because a comparison takes the product of both", () => {
    const lowerCased = vi.spyOn(String.prototype, "toLowerCase");
    onTestFinished(() => lowerCased.mockRestore());
    expect(closestWord("x".repeat(6_000), WORDS)).toBeUndefined();
    expect(lowerCased).toHaveBeenCalledTimes(1);
  });

  it("returns the closest word", () => {
    expect(closestWord("watchs", ["watch", "watches", "unwatch"])).toBe("watch");
  });
});

describe("closestWords", () => {
  it("returns all words with the fewest edits", () => {
    expect(closestWords("wotch", ["watches", "watch", "notch", "switch"])).toEqual(["watch", "notch"]);
  });
});
