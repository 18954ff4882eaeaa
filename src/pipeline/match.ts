import type { Delivery } from "../domain/alert/delivery.ts";
import { destinationKey } from "../domain/alert/destination.ts";
import type { Announced, DigestEvent, MatchableEvent } from "../domain/alert/event.ts";
import {
  announcementsIn,
  type CanReceive,
  type DigestPart,
  digestDivider,
  Matcher,
  selectorsIn,
} from "../domain/alert/match.ts";
import type { Rule } from "../domain/settings/rule.ts";
import { groupBy } from "../lib/collections.ts";
import { TimeSlice } from "../lib/slices.ts";
import type { Store } from "../ports/store.ts";

export interface MatchParts {
  readonly store: Pick<Store, "rules" | "watchlists">;
  /** False if the event must not be sent to the destination: sample data is sent to the web page only. */
  readonly canReceive: CanReceive;
}

/** Matches the events with all rules and watchlists. */
export async function matchEvents(
  { store, canReceive }: MatchParts,
  events: readonly MatchableEvent[],
): Promise<Matcher> {
  const matcher = new Matcher(events, canReceive);
  const slice = new TimeSlice();
  for await (const rules of store.rules.candidates(events)) {
    for (const rule of rules) {
      matcher.addRule(rule);
      await slice.next();
    }
  }
  for await (const watchers of store.watchlists.watchersOf(events.flatMap((event) => [...selectorsIn(event)]))) {
    for (const watcher of watchers) {
      matcher.addWatcher(watcher);
      await slice.next();
    }
  }
  return matcher;
}

/** Deliveries to destinations that did not match the announcements while their fraction treatment was unknown. */
export async function matchTreatments(
  parts: MatchParts,
  announcements: readonly Announced[],
): Promise<ReadonlyMap<Announced, readonly Delivery[]>> {
  const before = announcements.map((event): Announced => ({ ...event, fraction: null }));
  const matcher = await matchEvents(parts, [...announcements, ...before]);
  const newDeliveries = announcements.map((event, index) => {
    const untreated = before[index];
    const matchedBefore = new Set(untreated && matcher.deliveriesOf(untreated).map(({ id }) => id));
    return [event, matcher.deliveriesOf(event).filter(({ id }) => !matchedBefore.has(id))] as const;
  });
  return new Map(newDeliveries);
}

/** Divides a digest among the destinations with rules. */
export async function divideDigest(
  { store, canReceive }: MatchParts,
  digest: DigestEvent,
): Promise<readonly DigestPart[]> {
  const partFor = digestDivider(digest);
  const slice = new TimeSlice();
  const parts: (DigestPart | null)[] = [];
  for await (const rules of byDestination(store.rules.candidates(announcementsIn(digest)))) {
    const to = rules[0]?.destination;
    if (to && canReceive(to, digest)) parts.push(partFor(to, rules));
    await slice.next();
  }
  return parts.filter((part) => part !== null);
}

/** The rules of each destination, which follow each other and may be divided between two pages. */
async function* byDestination(pages: AsyncIterable<readonly Rule[]>): AsyncGenerator<readonly Rule[]> {
  let last: readonly Rule[] = [];
  for await (const rules of pages) {
    const groups = [...groupBy([...last, ...rules], ({ destination }) => destinationKey(destination)).values()];
    last = groups.pop() ?? [];
    yield* groups;
  }
  yield last;
}
