import { exchangeName, parseKnownExchange, uncoveredExchangeName } from "./exchange.ts";
import { parseTicker, type Ticker } from "./ticker.ts";

/** An exchange's name before a symbol: `LSE:`, `TSX-V: `. */
const TAGGED = /^([A-Z][A-Z .-]{0,24}):\s?\$?(\S{1,20})$/i;

/** Returns a sentence on a text that isn't a symbol because of the exchange before it; undefined for other texts. */
export function tickerHint(text: string): string | undefined {
  const [, name, symbol] = TAGGED.exec(text.trim().slice(0, 60)) ?? [];
  if (name === undefined || symbol === undefined || parseTicker(text) !== undefined) return undefined;
  const alone = parseTicker(symbol);
  const uncovered = uncoveredExchangeName(name);
  if (uncovered !== undefined) return `splitwatch has no splits of the ${uncovered}.${meaningOf(alone)}`;
  if (alone === undefined) return undefined;
  const exchange = parseKnownExchange(name);
  if (exchange === undefined)
    return `${name.toUpperCase()} isn't an exchange that splitwatch knows.${meaningOf(alone)}`;
  return `The suffix of ${alone} names another exchange than ${exchangeName(exchange)}. Did you mean ${alone}?`;
}

function meaningOf(alone: Ticker | undefined): string {
  return alone === undefined ? "" : ` ${alone} alone means the security in the US or Canada.`;
}
