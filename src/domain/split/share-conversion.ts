import type { Treatment } from "../article/article.ts";
import { greatestCommonDivisor, type Ratio } from "./ratio.ts";

/** An exact, non-negative number of shares in lowest terms, including fractions of a share. */
export interface Shares {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Result of a split for one holding before rounding: `whole` new shares and a `fraction` of a share. */
export interface Conversion {
  readonly held: Shares;
  readonly exact: Shares;
  readonly whole: bigint;
  /** Fraction of a new share, less than 1. */
  readonly fraction: Shares;
  /** Number of old shares that correspond to `fraction`. */
  readonly leftOver: Shares;
}

/** Result of one fractional-share treatment. */
export interface Settlement {
  readonly treatment: Treatment;
  readonly newShares: bigint;
  /** Fraction of a new share that is paid in cash; null if none. */
  readonly cashFor: Shares | null;
}

/** Maximum number of digits in a number of shares; more than any issuer has outstanding. */
const MAX_DIGITS = 15;
const PLAIN = /^\d*(?:\.\d+)?$/;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/** Parses `150`, `12.5`, `.5`, `1,234.5678`; undefined for anything else, zero, a sign, or more than 15 digits. */
export function parseShares(text: string): Shares | undefined {
  if (!PLAIN.test(text) && !THOUSANDS.test(text)) return undefined;
  const [whole = "", decimals = ""] = text.replaceAll(",", "").split(".");
  const digits = whole + decimals;
  if (digits === "" || digits.length > MAX_DIGITS) return undefined;
  const shares = makeShares(BigInt(digits), 10n ** BigInt(decimals.length));
  return shares.numerator === 0n ? undefined : shares;
}

export function convert(held: Shares, { newShares, oldShares }: Ratio): Conversion {
  const [newCount, oldCount] = [BigInt(newShares), BigInt(oldShares)];
  const exact = makeShares(held.numerator * newCount, held.denominator * oldCount);
  const fraction = makeShares(exact.numerator % exact.denominator, exact.denominator);
  return {
    held,
    exact,
    whole: exact.numerator / exact.denominator,
    fraction,
    leftOver: makeShares(fraction.numerator * oldCount, fraction.denominator * newCount),
  };
}

/** Applies a treatment; `round_nearest` rounds exactly half a share up. */
export function settle(treatment: Treatment, { whole, fraction }: Conversion): Settlement {
  const roundedUp = isZero(fraction) ? whole : whole + 1n;
  switch (treatment) {
    case "round_up":
      return { treatment, newShares: roundedUp, cashFor: null };
    case "round_nearest":
      return {
        treatment,
        newShares: fraction.numerator * 2n < fraction.denominator ? whole : roundedUp,
        cashFor: null,
      };
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
