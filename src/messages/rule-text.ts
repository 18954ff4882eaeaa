import { EVENT_KIND_TRAITS, EVENT_KINDS, type EventKind } from "../domain/alert/event.ts";
import type { RuleFilter } from "../domain/settings/rule.ts";
import { type Exchange, exchangeName } from "../domain/split/exchange.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { EVENT_KIND_TEXT } from "./event-text.ts";
import { joinList, joinShortList, treatmentsText, wireName } from "./format.ts";

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
  const kinds = EVENT_KINDS.filter((kind) => events.includes(kind));
  const states = kinds.filter((kind) => EVENT_KIND_TEXT[kind].form === "state").map(textOf);
  const wires = sources.length > 0 ? ` from ${joinList(sources.map(wireName), "or")}` : "";
  const topics = kinds
    .filter((kind) => EVENT_KIND_TEXT[kind].form === "topic")
    .map((kind) => `${textOf(kind)}${EVENT_KIND_TRAITS[kind].subject === "release" ? wires : ""}`);
  return [...(states.length > 0 ? [`when a split is ${joinList(states, "or")}`] : []), ...topics].join(", and ");
}

function textOf(kind: EventKind): string {
  return EVENT_KIND_TEXT[kind].inRule;
}

function exclusions(tickers: readonly Ticker[], exchanges: readonly Exchange[]): readonly string[] {
  const parts = [
    ...(tickers.length > 0 ? [`for ${joinShortList(tickers)}`] : []),
    ...(exchanges.length > 0 ? [`on ${joinList(exchanges.map(exchangeName), "or")}`] : []),
  ];
  return parts.length > 0 ? [`except ${parts.join(" or ")}`] : [];
}

export const ALL_RULES = "All rules";
