import * as fc from "fast-check";
import { expect, it } from "vitest";
import { MAX_PATTERN_LENGTH, textPieces } from "./text-pieces.ts";

it("joined again, pieces are the text, and none is longer than a pattern may read", () => {
  const part = fc.constantFrom("a", " ", "ACME, ", "\n", "x".repeat(3_999), "💥".repeat(1_500), "y".repeat(9_000));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const pieces = textPieces(parts.join(""));
      expect(pieces.join("")).toBe(parts.join(""));
      for (const piece of pieces) {
        expect(piece.length).toBeGreaterThan(0);
        expect(piece.length).toBeLessThanOrEqual(MAX_PATTERN_LENGTH);
        expect(piece).not.toMatch(/\p{Surrogate}/u);
      }
    }),
  );
});

it("a piece ends after a word", () => {
  expect(textPieces("ACME ".repeat(1_000)).map(({ length }) => length)).toEqual([4_000, 1_000]);
  expect(textPieces(`x${"ACME,".repeat(1_000)}`).map(({ length }) => length)).toEqual([3_996, 1_005]);
});
