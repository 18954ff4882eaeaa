import { expect } from "vitest";
import type { Event, EventId, TestEvent } from "../../src/domain/alert/event.ts";
import { observationKey, type Store } from "../../src/ports/store.ts";
import {
  aLastImport,
  announced,
  aPastSplit,
  aPosting,
  articleSeen,
  attemptOf,
  commitOne,
  commitSent,
  deliveryOf,
  listedSplit,
  patchOf,
  REF,
  T0,
} from "../contract/store-builders.ts";
import { ALICE, aKnownArticle, aRule, BOB, day, GENERAL, ticker } from "./builders.ts";
import { readOutcome } from "./deliveries.ts";
import { anObservation } from "./observations.ts";
import { aRelease } from "./releases.ts";
import { channel } from "./store-folder.ts";

/** Text of the message that may have been posted. */
const UNCERTAIN_TEXT = "“m-uncertain”\u2028 ✓";

function aTest(id: string): TestEvent {
  return { id: `test.web:channel:general.${id}` as EventId, at: T0, sample: false, kind: "test", askedBy: ALICE.id };
}

/** Stores data of every kind, and traces of deleted data such as used numbers. */
export async function fillStore(store: Store): Promise<void> {
  await fillSnapshot(store);
  await fillOutbox(store);
  await fillSettings(store);
  await fillPostings(store);
  for (const url of ["https://wire.example/1", "https://wire.example/2", "https://wire.example/3"])
    await store.releases.put([aRelease({ url, heading: `${url} – „Ümläut“` })]);
  await store.releases.put([
    aRelease({ url: "https://wire.example/2", text: null, readVersion: null, publishedAt: null }),
  ]);
  await store.releases.remove(["https://wire.example/1"]);
  await fillObservations(store);
}

async function fillSnapshot(store: Store): Promise<void> {
  const header = {
    ...patchOf().header,
    nextSplit: 77,
    articlesThrough: day("2026-03-01"),
    suspicion: { seen: 1, reason: "half of it is gone" },
    remindedThrough: { "Pacific/Auckland": day("2026-03-02") },
    stale: { since: T0 - 5, alertedAt: T0 - 1, isOver: false },
  };
  const past = { joining: [aPastSplit("p1")], from: day("2024-01-01") };
  const withdrawal = { kind: "postponed", exDate: day("2026-04-01") } as const;
  const statedIn = { url: "https://wire.example/a1", source: "globenewswire", published: day("2026-03-01") };
  const fraction = {
    treatment: "round_up",
    level: "holder",
    sentence: "Fractions – rounded up.",
    ...statedIn,
  } as const;
  const newCusip = { value: "00401C207", sentence: "The new CUSIP number will be 00401C207.", ...statedIn };
  const current = { fraction, newCusip };
  const statements = { current, alerted: { ...current, fraction: { ...fraction, level: "participant" } } } as const;
  const first = listedSplit("s1");
  const renamed = { ...first, statements, record: { ...first.record, formerTickers: [ticker("OLDA")] } };
  const splits = [renamed, { ...listedSplit("s2", "BETA"), withdrawal, reminded: { 0: day("2026-03-01") } }];
  const articles = [aKnownArticle({ url: "https://wire.example/a1" })];
  const events: readonly Event[] = [
    {
      id: "born.digest" as EventId,
      at: T0,
      sample: false,
      kind: "digest",
      records: splits.map(({ record }) => record),
    },
    {
      id: "stale-1" as EventId,
      at: T0,
      sample: false,
      kind: "stale",
      since: T0 - 5,
      state: "begun",
      problem: "no answer",
    },
    { ...announced("s2", { ticker: "BETA" }), kind: "cancelled", article: aKnownArticle(), explainsMissing: true },
  ];
  await store.snapshot.commit({ patch: patchOf({ header, splits, articles, past }), events, deliveries: [] });
}

async function fillOutbox(store: Store): Promise<void> {
  await commitSent(store, announced("s1"), { to: channel("c-sent"), messageId: "m-sent" });
  const refused = await commitOne(store, announced("s1"), channel("c-failed"));
  await store.outbox.saveAttempt(attemptOf("m-failed", [refused], { state: "sending", sends: 1 }));
  await store.outbox.markFailed("m-failed", "refused as malformed", T0 + 2);
  const uncertain = await commitOne(store, announced("s1"), channel("c-uncertain"));
  const body = { text: UNCERTAIN_TEXT };
  await store.outbox.saveAttempt(
    attemptOf("m-uncertain", [uncertain], { state: "uncertain", sends: 2, replyTo: REF, body }),
  );
  await commitOne(store, articleSeen("https://wire.example/a1"), channel("c-uncertain"));
  const late = await commitOne(store, announced("s1"), channel("c-late"));
  await store.outbox.saveAttempt(attemptOf("m-late", [late], { notBefore: T0 + 60_000, problem: "429" }));
  await commitOne(store, announced("s1"), channel("c-paused"));
  await store.pauses.pause(channel("c-paused"), "the channel is gone", T0 + 4);
  await store.pauses.pause(channel("c-empty"), "left", T0 + 3);
  await commitOne(store, announced("s1"), channel("c-waiting"));
  const deferred = await commitOne(store, announced("s1"), channel("c-deferred"));
  await store.outbox.saveAttempt(attemptOf("m-deferred", [deferred], { state: "sending", sends: 1 }));
  const deferral = { failures: 1, textRefusals: 0, since: T0, reason: "refused", maxGroup: 1, isTextOnly: true };
  await store.outbox.defer(
    "m-deferred",
    new Map([[deferred.id, { ...deferral, mayBePosted: false, notBefore: T0 + 1_000, delayMs: 1_000 }]]),
    null,
  );
  await commitOne(store, aTest("1"), GENERAL);
}

async function fillSettings(store: Store): Promise<void> {
  await store.rules.add(aRule());
  await store.rules.add({ ...aRule({ tickers: [ticker("ACME")], mention: "<@1>" }), createdBy: BOB });
  await store.rules.remove(GENERAL, [2]);
  await store.watchlists.add(ALICE, [ticker("BETA"), ticker("ACME")]);
  await store.watchlists.add({ ...BOB, id: "a:b:c" }, [ticker("ACME")]);
  await store.directChannels.put({ person: ALICE, channelId: "dm-1" });
  await store.names.put({ to: ALICE, name: "alice", place: null });
  await store.names.put({ to: GENERAL, name: "general", place: "Traders \u2603" });
  await store.calendars.tokenOf(ALICE);
  await store.destinationSettings.change(ALICE, { timezone: "Pacific/Auckland", quiet: { from: 1_320, to: 420 } });
  await store.destinationSettings.change(GENERAL, { mutedUntil: T0 + 99, digest: true });
  await store.lastImports.put(aLastImport({ ruleNumbers: [1], settings: { timezone: null } }));
  await store.installations.put({ platform: "slack", workspaceId: "T1", credentials: "sealed", since: T0 });
  await store.installations.put({ platform: "slack", workspaceId: "T2", credentials: null, since: T0 });
  await store.usedTokens.consume("state-1", T0, T0 + 60_000);
}

/** Prunes the last posting, whose number must not be reused. */
async function fillPostings(store: Store): Promise<void> {
  await store.postings.post(aPosting("post-1", { at: T0, sharedBy: BOB, replyTo: REF }));
  await store.postings.post(aPosting("post-2", { at: T0 - 1_000 }));
  await store.prune(T0 - 500);
}

async function fillObservations(store: Store): Promise<void> {
  await store.observations.put([anObservation({ evidence: { company: "„Ümläut“ Inc." } })]);
  await store.observations.put([anObservation({ observedAt: T0, ratio: null, exDate: null, company: null })]);
  const removed = anObservation({ source: "finra" });
  await store.observations.put([removed]);
  await store.observations.remove([observationKey(removed)]);
  await store.sourceReads.put([
    { source: "nasdaq", firstReadAt: T0, lastReadAt: T0 + 60_000, filledAt: T0 + 5_000 },
    { source: "„feed“", firstReadAt: T0, lastReadAt: T0, filledAt: null },
    { source: "gone", firstReadAt: T0, lastReadAt: T0, filledAt: null },
  ]);
  await store.sourceReads.remove(["gone"]);
}

/**
 * Expects that a store that was filled by `fillStore`, and moved, continues where it stopped. `token`: Alice's calendar token from
 * before.
 */
export async function expectContinued(store: Store, token: string): Promise<void> {
  expect(await store.rules.add(aRule({ tickers: [ticker("BETA")] }))).toMatchObject({ rule: { number: 3 } });
  expect(await store.postings.post(aPosting("post-3"))).toMatchObject({ number: 3 });
  expect(await store.calendars.personOf(token)).toEqual(ALICE);
  expect(await store.usedTokens.consume("state-1", T0, T0 + 1)).toBe(false);
  expect(await store.history.firstMessage(channel("c-sent"), announced("s1").splitId)).toEqual(REF);
  expect(await store.pauses.of(channel("c-empty"))).toMatchObject({ reason: "left" });

  const claims = await store.claims.claimDue({ limit: 100, platforms: ["web"] });
  expect(claims.map(({ to }) => to.id)).toEqual(["c-uncertain", "c-waiting", "c-deferred", "general"]);
  expect(await store.outbox.waiting([channel("c-deferred")])).toMatchObject([
    { deferral: { reason: "refused", maxGroup: 1, isTextOnly: true } },
  ]);
  expect(claims[0]?.attempt).toMatchObject({ state: "uncertain", sends: 2, body: { text: UNCERTAIN_TEXT } });
  expect(await store.claims.nextDueMs(["web"])).toBe(60_000);

  const deliveries = ["c-sent", "c-failed", "c-paused", "c-waiting"].map((id) =>
    deliveryOf(announced("s1"), channel(id)),
  );
  await store.snapshot.commit({ patch: null, events: [announced("s1")], deliveries });
  const outcomes = await Promise.all(deliveries.map(({ id }) => readOutcome(store, id)));
  expect(outcomes.map((outcome) => outcome?.kind)).toEqual(["sent", "failed", "waiting", "waiting"]);
}
