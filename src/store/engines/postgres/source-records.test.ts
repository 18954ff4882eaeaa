import { expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { addressOf, freshDatabase } from "../../../../test/support/postgres.ts";
import { recordedLog } from "../../../../test/support/recorded-log.ts";
import { aRelease } from "../../../../test/support/releases.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { createListeners } from "../../../lib/listeners.ts";
import { releaseKey } from "../../../ports/store.ts";
import { type RecordParts, SqlSourceRecords } from "../../collections/source-records.ts";
import { PostgresDatabase } from "./database.ts";
import { DatabaseNotifications } from "./notifications.ts";

it("reports a change again after the next heartbeat if a listener failed, and logs the first failure", async () => {
  const log = recordedLog();
  const database = new PostgresDatabase(addressOf(await freshDatabase()), { log, applicationName: "test" });
  onTestFinished(() => database.close());
  const beats = createListeners();
  const membership = { onBeat: beats.add } as unknown as RecordParts["membership"];
  const jobs = { fence: () => Promise.resolve() } as unknown as RecordParts["jobs"];
  const openRecords = (notifications: DatabaseNotifications): SqlSourceRecords<ReturnType<typeof aRelease>> =>
    new SqlSourceRecords("release", releaseKey, {
      database,
      jobs,
      membership,
      notifications,
      clock: new ManualClock(),
      log,
    });
  const notifications = new DatabaseNotifications();
  const reader = openRecords(notifications);
  await reader.all();
  const reported: number[] = [];
  let failures = 0;
  reader.onChange(({ put }) => {
    if (failures < 2) {
      failures += 1;
      throw new Error("listener failed");
    }
    reported.push(put.length);
  });
  await openRecords(new DatabaseNotifications()).put([aRelease({ url: "https://wire.example/1" })]);
  notifications.resume();
  await waitUntil("the listener fails", () => log.count("source records not followed") === 1);
  beats.notify();
  await waitUntil("the listener fails again", () => failures === 2);
  await waitUntil("the change is reported", () => {
    beats.notify();
    return reported.length > 0;
  });
  expect([reported[0], log.count("source records not followed")]).toEqual([1, 1]);
});
