import { expect, it, onTestFinished } from "vitest";
import { fillForAlice } from "../../../../test/contract/store/purge.ts";
import { announced, attemptOf, claimAll, commitOne, LONG_AGO, T0 } from "../../../../test/contract/store-builders.ts";
import { ALICE } from "../../../../test/support/builders.ts";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { addressOf, freshDatabase } from "../../../../test/support/postgres.ts";
import { runSql } from "../../../../test/support/postgres-databases.ts";
import { destinationKey } from "../../../domain/alert/destination.ts";
import { HOUR_MS, MINUTE_MS } from "../../../domain/time/day.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { openPostgresStore, type PostgresStore } from "./open.ts";

async function openOn(url: string, clock: ManualClock): Promise<PostgresStore> {
  const store = await openPostgresStore({ address: addressOf(url), clock, log: SILENT_LOG });
  onTestFinished(() => store.close());
  return store;
}

/** The only attempt in the database. */
async function savedAttempt(url: string): Promise<unknown> {
  const [result] = await runSql(url, "select state, body::json from attempts");
  return result?.rows[0];
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
  expect(await savedAttempt(url)).toMatchObject({ body: { text: "for (deleted person), not malice" } });

  await sender.outbox.saveAttempt({ ...rendered, state: "sending", sends: 1 });
  expect(await savedAttempt(url)).toMatchObject({
    state: "sending",
    body: { text: "for (deleted person), not malice" },
  });
});

it.each([
  ["T1/U1", "for <@U1>, not <@U12>", "for <@(deleted person)>, not <@U12>"],
  [
    "j.doe-2",
    "j.doe-2: see https://wire.example/j.doe-2.",
    "(deleted person): see https://wire.example/(deleted person).",
  ],
  ["j.", "by j. today, not j.k", "by (deleted person) today, not j.k"],
])("keeps the name of %s out of a message that was rendered before", async (id, text, redacted) => {
  const url = await freshDatabase();
  const store = await openOn(url, new ManualClock());
  const delivery = await commitOne(store, announced("s1"));
  await store.purgePerson({ ...ALICE, id });
  await store.outbox.saveAttempt(attemptOf("m1", [delivery], { createdAt: T0, body: { text } }));
  expect(await savedAttempt(url)).toMatchObject({ body: { text: redacted } });
});

it("doesn't change messages that are rendered later", async () => {
  const url = await freshDatabase();
  const store = await openOn(url, new ManualClock());
  await store.purgePerson(ALICE);
  const delivery = await commitOne(store, announced("s1"));
  const createdAt = T0 + 2 * MINUTE_MS;
  await store.outbox.saveAttempt(attemptOf("m1", [delivery], { createdAt, body: { text: "for alice" } }));
  expect(await savedAttempt(url)).toMatchObject({ body: { text: "for alice" } });
});

/** The rows of all tables as text. */
async function allRows(url: string): Promise<string> {
  const [tables] = await runSql(url, "select tablename as name from pg_tables where schemaname = 'public'");
  const names = tables?.rows.map(({ name }: { readonly name: string }) => name) ?? [];
  const results = await runSql(url, ...names.map((name) => `select t::text as line from ${name} t`));
  return results.flatMap(({ rows }) => rows.map((row: { readonly line: string }) => row.line)).join("\n");
}

it("leaves a person's id in no row of any table", async () => {
  const url = await freshDatabase();
  const store = await openOn(url, new ManualClock());
  await fillForAlice(store);
  for (const key of ["web:alice", `web:${destinationKey(ALICE)}`])
    await store.rateSlots.reserve([{ key, everyMs: HOUR_MS, burst: 1, isShared: false }], HOUR_MS);
  expect(await allRows(url)).toContain("alice");
  await store.purgePerson(ALICE);
  const rows = await allRows(url);
  expect(rows).not.toContain("alice");
  expect(rows).not.toContain(Buffer.from("alice").toString("hex"));
});

it("deletes the mark of a purged person when it prunes after ten minutes", async () => {
  const url = await freshDatabase();
  const store = await openOn(url, new ManualClock());
  await store.purgePerson(ALICE);
  const marks = async (): Promise<number | null | undefined> =>
    (await runSql(url, "select from purged_people"))[0]?.rowCount;
  await runSql(url, `update purged_people set at = at - ${9 * MINUTE_MS}`);
  await store.prune(LONG_AGO);
  expect(await marks()).toBe(1);
  await runSql(url, `update purged_people set at = at - ${MINUTE_MS + 1}`);
  await store.prune(LONG_AGO);
  expect(await marks()).toBe(0);
});
