import { describe, expect, it } from "vitest";
import {
  announced,
  attemptOf,
  claimAll,
  commitOne,
  deliveryOf,
  listedSplit,
  patchOf,
  REF,
  splitId,
  T0,
} from "../../../../test/contract/store-builders.ts";
import { aKnownArticle, GENERAL } from "../../../../test/support/builders.ts";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { emptyDatabase, freshDatabase } from "../../../../test/support/postgres.ts";
import { runSql } from "../../../../test/support/postgres-databases.ts";
import { live, openBehindProxy, openProcess, type PostgresProcess } from "../../../../test/support/postgres-process.ts";
import { aRelease } from "../../../../test/support/releases.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { EMPTY_SNAPSHOT } from "../../../domain/diff/snapshot.ts";
import { ClaimLostError, type PollReport, StoreError } from "../../../ports/store.ts";
import { initialStatus } from "../../../sources/source-status.ts";
import { MIGRATIONS } from "./open.ts";

async function openTwo(): Promise<readonly [PostgresProcess, PostgresProcess]> {
  const url = await freshDatabase();
  return [await openProcess(url), await openProcess(url)];
}

/** Claims of the collections that are available so far. */
function claims({ store }: PostgresProcess): ReturnType<typeof claimAll> {
  return claimAll(store);
}

function commit({ store }: PostgresProcess, split: string): ReturnType<typeof commitOne> {
  return commitOne(store, announced(split));
}

describe("the claims of a process that is declared dead", () => {
  it("pass to another one, which gets the message that may have been sent", async () => {
    const [frozen, other] = await openTwo();
    const delivery = await commit(frozen, "s1");
    expect(await claims(frozen)).toHaveLength(1);
    const sending = attemptOf("m1", [delivery], { state: "sending", sends: 1 });
    await frozen.store.outbox.saveAttempt(sending);

    await live(18_000, other);
    expect(await claims(other)).toEqual([]);
    await live(6_000, other);
    expect(await claims(other)).toEqual([{ to: GENERAL, attempt: sending, slotAt: null }]);
    await other.store.outbox.markSent("m1", REF, T0);
    expect(await other.store.outbox.waitingCount()).toBe(0);
  });

  it("change nothing any more when it wakes up, before it notices and after", async () => {
    const [frozen, other] = await openTwo();
    const delivery = await commit(frozen, "s1");
    await claims(frozen);
    const attempt = attemptOf("m1", [delivery]);
    await frozen.store.outbox.saveAttempt(attempt);
    await live(24_000, other);
    expect(await claims(other)).toHaveLength(1);

    const { outbox, pauses, claims: ownClaims } = frozen.store;
    const writes = [
      () => outbox.saveAttempt({ ...attempt, state: "sending", sends: 1 }),
      () => outbox.markSent("m1", REF, T0),
      () => outbox.markFailed("m1", "no", T0),
      () => pauses.pauseRefused(GENERAL, "no", T0, "gone"),
    ];
    for (const write of writes) await expect(write()).rejects.toThrow(ClaimLostError);
    expect(await claims(frozen)).toEqual([]);
    await frozen.membership.beat();
    for (const write of writes) await expect(write()).rejects.toThrow(ClaimLostError);
    expect(await ownClaims.claim(GENERAL)).toBe(false);
    expect(await other.store.outbox.waiting([GENERAL])).toMatchObject([{ attemptState: "ready" }]);
    expect(await other.store.pauses.of(GENERAL)).toBeNull();
  });

  it("change nothing any more when nobody has claimed the destination again", async () => {
    const [frozen, other] = await openTwo();
    const delivery = await commit(frozen, "s1");
    await claims(frozen);
    const attempt = attemptOf("m1", [delivery]);
    await frozen.store.outbox.saveAttempt(attempt);
    await live(24_000, other);

    const { outbox, pauses, claims: ownClaims } = frozen.store;
    const writes = [
      () => outbox.saveAttempt({ ...attempt, state: "sending", sends: 1 }),
      () => outbox.markSent("m1", REF, T0),
      () => pauses.pauseRefused(GENERAL, "no", T0, "gone"),
      () => ownClaims.release(GENERAL, 60_000),
    ];
    for (const write of writes) await expect(write()).rejects.toThrow(ClaimLostError);
    expect(await claims(other)).toEqual([{ to: GENERAL, attempt, slotAt: null }]);
    expect(await other.store.pauses.of(GENERAL)).toBeNull();
  });

  it("keep it from sending until their workers have ended, although it has joined again", async () => {
    const [frozen, other] = await openTwo();
    const delivery = await commit(frozen, "s1");
    await claims(frozen);
    const sending = attemptOf("m1", [delivery], { state: "sending", sends: 1 });
    await frozen.store.outbox.saveAttempt(sending);
    await live(24_000, other);
    await frozen.membership.beat();

    expect(frozen.membership.mayStillSend()).toBe(true);
    expect(frozen.store.mayStillSend()).toBe(false);
    await expect(frozen.store.outbox.saveAttempt(sending)).rejects.toThrow(ClaimLostError);
    await expect(frozen.store.claims.release(GENERAL)).rejects.toThrow(ClaimLostError);
    expect(frozen.store.mayStillSend()).toBe(true);
    expect(await claims(frozen)).toEqual([{ to: GENERAL, attempt: sending, slotAt: null }]);
  });
});

it("makes a refused destination due immediately if another process ended its pause while the message was being sent", async () => {
  const [sender, receiver] = await openTwo();
  await commit(sender, "s1");
  await sender.store.pauses.pause(GENERAL, "archived", T0 - 300_000, "may-return");
  expect(await claims(sender)).toHaveLength(1);
  await receiver.store.pauses.resume(GENERAL);
  await sender.store.pauses.pauseRefused(GENERAL, "archived", T0, "may-return");
  await sender.store.claims.release(GENERAL);
  expect(await claims(receiver)).toHaveLength(1);
});

it.each([
  ["ahead", "2026-03-02T16:00:00Z"],
  ["behind", "2026-03-02T12:00:00Z"],
])("shows the states of the sources with their ages to a process whose clock is two hours %s", async (_, start) => {
  const url = await freshDatabase();
  const first = await openProcess(url);
  const other = await openProcess(url, new ManualClock(start));
  const at = first.clock.now() - 60_000;
  const status = { ...initialStatus("wire", at), lastReadAt: at, lastOkAt: at };
  await first.store.sourceStatuses.write([status]);
  expect(await first.store.sourceStatuses.read()).toEqual([status]);
  const [seen] = await other.store.sourceStatuses.read();
  // The clocks stand still while the second process starts.
  for (const time of [seen?.since, seen?.lastReadAt, seen?.lastOkAt])
    expect(Math.abs(other.clock.now() - 60_000 - (time ?? 0))).toBeLessThan(60_000);
  expect([seen?.lastNewAt, seen?.lastGapAt]).toEqual([null, null]);
});

it("releases the claims of a process that stops immediately", async () => {
  const [first, other] = await openTwo();
  await commit(first, "s1");
  await claims(first);
  const work = Promise.withResolvers<void>();
  other.store.claims.onWork(() => work.resolve());
  await first.store.close();
  await work.promise;
  expect(await claims(other)).toHaveLength(1);
});

it("keeps the claims and delays of living processes when the database's clock is set", async () => {
  const url = await freshDatabase();
  const [first, other] = [await openProcess(url), await openProcess(url)];
  const delivery = await commit(first, "s1");
  await claims(first);
  for (const jumpMs of [3_600_000, -7_200_000]) {
    await runSql(url, `update shared_time set correction_ms = correction_ms + ${jumpMs}`);
    for (const { membership } of [other, first, other]) await membership.beat();
    expect(await claims(other)).toEqual([]);
  }
  const notBefore = first.clock.now() + 60_000;
  await first.store.outbox.saveAttempt(attemptOf("m1", [delivery], { notBefore, delayMs: 60_000 }));
  await first.store.claims.release(GENERAL);
  for (const jumpMs of [3_600_000, -7_200_000]) {
    await runSql(url, `update shared_time set correction_ms = correction_ms + ${jumpMs}`);
    for (const { membership } of [other, first, other]) await membership.beat();
    const dueMs = await other.store.claims.nextDueMs(["web"]);
    expect(dueMs).toBeGreaterThan(0);
    expect(dueMs).toBeLessThanOrEqual(60_000);
  }
});

describe("a snapshot", () => {
  const patch = patchOf({ splits: [listedSplit("s1"), listedSplit("s2")], articles: [aKnownArticle()] });

  it("is not changed by a process that has not read the last change, and neither are its events", async () => {
    const [first, other] = await openTwo();
    await first.store.snapshot.commit({ patch, events: [], deliveries: [] });
    const event = announced("s3");
    const change = {
      patch: patchOf({ splits: [listedSplit("s3")] }),
      events: [event],
      deliveries: [deliveryOf(event)],
    };
    await expect(other.store.snapshot.commit(change)).rejects.toThrow(/another process changed it/);
    expect(await other.store.history.forSplit(splitId("s3"))).toEqual([]);
    expect(await other.store.outbox.waitingCount()).toBe(0);

    expect((await other.store.snapshot.read()).splits.size).toBe(2);
    await other.store.snapshot.commit(change);
    expect((await first.store.snapshot.read()).splits.size).toBe(3);
    await first.store.snapshot.commit({ patch: null, events: [event], deliveries: [deliveryOf(event)] });
    expect(await first.store.outbox.waitingCount()).toBe(1);
  });

  it("is not changed by a process that was declared dead, until the part that may still write has stopped", async () => {
    const [frozen, other] = await openTwo();
    const stopping = Promise.withResolvers<void>();
    let started = 0;
    const giveUp = frozen.store.jobs.lead("poll", async () => {
      started += 1;
      return { stop: () => stopping.promise };
    });
    await waitUntil("the part runs", () => started === 1);
    await live(24_000, other);

    const change = { patch, events: [], deliveries: [] };
    await expect(frozen.store.snapshot.commit(change)).rejects.toThrow(/declared dead/);
    await frozen.membership.beat();
    await expect(frozen.store.snapshot.commit(change)).rejects.toThrow(/another process leads/);
    stopping.resolve();
    await waitUntil("the part runs again", () => started === 2);
    await frozen.store.snapshot.commit(change);
    expect((await other.store.snapshot.read()).splits.size).toBe(2);
    await giveUp();
  });

  it("is read by other processes as it is, and is the same object until it changes", async () => {
    const [first, other] = await openTwo();
    const { snapshot } = first.store;
    const patches = [
      patch,
      patchOf({ removedSplits: [splitId("s1")], splits: [listedSplit("s3")] }),
      patchOf({ replaces: true, splits: [listedSplit("t1")] }),
      patchOf({ removedSplits: [splitId("t1")], removedArticles: ["https://wire.example/none"] }),
    ];
    expect(await other.store.snapshot.read()).toEqual(EMPTY_SNAPSHOT);
    for (const one of patches) {
      await snapshot.commit({ patch: one, events: [], deliveries: [] });
      const read = await other.store.snapshot.read();
      expect(read).toEqual(await snapshot.read());
      expect(await other.store.snapshot.read()).toBe(read);
    }
  });

  it("is read by a process that missed removals whose traces are gone", async () => {
    const [first, other] = await openTwo();
    await first.store.snapshot.commit({ patch, events: [], deliveries: [] });
    await other.store.snapshot.read();
    const removal = patchOf({ removedSplits: [splitId("s1")] });
    await first.store.snapshot.commit({ patch: removal, events: [], deliveries: [] });
    await first.store.prune(T0);
    expect([...(await other.store.snapshot.read()).splits.keys()]).toEqual(["s2"]);
    await expect(other.store.snapshot.commit({ patch: removal, events: [], deliveries: [] })).resolves.toBeUndefined();
  });
});

/** What the parts of jobs write, besides the snapshot. */
const LED_WRITES: Readonly<Record<string, (store: PostgresProcess["store"]) => Promise<unknown>>> = {
  releases: ({ releases }) => releases.put([aRelease()]),
  "removed observations": ({ observations }) => observations.remove(["unknown"]),
  "source reads": ({ sourceReads }) =>
    sourceReads.put([{ source: "nasdaq", firstReadAt: T0, lastReadAt: T0, filledAt: null }]),
  "source statuses": ({ sourceStatuses }) => sourceStatuses.write([]),
  documents: ({ documents }) => documents.write("shard", "session"),
  "poll reports": ({ polls }) => polls.write(aReport()),
};

function aReport(): PollReport {
  const counts = { records: 0, quarantined: [], lastCompleteAt: null };
  return { resource: "splits", at: T0, outcome: "failed", detail: "no answer", ...counts };
}

it("writes no records, statuses, documents or reports in a process that was declared dead, until its parts have stopped", async () => {
  const [frozen, other] = await openTwo();
  const stopping = Promise.withResolvers<void>();
  let started = 0;
  const giveUp = frozen.store.jobs.lead("sources", async () => {
    started += 1;
    return { stop: () => stopping.promise };
  });
  await waitUntil("the part runs", () => started === 1);
  await live(24_000, other);

  for (const write of Object.values(LED_WRITES)) await expect(write(frozen.store)).rejects.toThrow(/declared dead/);
  await frozen.membership.beat();
  for (const write of Object.values(LED_WRITES)) await expect(write(frozen.store)).rejects.toThrow(/another process/);
  expect(await other.store.documents.read("shard")).toBeNull();
  expect(await other.store.releases.all()).toEqual([]);

  stopping.resolve();
  await waitUntil("the part runs again", () => started === 2);
  for (const write of Object.values(LED_WRITES)) await write(frozen.store);
  expect(await other.store.documents.read("shard")).toBe("session");
  await giveUp();
});

it("writes while parts of jobs stop that the process gives up", async () => {
  const [first] = await openTwo();
  const stopping = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const giveUp = first.store.jobs.lead("poll", async () => {
    started.resolve();
    return { stop: () => stopping.promise };
  });
  await started.promise;
  const givenUp = giveUp();
  await first.store.snapshot.commit({ patch: patchOf({ splits: [listedSplit("s1")] }), events: [], deliveries: [] });
  for (const write of Object.values(LED_WRITES)) await write(first.store);
  stopping.resolve();
  await givenUp;
  expect((await first.store.snapshot.read()).splits.size).toBe(1);
});

it("wakes only the processes that wait for a job when it becomes free", async () => {
  const url = await freshDatabase();
  const [first, other] = [await openProcess(url), await openBehindProxy(url)];
  const acquired: string[] = [];
  let tries = 0;
  other.proxy.decide = (bytes) => {
    if (bytes.includes('insert into "jobs"')) tries += 1;
    return "forward";
  };
  const lead = ({ store }: PostgresProcess, name: string, who: string): (() => Promise<void>) =>
    store.jobs.lead(name, async () => {
      acquired.push(`${name} ${who}`);
      return { stop: () => Promise.resolve() };
    });
  const [giveUpOne, giveUpTwo] = [lead(first, "one", "first"), lead(first, "two", "first")];
  await waitUntil("both are held", () => acquired.length === 2);
  for (const name of ["one", "two"]) lead(other, name, "other");
  await waitUntil("the other process has tried both", () => tries === 2);
  await giveUpOne();
  await waitUntil("the other process has the first", () => acquired.length === 3);
  await giveUpTwo();
  await waitUntil("the other process has the second", () => acquired.length === 4);
  expect(acquired.slice(2)).toEqual(["one other", "two other"]);
  // At most one more for each job: a request on its way when a job becomes free gets it.
  expect(tries).toBeLessThanOrEqual(4);
});

it("requests a job again after the next heartbeat if a request failed", async () => {
  const { store, proxy, log, membership } = await openBehindProxy(await freshDatabase());
  let cuts = 0;
  proxy.decide = (bytes) => {
    if (cuts > 0 || !bytes.includes('insert into "jobs"')) return "forward";
    cuts += 1;
    return "cut";
  };
  let starts = 0;
  const giveUp = store.jobs.lead("poll", async () => {
    starts += 1;
    return { stop: () => Promise.resolve() };
  });
  await waitUntil("the request failed", () => log.count("job not acquired or released") === 1);
  expect(starts).toBe(0);
  await membership.beat();
  await waitUntil("the part runs", () => starts === 1);
  await giveUp();
});

it("reports migrations in the process that applied them, if several start on an empty database together", async () => {
  const url = await emptyDatabase();
  const processes = await Promise.all([1, 2, 3].map(() => openProcess(url)));
  const reports = processes.flatMap(({ log }) => log.lines.filter(({ event }) => event === "database migrated"));
  expect(reports.map(({ fields }) => fields)).toEqual([{ migrations: MIGRATIONS.map(({ name }) => name) }]);
});

it("fails writes of a closed process", async () => {
  const [first] = await openTwo();
  await first.store.close();
  await expect(claims(first)).rejects.toThrow(StoreError);
});
