import type { Observation } from "../catalog/observation.ts";
import type { Release } from "../catalog/release.ts";
import type { Deferral, DeferralDelay } from "../domain/alert/deferral.ts";
import type {
  Attempt,
  Delivery,
  DeliveryId,
  DeliveryOutcome,
  MessageRef,
  SentMessage,
  WaitingDelivery,
} from "../domain/alert/delivery.ts";
import type { Destination, Person } from "../domain/alert/destination.ts";
import type { Event, EventId, MatchableEvent } from "../domain/alert/event.ts";
import type { Watcher } from "../domain/alert/match.ts";
import type { Pause, PauseCause } from "../domain/alert/pause.ts";
import type { Snapshot, SnapshotPatch } from "../domain/diff/snapshot.ts";
import type { DestinationSettings } from "../domain/settings/destination-settings.ts";
import type { Rule, RuleDraft } from "../domain/settings/rule.ts";
import type { SplitId } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Instant } from "../domain/time/day.ts";
import type { MonotonicTime } from "./clock.ts";
import type { Inspection } from "./inspection.ts";
import type { Jobs } from "./jobs.ts";
import type { RateSlots } from "./rate-slots.ts";
import type { SourceStatuses } from "./source-status.ts";
import type { KeyedKind, Posting, SourceReads, StateValues } from "./state-records.ts";

/**
 * The complete state of splitwatch. A promise resolves only when its changes would survive a power cut.
 * A failure is a StoreError, and the caller may retry: nothing was written, unless the disk failed in a commit or its outcome couldn't
 * be determined.
 */
export interface Store {
  readonly snapshot: SnapshotStore;
  readonly claims: Claims;
  readonly outbox: Outbox;
  readonly pauses: Pauses;
  readonly history: History;
  readonly rules: Rules;
  readonly watchlists: Watchlists;
  /** Direct-message channels, on platforms where one must be opened for each person; by `destinationKey`. */
  readonly directChannels: KeyedRecords<"direct-channel">;
  /** Names of channels with rules and of people with rules or watchlists, as the platforms gave them; by `destinationKey`. */
  readonly names: KeyedRecords<"destination-name">;
  readonly calendars: Calendars;
  readonly destinationSettings: DestinationSettingsStore;
  readonly lastImports: KeyedRecords<"last-import">;
  /** Self-installed workspaces, including removed ones that are still stored; by `installationKey`. */
  readonly installations: KeyedRecords<"installation">;
  readonly usedTokens: UsedTokens;
  readonly postings: Postings;
  readonly sessions: Sessions;
  readonly releases: Releases;
  readonly observations: Observations;
  readonly sourceReads: SourceRecords<SourceReads>;
  readonly polls: PollReports;
  readonly rateSlots: RateSlots;
  readonly sourceStatuses: SourceStatuses;
  readonly documents: Documents;
  readonly seenRequests: SeenRequests;
  readonly jobs: Jobs;
  readonly inspection: Inspection;
  /**
   * Removes settled deliveries, events and postings older than `before`, in batches: a part may be removed when it rejects. Keeps
   * waiting deliveries and source records.
   */
  prune(before: Instant): Promise<void>;
  /**
   * Deletes all data about the person, including waiting deliveries; rules of channels stay, without the person's name. Messages
   * being sent to the person must be settled first. The next start or a repeated call completes an interrupted purge.
   */
  purgePerson(person: Person): Promise<void>;
  /** People and channels on a platform about which more than history is stored, and whose ids start with `idPrefix` (default: all). */
  destinations(platform: string, idPrefix?: string): Promise<readonly Destination[]>;
  /**
   * False if another process may have taken over a claim of this one, which didn't reach the store in time, until each claim that
   * was lost is released. Checked immediately before the bytes of a message are written.
   */
  mayStillSend(): boolean;
  /** Why writing fails; null if it works. */
  health(): string | null;
  close(): Promise<void>;
}

export class StoreError extends Error {
  override readonly name: string = "StoreError";
}

/** Problem of the configured store: another setting, or other permissions, are needed. */
export class StoreSettingError extends StoreError {
  override readonly name = "StoreSettingError";
}

/** Another process has claimed the destination since. Nothing was written. */
export class ClaimLostError extends StoreError {
  override readonly name = "ClaimLostError";
}

export interface SnapshotStore {
  read(): Promise<Snapshot>;
  /**
   * Writes the patch, its events and their deliveries atomically. Events and deliveries with known ids are left unchanged. New
   * deliveries end the delay of the last release of destinations with a digest or with deferred deliveries: they may not have to wait.
   */
  commit(change: SnapshotChange): Promise<void>;
}

export interface SnapshotChange {
  /** Null if the snapshot does not change, as with test cards. */
  readonly patch: SnapshotPatch | null;
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
}

/**
 * A destination that is claimed by one process until it is released, or until the process counts as dead. Afterwards, everything that
 * the process writes about it rejects with a ClaimLostError.
 */
export interface Claim {
  readonly to: Destination;
  /** The unsettled message of the destination, which must be settled first; null if there is none. */
  readonly attempt: Attempt | null;
  /** Rate-limit slot that was reserved for the destination before its release; it may have passed. Null: none was. */
  readonly slotAt: MonotonicTime | null;
}

/** Claims of destinations, so that one process at a time sends to each. */
export interface Claims {
  /**
   * Claims destinations of these platforms with work due now, longest wait first. Skips claimed destinations, and paused ones
   * until they are to be tried again. The delays of attempts and pauses are measured in monotonic time: whatever the system clock
   * says, they last at most their `delayMs`; after a restart, at most `delayMs` from then.
   */
  claimDue(request: { limit: number; platforms: readonly string[] }): Promise<readonly Claim[]>;
  /** Claims one destination for this process, even if nothing is due there. Returns false while another process holds it. */
  claim(destination: Destination): Promise<boolean>;
  /**
   * Releases the claim; the destination is not claimed again within `delayMs` (default: 0). The delay ends early if the system
   * clock is set, because the caller may have computed it from a time of day. The next claim contains `slotAt` (default: the slot
   * that the destination has).
   */
  release(destination: Destination, delayMs?: number, slotAt?: MonotonicTime | null): Promise<void>;
  /** Ends the delay of the last release. Claims, and the `notBefore` of an attempt, don't change. */
  recheck(destination: Destination): Promise<void>;
  /** Whether a destination is due that nobody has claimed. */
  isAnyDue(platforms: readonly string[]): Promise<boolean>;
  /** Counts the destinations of all platforms. */
  countDestinations(): Promise<DestinationCounts>;
  /** Milliseconds until the next destination that isn't due yet becomes due for `claimDue`; null if there is none. */
  nextDueMs(platforms: readonly string[]): Promise<number | null>;
  /** Calls `listener` when other processes may have added work. Returns a function that removes it. */
  onWork(listener: () => void): () => void;
}

/** Numbers of destinations. */
export interface DestinationCounts {
  /** Those with deliveries that can be sent now or are being sent, without paused ones; from 100 on, others need not be counted. */
  readonly due: number;
  readonly paused: number;
}

/** Pauses of destinations whose messages the platform refuses. */
export interface Pauses {
  /** Pauses the destination, or prolongs its pause. Its deliveries are tried again with backoff; `cause` selects how often. */
  pause(destination: Destination, reason: string, at: Instant, cause?: PauseCause): Promise<void>;
  /**
   * Pauses a claimed destination that refused its message. The destination is due immediately if `resume` or `retry` was called
   * after the claim and no pause followed: the platform may have refused the message before the cause was gone.
   */
  pauseRefused(destination: Destination, reason: string, at: Instant, cause: PauseCause): Promise<void>;
  /** Ends the pause, because its cause is gone. */
  resume(destination: Destination): Promise<void>;
  /** Makes a paused destination due immediately, because the cause may be gone. Returns false if it isn't paused. */
  retry(destination: Destination, at: Instant): Promise<boolean>;
  of(destination: Destination): Promise<Pause | null>;
  /** Pauses of the destinations on the platform whose ids start with `idPrefix`. */
  on(platform: string, idPrefix: string): Promise<readonly Pause[]>;
}

/** Deliveries, and the messages that carry them. */
export interface Outbox {
  /** Waiting deliveries at the destinations; those of one destination are ordered, oldest first. */
  waiting(destinations: readonly Destination[]): Promise<readonly WaitingDelivery[]>;
  /** Deliveries of an unsettled attempt, in its order, without those that a purge removed. */
  waitingIn(attempt: Attempt): Promise<readonly WaitingDelivery[]>;
  /** Writes a new attempt or its next state; durable when it resolves. */
  saveAttempt(attempt: Attempt): Promise<void>;
  /**
   * Ends a message that wasn't posted: its deliveries wait again, each with its deferral; atomic. `regroupUntil`: unless null, the other
   * deliveries of the destination that were divided are sent together again, after this delay.
   */
  defer(
    messageId: string,
    deferrals: ReadonlyMap<DeliveryId, Deferral>,
    regroupUntil: DeferralDelay | null,
  ): Promise<void>;
  /** Whether a message was sent to the destination since `since`. */
  wasSentSince(destination: Destination, since: Instant): Promise<boolean>;
  /** Marks the deliveries of the message as sent, and ends a pause of its destination. Returns the events of the message. */
  markSent(messageId: string, ref: MessageRef, at: Instant): Promise<readonly Event[]>;
  /** Marks the deliveries of the message as failed; they are not retried. The reason is shown to users. */
  markFailed(messageId: string, reason: string, at: Instant): Promise<void>;
  /** Null if the delivery doesn't exist. */
  outcome(id: DeliveryId): Promise<DeliveryOutcome | null>;
  /** Those of the deliveries that exist, waiting or settled. */
  existing(ids: readonly DeliveryId[]): Promise<ReadonlySet<DeliveryId>>;
  /** Number of waiting deliveries, at one destination or all; in constant time. */
  waitingCount(destination?: Destination): Promise<number>;
  summary(): Promise<OutboxSummary>;
}

export interface OutboxSummary {
  readonly waiting: number;
  readonly uncertain: number;
  /** Total numbers of paused destinations, failed messages and delayed attempts; the lists are limited. */
  readonly totals: { readonly paused: number; readonly failed: number; readonly delayed: number };
  /** Newest first, at most 20 each. */
  readonly paused: readonly {
    readonly to: Destination;
    readonly reason: string;
    readonly at: Instant;
    readonly retryAt: Instant;
    readonly waiting: number;
  }[];
  readonly failed: readonly {
    readonly to: Destination;
    readonly reason: string;
    readonly at: Instant;
    readonly deliveries: number;
  }[];
  /** Attempts that failed and will be retried, without those of paused destinations, and deferred deliveries in no attempt. */
  readonly delayed: readonly {
    readonly to: Destination;
    readonly problem: string;
    readonly notBefore: Instant;
    readonly sends: number;
  }[];
}

export interface History {
  /** The first message about a split at a destination, to which later messages reply. */
  firstMessage(destination: Destination, splitId: SplitId): Promise<MessageRef | null>;
  /** Messages at the destination that contain one of the deliveries, oldest first. */
  messagesWith(destination: Destination, ids: readonly DeliveryId[]): Promise<readonly SentMessage[]>;
  /** Events that concern the ticker, newest first, each with its outcomes at the given destinations. */
  forTicker(ticker: Ticker, destinations: readonly Destination[]): Promise<readonly HistoryEntry[]>;
  /** The events of one split, oldest first. */
  forSplit(splitId: SplitId): Promise<readonly Event[]>;
  /** Destinations that received the event, at most `PAGE_SIZE`. */
  recipients(eventId: EventId): Promise<readonly Destination[]>;
  /** Events that were detected at `since` or later, newest first, at most `limit`. */
  since(since: Instant, limit: number): Promise<readonly Event[]>;
}

export interface HistoryEntry {
  readonly event: Event;
  readonly deliveries: readonly { readonly delivery: Delivery; readonly outcome: DeliveryOutcome }[];
}

/** Maximum number of entries of a page. */
export const PAGE_SIZE = 1_000;

export interface Rules {
  /**
   * Every rule that matches one of the events, in pages of at most `PAGE_SIZE`; other rules may be included. Rules of one
   * destination follow each other, in order of their numbers. Rules that are changed meanwhile may be missing or outdated.
   */
  candidates(events: readonly MatchableEvent[]): AsyncIterable<readonly Rule[]>;
  /** Rules of the destination, in order of their numbers. */
  at(destination: Destination): Promise<readonly Rule[]>;
  /** Destinations on the platform that have a rule, and whose ids start with `idPrefix` (default: all). */
  destinations(platform: string, idPrefix?: string): Promise<readonly Destination[]>;
  /** Number of rules of channels that the person created. */
  countCreatedBy(person: Person): Promise<number>;
  /** Number of all rules; in constant time. */
  count(): Promise<number>;
  /**
   * Adds a rule under a number that was never used at the destination, so that old buttons and history stay unambiguous.
   * Adds nothing if an equal rule or `max` rules exist; atomic.
   */
  add(draft: RuleDraft, max?: number): Promise<AddedRule>;
  /** Replaces the rule and keeps its number. Replaces nothing if an equal rule exists. */
  replace(number: number, draft: RuleDraft): Promise<ReplacedRule>;
  /** Returns the removed rules. */
  remove(destination: Destination, numbers: readonly number[]): Promise<readonly Rule[]>;
}

export type AddedRule = { readonly kind: "added" | "known"; readonly rule: Rule } | { readonly kind: "full" };

export type ReplacedRule =
  | { readonly kind: "replaced"; readonly before: Rule; readonly rule: Rule }
  | { readonly kind: "known"; readonly rule: Rule }
  | { readonly kind: "gone" };

export interface Watchlists {
  /** Tickers in alphabetical order. */
  of(person: Person): Promise<readonly Ticker[]>;
  /** Returns the added tickers; the watchlist is limited to `max`. */
  add(person: Person, tickers: readonly Ticker[], max?: number): Promise<readonly Ticker[]>;
  /** Returns the removed tickers. */
  remove(person: Person, tickers: readonly Ticker[]): Promise<readonly Ticker[]>;
  /**
   * People with one of the tickers on their watchlists, once for each, in pages of at most `PAGE_SIZE`. Watchlists that are changed
   * meanwhile may be missing or outdated.
   */
  watchersOf(tickers: readonly Ticker[]): AsyncIterable<readonly Watcher[]>;
  count(): Promise<{ readonly people: number; readonly tickers: number }>;
}

/** Records of one kind, found by their keys (`KEYED_KINDS`). */
export interface KeyedRecords<K extends KeyedKind> {
  find(key: string): Promise<StateValues[K] | null>;
  all(): Promise<readonly StateValues[K][]>;
  /** Adds the record, or replaces the one with its key. */
  put(value: StateValues[K]): Promise<void>;
  /** Replaces the record by `next`, which has the same key, if it still equals `before`; otherwise returns false. */
  replace(before: StateValues[K], next: StateValues[K]): Promise<boolean>;
  remove(key: string): Promise<void>;
}

/** Secret tokens in the addresses of personal calendars. A token gives access to the person's watchlist. */
export interface Calendars {
  /** Returns the token; creates it if there is none. */
  tokenOf(person: Person): Promise<string>;
  /** Null for an unknown or revoked token. */
  personOf(token: string): Promise<Person | null>;
  /** Revokes the token. Returns false if there is none. */
  revoke(person: Person): Promise<boolean>;
}

/** Delivery settings of people and channels. */
export interface DestinationSettingsStore {
  /** Settings of the destination; the defaults if they were not changed. */
  of(destination: Destination): Promise<DestinationSettings>;
  /**
   * Changes the given settings and returns the settings before and after. A change ends the delay of the destination's last release,
   * which may have been the end of a hold.
   */
  change(
    destination: Destination,
    patch: Partial<DestinationSettings>,
  ): Promise<{ readonly before: DestinationSettings; readonly after: DestinationSettings }>;
  /** Settings of all destinations that differ from the defaults, in pages of at most `PAGE_SIZE`. */
  all(): AsyncIterable<readonly { readonly to: Destination; readonly settings: DestinationSettings }[]>;
  /** The different time zones of all destinations; in a time that doesn't depend on the number of destinations. */
  timezones(): Promise<readonly string[]>;
  /** Calls `listener` after each durable change. Returns a function that removes it. */
  onChange(listener: (destination: Destination) => void): () => void;
}

export interface UsedTokens {
  /** Marks a single-use token as consumed and keeps it until `until`. Returns false if it was already consumed. */
  consume(token: string, now: Instant, until: Instant): Promise<boolean>;
}

export interface Postings {
  /** Idempotent by message id: returns the first posting of the message. */
  post(posting: Omit<Posting, "number">): Promise<Posting>;
  find(messageId: string): Promise<Posting | null>;
  /** Returns the newest `limit` postings with a number above `after`, oldest first. */
  list(request: { to: readonly Destination[]; after: number; limit: number }): Promise<readonly Posting[]>;
  /** Number of postings since `since` whose message ids start with the prefix. */
  count(messageIdPrefix: string, since: Instant): Promise<number>;
  /**
   * Calls `listener` after a posting was stored, by any process, with its destination; null: any destination may have new postings.
   * Returns a function that removes it.
   */
  onPosted(listener: (to: Destination | null) => void): () => void;
}

/** Open sessions of the web page. Backups don't contain them, so that a restore can't continue a session that has ended. */
export interface Sessions {
  /** Adds a session that is open until `until`. Removes sessions that are expired at `now` and, above `max`, the oldest. */
  start(session: { readonly id: string; readonly until: Instant }, now: Instant, max: number): Promise<void>;
  isOpen(id: string, now: Instant): Promise<boolean>;
  end(id: string): Promise<void>;
}

/** Requests that a platform may repeat, also to another process. They need not survive a restart. */
export interface SeenRequests {
  /** Keeps the ids for at least `keepMs`. Returns false if one of them is kept already. */
  add(ids: readonly string[], keepMs: number): Promise<boolean>;
}

/** Texts by name whose loss loses no alert, such as copies of symbol directories. Backups don't contain them. */
export interface Documents {
  /** Null if there is none. */
  read(name: string): Promise<string | null>;
  /** `name` consists of lower-case letters, digits and hyphens. */
  write(name: string, text: string): Promise<void>;
  /** Calls `listener` after another process wrote a document. Returns a function that removes it. */
  onChange(listener: (name: string) => void): () => void;
}

/** A change of source records: their current values, and the keys of those that no longer exist. */
export interface RecordsChange<T> {
  readonly put: readonly T[];
  readonly removed: readonly string[];
}

/** Records of the live sources, from which splits and articles are derived. */
export interface SourceRecords<T> {
  /** Returns all records in no particular order. */
  all(): Promise<readonly T[]>;
  /** Adds the records, or replaces records with the same keys, in one durable write. */
  put(records: readonly T[]): Promise<void>;
  /** Ignores unknown keys. */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Calls `listener` with the changes by other processes that the last `all` did not contain, in the order in which the store made
   * them and the writes of this process. Returns a function that removes it.
   */
  onChange(listener: (change: RecordsChange<T>) => void): () => void;
}

/** Press releases, by address. */
export type Releases = SourceRecords<Release>;

/** Statements of exchanges and regulators, by source, id and time of observation: each revision is a record of its own. */
export type Observations = SourceRecords<Observation>;

/** Returns the key that identifies a record within its kind. */
export type KeyOf<T> = (record: T) => string;

export function releaseKey({ url }: Release): string {
  return url;
}

export function observationKey({ source, id, observedAt }: Observation): string {
  return JSON.stringify([source, id, observedAt]);
}

export function sourceReadsKey({ source }: SourceReads): string {
  return source;
}

export const RESOURCES = ["splits", "articles"] as const;

export type Resource = (typeof RESOURCES)[number];

/** Result of the last poll of a resource. */
export interface PollReport {
  readonly resource: Resource;
  readonly at: Instant;
  readonly outcome: "complete" | "suspicious" | "incomplete" | "failed";
  /** Text for users: summary of the list, or the error. */
  readonly detail: string;
  readonly records: number;
  readonly quarantined: readonly string[];
  /** Time of the last complete poll. */
  readonly lastCompleteAt: Instant | null;
}

/**
 * Last polls, shared by all processes because only one of them polls. Their times are those of the reader's system clock, with the true
 * ages: whatever the clock of the process that polled shows, and after the clock was set. They need not survive a restart.
 */
export interface PollReports {
  write(report: PollReport): Promise<void>;
  read(): Promise<Readonly<Record<Resource, PollReport | null>>>;
}
