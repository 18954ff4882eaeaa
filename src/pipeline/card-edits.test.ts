import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { announced, attemptOf, commitOne, deliveryOf, NEWS } from "../../test/contract/store-builders.ts";
import { aRecord, GENERAL } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { ScriptedPlatform } from "../../test/support/scripted-platform.ts";
import { openIn, StoreFolders } from "../../test/support/store-folder.ts";
import { type Changed, type Event, type EventId, NO_EVIDENCE } from "../domain/alert/event.ts";
import type { SplitId } from "../domain/split/split.ts";
import { HOUR_MS, type Instant, MINUTE_MS } from "../domain/time/day.ts";
import { DeliveryError, type EditingPlatform } from "../ports/chat-platform.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { type Store, StoreError } from "../ports/store.ts";
import { CardEdits } from "./card-edits.ts";

const EDIT_EVERY_MS = 7_000;

const folders = new StoreFolders();
let clock: ManualClock;
let store: Store;
let sleepersOfStore: number;

beforeEach(async () => {
  clock = new ManualClock();
  store = await openIn(await folders.make(), { clock });
  sleepersOfStore = clock.sleepers;
});

afterEach(async () => {
  await store.close();
  await folders.removeAll();
});

/** Events of a split that was announced and then changed `changes` times, each of which was sent as a message. */
async function changedSplit(ticker: string, changes = 1): Promise<readonly Event[]> {
  const record = aRecord({ ticker, ratio: "1:25" });
  const base = { at: clock.now(), sample: false, splitId: ticker as SplitId, record, ...NO_EVIDENCE };
  const was = aRecord({ ticker });
  const events: readonly Event[] = [
    { ...base, kind: "announced", id: `${ticker}.1` as EventId, record: was, alreadyEffective: false },
    ...Array.from({ length: changes }, (_, index): Changed => {
      const id = `${ticker}.${index + 2}` as EventId;
      return { ...base, kind: "changed", id, was, terms: ["ratio"], flapping: false };
    }),
  ];
  const deliveries = events.map((event) => deliveryOf(event));
  await store.snapshot.commit({ patch: null, events, deliveries });
  for (const delivery of deliveries) {
    await store.outbox.saveAttempt(attemptOf(`m-${delivery.id}`, [delivery]));
    await store.outbox.markSent(`m-${delivery.id}`, { id: `ref-${delivery.id}`, link: null }, clock.now());
  }
  return events;
}

const editLimits = () => [{ key: "edits", everyMs: EDIT_EVERY_MS, burst: 1, isShared: true }];

/** Starts the edits of a platform that edits as `edit` does. */
function startEdits(edit: EditingPlatform["edit"]): CardEdits {
  const platform = Object.assign(new ScriptedPlatform(), { edit, editLimits });
  const cardEdits = new CardEdits({ store, clock, log: SILENT_LOG, timezone: "America/New_York", expireAfterMs: 0 });
  cardEdits.use([platform], { whileNotSending: (_, work) => work() });
  cardEdits.start();
  return cardEdits;
}

/** Lets the edits sleep until the condition holds. */
async function runUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    if (clock.sleepers === sleepersOfStore) await setImmediate();
    else await clock.advance((clock.nextWake ?? 0) - clock.now());
  }
}

it("edits at the pace that the platform states", async () => {
  const edits: Instant[] = [];
  const cardEdits = startEdits(async () => void edits.push(clock.now()));
  for (const ticker of ["AAAA", "BBBB", "CCCC"]) cardEdits.sent(GENERAL, await changedSplit(ticker));
  await runUntil(() => edits.length === 3);
  await cardEdits.stop();

  const [first = 0, second = 0, third = 0] = edits;
  expect([second - first, third - second]).toEqual([EDIT_EVERY_MS, EDIT_EVERY_MS]);
});

it("doesn't repeat the edit of a message that can't be edited any more", async () => {
  let edits = 0;
  const cardEdits = startEdits(async () => {
    edits += 1;
    if (edits === 1) throw new DeliveryError("retry", "edited too often", { isUneditable: true });
  });
  for (const ticker of ["AAAA", "BBBB"]) cardEdits.sent(GENERAL, await changedSplit(ticker));
  await runUntil(() => edits === 2);
  await clock.advance(HOUR_MS);
  await cardEdits.stop();
  expect(edits).toBe(2);
});

it("edits the other messages of a split if one was deleted", async () => {
  const edited: string[] = [];
  const cardEdits = startEdits(async ({ ref }) => {
    if (ref.id.startsWith("ref-AAAA.1")) throw new DeliveryError("unrecognized", "deleted", { isUneditable: true });
    edited.push(ref.id);
  });
  cardEdits.sent(GENERAL, await changedSplit("AAAA", 2));
  await runUntil(() => edited.length === 1);
  await cardEdits.stop();
  expect(edited).toHaveLength(1);
});

it("edits after a failure of the store", async () => {
  let edits = 0;
  const cardEdits = startEdits(async () => {
    edits += 1;
  });
  const events = await changedSplit("AAAA");
  vi.spyOn(store.history, "forSplit").mockRejectedValueOnce(new StoreError("the database is away"));
  cardEdits.sent(GENERAL, events);
  await runUntil(() => edits === 1);
  await cardEdits.stop();
  expect(edits).toBe(1);
});

it("edits what waits also after many late alerts, which nothing supersedes", async () => {
  let edits = 0;
  const events = await changedSplit("AAAA");
  const late = events
    .slice(0, 1)
    .map((event) => ({ ...event, at: clock.now() - MINUTE_MS, splitId: "BBBB" as SplitId }));
  const cardEdits = startEdits(async () => {
    edits += 1;
  });
  cardEdits.sent(GENERAL, events);
  for (let n = 0; n < 20_000; n += 1) cardEdits.sent({ ...GENERAL, id: `c${n}` }, late);
  await runUntil(() => edits === 1);
  await cardEdits.stop();
  expect(edits).toBe(1);
});

it("waits while an alert is due", async () => {
  let edits = 0;
  const events = await changedSplit("AAAA");
  await commitOne(store, announced("BBBB"), NEWS);
  const cardEdits = startEdits(async () => {
    edits += 1;
  });
  cardEdits.sent(GENERAL, events);
  for (let rounds = 0; rounds < 10; rounds += 1) {
    await setImmediate();
    await clock.advance(EDIT_EVERY_MS);
  }
  expect(edits).toBe(0);
  expect(await store.claims.claimDue({ limit: 1, platforms: [NEWS.platform] })).toHaveLength(1);
  await runUntil(() => edits === 1);
  await cardEdits.stop();
});
