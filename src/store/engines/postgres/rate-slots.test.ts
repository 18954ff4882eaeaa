import { type Arbitrary, array, assert, asyncProperty, constantFrom, integer, oneof, record, tuple } from "fast-check";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { addressOf, freshDatabase } from "../../../../test/support/postgres.ts";
import { MINUTE_MS } from "../../../domain/time/day.ts";
import { createRateSlots } from "../../../lib/rate-limiter.ts";
import type { RateLimit } from "../../../ports/chat-platform.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import type { RateSlots } from "../../../ports/rate-slots.ts";
import { PostgresDatabase } from "./database.ts";
import { PostgresRateSlots } from "./rate-slots.ts";

const TOKEN: RateLimit = { key: "token", everyMs: 1_000 / 55, burst: 1, isShared: true };
const WORKSPACE: RateLimit = { key: "workspace", everyMs: 200, burst: 3, isShared: true };
const CHANNELS: readonly RateLimit[] = [1, 2, 3].map((id) => ({
  key: `channel-${id}`,
  everyMs: 1_000,
  burst: id,
  isShared: false,
}));
const ANY_WAIT = Number.POSITIVE_INFINITY;

function connect(url: string): PostgresDatabase {
  const database = new PostgresDatabase(addressOf(url), { log: SILENT_LOG, applicationName: "test" });
  onTestFinished(() => database.close());
  return database;
}

/** Slots of two processes that use one database and have the same time. */
async function sharedSlots(clock: ManualClock): Promise<readonly [RateSlots, RateSlots]> {
  const url = await freshDatabase();
  const open = (): RateSlots => new PostgresRateSlots(connect(url), { now: () => clock.monotonic() });
  return [open(), open()];
}

const anyLimits = tuple(
  constantFrom([TOKEN], [WORKSPACE], [TOKEN, WORKSPACE], []),
  constantFrom([], ...CHANNELS.map((limit) => [limit])),
).map((parts) => parts.flat());
const anyStep = oneof(
  {
    weight: 4,
    arbitrary: record({
      reserve: array(record({ limits: anyLimits, maxWaitMs: constantFrom(0, 300, 3_000, ANY_WAIT) }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
  { weight: 2, arbitrary: record({ passMs: integer({ min: 0, max: 2_500 }) }) },
  {
    weight: 1,
    arbitrary: record({ block: constantFrom(TOKEN, WORKSPACE, ...CHANNELS), ms: integer({ min: 1, max: 5_000 }) }),
  },
);

type Step = typeof anyStep extends Arbitrary<infer T> ? T : never;

/** Performs the step and returns all its answers, as numbers. */
async function perform(step: Step, slots: RateSlots): Promise<readonly number[]> {
  if ("passMs" in step) return [];
  if ("block" in step) {
    await slots.block(step.block.key, step.ms);
    return [];
  }
  const taken = await Promise.all(step.reserve.map(({ limits, maxWaitMs }) => slots.reserve(limits, maxWaitMs)));
  const blocked = await Promise.all(step.reserve.map(({ limits }) => slots.blockedFor(limits)));
  return [...taken.flatMap(({ waitMs, isTaken }) => [waitMs, Number(isTaken)]), ...blocked];
}

it("answers like the slots of one process, for any sequence of requests, blocks and pauses", async () => {
  const database = connect(await freshDatabase());
  await assert(
    asyncProperty(array(anyStep, { minLength: 1, maxLength: 25 }), async (steps) => {
      const clock = new ManualClock();
      await sql`truncate rate_slots`.execute(database.db);
      const inMemory = createRateSlots(clock);
      const shared = new PostgresRateSlots(database, { now: () => clock.monotonic() });
      for (const step of steps) {
        clock.skip("passMs" in step ? step.passMs : 0);
        const expected = await perform(step, inMemory);
        expect(await perform(step, shared)).toEqual(expected.map((value) => expect.closeTo(value, 6)));
      }
    }),
    { numRuns: 20 },
  );
});

it("delays no message of a platform without limits", async () => {
  const [slots] = await sharedSlots(new ManualClock());
  expect(await slots.reserve([], 0)).toEqual({ waitMs: 0, isTaken: true });
  expect(await slots.blockedFor([])).toBe(0);
});

it("gives no slot to two processes, so that together they keep each limit", async () => {
  const slots = await sharedSlots(new ManualClock());
  const taken = await Promise.all(
    Array.from({ length: 120 }, async (_, index) => {
      const channel = { key: `channel-${index % 3}`, everyMs: 1_000, burst: 1, isShared: false };
      const { waitMs } = await slots[index % 2 === 0 ? 0 : 1].reserve([{ ...WORKSPACE, burst: 1 }, channel], ANY_WAIT);
      return { at: waitMs, channel: channel.key };
    }),
  );
  const gaps = ["channel-0", "channel-1", "channel-2"].map((key) =>
    smallestGap(taken.filter(({ channel }) => channel === key)),
  );
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000 - 1e-6);
  expect(smallestGap(taken)).toBeGreaterThanOrEqual(WORKSPACE.everyMs - 1e-6);
});

function smallestGap(taken: readonly { readonly at: number }[]): number {
  const times = taken.map(({ at }) => at).toSorted((a, b) => a - b);
  return Math.min(...times.slice(1).map((at, index) => at - (times[index] ?? 0)));
}

it("shows a block to the other processes before their next slot", async () => {
  const clock = new ManualClock();
  const [first, second] = await sharedSlots(clock);
  await second.reserve([TOKEN], ANY_WAIT);
  await first.block(TOKEN.key, 5_000);
  await first.block(TOKEN.key, 1_000);
  clock.skip(100);

  expect(await second.blockedFor([WORKSPACE, TOKEN])).toBe(4_900);
  expect(await second.reserve([TOKEN], 500)).toEqual({ waitMs: 4_900, isTaken: false });
});

it("removes keys that were idle for long, and gives them no burst when they are used again", async () => {
  const clock = new ManualClock();
  const database = connect(await freshDatabase());
  const slots = new PostgresRateSlots(database, { now: () => clock.monotonic() });
  clock.skip(11 * MINUTE_MS);
  await slots.reserve([WORKSPACE], ANY_WAIT);
  clock.skip(11 * MINUTE_MS);
  await slots.reserve([TOKEN], ANY_WAIT);
  const keys = async (): Promise<readonly string[]> =>
    (await sql<{ readonly key: string }>`select key from rate_slots`.execute(database.db)).rows.map(({ key }) => key);
  await expect.poll(keys).toEqual(["token"]);
  const again = await Promise.all([slots.reserve([WORKSPACE], ANY_WAIT), slots.reserve([WORKSPACE], ANY_WAIT)]);
  expect(again.map(({ waitMs }) => waitMs)).toEqual([0, 200]);
});

it("starts without slots if no other process runs", async () => {
  const clock = new ManualClock();
  const database = connect(await freshDatabase());
  await new PostgresRateSlots(database, { now: () => 1e9 }).block(TOKEN.key, MINUTE_MS);
  const open = (): Promise<RateSlots> => PostgresRateSlots.open(database, { now: () => clock.monotonic() });
  await sql`insert into queues (key, platform, slot_at) values ('web:channel:c', 'web', 1e9)`.execute(database.db);
  expect(await (await open()).reserve([TOKEN], 0)).toEqual({ waitMs: 0, isTaken: true });
  expect((await sql`select slot_at from queues`.execute(database.db)).rows).toEqual([{ slot_at: null }]);
  await sql`insert into processes (holder) values ('a'), ('b')`.execute(database.db);
  expect((await (await open()).reserve([TOKEN], ANY_WAIT)).waitMs).toBeCloseTo(TOKEN.everyMs, 6);
});
