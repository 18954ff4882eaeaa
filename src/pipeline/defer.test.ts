import { StatementSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from "vitest";
import { articleSeen, attemptOf, deliveryOf } from "../../test/contract/store-builders.ts";
import { GENERAL } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { openIn, StoreFolders } from "../../test/support/store-folder.ts";
import type { DeferralCause } from "../domain/alert/deferral.ts";
import type { Delivery } from "../domain/alert/delivery.ts";
import { PAGE_SIZE, type Store } from "../ports/store.ts";
import { deferMessage } from "./defer.ts";

const folders = new StoreFolders();
const clock = new ManualClock();
let store: Store;

beforeEach(async () => {
  store = await openIn(await folders.make(), { clock });
});

afterEach(async () => {
  await store.close();
  await folders.removeAll();
  vi.restoreAllMocks();
});

let commits = 0;

/** Adds waiting deliveries for the destination. */
async function add(count: number): Promise<readonly Delivery[]> {
  commits += 1;
  const events = Array.from({ length: count }, (_, n) => articleSeen(`https://example.com/${commits}/${n}`));
  const deliveries = events.map((event) => deliveryOf(event));
  await store.snapshot.commit({ patch: null, events, deliveries });
  return deliveries;
}

interface Cost {
  readonly statements: number;
  readonly rows: number;
}

/** Statements that a deferral may execute. Others, such as those that renew the snapshot, may be executed meanwhile. */
const OF_THE_OUTBOX = /\b(?:deliveries|attempts|queues)\b/;

/** The results of the spied method for these statements. */
function ofTheOutbox({ mock }: MockInstance): { readonly value: unknown }[] {
  return mock.results.filter((_, n) => OF_THE_OUTBOX.test((mock.contexts[n] as StatementSync).sourceSQL));
}

/** Defers a message with these deliveries. Returns the number of executed statements, and of rows that they read. */
async function defer(deliveries: readonly Delivery[], cause: DeferralCause): Promise<Cost> {
  commits += 1;
  const attempt = attemptOf(`m${commits}`, deliveries, { state: "sending", sends: 1 });
  await store.outbox.saveAttempt(attempt);
  const run = vi.spyOn(StatementSync.prototype, "run");
  const all = vi.spyOn(StatementSync.prototype, "all");
  const failure = { cause, reason: "no", mayBePosted: false };
  expect(await deferMessage({ outbox: store.outbox, clock, lastSentAt: null }, attempt, failure)).toBe(true);
  const results = ofTheOutbox(all).map(({ value }) => value as readonly unknown[]);
  const cost = {
    statements: ofTheOutbox(run).length + results.length,
    rows: results.reduce((sum, rows) => sum + rows.length, 0),
  };
  vi.restoreAllMocks();
  return cost;
}

it("reads no other delivery of the destination after a refused message", async () => {
  const few = await defer(await add(3), "refused");
  await add(500);
  expect(await defer(await add(3), "refused")).toEqual(few);
});

it("writes in one statement for each page of deliveries, and regroups the divided deliveries of the destination", async () => {
  const [refused, unexplained] = [await defer(await add(2), "refused"), await defer(await add(2), "unexplained")];
  const divided = await add(2 * PAGE_SIZE);
  // Each page is read, then written.
  expect((await defer(divided, "refused")).statements - refused.statements).toBe(1 + 1);
  const own = await add(PAGE_SIZE + 1);
  const regrouping = await defer(own, "unexplained");
  // All that were divided are read together.
  expect(regrouping.statements - unexplained.statements).toBe(1 + 3);
  expect(regrouping.rows - unexplained.rows).toBe(own.length - 2 + divided.length - 2);

  const waiting = await store.outbox.waiting([GENERAL]);
  expect(waiting.map(({ deferral }) => deferral?.maxGroup)).toEqual(Array(4 + divided.length + own.length).fill(null));
});
