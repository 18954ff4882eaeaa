import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { attemptOf, deliveryOf } from "../../test/contract/store-builders.ts";
import { aRecord, GENERAL } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { ScriptedPlatform } from "../../test/support/scripted-platform.ts";
import { openIn, StoreFolders } from "../../test/support/store-folder.ts";
import { type Changed, type Event, type EventId, NO_EVIDENCE } from "../domain/alert/event.ts";
import type { SplitId } from "../domain/split/split.ts";
import { HOUR_MS, type Instant } from "../domain/time/day.ts";
import { DeliveryError } from "../ports/chat-platform.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
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

/** Events of a split that was announced and changed, each of which was sent as a message. */
async function changedSplit(ticker: string): Promise<readonly Event[]> {
  const record = aRecord({ ticker, ratio: "1:25" });
  const base = { at: clock.now(), sample: false, splitId: ticker as SplitId, record, ...NO_EVIDENCE };
  const was = aRecord({ ticker });
  const events: readonly [Event, Changed] = [
    { ...base, kind: "announced", id: `${ticker}.1` as EventId, record: was, alreadyEffective: false },
    { ...base, kind: "changed", id: `${ticker}.2` as EventId, was, terms: ["ratio"], flapping: false },
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
function startEdits(edit: () => Promise<void>): CardEdits {
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
