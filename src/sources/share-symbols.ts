import type { Ticker } from "../domain/split/ticker.ts";

/** Suffixes after a separator: preferred shares (`P`, `PA`), warrants, units and rights. Other letters are share classes. */
const OTHER_SECURITY_SUFFIX = /^(?:PR?[A-Z]?|W|W[ST][A-Z]?|U|UN|R|R[IT])$/;
/** Suffixes of a listed symbol without a separator: warrants, units and rights. */
const APPENDED_SUFFIX = /^(?:W|W[ST]|U|UN|R|RT)$/;
/**
 * Fifth letters of Nasdaq that mark another security than a share: G to I notes, M to P preferred shares, R rights, U units, W
 * and Z warrants. The others mark share classes (A, B, K, L) or the same share (D, F, Q, V, Y).
 */
const FIFTH_LETTER = /^[GHIMNOPRUWZ]$/;

/** True for the symbol of a company's warrants, units, rights, notes or preferred shares, not of one of its share classes. */
export function isOtherSecurity(symbol: Ticker, symbolsOfCompany: readonly Ticker[]): boolean {
  const [base = "", suffix] = symbol.split(/[.\-/]/);
  if (suffix !== undefined) return OTHER_SECURITY_SUFFIX.test(suffix);
  const isSuffixOf = (other: string, pattern: RegExp): boolean =>
    base.length > other.length && base.startsWith(other) && pattern.test(base.slice(other.length));
  return symbolsOfCompany.some(
    (other) =>
      (other.length >= 3 && isSuffixOf(other, APPENDED_SUFFIX)) ||
      (other.length === 4 && isSuffixOf(other, FIFTH_LETTER)),
  );
}
