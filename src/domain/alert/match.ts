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

/** Returns a short reason why the rule doesn't match the event; null if it matches. */
export function explainMismatch(filter: RuleFilter, event: MatchableEvent): string | null {
  const reason = explainEvent(filter, event);
  if (reason !== null || EVENT_KIND_TRAITS[event.kind].subject === "data") return reason;
  if (event.kind === "changed" && event.terms.length === 0)
    return "the ratio, the ex date and the exchange are unchanged";
  const reasons = subjectsOf(event).map((subject) => explainSubject(filter, subject));
  if (reasons.length === 0) return needsSubject(filter) ? "the release names no ticker" : null;
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/** Tickers that an event concerns. */
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
  const statedTerms = termsByTicker(article);
  return article.concerns.map(({ ticker, exchange }) => {
    const linkedRecords = splits.map(({ record }) => record).filter((record) => record.ticker === ticker);
    // Listed terms take precedence over the terms in the release.
    const terms =
      linkedRecords.length > 0 ? linkedRecords : statedTerms.filter((candidate) => candidate.ticker === ticker);
    const statedExchanges = terms.flatMap((candidate) => candidate.exchange ?? []);
    return {
      ticker,
      exchanges: exchange === null ? statedExchanges : [exchange],
      ratios: terms.map(({ ratio }) => ratio),
      treatment: article.fraction?.treatment ?? null,
    };
  });
}

/** The possible recipients of events. */
export interface Audience {
  readonly rules: readonly Rule[];
  readonly watchers: readonly { readonly person: Person; readonly ticker: Ticker }[];
  /** Returns false for destinations on platforms that must not receive the event. */
  canReceive(destination: Destination, event: Event): boolean;
}

/** One delivery per event and destination, however many rules and watchlists match. */
export function matchEvents(events: readonly MatchableEvent[], audience: Audience): Delivery[] {
  const deliveries = events.map((event) => deliveriesOf(event, audience));
  const deliveryIds = new Set(deliveries.flat().map((delivery) => delivery.id));
  return events.flatMap((event, index) => {
    // Recipients of an event that is derived from a release don't receive the release event.
    const coveringEvents = events.filter((other) => coversRelease(event, other));
    const isCovered = ({ to }: Delivery): boolean =>
      coveringEvents.some((other) => deliveryIds.has(deliveryId(other.id, destinationKey(to))));
    return deliveries[index]?.filter((delivery) => !isCovered(delivery)) ?? [];
  });
}

function deliveriesOf(event: MatchableEvent, audience: Audience): Delivery[] {
  const byDestination = new Map<DestinationKey, Delivery>();
  const add = (destination: Destination, reason: string, mention: string | null): void => {
    if (!audience.canReceive(destination, event)) return;
    const key = destinationKey(destination);
    const existing = byDestination.get(key);
    const mentions = mention === null ? [] : [mention];
    byDestination.set(key, {
      id: deliveryId(event.id, key),
      eventId: event.id,
      to: destination,
      reasons: [...new Set([...(existing?.reasons ?? []), reason])],
      mentions: [...new Set([...(existing?.mentions ?? []), ...mentions])],
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
  return [...byDestination.values()];
}

/** True if the event is sent to people who watch its ticker. */
export function isForWatchlists(event: MatchableEvent): boolean {
  return WATCHLIST_EVENTS.includes(event.kind) && !(event.kind === "changed" && event.terms.length === 0);
}

/** Divides the digest of a first run: each destination receives the listed splits that its rules would have announced. */
export function digestPerDestination(
  digest: DigestEvent,
  audience: Audience,
): readonly { readonly event: DigestEvent; readonly delivery: Delivery }[] {
  return [...groupBy(audience.rules, (rule) => destinationKey(rule.destination))].flatMap(([key, rules]) => {
    const to = rules[0]?.destination;
    const records = digest.records.filter((record) => rules.some((rule) => wouldAnnounce(rule, record, digest)));
    if (!to || records.length === 0 || !audience.canReceive(to, digest)) return [];
    const event: DigestEvent = { ...digest, id: eventIds.digestPart(digest.id, key), records };
    const reasons = rules.map((rule) => `rule ${rule.number}`);
    return [{ event, delivery: { id: deliveryId(event.id, key), eventId: event.id, to, reasons, mentions: [] } }];
  });
}

/** True if the rule matches the announcement of the record. The split id is a placeholder that matching ignores. */
function wouldAnnounce(rule: Rule, record: SplitRecord, { id, at, sample }: DigestEvent): boolean {
  const base = { id, at, sample, splitId: String(id) as SplitId, record };
  return explainMismatch(rule, { kind: "announced", ...base, ...NO_EVIDENCE, alreadyEffective: false }) === null;
}
