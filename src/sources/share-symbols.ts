import type { Ticker } from "../domain/split/ticker.ts";

/** Suffixes after a separator: preferred shares (`P`, `PA`), warrants, units and rights. Other letters are share classes. */
const OTHER_SECURITY_SUFFIX = /^(?:PR?[A-Z]?|W|W[ST][A-Z]?|U|UN|R|R[IT])$/;
/** Suffixes of a listed symbol without a separator: warrants, units and rights. */
const APPENDED_SUFFIX = /^(?:W|W[ST]|U|UN|R|RT)$/;
const MAX_APPENDED_LENGTH = 2;
/**
 * Fifth letters of Nasdaq that mark another security than a share: G to I notes, M to P preferred shares, R rights, U units, W
 * and Z warrants. The others mark share classes (A, B, K, L) or the same share (D, F, Q, V, Y).
 */
const FIFTH_LETTER = /^[GHIMNOPRUWZ]$/;

/** True for the symbol of a company's warrants, units, rights, notes or preferred shares, not of one of its share classes. */
export function isOtherSecurity(symbol: Ticker, symbolsOfCompany: ReadonlySet<Ticker>): boolean {
  const [base = "", suffix] = symbol.split(".");
  if (suffix !== undefined) return OTHER_SECURITY_SUFFIX.test(suffix);
  return [1, MAX_APPENDED_LENGTH].some((length) => {
    const [other, appended] = [base.slice(0, -length), base.slice(-length)];
    if (!symbolsOfCompany.has(other as Ticker)) return false;
    return (other.length >= 3 && APPENDED_SUFFIX.test(appended)) || (other.length === 4 && FIFTH_LETTER.test(appended));
  });
}
