import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { button, card } from "../../messages/message.ts";
import { limitCards, MAX_CARDS, messageBody } from "./body.ts";

function titleOf(title: string): string {
  return limitCards([card({ title })])[0]?.title ?? "none";
}

describe("a text in a message", () => {
  it.each([
    ["markup is kept: the page shows it as text", "<img onerror=1> & </script>", "<img onerror=1> & </script>"],
    ["non-Latin scripts and joined emoji are kept", "株式 שלום 👩‍👩‍👧", "株式 שלום 👩‍👩‍👧"],
    ["bidirectional control characters are removed", "a\u202Eb\u2066c\u2069\u202C", "abc"],
    ["control characters are removed", "a\u0000b\u001B[1mc\u007F", "ab[1mc"],
    ["line breaks are normalized", "a\r\nb\rc\nd\te", "a\nb\nc\nd\te"],
    ["lone surrogates are replaced", "a\uD800b\uDC00", "a\uFFFDb\uFFFD"],
  ])("is sanitized: %s", (_, text, sanitized) => {
    expect(titleOf(text)).toBe(sanitized);
  });

  it("is truncated with an ellipsis, never within a character", () => {
    expect(titleOf("x".repeat(300))).toBe("x".repeat(300));
    expect(titleOf("x".repeat(301))).toBe(`${"x".repeat(299)}…`);
    expect(titleOf(`${"x".repeat(298)}😀😀`)).toBe(`${"x".repeat(298)}…`);
  });

  it("never exceeds its limit and never contains a partial character", () => {
    assert(
      property(string({ unit: anyCharacter, maxLength: 700 }), (text) => {
        const sanitized = titleOf(text);
        expect(sanitized.length).toBeLessThanOrEqual(300);
        expect(sanitized).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});

describe("a link in a message", () => {
  it.each(["https://wire.example/a?b=c#d", "http://wire.example/", "/#message-abc"])("is kept if it is %s", (link) => {
    expect(limitCards([card({ title: "", link })])[0]?.link).toBe(link);
  });

  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JAVASCRIPT:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://wire.example/1",
    "/logout",
    "//evil.example",
    "wire.example",
    "",
    `https://wire.example/${"x".repeat(2_000)}`,
  ])("is removed if it is %s", (link) => {
    const [limited] = limitCards([
      card({
        title: "",
        link,
        facts: [{ label: "", value: "", link }],
        rows: [{ title: "", detail: "", link }],
        quotes: [{ text: "", source: "", link }],
      }),
    ]);
    expect(limited?.link).toBeNull();
    expect(limited?.facts).toEqual([{ label: "", value: "" }]);
    expect(limited?.rows).toEqual([{ title: "", detail: "" }]);
    expect(limited?.quotes).toEqual([{ text: "", source: "", link: "" }]);
  });
});

describe("a message", () => {
  it("has a limited number of cards and of parts in each card", () => {
    const manyTexts = Array.from({ length: 1_000 }, () => "x");
    const largeCard = card({
      title: "",
      lines: manyTexts,
      warnings: manyTexts,
      badges: manyTexts,
      rows: manyTexts.map((title) => ({ title, detail: "" })),
    });
    const body = messageBody(
      Array.from({ length: 50 }, () => largeCard),
      manyTexts,
    );
    expect(body.cards).toHaveLength(MAX_CARDS);
    expect(body.mentions).toHaveLength(20);
    expect(body.cards[0]?.lines).toHaveLength(51);
    expect(body.cards[0]?.lines.at(-1)).toBe("… and 950 more");
    expect(body.cards[0]?.rows).toHaveLength(100);
    expect(body.cards[0]?.badges).toHaveLength(10);
  });

  it("omits a button whose command exceeds the limit", () => {
    const [limited] = limitCards([
      card({ title: "", buttons: [button("Long", `watch ${"X ".repeat(300)}`), button("Short", "watch X")] }),
    ]);
    expect(limited?.buttons.map((remaining) => remaining.label)).toEqual(["Short"]);
  });
});
