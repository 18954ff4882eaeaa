import { expect, it } from "vitest";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { type RecordedLog, recordedLog } from "../../test/support/recorded-log.ts";
import { temporaryStore } from "../../test/support/temporary-store.ts";
import type { Jobs } from "../ports/jobs.ts";
import { StoreError } from "../ports/store.ts";
import { leadJob, type RunAsJobParts, runAsJob } from "./jobs.ts";

async function runningParts(
  log: RecordedLog = recordedLog(),
): Promise<RunAsJobParts & { readonly clock: ManualClock }> {
  const clock = new ManualClock();
  const { jobs } = await temporaryStore({ clock, log });
  return { jobs, clock, stopping: new AbortController().signal };
}

it("runs work of the same name one after another, and rejects as the work does", async () => {
  const log = recordedLog();
  const parts = await runningParts(log);
  const gate = Promise.withResolvers<void>();
  const steps: string[] = [];
  const first = runAsJob(parts, "renewal", async () => {
    steps.push("first begins");
    await gate.promise;
    steps.push("first ends");
    throw new Error("refused");
  });
  const second = runAsJob(parts, "renewal", async () => {
    steps.push("second");
    return 2;
  });
  const other = await runAsJob(parts, "another", async () => 3);
  gate.resolve();
  await expect(first).rejects.toThrow("refused");
  expect([await second, other, steps]).toEqual([2, 3, ["first begins", "first ends", "second"]]);
  expect(log.lines).toEqual([]);
});

it("rejects, and never starts the work, if the job does not become free in time", async () => {
  const parts = await runningParts();
  const gate = Promise.withResolvers<void>();
  const started: string[] = [];
  const work = (name: string) => async (): Promise<void> => void started.push(name);
  const running = Promise.withResolvers<void>();
  const first = runAsJob(parts, "renewal", () => {
    running.resolve();
    return gate.promise;
  });
  await running.promise;
  const second = runAsJob(parts, "renewal", work("second"));
  const failure = second.catch((error: unknown) => error);
  await parts.clock.advance(15_000);
  expect(await failure).toBeInstanceOf(StoreError);
  gate.resolve();
  await first;
  await runAsJob(parts, "renewal", work("third"));
  expect(started).toEqual(["third"]);
});

it("releases a job that is granted while it is given up", async () => {
  const stopping = new AbortController();
  const released = Promise.withResolvers<void>();
  /** The grant is under way when the job is given up. */
  const jobs: Jobs = {
    lead: (_, start) => async () => {
      const part = await start("renewal");
      await part.stop();
      released.resolve();
    },
  };
  const work = runAsJob(
    { jobs, clock: new ManualClock(), stopping: stopping.signal },
    "renewal",
    async () => undefined,
  );
  stopping.abort();
  await expect(work).rejects.toThrow(StoreError);
  await released.promise;
});

it("ends the wait for a job when the process stops", async () => {
  const parts = await runningParts();
  const stopping = new AbortController();
  const gate = Promise.withResolvers<void>();
  const first = runAsJob(parts, "renewal", () => gate.promise);
  const second = runAsJob({ ...parts, stopping: stopping.signal }, "renewal", async () => undefined);
  const failure = second.catch((error: unknown) => error);
  stopping.abort();
  expect(await failure).toBeInstanceOf(StoreError);
  gate.resolve();
  await first;
});

it("reports after a second that another process is assumed to hold a job, which starts when it becomes free", async () => {
  const parts = await runningParts();
  const started: string[] = [];
  const lead = (name: string): ReturnType<typeof leadJob> =>
    leadJob(parts, {
      name: "maintenance",
      start: async () => {
        started.push(name);
        return { stop: () => Promise.resolve() };
      },
    });
  const first = lead("first");
  expect(await first.isHeld).toBe(true);
  const second = lead("second");
  await parts.clock.advance(1_000);
  expect(await second.isHeld).toBe(false);
  await first.giveUp();
  await expect.poll(() => started).toEqual(["first", "second"]);
  await second.giveUp();
});
