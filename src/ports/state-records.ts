import type { Release } from "../catalog/release.ts";
import type { Attempt, Delivery, MessageRef } from "../domain/alert/delivery.ts";
import type { Destination, Person } from "../domain/alert/destination.ts";
import type { Event } from "../domain/alert/event.ts";
import type { KnownArticle } from "../domain/article/article.ts";
import type { SnapshotHeader } from "../domain/diff/snapshot.ts";
import type { DestinationSettings } from "../domain/settings/destination-settings.ts";
import type { Installation } from "../domain/settings/installation.ts";
import type { PendingImport } from "../domain/settings/pending-import.ts";
import type { Rule } from "../domain/settings/rule.ts";
import type { PastSplit } from "../domain/split/serial.ts";
import type { Split } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Instant } from "../domain/time/day.ts";
import type { Posting } from "./store.ts";

/**
 * All that is to outlive a process, in no store's own form: a state that is taken apart into these and put together again,
 * in whatever store, is the same state. Within a kind the order counts: it is the one in which they came to be.
 */
export interface StateValues {
  /** All of the snapshot but its splits and articles; there is one. */
  readonly snapshot: SnapshotHeader;
  readonly split: Split;
  readonly "past-split": PastSplit;
  readonly article: KnownArticle;
  readonly event: Event;
  readonly message: SettledMessage;
  /** One that waits, also one that is in an attempt. */
  readonly delivery: Delivery;
  readonly attempt: Attempt;
  readonly pause: Pause;
  readonly forgetting: PendingPurge;
  readonly rule: Rule;
  /** The last number that was given to a rule there: it may be gone. */
  readonly "rule-number": { readonly at: Destination; readonly last: number };
  readonly watchlist: { readonly person: Person; readonly tickers: readonly Ticker[] };
  readonly "direct-channel": { readonly person: Person; readonly channelId: string };
  readonly calendar: { readonly person: Person; readonly token: string };
  /** What differs from the usual settings. */
  readonly "destination-settings": { readonly to: Destination; readonly settings: Partial<DestinationSettings> };
  readonly import: PendingImport;
  readonly installation: Installation;
  /** What is good for one use and was used: until when it has to be known. */
  readonly "used-once": { readonly token: string; readonly until: Instant };
  readonly posting: Posting;
  /** The last number that was given to a posting: it may be gone. */
  readonly "posting-number": { readonly last: number };
  readonly release: Release;
  readonly "api-key": ApiKey;
}

export type StateKind = keyof StateValues;

export type StateRecord = {
  readonly [K in StateKind]: { readonly kind: K; readonly value: StateValues[K] };
}[StateKind];

/** A message that is settled: posted, or given up. */
export interface SettledMessage {
  readonly messageId: string;
  readonly to: Destination;
  readonly at: Instant;
  readonly end:
    | { readonly kind: "sent"; readonly ref: MessageRef; readonly blindResends: number }
    | { readonly kind: "failed"; readonly reason: string };
  readonly deliveries: readonly SettledDelivery[];
}

/** Its destination is the message's. */
export type SettledDelivery = Omit<Delivery, "to">;

export interface Pause {
  readonly to: Destination;
  readonly reason: string;
  readonly at: Instant;
}

/** Somebody whose forgetting was begun and is not complete. */
export interface PendingPurge {
  readonly person: Person;
  /** The messages in channels that hold a test card of theirs. */
  readonly tests: readonly string[];
}

/** An API key of the data service: the key itself is nowhere. */
export interface ApiKey {
  readonly name: string;
  /** Of the key, in hex. */
  readonly sha256: string;
  /** Moments in ISO 8601. */
  readonly created: string;
  /** Null while the key is good. */
  readonly revoked: string | null;
}

/** Where a whole state lies, to be taken out and put in. What goes wrong is a StoreError. */
export interface StateFolder {
  /** How people know it: the folder. */
  readonly name: string;
  /** All of it as it was at one moment, also while splitwatch runs on it; changes nothing there. */
  dump(): AsyncIterable<StateRecord>;
  /**
   * Puts the records where nothing is yet: all of them or, where it throws or is cut short, none. Refused where there is a
   * state already, or while another process holds the place.
   */
  fill(records: AsyncIterable<StateRecord>): Promise<void>;
}
