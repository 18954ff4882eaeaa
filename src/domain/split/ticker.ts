import { z } from "zod";

export const tickerSchema = z.string().brand<"Ticker">();

/** The symbol of a security in upper case: `ACME`, `BRK.B`, `GODB.P`. */
export type Ticker = z.infer<typeof tickerSchema>;

/** Up to six letters or digits, then optionally a share class or board suffix. */
const TICKER = /^[A-Z0-9]{1,6}(?:[.\-/][A-Z0-9]{1,4})?$/;

/** Parses a ticker in any case, with an optional leading `$` and surrounding whitespace; undefined for other text. */
export function parseTicker(text: string): Ticker | undefined {
  const upper = text.trim().replace(/^\$/, "").toUpperCase();
  // Digit-only symbols exist only in Asia, so they are typing errors here.
  return TICKER.test(upper) && /[A-Z]/.test(upper) ? (upper as Ticker) : undefined;
}

/** Maximum length of a typed ticker with the markup and punctuation around it. */
const MAX_TYPED_LENGTH = 60;

/** Parses a ticker that a person typed, ignoring markup and punctuation around it: `*$ACME*`, `ACME.` */
export function parseUserTicker(word: string): Ticker | undefined {
  if (word.length > MAX_TYPED_LENGTH) return undefined;
  return parseTicker(word.replace(/^[*_~#'$]+|(?<![*_~'.!?:])[*_~'.!?:]+$/g, ""));
}
