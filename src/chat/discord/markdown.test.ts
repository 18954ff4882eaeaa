import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { sanitizeText } from "../../lib/external-text.ts";
import { escapeText, formatLink, safeLink } from "./markdown.ts";

describe("a text", () => {
  it.each([
    [
      "*bold* _under_ ~~gone~~ ||spoiler|| `code`",
      "\\*bold\\* \\_under\\_ \\~\\~gone\\~\\~ \\|\\|spoiler\\|\\| \\`code\\`",
    ],
    ["[text](https://evil.example)", "\\[text\\](https\\://evil.example)"],
    ["@everyone @here @HERE", "@\u200Beveryone @\u200Bhere @\u200BHERE"],
    ["<@1> <@&2> <#3> <:a:4> <t:5>", "<\u200B@1> <\u200B@&2> <\u200B#3> <\u200B:a:4> <\u200Bt:5>"],
    ["> quote\n# head\n- point\n1. one\n-# small", "\\> quote\n\\# head\n\\- point\n1\\. one\n\\-# small"],
    ["1 < 2, a - b", "1 < 2, a - b"],
    ["a\\b", "a\\\\b"],
  ])("is escaped: %j", (text, expected) => {
    expect(escapeText(text, 1_000)).toBe(expected);
  });

  it("stays within its length after escaping", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.integer({ min: 1, max: 120 }), (text, max) => {
        const escaped = escapeText(text, max);
        expect(escaped.length).toBeLessThanOrEqual(max);
        expect(escaped).toBe(sanitizeText(escaped));
      }),
    );
  });

  it("is cut as late as possible, with an ellipsis", () => {
    expect(escapeText("x".repeat(50), 10)).toBe(`${"x".repeat(9)}…`);
    expect(escapeText("*".repeat(50), 10)).toBe(`${"\\*".repeat(4)}…`);
  });
});

describe("a link", () => {
  it.each([
    ["javascript:alert(1)", null],
    ["data:text/html,x", null],
    ["no link", null],
    [`https://wire.example/${"x".repeat(2_100)}`, null],
    ["https://wire.example/a_(b)", "https://wire.example/a_%28b%29"],
  ])("to %j is %j", (link, expected) => {
    expect(safeLink(link)).toBe(expected);
  });

  it("is omitted if it is unsafe; the text remains", () => {
    expect(formatLink("text", "javascript:alert(1)")).toBe("text");
    expect(formatLink("text", "https://wire.example/a")).toBe("[text](https://wire.example/a)");
    expect(formatLink("", "https://wire.example/a")).toBe("");
  });
});
