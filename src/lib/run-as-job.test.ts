import { expect, it } from "vitest";
import { deferred } from "../../test/support/deferred.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { recordedLog } from "../../test/support/recorded-log.ts";
import { LowdbJobs } from "../store/lowdb/collections/jobs.ts";
import { runAsJob } from "./run-as-job.ts";

it("runs work of the same name one after another, and rejects as the work does", async () => {
  const log = recordedLog();
  const jobs = new LowdbJobs({ clock: new ManualClock(), log });
  const gate = deferred();
  const steps: string[] = [];
  const first = runAsJob(jobs, "renewal", async () => {
    steps.push("first begins");
    await gate.promise;
    steps.push("first ends");
    throw new Error("refused");
  });
  const second = runAsJob(jobs, "renewal", async () => {
    steps.push("second");
    return 2;
  });
  const other = await runAsJob(jobs, "another", async () => 3);
  gate.resolve();
  await expect(first).rejects.toThrow("refused");
  expect([await second, other, steps]).toEqual([2, 3, ["first begins", "first ends", "second"]]);
  expect(log.lines).toEqual([]);
});
