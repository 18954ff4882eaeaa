import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { T0 } from "../../../../test/contract/store-builders.ts";
import { GENERAL } from "../../../../test/support/builders.ts";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { addressOf, freshDatabase } from "../../../../test/support/postgres.ts";
import { runSql } from "../../../../test/support/postgres-databases.ts";
import { destinationKey } from "../../../domain/alert/destination.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { apiKeysIn } from "./api-keys.ts";
import { openPostgresStore } from "./open.ts";

/** Connects to the database as a user who has no rights except that of connecting. */
async function connectAsGuest(url: string): Promise<Client> {
  const role = `stranger_${url.slice(-8)}`;
  await runSql(url, `create role ${role} login password 'stranger'`);
  const guest = new Client({
    connectionString: Object.assign(new URL(url), { username: role, password: "stranger" }).href,
  });
  await guest.connect();
  onTestFinished(async () => {
    await guest.end();
    await runSql(url, `drop role ${role}`);
  });
  return guest;
}

it("saves settings, sessions and API keys while another user of the database holds advisory locks of their names", async () => {
  const url = await freshDatabase();
  const address = addressOf(url);
  const store = await openPostgresStore({ address, clock: new ManualClock(), log: SILENT_LOG });
  onTestFinished(() => store.close());
  const guest = await connectAsGuest(url);
  const names = ["sessions", "api keys", `settings ${destinationKey(GENERAL)}`];
  for (const name of names) await guest.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);

  await store.sessions.start({ id: "s1", until: T0 + 1 }, T0, 10);
  await apiKeysIn(address).change((keys) => keys);
  const { after } = await store.destinationSettings.change(GENERAL, { mutedUntil: T0 + 1 });
  expect(after.mutedUntil).toBe(T0 + 1);
  await expect(guest.query("select from locks for update")).rejects.toThrow("permission denied for table locks");
});
