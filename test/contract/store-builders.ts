import type { Attempt, Delivery, MessageRef } from "../../src/domain/alert/delivery.ts";
import { deliveryId } from "../../src/domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../../src/domain/alert/destination.ts";
import {
  type Announced,
  type ArticleEvent,
  type Event,
  type EventId,
  NO_EVIDENCE,
} from "../../src/domain/alert/event.ts";
import { EMPTY_SNAPSHOT, headerOf, type SnapshotPatch } from "../../src/domain/diff/snapshot.ts";
import type { Rule } from "../../src/domain/settings/rule.ts";
import type { PastSplit } from "../../src/domain/split/repeat-splits.ts";
import type { Split, SplitId } from "../../src/domain/split/split.ts";
import type { Ticker } from "../../src/domain/split/ticker.ts";
import type { LastImport, Posting } from "../../src/ports/state-records.ts";
import type { Store } from "../../src/ports/store.ts";
import { ALICE, aKnownArticle, aRecord, aSplit, day, GENERAL } from "../support/builders.ts";
import type { ManualClock } from "../support/manual-clock.ts";

/** Returns the open store, which changes with a restart. */
export type CurrentStore = () => Store;

/** Opens another store on the same data, as a second process does; it is closed at the end of the test. */
export type Second = () => Promise<Store>;

/** `configuredRules`: rules of the configuration from then on; default: none. */
export type Restart = (configuredRules?: readonly Rule[]) => Promise<Store>;

/** Returns the clock of the store. */
export type CurrentClock = () => ManualClock;

/** The store, and after that the store that a restart opens. */
export async function* acrossRestart(use: CurrentStore, restart: Restart): AsyncGenerator<Store> {
  yield use();
  yield await restart();
}

export const T0 = Date.parse("2026-03-02T14:00:00Z");

/** Times before and after everything in these tests. */
export const LONG_AGO = 0;
export const FAR_FUTURE = Date.parse("2100-01-01T00:00:00Z");

export const NEWS: Destination = { platform: "web", kind: "channel", id: "news" };
export const OTHER_PLATFORM: Destination = { platform: "other", kind: "channel", id: "general" };

export const REF: MessageRef = { id: "posted-1", link: "https://chat.example/1" };

export function splitId(text: string): SplitId {
  return text as SplitId;
}

export function listedSplit(id: string, ticker = "ACME"): Split {
  return aSplit({ ticker }, { id: splitId(id) });
}

/** The `announced` event of a split: its id is `<split id>.1`. */
export function announced(split: string, parts: { ticker?: string; at?: number } = {}): Announced {
  return {
    id: `${split}.1` as EventId,
    at: parts.at ?? T0,
    sample: false,
    kind: "announced",
    splitId: splitId(split),
    record: aRecord({ ticker: parts.ticker ?? "ACME" }),
    alreadyEffective: false,
    ...NO_EVIDENCE,
  };
}

export function articleSeen(url: string, at = T0): ArticleEvent {
  return { id: url as EventId, at, sample: false, kind: "article", article: aKnownArticle({ url }), splits: [] };
}

export function deliveryOf(event: Event, destination: Destination = GENERAL): Delivery {
  return {
    id: deliveryId(event.id, destinationKey(destination)),
    eventId: event.id,
    to: destination,
    reasons: ["rule 1"],
    mentions: [],
  };
}

/** An attempt at the deliveries' destination, ready to be sent. */
export function attemptOf(messageId: string, deliveries: readonly Delivery[], parts: Partial<Attempt> = {}): Attempt {
  return {
    messageId,
    to: deliveries[0]?.to ?? GENERAL,
    deliveries: deliveries.map((delivery) => delivery.id),
    body: { text: `“${messageId}” ✓`, embeds: [{ fields: [1, null, true] }] },
    replyTo: null,
    createdAt: T0,
    state: "ready",
    sends: 0,
    blindResends: 0,
    notBefore: LONG_AGO,
    problem: null,
    ...parts,
  };
}

/** The stored record of a split that took effect. */
export function aPastSplit(id: string, exDate = "2026-02-10"): PastSplit {
  const { record } = listedSplit(id);
  return {
    id: splitId(id),
    ticker: record.ticker,
    exchange: record.exchange,
    name: "acme robotics",
    ratio: record.ratio,
    exDate: day(exDate),
    sample: false,
  };
}

export function patchOf(parts: Partial<SnapshotPatch> = {}): SnapshotPatch {
  return {
    header: { ...headerOf(EMPTY_SNAPSHOT), source: "https://splits.example", startedAt: T0, splitsKnown: true },
    replaces: false,
    splits: [],
    removedSplits: [],
    articles: [],
    removedArticles: [],
    ...parts,
  };
}

export function aPosting(messageId: string, parts: Partial<Omit<Posting, "number">> = {}): Omit<Posting, "number"> {
  return { to: GENERAL, messageId, replyTo: null, body: { text: messageId }, at: T0, ...parts };
}

/** Alice's import of one ticker. */
export function aLastImport(parts: Partial<LastImport> = {}): LastImport {
  return {
    id: "i1",
    person: ALICE,
    destination: GENERAL,
    settingsOf: ALICE,
    tickers: ["ACME" as Ticker],
    ruleNumbers: [],
    settings: {},
    ...parts,
  };
}

/** Commits one event with a waiting delivery for one destination. */
export async function commitOne(store: Store, event: Event, destination: Destination = GENERAL): Promise<Delivery> {
  const delivery = deliveryOf(event, destination);
  await store.snapshot.commit({ patch: null, events: [event], deliveries: [delivery] });
  return delivery;
}

/** Commits one event whose delivery was sent. */
export async function commitSent(
  store: Store,
  event: Event,
  parts: { to?: Destination; messageId?: string; at?: number; ref?: MessageRef } = {},
): Promise<Delivery> {
  const delivery = await commitOne(store, event, parts.to);
  const messageId = parts.messageId ?? `m-${event.id}`;
  await store.outbox.saveAttempt(attemptOf(messageId, [delivery], { state: "sending", sends: 1 }));
  await store.outbox.markSent(messageId, parts.ref ?? REF, parts.at ?? T0);
  return delivery;
}

/** Claims everything that is due. */
export async function claimAll(
  store: Store,
  parts: { limit?: number; platforms?: readonly string[] } = {},
): ReturnType<Store["claims"]["claimDue"]> {
  return store.claims.claimDue({ limit: 100, platforms: ["web"], ...parts });
}
