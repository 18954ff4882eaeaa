/** The symbol of a security in upper case: `ACME`, `BRK.B`, `GODB.P`. */
export type Ticker = string & { readonly __brand: "Ticker" };

/** Up to six letters or digits, then perhaps a class or a board suffix. */
const TICKER = /^[A-Z0-9]{1,6}(?:[.\-/][A-Z0-9]{1,4})?$/;

/** The ticker that `text` names, forgiving case, a leading `$` and blanks around it; undefined when it names none. */
export function parseTicker(text: string): Ticker | undefined {
  const upper = text.trim().replace(/^\$/, "").toUpperCase();
  // A symbol of digits alone exists in Asia only: here it is a typing error.
  return TICKER.test(upper) && /[A-Z]/.test(upper) ? (upper as Ticker) : undefined;
}
