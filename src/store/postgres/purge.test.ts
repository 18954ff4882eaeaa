import { expect, it, onTestFinished } from "vitest";
import { announced, attemptOf, claimAll, commitOne, T0 } from "../../../test/contract/store-builders.ts";
import { ALICE, GENERAL } from "../../../test/support/builders.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { addressOf, freshDatabase } from "../../../test/support/postgres.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
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
