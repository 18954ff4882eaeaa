import type { Release } from "../catalog/release.ts";
import type {
  Attempt,
  Delivery,
  DeliveryId,
  DeliveryOutcome,
  MessageRef,
  WaitingDelivery,
} from "../domain/alert/delivery.ts";
import type { Destination, Person } from "../domain/alert/destination.ts";
import type { Event } from "../domain/alert/event.ts";
import type { Snapshot, SnapshotPatch } from "../domain/diff/snapshot.ts";
import type { DestinationSettings } from "../domain/settings/destination-settings.ts";
import type { PendingImport } from "../domain/settings/pending-import.ts";
import type { Rule, RuleDraft } from "../domain/settings/rule.ts";
import type { SplitId } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Instant } from "../domain/time/day.ts";
import type { Installation, Posting } from "./state-records.ts";

/**
 * All that splitwatch remembers. A promise resolves only when what it wrote would survive a power cut.
 * A failure is a StoreError; nothing was written then, and the caller may try again.
 */
export interface Store {
  readonly snapshot: SnapshotStore;
  readonly outbox: Outbox;
  readonly history: History;
  readonly rules: Rules;
  readonly watchlists: Watchlists;
  readonly directChannels: DirectChannels;
  readonly calendars: Calendars;
  readonly destinationSettings: DestinationSettingsStore;
  readonly imports: Imports;
  readonly installations: Installations;
  readonly postings: Postings;
  readonly releases: Releases;
  readonly polls: PollReports;
  /** Drops what is older than `before`: settled deliveries, events, postings. Never what still waits, and no releases. */
  prune(before: Instant): Promise<void>;
  /**
   * Deletes all that is kept of the person: what is theirs alone is gone, what waits for them is dropped untold, and rules of
   * channels stay without their name. A message on its way to them must be settled before. Once it was begun it is completed,
   * by the next start at the latest; asked for again, it does what is left to do.
   */
  purgePerson(person: Person): Promise<void>;
  /** Everybody on a platform of whom anything is kept that `forget` would delete, but for what was told long ago. */
  people(platform: string): Promise<readonly Person[]>;
  /** The reason why it cannot write, or null when it can. */
  health(): string | null;
  close(): Promise<void>;
}

export class StoreError extends Error {
  override readonly name = "StoreError";
}

export interface SnapshotStore {
  read(): Promise<Snapshot>;
  /**
   * The patch, its events and their deliveries, together or not at all. Events and deliveries whose ids are known
   * already are left as they are.
   */
  commit(change: PollChange): Promise<void>;
}

export interface PollChange {
  /** Null: the snapshot stays (a reminder, a test card). */
  readonly patch: SnapshotPatch | null;
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
}

/** A destination that one worker has for itself until it lets go or its lease ends. */
export interface Claim {
  readonly to: Destination;
  /** The message under way there; it comes first. */
  readonly attempt: Attempt | null;
}

export interface Outbox {
  /**
   * Destinations of these platforms that have something due now and that nobody else holds, those that waited longest first.
   * Paused destinations are left out.
   */
  claim(request: {
    now: Instant;
    limit: number;
    leaseMs: number;
    platforms: readonly string[];
  }): Promise<readonly Claim[]>;
  /** What waits there and is in no attempt yet, oldest first. */
  waitingAt(to: Destination, most?: number): Promise<readonly WaitingDelivery[]>;
  /** Writes the attempt as it stands (new, or its next state); durable when it resolves. */
  saveAttempt(attempt: Attempt): Promise<void>;
  /** Gives the events that it told. */
  markSent(messageId: string, ref: MessageRef, at: Instant): Promise<readonly Event[]>;
  /** Its deliveries will not be told: the reason is shown. */
  markFailed(messageId: string, reason: string, at: Instant): Promise<void>;
  /** Lets go of the claim; nobody takes it up again before `notBefore`. */
  release(to: Destination, notBefore?: Instant): Promise<void>;
  /** It may be claimed again before the time up to which it was let go of; a claim on it, or an attempt's own time, stays. */
  recheck(to: Destination): Promise<void>;
  pause(to: Destination, reason: string, at: Instant): Promise<void>;
  resume(to: Destination): Promise<void>;
  /** Why nothing is sent there until it is resumed; null when it is not paused. */
  pauseReason(to: Destination): Promise<string | null>;
  /** When the earliest attempt that is not due yet becomes due; null when none waits. */
  nextDue(platforms: readonly string[]): Promise<Instant | null>;
  outcome(id: DeliveryId): Promise<DeliveryOutcome | null>;
  /** How many deliveries wait; costs nothing, however often it is asked. */
  waitingCount(): Promise<number>;
  summary(): Promise<OutboxSummary>;
}

export interface OutboxSummary {
  readonly waiting: number;
  readonly uncertain: number;
  /** How many there are of each, also of those that are not listed: paused destinations, failed messages, delayed attempts. */
  readonly totals: { readonly paused: number; readonly failed: number; readonly delayed: number };
  /** The newest first, at most 20 each. */
  readonly paused: readonly {
    readonly to: Destination;
    readonly reason: string;
    readonly at: Instant;
    readonly waiting: number;
  }[];
  readonly failed: readonly {
    readonly to: Destination;
    readonly reason: string;
    readonly at: Instant;
    readonly deliveries: number;
  }[];
  /** Attempts that were tried and still wait. */
  readonly delayed: readonly {
    readonly to: Destination;
    readonly problem: string;
    readonly notBefore: Instant;
    readonly sends: number;
  }[];
}

export interface History {
  /** The first message about a split at a destination, for later ones to answer. */
  firstMessage(to: Destination, splitId: SplitId): Promise<MessageRef | null>;
  /** Events that concern the ticker, newest first, each with what became of it at the given destinations. */
  forTicker(ticker: Ticker, destinations: readonly Destination[]): Promise<readonly HistoryEntry[]>;
  /** The events of one split, oldest first. */
  forSplit(splitId: SplitId): Promise<readonly Event[]>;
}

export interface HistoryEntry {
  readonly event: Event;
  readonly deliveries: readonly { readonly delivery: Delivery; readonly outcome: DeliveryOutcome }[];
}

export interface Rules {
  all(): Promise<readonly Rule[]>;
  /** In the order of their numbers. */
  at(destination: Destination): Promise<readonly Rule[]>;
  /**
   * Gives it a number that was never given there: an old button, or a line of history, that names a rule means no other.
   * Adds nothing where a rule that says the same stands already, or where `most` rules stand: two who ask at once are no
   * exception.
   */
  add(draft: RuleDraft, most?: number): Promise<AddedRule>;
  /** Puts the draft in the place of the rule with that number, which it keeps. Replaces nothing where a rule says the same already. */
  replace(number: number, draft: RuleDraft): Promise<ReplacedRule>;
  /** The rules that stood there under these numbers and are gone now. */
  remove(destination: Destination, numbers: readonly number[]): Promise<readonly Rule[]>;
}

export type AddedRule = { readonly kind: "added" | "known"; readonly rule: Rule } | { readonly kind: "full" };

export type ReplacedRule =
  | { readonly kind: "replaced"; readonly before: Rule; readonly rule: Rule }
  | { readonly kind: "known"; readonly rule: Rule }
  | { readonly kind: "gone" };

export interface Watchlists {
  /** In the order of the alphabet. */
  of(person: Person): Promise<readonly Ticker[]>;
  /** Those that were not there before, as many as there was room for on a list of at most `most`. */
  add(person: Person, tickers: readonly Ticker[], most?: number): Promise<readonly Ticker[]>;
  /** Those that were there. */
  remove(person: Person, tickers: readonly Ticker[]): Promise<readonly Ticker[]>;
  watchersOf(tickers: readonly Ticker[]): Promise<readonly { readonly person: Person; readonly ticker: Ticker }[]>;
  count(): Promise<{ readonly people: number; readonly tickers: number }>;
}

/** Where people are written to, on platforms where that is a channel of its own: it is opened once, and known from then on. */
export interface DirectChannels {
  /** The platform's id of the channel; null where none is known. */
  of(person: Person): Promise<string | null>;
  save(person: Person, channelId: string): Promise<void>;
}

/** The secret part of the address at which somebody's calendar is read: whoever knows it reads that person's watchlist. */
export interface Calendars {
  /** Makes one where there is none. */
  tokenOf(person: Person): Promise<string>;
  /** Null for a token that leads nowhere, or not any more. */
  personOf(token: string): Promise<Person | null>;
  /** From then on it leads nowhere. False where there was none. */
  revoke(person: Person): Promise<boolean>;
}

/** What people and channels want of what they are told. */
export interface DestinationSettingsStore {
  /** The usual ones where nothing was set. */
  of(to: Destination): Promise<DestinationSettings>;
  /** Changes what `patch` names. Gives the settings before and after it. */
  change(
    to: Destination,
    patch: Partial<DestinationSettings>,
  ): Promise<{ readonly before: DestinationSettings; readonly after: DestinationSettings }>;
  /** Of every place whose settings are not the usual ones. */
  all(): Promise<readonly { readonly to: Destination; readonly settings: DestinationSettings }[]>;
  /** `listener` is told of each change, once it is written. Gives what ends that. */
  onChange(listener: (to: Destination) => void): () => void;
}

/** Imports that people were shown: each waits to be applied, or may still be undone. */
export interface Imports {
  /** Those that ran out by `now` go, and the oldest where there are too many, of this person or of all. */
  save(pending: PendingImport, now: Instant): Promise<void>;
  /** Also one that ran out, while it is there. */
  find(id: string): Promise<PendingImport | null>;
  /** Puts `next` in its own place while that is in the state `from`; false where it is not. */
  transition(next: PendingImport, from: PendingImport["state"]): Promise<boolean>;
  remove(id: string): Promise<void>;
}

/** The workspaces that took splitwatch in by themselves, and those that put it out and are still remembered. */
export interface Installations {
  all(platform: string): Promise<readonly Installation[]>;
  find(platform: string, workspaceId: string): Promise<Installation | null>;
  /** New, or in the place of what was known of the workspace. */
  put(installation: Installation): Promise<void>;
  remove(platform: string, workspaceId: string): Promise<void>;
  /** Notes that a token, good for one use, is used up. False where it was already; it is known until `until`. */
  consumeToken(token: string, now: Instant, until: Instant): Promise<boolean>;
}

export interface Postings {
  /** A message id that was posted already is not posted again: the first posting is given back. */
  post(posting: Omit<Posting, "number">): Promise<Posting>;
  find(messageId: string): Promise<Posting | null>;
  /** The newest `limit` after `after`, oldest first. */
  list(request: { to: readonly Destination[]; after: number; limit: number }): Promise<readonly Posting[]>;
}

/** The releases that the wires have shown: what the embedded service's splits and articles are made of. */
export interface Releases {
  /** In no particular order. */
  all(): Promise<readonly Release[]>;
  /** New, or in the place of the one with the same address. */
  put(release: Release): Promise<void>;
  /** Unknown addresses are no matter. */
  remove(urls: readonly string[]): Promise<void>;
}

export type Resource = "splits" | "articles";

/** What the last poll of a resource came to. */
export interface PollReport {
  readonly resource: Resource;
  readonly at: Instant;
  readonly outcome: "complete" | "suspicious" | "incomplete" | "failed";
  /** For people: what was read, or what went wrong. */
  readonly detail: string;
  readonly records: number;
  readonly quarantined: readonly string[];
  /** The last poll that was complete. */
  readonly lastCompleteAt: Instant | null;
}

/** Shared by all processes, so that each can answer for the one that polls. Need not survive a restart. */
export interface PollReports {
  write(report: PollReport): Promise<void>;
  read(): Promise<Readonly<Record<Resource, PollReport | null>>>;
}
