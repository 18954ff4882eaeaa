import type { Fraction, KnownArticle, Treatment } from "../article/article.ts";
import type { Ratio } from "../split/ratio.ts";
import type { Serial } from "../split/serial.ts";
import type { SplitId, SplitRecord, Term } from "../split/split.ts";
import type { Day, Instant } from "../time/day.ts";
import type { DestinationKey } from "./destination.ts";

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
  "stale",
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
interface SplitEventBase extends EventBase, SplitEvidence {
  readonly splitId: SplitId;
  readonly record: SplitRecord;
}

/** What the releases that we know of say about a split. */
export interface SplitEvidence {
  /** Null: none says it. */
  readonly fraction: FractionEvidence | null;
  /** The newest that announces the split or moves it; null: none does. */
  readonly release: ReleaseLink | null;
  /** Where a release and the list differ; empty where they agree, or no release states it. */
  readonly disagreements: readonly Disagreement[];
  /** The list's other rows of the same symbol, with other terms. Absent where there are none. */
  readonly otherRows?: readonly SplitRecord[];
}

/** Of a split that no known release is about. */
export const NO_EVIDENCE: SplitEvidence = { fraction: null, release: null, disagreements: [] };

/** What a release says about the fractional shares of a split, and which release. */
export interface FractionEvidence extends Fraction {
  readonly url: string;
  readonly source: string;
}

/** A release, as far as an alert on a split shows it. */
export type ReleaseLink = Pick<KnownArticle, "url" | "source" | "heading" | "published" | "kind">;

/** A term on which a release says something else than the list. */
export type Disagreement =
  | { readonly term: "ratio"; readonly stated: Ratio }
  | { readonly term: "exDate"; readonly stated: Day };

export interface Announced extends SplitEventBase {
  readonly kind: "announced";
  /** First seen after its ex date. */
  readonly alreadyEffective: boolean;
  /** Null or absent: the first of its issuer that is remembered. */
  readonly serial?: Serial | null;
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
export interface Withdrawn extends SplitEventBase {
  readonly kind: "postponed" | "cancelled";
  readonly article: KnownArticle;
  /** The split had left the list before its ex date: this is why. */
  readonly explainsMissing: boolean;
}

export interface Missing extends SplitEventBase {
  readonly kind: "missing";
  readonly pollsMissed: number;
  readonly flapping: boolean;
  /** The release that had called the split off before it went; null: nothing explains it. */
  readonly withdrawnBy: ReleaseLink | null;
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

export type SplitEvent = Announced | Changed | Withdrawn | Missing | Returned | Effective | Reminder;

interface ReleaseEventBase extends EventBase {
  readonly article: KnownArticle;
  /** The listed splits that it concerns. One without an id came to the list just now, and is announced after it. */
  readonly splits: readonly { readonly splitId?: SplitId; readonly record: SplitRecord }[];
}

/** A new press release. */
export interface ArticleEvent extends ReleaseEventBase {
  readonly kind: "article";
}

/** A new press release that tells of an approval or of a range of ratios: there may be a split one day. */
export interface EarlyEvent extends ReleaseEventBase {
  readonly kind: "early";
}

export type ReleaseEvent = ArticleEvent | EarlyEvent;

/** The data is older than it should be, or fresh again: that concerns every split, and so whoever asks for it. */
export type StaleEvent = EventBase & {
  readonly kind: "stale";
  /** When the data was last as fresh as it should be. */
  readonly since: Instant;
} & (
    | {
        readonly state: "begun";
        /** What went wrong last, for people. */
        readonly problem: string;
      }
    | {
        readonly state: "over";
        /** How many events were seen by the time that it was over. */
        readonly eventCount: number;
      }
  );

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

export type Event = SplitEvent | ReleaseEvent | StaleEvent | TestEvent | DigestEvent;

/** Events that rules and watchlists are matched with. */
export type MatchableEvent = SplitEvent | ReleaseEvent | StaleEvent;

export function isMatchable(event: Event): event is MatchableEvent {
  return event.kind !== "test" && event.kind !== "digest";
}

export function isSplitEvent(event: Event): event is SplitEvent {
  return "splitId" in event;
}

/** Whether `event` tells what the release `article` says: who hears the one need not hear of the release itself. */
export function coversRelease(article: Event, event: Event): event is Withdrawn | EarlyEvent {
  const tells = event.kind === "postponed" || event.kind === "cancelled" || event.kind === "early";
  return tells && article.kind === "article" && event.article.url === article.article.url;
}

/** Whether `earlier`, of the same split, told what `event` tells: who heard it need not hear this. */
export function isCoveredBy(earlier: Event, event: Event): boolean {
  if (event.kind === "announced") return earlier.kind === "announced" && earlier.id !== event.id;
  return event.kind === "missing" && earlier.kind === "cancelled" && earlier.article.url === event.withdrawnBy?.url;
}

/** An article is one event, whichever poll shows it. */
export function articleEventId(article: { readonly url: string }): EventId {
  return article.url as EventId;
}

/** No address holds a blank, so none is the id of another release's article. */
export function earlyEventId(article: { readonly url: string }): EventId {
  return `${article.url} early` as EventId;
}

/** The announcement of a split, made once more when a release states the treatment of its fractions, or another one. */
export function statedEventId(splitId: SplitId, treatment: Treatment): EventId {
  return `${splitId}.stated-${treatment}` as EventId;
}

/** No split's id begins so: a ticker is upper case. */
export function staleEventId(since: Instant): EventId {
  return `stale-${since.toString(36)}` as EventId;
}

export function staleOverEventId(since: Instant): EventId {
  return `${staleEventId(since)}.over` as EventId;
}

/** A snapshot has one first run, and one digest of it. */
export function digestEventId(startedAt: Instant): EventId {
  return `${startedAt.toString(36)}.digest` as EventId;
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
