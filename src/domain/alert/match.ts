import { groupBy } from "../../lib/collections.ts";
import { termsByTicker } from "../article/evidence.ts";
import { type Rule, type RuleFilter, WATCHLIST_EVENTS } from "../settings/rule.ts";
import { explainEvent, explainSubject, needsSubject, type RuleSubject } from "../settings/rule-filters.ts";
import type { SplitId, SplitRecord } from "../split/split.ts";
import type { Ticker } from "../split/ticker.ts";
import { type Delivery, deliveryId } from "./delivery.ts";
import { type Destination, type DestinationKey, destinationKey, type Person } from "./destination.ts";
import {
  coversRelease,
  type DigestEvent,
  EVENT_KIND_TRAITS,
  type Event,
  eventIds,
  isMatchable,
  isReleaseEvent,
  isSplitEvent,
  type MatchableEvent,
  NO_EVIDENCE,
  type ReleaseEvent,
} from "./event.ts";

/** Why the rule does not match the event, in a few words; null if it does. */
export function explainMismatch(filter: RuleFilter, event: MatchableEvent): string | null {
  const reason = explainEvent(filter, event);
  if (reason !== null || EVENT_KIND_TRAITS[event.kind].subject === "data") return reason;
  if (event.kind === "changed" && event.terms.length === 0) return "neither ratio nor date nor exchange changed";
  const reasons = subjectsOf(event).map((subject) => explainSubject(filter, subject));
  if (reasons.length === 0) return needsSubject(filter) ? "the release names no ticker" : null;
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/** The tickers that an event is about. */
export function tickersOf(event: Event): readonly Ticker[] {
  if (!isMatchable(event)) return [];
  return subjectsOf(event).map((subject) => subject.ticker);
}

function subjectsOf(event: MatchableEvent): readonly RuleSubject[] {
  if (isReleaseEvent(event)) return releaseSubjects(event);
  if (!isSplitEvent(event)) return [];
  const records = "was" in event ? [event.record, event.was] : [event.record];
  return [
    {
      ticker: event.record.ticker,
      exchanges: [...new Set(records.map((record) => record.exchange))],
      ratios: records.map((record) => record.ratio),
      treatment: event.fraction?.treatment ?? null,
    },
  ];
}

function releaseSubjects({ article, splits }: ReleaseEvent): readonly RuleSubject[] {
  const stated = termsByTicker(article);
  return article.concerns.map(({ ticker, exchange }) => {
    const linked = splits.map(({ record }) => record).filter((record) => record.ticker === ticker);
    // Listed terms take precedence over the release's own.
    const terms = linked.length > 0 ? linked : stated.filter((one) => one.ticker === ticker);
    const statedOn = terms.map((one) => one.exchange).filter((one) => one !== null);
    return {
      ticker,
      exchanges: exchange === null ? statedOn : [exchange],
      ratios: terms.map(({ ratio }) => ratio),
      treatment: article.fraction?.treatment ?? null,
    };
  });
}

/** The possible recipients of events. */
export interface Audience {
  readonly rules: readonly Rule[];
  readonly watchers: readonly { readonly person: Person; readonly ticker: Ticker }[];
  /** False for platforms that must not receive the event. */
  reaches(to: Destination, event: Event): boolean;
}

/** One delivery per event and destination, however many rules and watchlists match. */
export function matchEvents(events: readonly MatchableEvent[], audience: Audience): Delivery[] {
  const deliveries = events.map((event) => deliveriesOf(event, audience));
  const made = new Set(deliveries.flat().map((delivery) => delivery.id));
  return events.flatMap((event, index) => {
    // Recipients of an event derived from a release do not receive the release as well.
    const covering = events.filter((other) => coversRelease(event, other));
    const isCovered = ({ to }: Delivery): boolean =>
      covering.some((other) => made.has(deliveryId(other.id, destinationKey(to))));
    return deliveries[index]?.filter((delivery) => !isCovered(delivery)) ?? [];
  });
}

function deliveriesOf(event: MatchableEvent, audience: Audience): Delivery[] {
  const made = new Map<DestinationKey, Delivery>();
  const add = (to: Destination, reason: string, mention: string | null): void => {
    if (!audience.reaches(to, event)) return;
    const key = destinationKey(to);
    const known = made.get(key);
    const mentions = mention === null ? [] : [mention];
    made.set(key, {
      id: deliveryId(event.id, key),
      eventId: event.id,
      to,
      reasons: [...new Set([...(known?.reasons ?? []), reason])],
      mentions: [...new Set([...(known?.mentions ?? []), ...mentions])],
    });
  };
  for (const rule of audience.rules) {
    if (explainMismatch(rule, event) === null) add(rule.destination, `rule ${rule.number}`, rule.mention);
  }
  if (isForWatchlists(event)) {
    const tickers = new Set(tickersOf(event));
    for (const { person, ticker } of audience.watchers) {
      if (tickers.has(ticker)) add(person, "watchlist", null);
    }
  }
  return [...made.values()];
}

/** Whether the event is sent to people who watch its ticker. */
export function isForWatchlists(event: MatchableEvent): boolean {
  return WATCHLIST_EVENTS.includes(event.kind) && !(event.kind === "changed" && event.terms.length === 0);
}

/** The part of a first run's digest for each channel: the listed splits that its rules would have announced. */
export function digestPerDestination(
  whole: DigestEvent,
  audience: Audience,
): readonly { readonly event: DigestEvent; readonly delivery: Delivery }[] {
  return [...groupBy(audience.rules, (rule) => destinationKey(rule.destination))].flatMap(([key, rules]) => {
    const to = rules[0]?.destination;
    const records = whole.records.filter((record) => rules.some((rule) => wouldAnnounce(rule, record, whole)));
    if (!to || records.length === 0 || !audience.reaches(to, whole)) return [];
    const event: DigestEvent = { ...whole, id: eventIds.digestPart(whole.id, key), records };
    const reasons = rules.map((rule) => `rule ${rule.number}`);
    return [{ event, delivery: { id: deliveryId(event.id, key), eventId: event.id, to, reasons, mentions: [] } }];
  });
}

/** The split id is only a placeholder: matching does not use it. */
function wouldAnnounce(rule: Rule, record: SplitRecord, { id, at, sample }: DigestEvent): boolean {
  const base = { id, at, sample, splitId: String(id) as SplitId, record };
  return explainMismatch(rule, { kind: "announced", ...base, ...NO_EVIDENCE, alreadyEffective: false }) === null;
}
