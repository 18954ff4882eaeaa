import * as fc from "fast-check";

const FIRST_SURROGATE = 0xd800;
const SURROGATE_COUNT = 0x800;
const MAX_CODE_POINT = 0x10ffff;

/** Any Unicode character: the unit of `fc.string`. Its own "binary" unit builds a table of a million characters, which takes a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: MAX_CODE_POINT - SURROGATE_COUNT })
  .map((n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATE_COUNT), indexOf);

/** The integer of a character, which lets fast-check insert its dangerous strings and shrink them. */
function indexOf(value: unknown): number {
  const code = typeof value === "string" ? value.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== value) throw new Error("Not a single character");
  return code < FIRST_SURROGATE ? code : code - SURROGATE_COUNT;
}
