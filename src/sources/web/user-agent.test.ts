import { describe, expect, it } from "vitest";
import { productOf, userAgent } from "./user-agent.ts";

describe("a configured agent", () => {
  it.each([
    ["https://split.example", "splitwatchBot/1.2.3 (+https://split.example)"],
    ["ops@example.com", "splitwatchBot/1.2.3 (ops@example.com)"],
    [null, "splitwatchBot/1.2.3 (reverse split alerts)"],
  ])("has the contact %s", (contact, expected) => {
    expect(userAgent("splitwatchBot/{version} (+{contact})", { version: "1.2.3", contact })).toBe(expected);
  });

  it.each([
    ["splitwatchBot/1.2.3 (+https://split.example)", "splitwatchBot"],
    ["splitwatch ada@example.com", "splitwatch"],
    ["", "splitwatch"],
  ])("%s has the product %s", (agent, product) => {
    expect(productOf(agent)).toBe(product);
  });
});
