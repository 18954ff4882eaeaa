import type { RuleFilter } from "../settings/rule.ts";
import { EVENT_KIND_TRAITS, type EventKind, type MatchableEvent } from "./event.ts";
import { selectorsIn, subjectsOf } from "./match.ts";

/** Keys under which a rule is indexed. An event can match only rules that share a key with it (see `matchKeysOfEvent`). */
export function matchKeysOfFilter({ events, tickers, exchanges }: RuleFilter): readonly string[] {
  const kindsAboutData = events.filter(isAboutData);
  const otherKinds = events.filter((kind) => !isAboutData(kind));
  if (otherKinds.length === 0) return kindsAboutData;
  if (tickers.length > 0) return [...kindsAboutData, ...tickers.map(tickerKey)];
  if (exchanges.length === 0) return events;
  return [...kindsAboutData, ...otherKinds.flatMap((kind) => exchanges.map((exchange) => exchangeKey(kind, exchange)))];
}

/** Keys of all rules that may match the event. */
export function matchKeysOfEvent(event: MatchableEvent): readonly string[] {
  const subjects = subjectsOf(event);
  const exchanges = new Set(subjects.flatMap((subject) => subject.exchanges));
  return [
    event.kind,
    ...[...exchanges].map((exchange) => exchangeKey(event.kind, exchange)),
    ...[...selectorsIn(event)].map(tickerKey),
  ];
}

/** Rules receive events about all data whatever their tickers and exchanges. */
function isAboutData(kind: EventKind): boolean {
  return EVENT_KIND_TRAITS[kind].subject === "data";
}

function exchangeKey(kind: EventKind, exchange: string): string {
  return `${kind} ${exchange}`;
}

function tickerKey(ticker: string): string {
  return `ticker ${ticker}`;
}
