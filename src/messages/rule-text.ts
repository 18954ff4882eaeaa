import { EVENT_KIND_TRAITS, EVENT_KINDS, type EventKind } from "../domain/alert/event.ts";
import { wireName } from "../domain/article/wire.ts";
import type { RuleFilter } from "../domain/settings/rule.ts";
import type { RuleOption } from "../domain/settings/rule-filters.ts";
import { type Exchange, exchangeName } from "../domain/split/exchange.ts";
import { oldPerNewName } from "../domain/split/ratio.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { EVENT_KIND_TEXT } from "./event-text.ts";
import { EXAMPLE_TICKER } from "./example-tickers.ts";
import { joinList, joinShortList, treatmentsText } from "./format.ts";

/** Description of a rule: `Alerts when a split is announced or changed; on Nasdaq; 1-for-20 or steeper.` */
export function describeRule(rule: RuleFilter & { readonly mention?: string | null }): string {
  const parts = [
    `Alerts ${eventsText(rule)}`,
    ...(rule.tickers.length > 0 ? [`for ${joinShortList(rule.tickers)}`] : []),
    ...(rule.exchanges.length > 0 ? [`on ${joinList(rule.exchanges.map(exchangeName), "or")}`] : []),
    ...(rule.minRatio === null ? [] : [`${oldPerNewName(rule.minRatio)} or steeper`]),
    ...(rule.fractional.length > 0 ? [`where fractional shares are ${treatmentsText(rule.fractional)}`] : []),
    ...exclusions(rule.excludeTickers, rule.excludeExchanges),
    ...(rule.mention ? [`mentioning ${rule.mention}`] : []),
  ];
  return `${parts.join("; ")}.`;
}

function eventsText({ events, sources }: RuleFilter): string {
  const kinds = EVENT_KINDS.filter((kind) => events.includes(kind));
  const states = kinds.filter((kind) => EVENT_KIND_TEXT[kind].form === "state").map(kindText);
  const wires = sources.length > 0 ? ` from ${joinList(sources.map(wireName), "or")}` : "";
  const topics = kinds
    .filter((kind) => EVENT_KIND_TEXT[kind].form === "topic")
    .map((kind) => `${kindText(kind)}${EVENT_KIND_TRAITS[kind].subject === "release" ? wires : ""}`);
  return [...(states.length > 0 ? [`when a split is ${joinList(states, "or")}`] : []), ...topics].join(", and ");
}

function kindText(kind: EventKind): string {
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

/** Texts of the options that filter a rule's alerts, in the order in which help lists them. */
export const RULE_OPTION_TEXT: Readonly<Record<RuleOption, RuleOptionText>> = {
  exchange: {
    summary: "Only splits on these exchanges",
    label: "Only on these exchanges",
    placeholder: "All exchanges",
  },
  tickers: {
    summary: "Only splits of these tickers",
    label: "Only these tickers",
    placeholder: `such as ${EXAMPLE_TICKER}, BRK.B`,
  },
  exclude: {
    summary: "No splits of these tickers or exchanges",
    label: "Exclude these tickers and exchanges",
    placeholder: `such as ${EXAMPLE_TICKER}, OTC`,
  },
  events: {
    summary: 'Events to send; default: all but "reminder", "article", "early" (not final) and "stale" (old data)',
    label: "Alert when a split is",
    placeholder: "",
  },
  sources: {
    summary: "Only press releases from these wires",
    label: "Only press releases from",
    placeholder: "All newswires",
    hint: "Limits press releases, approvals and ratio ranges, if they are selected above.",
  },
  fractional: {
    summary: "Only if a release states this treatment of fractional shares",
    label: "Only if fractional shares are",
    placeholder: "Any treatment, or not stated",
  },
  minratio: {
    summary: "Only splits of at least this ratio",
    label: "Minimum split ratio",
    placeholder: "such as 20",
    hint: "Old shares per new share: 20 means 1-for-20.",
  },
};

export interface RuleOptionText {
  /** Summary in help and option fields. */
  readonly summary: string;
  /** Label of the field in a form. */
  readonly label: string;
  readonly placeholder: string;
  readonly hint?: string;
}
