import { EVENT_KINDS, type EventKind } from "../core/event.ts";
import { ALL_NEWS, DEFAULT_CHANNEL_EVENTS, type Rule } from "../core/rule.ts";
import { writeCommandLine } from "./command-line.ts";

/** The line that would set the same rule again; null where it calls somebody: that must be asked for anew. */
export function lineOfRule(rule: Rule): string | null {
  if (rule.mention !== null) return null;
  return writeCommandLine("subscribe", {
    exchange: rule.exchanges.join(","),
    tickers: rule.tickers.join(","),
    exclude: [...rule.excludeTickers, ...rule.excludeExchanges].join(","),
    events: eventsWord(rule.events),
    sources: rule.sources.join(","),
    fractional: rule.fractional.join(","),
    minratio: rule.minRatio ?? undefined,
  });
}

function eventsWord(events: readonly EventKind[]): string | undefined {
  if (isSame(events, DEFAULT_CHANNEL_EVENTS)) return undefined;
  if (isSame(events, ALL_NEWS)) return "all";
  return isSame(events, EVENT_KINDS) ? "all,stale" : events.join(",");
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word) => b.includes(word));
}
