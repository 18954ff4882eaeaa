import { disagreementsOn, evidenceIn, isAbout, isIssuersOwn, termsByTicker } from "../article/evidence.ts";
import { type Announced, type ArticleEvent, type Event, type EventId, eventIds } from "./event.ts";

/**
 * True if both are the announcement of one split: the issuer's release, and its listing with the terms of the release. Other
 * releases about the split, and one that contradicts the list, are alerts of their own.
 */
function areOneAnnouncement({ article }: ArticleEvent, { record, release }: Announced): boolean {
  const isAnnouncement = article.kind === "reverse_split" || article.kind === "ads_ratio_change";
  if (!isAnnouncement || !isAbout(article, record) || !isIssuersOwn(article, record)) return false;
  return (release?.url ?? article.url) === article.url && disagreementsOn(record, [article]).length === 0;
}

/** Ids of the events that may be the other half of the event's announcement. */
export function otherHalves(event: Event): readonly EventId[] {
  if (event.kind === "announced") return event.release === null ? [] : [eventIds.article(event.release)];
  if (event.kind !== "article") return [];
  return event.splits.flatMap(({ splitId }) => (splitId === undefined ? [] : [eventIds.revision(splitId, 1)]));
}

/** True if the event is the other half of the announcement in `other`. */
function joins(event: Event, other: Event): boolean {
  if (event.kind === "article" && other.kind === "announced") return areOneAnnouncement(event, other);
  return event.kind === "announced" && other.kind === "article" && areOneAnnouncement(other, event);
}

/** True if the event is the missing half of an announcement in the message. An announcement has one release. */
export function completes(event: Event, inMessage: readonly Event[]): boolean {
  return inMessage.some((half) => {
    const isComplete = event.kind === "article" && inMessage.some((other) => joins(other, half));
    return joins(event, half) && !isComplete;
  });
}

/** What one card shows. */
export interface Folded<T> {
  readonly event: Event;
  /** The parts whose content the event has, at least one. */
  readonly parts: readonly [T, ...T[]];
}

/**
 * Folds the release and the listing of one split into one announcement, which links and quotes the release. A release about several
 * splits keeps its card.
 */
export function foldAnnouncements<T extends { readonly event: Event }>(all: readonly T[]): readonly Folded<T>[] {
  const hosts = new Map<T, T>();
  const releases = new Map<T, ArticleEvent>();
  for (const one of all) {
    const { event } = one;
    if (event.kind !== "announced") continue;
    const half = all.find((other) => joins(event, other.event));
    if (half?.event.kind !== "article") continue;
    releases.set(one, half.event);
    if (termsByTicker(half.event.article).length <= 1 && !hosts.has(half)) hosts.set(half, one);
  }
  const shown = new Set<T>();
  return all.flatMap((one): readonly Folded<T>[] => {
    const host = hosts.get(one) ?? one;
    if (shown.has(host)) return [];
    shown.add(host);
    const folded = all.filter((other) => hosts.get(other) === host);
    return [{ event: withRelease(host.event, releases.get(host)), parts: [host, ...folded] }];
  });
}

function withRelease(event: Event, release: ArticleEvent | undefined): Event {
  if (event.kind !== "announced" || release === undefined) return event;
  const evidence = evidenceIn([release.article], event.record);
  return { ...event, release: evidence.release, fraction: event.fraction ?? evidence.fraction };
}
