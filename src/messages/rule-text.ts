import { EVENT_KINDS, type EventKind } from "../domain/alert/event.ts";
import type { RuleFilter } from "../domain/settings/rule.ts";
import { type Exchange, exchangeName } from "../domain/split/exchange.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { joinList, joinShortList, treatmentsText, wireName } from "./format.ts";

type SplitKind = Exclude<EventKind, "reminder" | "article" | "early" | "stale">;

/** Completes "a split is …". */
const SPLIT_KIND_WORDS: Readonly<Record<SplitKind, string>> = {
  announced: "announced",
  changed: "changed",
  postponed: "postponed",
  cancelled: "cancelled",
  missing: "no longer listed",
  returned: "listed again",
  effective: "in effect",
};

/** A rule in plain words: `Alerts when a split is announced or changed; on Nasdaq; 1-for-20 or steeper.` */
export function describeRule(rule: RuleFilter & { readonly mention?: string | null }): string {
  const parts = [
    `Alerts ${eventWords(rule)}`,
    ...(rule.tickers.length > 0 ? [`for ${joinShortList(rule.tickers)}`] : []),
    ...(rule.exchanges.length > 0 ? [`on ${joinList(rule.exchanges.map(exchangeName), "or")}`] : []),
    ...(rule.minRatio === null ? [] : [`1-for-${rule.minRatio} or steeper`]),
    ...(rule.fractional.length > 0 ? [`where fractional shares are ${treatmentsText(rule.fractional)}`] : []),
    ...exclusions(rule.excludeTickers, rule.excludeExchanges),
    ...(rule.mention ? [`mentioning ${rule.mention}`] : []),
  ];
  return `${parts.join("; ")}.`;
}

function eventWords({ events, sources }: RuleFilter): string {
  const asked = EVENT_KINDS.filter((kind) => events.includes(kind));
  const states = asked.filter(isSplitKind).map((kind) => SPLIT_KIND_WORDS[kind]);
  const wires = sources.length > 0 ? ` from ${joinList(sources.map(wireName), "or")}` : "";
  return [
    ...(states.length > 0 ? [`when a split is ${joinList(states, "or")}`] : []),
    ...(asked.includes("reminder") ? ["before an ex date"] : []),
    ...(asked.includes("article") ? [`for each press release${wires}`] : []),
    ...(asked.includes("early") ? [`for each release about an approval or a range of ratios${wires}`] : []),
    ...(asked.includes("stale") ? ["when the data becomes outdated or recovers"] : []),
  ].join(", and ");
}

function isSplitKind(kind: EventKind): kind is SplitKind {
  return Object.hasOwn(SPLIT_KIND_WORDS, kind);
}

function exclusions(tickers: readonly Ticker[], exchanges: readonly Exchange[]): readonly string[] {
  const parts = [
    ...(tickers.length > 0 ? [`for ${joinShortList(tickers)}`] : []),
    ...(exchanges.length > 0 ? [`on ${joinList(exchanges.map(exchangeName), "or")}`] : []),
  ];
  return parts.length > 0 ? [`except ${parts.join(" or ")}`] : [];
}

export const ALL_RULES = "All rules";
