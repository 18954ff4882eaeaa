import type { Fraction, KnownArticle } from "./article.ts";
import type { Day, Instant } from "./day.ts";
import type { DestinationKey } from "./destination.ts";
import type { SplitId, SplitRecord, Term } from "./split.ts";

/** The kinds that people can ask for, in the words that they type: rules that stand hold them. */
export const EVENT_KINDS = [
  "announced",
  "changed",
  "postponed",
  "cancelled",
  "missing",
  "returned",
  "effective",
  "reminder",
  "article",
  "early",
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Made by the functions below, so that the same thing has the same id, always; a test has one of its own each time. */
export type EventId = string & { readonly __brand: "EventId" };

interface EventBase {
  readonly id: EventId;
  /** When we saw it. */
  readonly at: Instant;
  /** The data is the invented sample's. */
  readonly sample: boolean;
}

/** Something that happened to one split. `record` is the split as it is now. */
interface SplitEventBase extends EventBase {
  readonly splitId: SplitId;
  readonly record: SplitRecord;
  /** Null: no release that we know of says it. */
  readonly fraction: FractionEvidence | null;
}

/** What a release says about the fractional shares of a split, and which release. */
export interface FractionEvidence extends Fraction {
  readonly url: string;
  readonly source: string;
}

export interface Announced extends SplitEventBase {
  readonly kind: "announced";
  /** First seen after its ex date. */
  readonly alreadyEffective: boolean;
}

export interface Changed extends SplitEventBase {
  readonly kind: "changed";
  readonly was: SplitRecord;
  /** Empty when only the company's name or the announcement's date differ: kept for the history, told to nobody. */
  readonly terms: readonly Term[];
  /** The third flip within an hour: further ones are held until it has been the same for an hour. */
  readonly flapping: boolean;
}

/** A release says that the split is put off, or off. */
export interface CalledOff extends SplitEventBase {
  readonly kind: "postponed" | "cancelled";
  readonly article: KnownArticle;
}

export interface Missing extends SplitEventBase {
  readonly kind: "missing";
  readonly pollsMissed: number;
  readonly flapping: boolean;
}

export interface Returned extends SplitEventBase {
  readonly kind: "returned";
  /** What it was before it went. */
  readonly was: SplitRecord;
  readonly flapping: boolean;
}

export interface Effective extends SplitEventBase {
  readonly kind: "effective";
}

export interface Reminder extends SplitEventBase {
  readonly kind: "reminder";
  /** In trading days; at least 1. */
  readonly daysLeft: number;
}

export type SplitEvent = Announced | Changed | CalledOff | Missing | Returned | Effective | Reminder;

/** A new press release. */
export interface ArticleEvent extends EventBase {
  readonly kind: "article";
  readonly article: KnownArticle;
  /** The listed splits that it concerns. */
  readonly splits: readonly { readonly splitId: SplitId; readonly record: SplitRecord }[];
}

/** Asked for by `/splits test`: goes to the asker's place alone. */
export interface TestEvent extends EventBase {
  readonly kind: "test";
  readonly askedBy: string;
}

/** What the first poll of a source showed, told only where `alerts.firstRun` is `digest`. */
export interface DigestEvent extends EventBase {
  readonly kind: "digest";
  readonly records: readonly SplitRecord[];
}

export type Event = SplitEvent | ArticleEvent | TestEvent | DigestEvent;

/** Events that rules and watchlists are matched with. */
export type MatchableEvent = SplitEvent | ArticleEvent;

export function isMatchable(event: Event): event is MatchableEvent {
  return event.kind !== "test" && event.kind !== "digest";
}

export function isSplitEvent(event: Event): event is SplitEvent {
  return "splitId" in event;
}

/** Whether `event` calls a split off by the very release that `release` is: who heard the one need not hear the other. */
export function callsOffBy(event: Event, release: Event): event is CalledOff {
  const isCalledOff = event.kind === "postponed" || event.kind === "cancelled";
  return isCalledOff && release.kind === "article" && event.article.url === release.article.url;
}

/** An article is one event, whichever poll shows it. */
export function articleEventId(article: { readonly url: string }): EventId {
  return article.url as EventId;
}

/** The announcement of a split, made once more when a release first states the treatment of its fractions. */
export function statedEventId(splitId: SplitId): EventId {
  return `${splitId}.stated` as EventId;
}

/** A snapshot has one first run, and one digest of it. */
export function digestEventId(bornAt: Instant): EventId {
  return `${bornAt.toString(36)}.digest` as EventId;
}

/** The part of a digest that one destination is told. */
export function digestPartEventId(whole: EventId, to: DestinationKey): EventId {
  return `${whole}.${to}` as EventId;
}

/** A reminder belongs to an ex date: when the date moves, it is due again. */
export function reminderEventId(splitId: SplitId, daysBefore: number, exDate: Day): EventId {
  return `${splitId}.before-${daysBefore}.${exDate}` as EventId;
}

/** The first event of a split is `<id>.1`. */
export function revisionEventId(splitId: SplitId, revision: number): EventId {
  return `${splitId}.${revision}` as EventId;
}
