import { EVENT_KINDS, type EventKind } from "../../domain/alert/event.ts";
import {
  DEFAULT_CHANNEL_EVENTS,
  type Rule,
  type RuleFilter,
  SPLIT_AND_RELEASE_EVENTS,
} from "../../domain/settings/rule.ts";
import { parseKnownExchange } from "../../domain/split/exchange.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { writeCommandLine } from "./words.ts";

/** As a mention, of a rule that is changed: whoever it calls stays called. */
export const KEEP_MENTION = "keep";

/** The line that would set the same rule again; null where it calls somebody: that must be asked for anew. */
export function writeRuleLine(rule: Rule): string | null {
  return rule.mention === null ? writeCommandLine("subscribe", wordsOfFilter(rule)) : null;
}

/** The line that turns a rule back into what it was before; null where it called somebody else then. */
export function writeUndoLine(before: Rule, now: Rule): string | null {
  if (before.mention !== null && before.mention !== now.mention) return null;
  return writeCommandLine("subscribe", {
    rule: now.number,
    ...wordsOfFilter(before),
    mention: before.mention === null ? undefined : KEEP_MENTION,
  });
}

/** The options of `subscribe` that make this filter. */
function wordsOfFilter(filter: RuleFilter): Readonly<Record<string, string | undefined>> {
  return {
    exchange: filter.exchanges.join(","),
    tickers: writeTickers(filter.tickers),
    exclude: writeExcluded(filter),
    events: writeEvents(filter.events),
    sources: filter.sources.join(","),
    fractional: filter.fractional.join(","),
    minratio: writeMinRatio(filter.minRatio),
  };
}

/** AND is a ticker, and a word between two of them: marked, it is the ticker. */
export function writeTickers(tickers: readonly Ticker[]): string {
  return joined(tickers.map((ticker) => (ticker.toLowerCase() === "and" ? `$${ticker}` : ticker)));
}

/** Among exchanges a ticker that reads like one, as CBOE does, is marked. */
export function writeExcluded({ excludeTickers, excludeExchanges }: RuleFilter): string {
  const tickers = excludeTickers.map((ticker) => (parseKnownExchange(ticker) ? `$${ticker}` : writeTickers([ticker])));
  return joined([...tickers, ...excludeExchanges]);
}

/** `1,234` is one number to whoever reads the line: a ticker that begins with three digits stands apart. */
function joined(words: readonly string[]): string {
  return words.join(words.some((word) => /^\d{3}(?!\d)/.test(word)) ? ", " : ",");
}

function writeEvents(events: readonly EventKind[]): string | undefined {
  if (isSame(events, DEFAULT_CHANNEL_EVENTS)) return undefined;
  if (isSame(events, SPLIT_AND_RELEASE_EVENTS)) return "all";
  return isSame(events, EVENT_KINDS) ? "all,stale" : events.join(",");
}

/** More new shares than this in one ratio, and its decimals have to do. */
const MAX_NEW_SHARES = 1_000;

/** `20`, `7.7`, `3:100`: the shortest that is read as exactly this. */
export function writeMinRatio(oldPerNew: number | null): string | undefined {
  if (oldPerNew === null) return undefined;
  const decimal = String(oldPerNew);
  if (/^\d+(?:\.\d{1,4})?$/.test(decimal)) return decimal;
  for (let newShares = 2; newShares <= MAX_NEW_SHARES; newShares += 1) {
    const oldShares = Math.round(oldPerNew * newShares);
    if (oldShares / newShares === oldPerNew) return `${newShares}:${oldShares}`;
  }
  return oldPerNew.toFixed(4);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word) => b.includes(word));
}
