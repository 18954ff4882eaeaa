import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../test/support/any-character.ts";
import { textLines } from "./lines.ts";

async function linesOf(...chunks: readonly (string | Uint8Array)[]): Promise<readonly (string | null)[]> {
  const lines: (string | null)[] = [];
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  for await (const { number, text } of textLines(bytes())) {
    lines.push(text);
    expect(number).toBe(lines.length);
  }
  return lines;
}

describe("the lines of a text", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\n\nb", ["a", "", "b"]],
    ["\ufeffa\n", ["a"]],
    ["a\u2028b\u2029c\vd\n", ["a\u2028b\u2029c\vd"]],
    ["a\rb\n", ["a\rb"]],
  ])("of %j are %j", async (text, lines) => {
    expect(await linesOf(text)).toEqual(lines);
  });

  it("do not depend on the chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: anyCharacter })),
        fc.integer({ min: 1, max: 9 }),
        async (parts, size) => {
          const bytes = Buffer.from(parts.join("\n"));
          const chunks: Uint8Array[] = [];
          for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
          expect(await linesOf(...chunks)).toEqual(await linesOf(bytes));
        },
      ),
    );
  });

  it("continue after bytes that are not UTF-8", async () => {
    expect(await linesOf(Uint8Array.of(0x61, 0xff, 0x0a, 0x62))).toEqual(["a\ufffd", "b"]);
  });

  it("are null if too long, and continue after that", async () => {
    const piece = "x".repeat(1_000_000);
    expect(await linesOf(...Array.from({ length: 135 }, () => piece), "\nnext\n")).toEqual([null, "next"]);
  });

  it("are null if too long, even without an end", async () => {
    const piece = Buffer.alloc(1_000_000);
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield piece;
    }
    const lines = textLines(endless());
    expect(await lines.next()).toEqual({ done: false, value: { number: 1, text: null } });
    await lines.return(undefined);
  });
});
