import { describe, expect, it } from "vitest";
import { closestWord } from "./closest-word.ts";

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

  it("returns the closest word", () => {
    expect(closestWord("watchs", ["watch", "watches", "unwatch"])).toBe("watch");
  });
});
