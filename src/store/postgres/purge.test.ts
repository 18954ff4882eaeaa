import { expect, it, onTestFinished } from "vitest";
import { announced, attemptOf, claimAll, commitOne, T0 } from "../../../test/contract/store-builders.ts";
import { ALICE, GENERAL } from "../../../test/support/builders.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { addressOf, freshDatabase } from "../../../test/support/postgres.ts";
import { runSql } from "../../../test/support/postgres-databases.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { openPostgresStore, type PostgresStore } from "./open.ts";

async function openOn(url: string, clock: ManualClock): Promise<PostgresStore> {
  const store = await openPostgresStore({ address: addressOf(url), clock, log: SILENT_LOG });
  onTestFinished(() => store.close());
  return store;
}

it("keeps a purged person's name out of a message that another process has rendered before", async () => {
  const clock = new ManualClock();
  const url = await freshDatabase();
  const [sender, other] = [await openOn(url, clock), await openOn(url, clock)];
  const delivery = await commitOne(sender, announced("s1"));
  await claimAll(sender);
  const rendered = attemptOf("m1", [delivery], { createdAt: T0, body: { text: "for alice, not malice" } });
  await other.purgePerson(ALICE);
  await sender.outbox.saveAttempt(rendered);
  expect((await other.outbox.attemptAt(GENERAL))?.body).toEqual({ text: "for (deleted person), not malice" });

  await sender.outbox.saveAttempt({ ...rendered, state: "sending", sends: 1 });
  expect(await other.outbox.attemptAt(GENERAL)).toMatchObject({
    state: "sending",
    body: { text: "for (deleted person), not malice" },
  });
});

it("doesn't change messages that are rendered later", async () => {
  const clock = new ManualClock();
  const store = await openOn(await freshDatabase(), clock);
  await store.purgePerson(ALICE);
  const delivery = await commitOne(store, announced("s1"));
  const createdAt = T0 + 2 * MINUTE_MS;
  await store.outbox.saveAttempt(attemptOf("m1", [delivery], { createdAt, body: { text: "for alice" } }));
  expect((await store.outbox.attemptAt(GENERAL))?.body).toEqual({ text: "for alice" });
});

it("deletes the name of a purged person with the first pruning after an hour", async () => {
  const url = await freshDatabase();
  const clock = new ManualClock();
  const time = { now: () => T0 + clock.monotonic() };
  const store = await openPostgresStore({ address: addressOf(url), clock, log: SILENT_LOG, sharedTime: time });
  onTestFinished(() => store.close());
  await store.purgePerson(ALICE);
  const names = async (): Promise<number | null | undefined> =>
    (await runSql(url, "select person from purged_people"))[0]?.rowCount;
  clock.skip(HOUR_MS);
  await store.prune(T0);
  expect(await names()).toBe(1);
  clock.skip(1);
  await store.prune(T0);
  expect(await names()).toBe(0);
});
