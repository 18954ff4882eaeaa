import { expect, it } from "vitest";
import type { JobName } from "../../../src/ports/jobs.ts";
import type { Store } from "../../../src/ports/store.ts";
import { waitUntil } from "../../support/wait-until.ts";
import type { CurrentClock, CurrentStore, Second } from "../store-builders.ts";

export function describeJobs(use: CurrentStore, clock: CurrentClock, openSecond?: Second): void {
  let steps: string[] = [];

  /** Leads the job with a part that records its starts and stops. Returns the function that gives the job up. */
  function lead(store: Store, part: string, job: JobName = "poll"): () => Promise<void> {
    return store.jobs.lead(job, async (name) => {
      steps.push(typeof job === "string" ? `start ${part}` : `start ${part} as ${name}`);
      return {
        async stop() {
          steps.push(`stop ${part}`);
        },
      };
    });
  }

  async function reached(expected: readonly string[]): Promise<void> {
    await waitUntil(expected.join(", "), async () => steps.length >= expected.length);
    expect(steps).toEqual(expected);
  }

  it("run while they are led, one part at a time per job", async () => {
    steps = [];
    const giveUp = lead(use(), "one");
    await reached(["start one"]);
    const giveUpNext = lead(use(), "two");
    const giveUpOther = lead(use(), "other", "sources");
    await reached(["start one", "start other"]);

    await giveUp();
    await reached(["start one", "start other", "stop one", "start two"]);
    await Promise.all([giveUpNext(), giveUpOther()]);
    expect(steps.slice(4).toSorted()).toEqual(["stop other", "stop two"]);
  });

  it("are given up before they were held, without a start, and more than once", async () => {
    steps = [];
    const giveUp = lead(use(), "one");
    await reached(["start one"]);
    const giveUpNext = lead(use(), "two");
    await giveUpNext();
    for (const _ of [1, 2]) await giveUp();
    const giveUpLast = lead(use(), "three");
    await reached(["start one", "stop one", "start three"]);
    await giveUpLast();
    expect(steps.at(-1)).toBe("stop three");
  });

  it("stop a part that was still starting when they are given up", async () => {
    const started = Promise.withResolvers<void>();
    const starting = Promise.withResolvers<void>();
    let stops = 0;
    const giveUp = use().jobs.lead("poll", async () => {
      started.resolve();
      await starting.promise;
      return {
        async stop() {
          stops += 1;
        },
      };
    });
    await started.promise;
    const givenUp = giveUp();
    starting.resolve();
    await givenUp;
    expect(stops).toBe(1);
  });

  it("repeat a start that fails", async () => {
    const started = Promise.withResolvers<void>();
    let starts = 0;
    const giveUp = use().jobs.lead("poll", async () => {
      starts += 1;
      if (starts < 3) throw new Error("not yet");
      started.resolve();
      return { stop: async () => undefined };
    });
    await waitUntil("the part starts", async () => {
      await clock().advance(1_000);
      return starts >= 3;
    });
    await started.promise;
    await giveUp();
    expect(starts).toBe(3);
  });

  if (!openSecond) return;

  it("run in one process at a time, and in the next one after they are given up or their process ends", async () => {
    steps = [];
    const other = await openSecond();
    const third = await openSecond();
    const giveUp = lead(use(), "first");
    await reached(["start first"]);
    lead(other, "second");
    await giveUp();
    await reached(["start first", "stop first", "start second"]);

    const giveUpLast = lead(third, "third");
    await other.close();
    await waitUntil("the next process starts", async () => steps.includes("start third"));
    await giveUpLast();
    expect(steps.slice(-2)).toEqual(["start third", "stop third"]);
  });

  it("with several names run in as many processes at a time, in each under one name", async () => {
    steps = [];
    const names = ["shard", "same shard"] as const;
    const [other, third] = [await openSecond(), await openSecond()];
    const giveUp = lead(use(), "first", names);
    lead(use(), "first again", names);
    await reached(["start first as shard"]);
    lead(other, "second", names);
    await reached(["start first as shard", "start second as same shard"]);
    const giveUpThird = lead(third, "third", names);
    await other.close();
    const begun = ["start first as shard", "start second as same shard", "stop second", "start third as same shard"];
    await reached(begun);
    await giveUp();
    await reached([...begun, "stop first", "start first again as shard"]);
    await giveUpThird();
    expect(steps.at(-1)).toBe("stop third");
  });
}
