import type { Treatment } from "../article/article.ts";
import { termsByTicker } from "../article/stated-terms.ts";
import { type Rule, type RuleFilter, WATCHLIST_EVENTS } from "../settings/rule.ts";
import type { Exchange } from "../split/exchange.ts";
import { oldPerNew, type Ratio } from "../split/ratio.ts";
import type { Ticker } from "../split/ticker.ts";
import { type Delivery, deliveryId } from "./delivery.ts";
import { type Destination, type DestinationKey, destinationKey, type Person } from "./destination.ts";
import {
  coversRelease,
  type Event,
  isMatchable,
  isSplitEvent,
  type MatchableEvent,
  type ReleaseEvent,
} from "./event.ts";

/** One security that an event is about, with all that a rule may ask of it. */
interface Subject {
  readonly ticker: Ticker;
  /** A moved listing counts for its old exchange too: who followed it there wants to know. */
  readonly exchanges: readonly Exchange[];
  readonly ratios: readonly (Ratio | null)[];
  readonly treatment: Treatment | null;
}

/** Why the rule does not ask for this event, in a few words; null when it does. */
export function explainMismatch(filter: RuleFilter, event: MatchableEvent): string | null {
  if (!filter.events.includes(event.kind)) return `${event.kind} is not among its events`;
  if (event.kind === "stale") return null;
  if (event.kind === "changed" && event.terms.length === 0) return "neither ratio nor date nor exchange changed";
  if (!isSplitEvent(event) && filter.sources.length > 0 && !isOneOf(event.article.source, filter.sources)) {
    return `the wire is ${event.article.source}, the rule asks for ${filter.sources.join(", ")}`;
  }
  const reasons = subjectsOf(event).map((subject) => explainSubject(filter, subject));
  if (reasons.length === 0) return asksForSubjects(filter) ? "the release names no ticker" : null;
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/** The tickers that an event is about. */
export function tickersOf(event: Event): readonly Ticker[] {
  if (!isMatchable(event)) return [];
  return subjectsOf(event).map((subject) => subject.ticker);
}

function subjectsOf(event: MatchableEvent): readonly Subject[] {
  if (event.kind === "stale") return [];
  if (!isSplitEvent(event)) return releaseSubjects(event);
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

function releaseSubjects({ article, splits }: ReleaseEvent): readonly Subject[] {
  const stated = termsByTicker(article);
  return article.concerns.map(({ ticker, exchange }) => {
    const linked = splits.map(({ record }) => record).filter((record) => record.ticker === ticker);
    // The list's word comes first; where no split is listed, the release's own stands for it.
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

function asksForSubjects(filter: RuleFilter): boolean {
  return filter.tickers.length + filter.exchanges.length + filter.fractional.length > 0 || filter.minRatio !== null;
}

function explainSubject(filter: RuleFilter, subject: Subject): string | null {
  return (
    explainTicker(filter, subject) ??
    explainExchange(filter, subject) ??
    explainRatio(filter, subject) ??
    explainTreatment(filter, subject)
  );
}

function explainTicker(filter: RuleFilter, { ticker }: Subject): string | null {
  if (filter.excludeTickers.includes(ticker)) return `${ticker} is excluded`;
  if (filter.tickers.length === 0 || filter.tickers.includes(ticker)) return null;
  return `${ticker} is not among its tickers`;
}

function explainExchange(filter: RuleFilter, { exchanges }: Subject): string | null {
  const [current] = exchanges;
  const allExcluded = exchanges.every((exchange) => filter.excludeExchanges.includes(exchange));
  if (current !== undefined && allExcluded) return `${current} is excluded`;
  if (filter.exchanges.length === 0) return null;
  if (current === undefined) return "the exchange is not stated";
  if (exchanges.some((exchange) => filter.exchanges.includes(exchange))) return null;
  return `the exchange is ${current}, the rule asks for ${filter.exchanges.join(", ")}`;
}

function explainRatio({ minRatio }: RuleFilter, { ratios }: Subject): string | null {
  if (minRatio === null) return null;
  const known = ratios.filter((ratio) => ratio !== null);
  if (known.length === 0) return "the ratio is not known";
  if (known.some((ratio) => oldPerNew(ratio) >= minRatio)) return null;
  return `the ratio is less steep than 1-for-${minRatio}`;
}

function explainTreatment({ fractional }: RuleFilter, { treatment }: Subject): string | null {
  if (fractional.length === 0) return null;
  if (treatment === null) return "the treatment of fractional shares is not stated";
  return fractional.includes(treatment)
    ? null
    : `fractional shares: ${treatment}, the rule asks for ${fractional.join(", ")}`;
}

/** Who may hear of events: the rules that stand, and who watches which ticker. */
export interface Audience {
  readonly rules: readonly Rule[];
  readonly watchers: readonly { readonly person: Person; readonly ticker: Ticker }[];
  /** False for platforms that the event may not go to. */
  reaches(to: Destination, event: Event): boolean;
}

/** One delivery per event and destination, however many rules and watchlists ask for it. */
export function matchEvents(events: readonly MatchableEvent[], audience: Audience): Delivery[] {
  const deliveries = events.map((event) => deliveriesOf(event, audience));
  const made = new Set(deliveries.flat().map((delivery) => delivery.id));
  return events.flatMap((event, index) => {
    // Who hears what a release says, that a split is off or may come one day, need not hear of that release again.
    const telling = events.filter((other) => coversRelease(event, other));
    const isToldAs = ({ to }: Delivery): boolean =>
      telling.some((other) => made.has(deliveryId(other.id, destinationKey(to))));
    return deliveries[index]?.filter((delivery) => !isToldAs(delivery)) ?? [];
  });
}

function deliveriesOf(event: MatchableEvent, audience: Audience): Delivery[] {
  const made = new Map<DestinationKey, Delivery>();
  const tell = (to: Destination, because: string, mention: string | null): void => {
    if (!audience.reaches(to, event)) return;
    const key = destinationKey(to);
    const known = made.get(key);
    const mentions = mention === null ? [] : [mention];
    made.set(key, {
      id: deliveryId(event.id, key),
      eventId: event.id,
      to,
      reasons: [...new Set([...(known?.reasons ?? []), because])],
      mentions: [...new Set([...(known?.mentions ?? []), ...mentions])],
    });
  };
  for (const rule of audience.rules) {
    if (explainMismatch(rule, event) === null) tell(rule.destination, `rule ${rule.number}`, rule.mention);
  }
  if (isForWatchlists(event)) {
    const tickers = new Set(tickersOf(event));
    for (const { person, ticker } of audience.watchers) {
      if (tickers.has(ticker)) tell(person, "watchlist", null);
    }
  }
  return [...made.values()];
}

/** Whether a watchlist that holds its ticker asks for the event. */
export function isForWatchlists(event: MatchableEvent): boolean {
  return WATCHLIST_EVENTS.includes(event.kind) && !(event.kind === "changed" && event.terms.length === 0);
}

function isOneOf<T extends string>(text: string, words: readonly T[]): text is T {
  return (words as readonly string[]).includes(text);
}
