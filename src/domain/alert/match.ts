import { groupBy } from "../../lib/collections.ts";
import type { Fraction, Treatment } from "../article/article.ts";
import { termsByTicker } from "../article/evidence.ts";
import { type Rule, type RuleFilter, WATCHLIST_EVENTS } from "../settings/rule.ts";
import { explainEvent, explainSubject, needsSubject, type RuleSubject } from "../settings/rule-filters.ts";
import { type SplitId, symbolsOf } from "../split/split.ts";
import { selectorsOf, storedSpellings, type Ticker } from "../split/ticker.ts";
import { type Delivery, deliveryId } from "./delivery.ts";
import { type Destination, type DestinationKey, destinationKey, type Person } from "./destination.ts";
import {
  type Announced,
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
  releasesIn,
} from "./event.ts";

/** Returns a short reason why the rule doesn't match the event; null if it matches. */
export function explainMismatch(filter: RuleFilter, event: MatchableEvent): string | null {
  return mismatchesWith(event)(filter);
}

/** `explainMismatch` for many rules and one event. */
function mismatchesWith(event: MatchableEvent): (filter: RuleFilter) => string | null {
  const isAboutData = EVENT_KIND_TRAITS[event.kind].subject === "data";
  const hasSameTerms = event.kind === "changed" && event.terms.length === 0;
  const subjects = subjectsOf(event);
  return (filter) => {
    const reason = explainEvent(filter, event);
    if (reason !== null || isAboutData) return reason;
    if (hasSameTerms) return "the terms are unchanged";
    return explainSubjects(filter, subjects);
  };
}

function explainSubjects(filter: RuleFilter, subjects: readonly RuleSubject[]): string | null {
  if (subjects.length === 0) return needsSubject(filter) ? "the release names no ticker" : null;
  const reasons = subjects.map((subject) => explainSubject(filter, subject));
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/** Tickers that an event concerns. */
export function tickersOf(event: Event): readonly Ticker[] {
  if (!isMatchable(event)) return [];
  return subjectsOf(event).flatMap((subject) => subject.tickers);
}

/** Tickers, in the spellings of stored watchlists and rules, that select a security of the event. */
export function selectorsIn(event: Event): ReadonlySet<Ticker> {
  if (!isMatchable(event)) return new Set();
  return new Set(
    subjectsOf(event).flatMap(({ tickers, exchanges }) =>
      tickers.flatMap((ticker) => selectorsOf(ticker, exchanges)).flatMap(storedSpellings),
    ),
  );
}

/** Securities that an event concerns; none for an event about all data. */
export function subjectsOf(event: MatchableEvent): readonly RuleSubject[] {
  if (isReleaseEvent(event)) return releaseSubjects(event);
  if (!isSplitEvent(event)) return [];
  const records = "was" in event ? [event.record, event.was] : [event.record];
  return [
    {
      tickers: [...new Set(records.flatMap(symbolsOf))],
      exchanges: [...new Set(records.map((record) => record.exchange))],
      ratios: records.map((record) => record.ratio),
      treatments: treatmentsOf([event.fraction, event.kind === "changed" ? event.stated?.was.fraction : null]),
    },
  ];
}

function treatmentsOf(fractions: readonly (Fraction | null | undefined)[]): readonly Treatment[] {
  return [...new Set(fractions.flatMap((fraction) => fraction?.treatment ?? []))];
}

function releaseSubjects({ article, splits }: ReleaseEvent): readonly RuleSubject[] {
  const statedTerms = termsByTicker(article);
  return article.concerns.map(({ ticker, exchange }) => {
    const linkedRecords = splits.map(({ record }) => record).filter((record) => symbolsOf(record).includes(ticker));
    // Listed terms take precedence over the terms in the release.
    const terms =
      linkedRecords.length > 0 ? linkedRecords : statedTerms.filter((candidate) => candidate.ticker === ticker);
    const statedExchanges = terms.flatMap((candidate) => candidate.exchange ?? []);
    return {
      tickers: [...new Set([ticker, ...linkedRecords.flatMap(symbolsOf)])],
      exchanges: exchange === null ? statedExchanges : [exchange],
      ratios: terms.map(({ ratio }) => ratio),
      treatments: treatmentsOf([article.fraction]),
    };
  });
}

/** A person and a ticker on the person's watchlist. */
export interface Watcher {
  readonly person: Person;
  readonly ticker: Ticker;
}

/** False for destinations on platforms that must not receive the event. */
export type CanReceive = (destination: Destination, event: Event) => boolean;

/** An event with the deliveries that were found so far, in the order in which they were found. */
interface Target {
  readonly event: MatchableEvent;
  readonly mismatch: (filter: RuleFilter) => string | null;
  readonly deliveries: Map<DestinationKey, OpenDelivery>;
}

interface OpenDelivery extends Delivery {
  reasons: Delivery["reasons"];
  mentions: Delivery["mentions"];
}

/** The fields that a rule or watcher adds to each of its deliveries. The deliveries share the object. */
type Contribution = Pick<Delivery, "to" | "reasons" | "mentions">;

const NO_MENTIONS: readonly string[] = [];
const WATCHLIST: readonly string[] = ["watchlist"];

/** Matches events with rules and watchers, added one by one. Makes one delivery per event and destination, however many match. */
export class Matcher {
  readonly #targets: readonly Target[];
  readonly #byTicker = new Map<Ticker, Target[]>();
  /** Events about all data, which rules receive regardless of the tickers that they select. */
  readonly #aboutData: readonly Target[];
  /** Withdrawals and early alerts, which replace the event of their release. */
  readonly #byRelease: ReadonlyMap<string, readonly { readonly target: Target }[]>;
  readonly #byEvent: ReadonlyMap<MatchableEvent, Target>;
  readonly #canReceive: CanReceive;

  constructor(events: readonly MatchableEvent[], canReceive: CanReceive) {
    this.#targets = events.map((event) => ({ event, mismatch: mismatchesWith(event), deliveries: new Map() }));
    this.#byEvent = new Map(this.#targets.map((target) => [target.event, target]));
    this.#aboutData = this.#targets.filter(({ event }) => EVENT_KIND_TRAITS[event.kind].subject === "data");
    this.#byRelease = groupBy(
      this.#targets.flatMap((target) => releasesIn(target.event).map((url) => ({ url, target }))),
      ({ url }) => url,
    );
    for (const target of this.#targets)
      for (const ticker of selectorsIn(target.event)) this.#targetsOf(ticker).push(target);
    this.#canReceive = canReceive;
  }

  addRule(rule: Rule): void {
    const key = destinationKey(rule.destination);
    const mentions = rule.mention === null ? NO_MENTIONS : [rule.mention];
    const contribution = { to: rule.destination, reasons: [`rule ${rule.number}`], mentions };
    for (const target of this.#targetsFor(rule))
      if (target.mismatch(rule) === null) this.#add(contribution, key, target);
  }

  addWatcher({ person, ticker }: Watcher): void {
    const key = destinationKey(person);
    const contribution = { to: person, reasons: WATCHLIST, mentions: NO_MENTIONS };
    for (const target of this.#byTicker.get(ticker) ?? [])
      if (isForWatchlists(target.event)) this.#add(contribution, key, target);
  }

  /** The deliveries of one of the events. Recipients of an event that is derived from a release don't receive the release event. */
  deliveriesOf(event: MatchableEvent): readonly Delivery[] {
    const deliveries = this.#byEvent.get(event)?.deliveries ?? new Map<DestinationKey, Delivery>();
    const sameRelease = releasesIn(event).flatMap((url) => this.#byRelease.get(url) ?? []);
    const covering = sameRelease.map(({ target }) => target).filter((other) => coversRelease(event, other.event));
    if (covering.length === 0) return [...deliveries.values()];
    const uncovered = [...deliveries].filter(([key]) => !covering.some((other) => other.deliveries.has(key)));
    return uncovered.map(([, delivery]) => delivery);
  }

  #targetsOf(ticker: Ticker): Target[] {
    const targets = this.#byTicker.get(ticker) ?? [];
    this.#byTicker.set(ticker, targets);
    return targets;
  }

  /** The events that the rule may match. */
  #targetsFor({ tickers }: RuleFilter): readonly Target[] {
    if (tickers.length === 0 || tickers.length >= this.#targets.length) return this.#targets;
    return [...this.#aboutData, ...tickers.flatMap((ticker) => this.#byTicker.get(ticker) ?? [])];
  }

  #add({ to, reasons, mentions }: Contribution, key: DestinationKey, { event, deliveries }: Target): void {
    const known = deliveries.get(key);
    if (known) {
      known.reasons = union(known.reasons, reasons);
      known.mentions = union(known.mentions, mentions);
    } else if (this.#canReceive(to, event))
      deliveries.set(key, { id: deliveryId(event.id, key), eventId: event.id, to, reasons, mentions });
  }
}

function union(texts: readonly string[], others: readonly string[]): readonly string[] {
  return others.every((text) => texts.includes(text)) ? texts : [...new Set([...texts, ...others])];
}

/** True if the event is sent to people who watch its ticker. */
export function isForWatchlists(event: MatchableEvent): boolean {
  return WATCHLIST_EVENTS.includes(event.kind) && !(event.kind === "changed" && event.terms.length === 0);
}

/** The announcements of the listed splits of a digest; rules that match one of them receive a part of the digest. */
export function announcementsIn({ id, at, sample, records }: DigestEvent): readonly Announced[] {
  // Matching ignores the split id.
  const base = { kind: "announced", id, at, sample, splitId: String(id) as SplitId, ...NO_EVIDENCE } as const;
  return records.map((record) => ({ ...base, record, alreadyEffective: false }));
}

/** A destination's part of a digest. */
export interface DigestPart {
  readonly event: DigestEvent;
  readonly delivery: Delivery;
}

/** Divides the digest of a first run: each destination receives the listed splits that its rules would have announced, if any. */
export function digestDivider(digest: DigestEvent): (to: Destination, rules: readonly Rule[]) => DigestPart | null {
  const announcements = announcementsIn(digest).map((event) => ({
    record: event.record,
    mismatch: mismatchesWith(event),
  }));
  return (to, rules) => {
    const announced = announcements.filter(({ mismatch }) => rules.some((rule) => mismatch(rule) === null));
    if (announced.length === 0) return null;
    const key = destinationKey(to);
    const event: DigestEvent = {
      ...digest,
      id: eventIds.digestPart(digest.id, key),
      records: announced.map(({ record }) => record),
    };
    const matching = rules.filter((rule) => announcements.some(({ mismatch }) => mismatch(rule) === null));
    const reasons = matching.map((rule) => `rule ${rule.number}`);
    return { event, delivery: { id: deliveryId(event.id, key), eventId: event.id, to, reasons, mentions: [] } };
  };
}
