import { join } from "node:path";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/service/service-under-test.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { onlyProcess } from "../engines/sqlite/only-process.ts";
import { openDatabase } from "../engines/sqlite/open.ts";
import { Notifications } from "../notifications.ts";
import { SqlJobs } from "./jobs.ts";

it("starts the part of a job that couldn't be acquired at first, although no other process gives it up", async () => {
  const database = await openDatabase(join(await temporaryFolder(), "db"), SILENT_LOG);
  onTestFinished(() => database.close());
  const [clock, log] = [new ManualClock(), recordedLog()];
  const membership = onlyProcess({ holder: "test", roles: null });
  const jobs = new SqlJobs({ database, membership, notifications: new Notifications(), clock, log });
  await database.transaction(async (transaction) => {
    await sql`create trigger full before insert on jobs begin select raise(abort, 'disk is full'); end`.execute(
      transaction,
    );
  });
  const started: string[] = [];
  const giveUp = jobs.lead("poll", async (name) => {
    started.push(name);
    return { stop: () => Promise.resolve() };
  });
  const failuresAfter = async (ms: number): Promise<number> => {
    await clock.advance(ms);
    return log.count("job not acquired or released");
  };
  await expect.poll(() => failuresAfter(2_000)).toBeGreaterThan(1);
  expect(started).toEqual([]);

  await database.transaction(async (transaction) => void (await sql`drop trigger full`.execute(transaction)));
  await expect.poll(async () => (await failuresAfter(MINUTE_MS)) > 0 && started).toEqual(["poll"]);
  await giveUp();
  await jobs.close();
  expect(clock.sleepers).toBe(0);
});
