import type { Treatment } from "../article/article.ts";
import type { Ratio } from "./ratio.ts";

/** An exact number of shares, fractions of a share included; in lowest terms, never negative. */
export interface Shares {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** What a holding becomes by a split, before anybody rounds: `whole` new shares and `fraction` of one more. */
export interface Conversion {
  readonly held: Shares;
  readonly exact: Shares;
  readonly whole: bigint;
  /** Of a new share, less than 1. */
  readonly fraction: Shares;
  /** The old shares that `fraction` was made of. */
  readonly leftOver: Shares;
}

/** What one treatment makes of a conversion. */
export interface Settlement {
  readonly treatment: Treatment;
  readonly newShares: bigint;
  /** The part of a new share that is paid out in cash; null where nothing is. */
  readonly cashFor: Shares | null;
}

/** As many as a holding can have, beyond all that was ever issued; and an end to what is typed. */
const MOST_DIGITS = 15;
const PLAIN = /^\d*(?:\.\d+)?$/;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/** Reads `150`, `12.5`, `.5`, `1,234.5678`. Undefined for anything else: nothing, none, a sign, more than 15 digits. */
export function parseShares(text: string): Shares | undefined {
  if (!PLAIN.test(text) && !THOUSANDS.test(text)) return undefined;
  const [whole = "", decimals = ""] = text.replaceAll(",", "").split(".");
  const digits = whole + decimals;
  if (digits === "" || digits.length > MOST_DIGITS) return undefined;
  const shares = makeShares(BigInt(digits), 10n ** BigInt(decimals.length));
  return shares.numerator === 0n ? undefined : shares;
}

export function convert(held: Shares, { newShares, oldShares }: Ratio): Conversion {
  const [gained, given] = [BigInt(newShares), BigInt(oldShares)];
  const exact = makeShares(held.numerator * gained, held.denominator * given);
  const fraction = makeShares(exact.numerator % exact.denominator, exact.denominator);
  return {
    held,
    exact,
    whole: exact.numerator / exact.denominator,
    fraction,
    leftOver: makeShares(fraction.numerator * given, fraction.denominator * gained),
  };
}

/** Exactly a half goes up to the next whole share. */
export function settle(treatment: Treatment, { whole, fraction }: Conversion): Settlement {
  const up = isZero(fraction) ? whole : whole + 1n;
  switch (treatment) {
    case "round_up":
      return { treatment, newShares: up, cashFor: null };
    case "round_nearest":
      return { treatment, newShares: fraction.numerator * 2n < fraction.denominator ? whole : up, cashFor: null };
    case "round_down":
      return { treatment, newShares: whole, cashFor: null };
    case "cash_in_lieu":
      return { treatment, newShares: whole, cashFor: isZero(fraction) ? null : fraction };
  }
}

export function isZero({ numerator }: Shares): boolean {
  return numerator === 0n;
}

export function isHalf({ numerator, denominator }: Shares): boolean {
  return numerator * 2n === denominator;
}

function makeShares(numerator: bigint, denominator: bigint): Shares {
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
