import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { freshDatabase, ownServer } from "../../../../test/support/postgres.ts";
import { runSql } from "../../../../test/support/postgres-databases.ts";
import { live, openProcess, type PostgresProcess } from "../../../../test/support/postgres-process.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { type ClockReading, DatabaseTime } from "./database-time.ts";

const CORRECTED = "clock of the database was set; the shared time continues";

/** Leads a job with a part that records its steps. */
function lead({ store }: PostgresProcess): { readonly steps: readonly string[] } {
  const steps: string[] = [];
  store.jobs.lead("poll", async () => {
    steps.push("start");
    return {
      async stop() {
        steps.push("stop");
      },
    };
  });
  return { steps };
}

async function reach(steps: readonly string[], expected: readonly string[]): Promise<void> {
  await waitUntil(expected.join(", "), () => steps.length >= expected.length);
  expect(steps).toEqual(expected);
}

async function processIds(url: string): Promise<readonly unknown[]> {
  const [result] = await runSql(url, "select id from processes order by id");
  return result?.rows.map(({ id }) => Number(id)) ?? [];
}

describe("a process that stops beating", () => {
  it("loses its jobs to another one after 20 s, within 24 s", async () => {
    const url = await freshDatabase();
    const frozen = await openProcess(url);
    const { steps: frozenSteps } = lead(frozen);
    await reach(frozenSteps, ["start"]);
    const other = await openProcess(url);
    const { steps } = lead(other);
    await live(18_000, other);
    expect([steps, await processIds(url)]).toEqual([[], [frozen.membership.id, other.membership.id]]);
    await live(4_000, other);
    await reach(steps, ["start"]);
    expect(await processIds(url)).toEqual([other.membership.id]);

    // It wakes up: it may neither send nor lead, until it has joined again.
    frozen.clock.skip(60_000);
    expect(frozen.membership.mayStillSend()).toBe(false);
    const formerId = frozen.membership.id;
    await live(2_000, frozen);
    await reach(frozenSteps, ["start", "stop"]);
    expect(frozen.membership.id).toBeGreaterThan(formerId);
    await live(30_000, frozen, other);
    expect([frozenSteps, steps]).toEqual([["start", "stop"], ["start"]]);
    await other.store.close();
    await reach(frozenSteps, ["start", "stop", "start"]);
  });

  it("is alive if it beats again before the end of that time", async () => {
    const url = await freshDatabase();
    const [slow, other] = [await openProcess(url), await openProcess(url)];
    await live(18_000, other);
    await slow.membership.beat();
    await live(18_000, other);
    expect(await processIds(url)).toHaveLength(2);
  });

  it("is alive if it beats between the read that finds it dead and its removal", async () => {
    const url = await freshDatabase();
    const [slow, other] = [await openProcess(url), await openProcess(url)];
    await runSql(
      url,
      "alter function remove_process(bigint, bigint) rename to remove_if_dead",
      `create function remove_process(gone bigint, last_beat bigint) returns bool language plpgsql as $$
        begin
          update processes set beat = beat + 1 where id = gone;
          return remove_if_dead(gone, last_beat);
        end
      $$`,
    );
    await live(24_000, other);
    expect(await processIds(url)).toEqual([slow.membership.id, other.membership.id]);
  });

  it("is not removed by one that was itself interrupted", async () => {
    const url = await freshDatabase();
    const [, other] = [await openProcess(url), await openProcess(url)];
    await live(4_000, other);
    other.clock.skip(60_000);
    await other.membership.beat();
    await live(18_000, other);
    expect(await processIds(url)).toHaveLength(2);
    await live(4_000, other);
    expect(await processIds(url)).toHaveLength(1);
  });

  it.each([
    ["time", (clock: ManualClock) => clock.skip(8_001)],
    ["suspension of the machine, which stops the monotonic clock", (clock: ManualClock) => clock.jump(8_001)],
  ])("sends nothing after 8 s of %s, until the next heartbeat", async (_, pass) => {
    const one = await openProcess(await freshDatabase());
    one.clock.skip(8_000);
    expect(one.membership.mayStillSend()).toBe(true);
    await one.membership.beat();
    pass(one.clock);
    expect(one.membership.mayStillSend()).toBe(false);
    await one.membership.beat();
    expect(one.membership.mayStillSend()).toBe(true);
  });
});

it("stops its jobs after 10 s without the database, and starts them again when it is back", async () => {
  const server = await ownServer({ durable: false });
  const one = await openProcess(server.url());
  const { steps } = lead(one);
  await reach(steps, ["start"]);
  let missed = 0;
  const url = server.url();
  await server.stop();
  for (let beats = 0; beats < 6; beats += 1) {
    one.clock.skip(2_000);
    await one.membership.beat().catch(() => {
      missed += 1;
    });
  }
  expect(missed).toBe(6);
  await reach(steps, ["start", "stop"]);
  await server.start();
  const other = await openProcess(url);
  await live(4_000, one, other);
  await reach(steps, ["start", "stop", "start"]);
  expect(await processIds(url)).toEqual([one.membership.id, other.membership.id]);
});

it("leaves the processes if the store can't be opened", async () => {
  const url = await freshDatabase();
  await runSql(url, "drop table snapshot");
  await expect(openProcess(url)).rejects.toThrow(/snapshot/);
  expect(await processIds(url)).toEqual([]);
});

function read(time: number, at: number, changes = 0): ClockReading {
  return { time, changes, startedAt: at, endedAt: at };
}

describe("shared time", () => {
  it("is the database's clock, whatever the process's own clock is", () => {
    const clock = new ManualClock();
    const time = new DatabaseTime(clock);
    expect(time.read(read(5_000_000, clock.monotonic()))).toBe(0);
    clock.jump(3_600_000);
    clock.skip(500);
    expect(time.now()).toBe(5_000_500);
  });

  it("continues when the database's clock is set, and asks for a correction", () => {
    const clock = new ManualClock();
    const time = new DatabaseTime(clock);
    time.read(read(5_000_000, clock.monotonic()));
    clock.skip(2_000);
    expect(time.read(read(5_002_400, clock.monotonic()))).toBe(0);
    clock.skip(2_000);
    expect(time.read(read(9_004_400, clock.monotonic()))).toBe(4_000_000);
    expect(time.now()).toBe(5_004_400);
    time.corrected();
    clock.skip(2_000);
    expect(time.read(read(5_006_400, clock.monotonic(), 1))).toBe(0);
    expect(time.now()).toBe(5_006_400);
  });

  it("follows the database after a suspension of this machine", () => {
    const clock = new ManualClock();
    const time = new DatabaseTime(clock);
    time.read(read(5_000_000, clock.monotonic()));
    clock.jump(60_000);
    expect(time.read(read(5_060_000, clock.monotonic()))).toBe(0);
    expect(time.now()).toBe(5_060_000);
  });

  it("is the same for all processes while the database's clock is set forward and back", async () => {
    const url = await freshDatabase();
    const processes = [await openProcess(url), await openProcess(url)];
    for (const jumpMs of [3_600_000, -7_200_000]) {
      // The database can't be given another clock, but the time is the sum of both.
      await runSql(url, `update shared_time set correction_ms = correction_ms + ${jumpMs}`);
      for (const { membership } of [...processes, ...processes]) await membership.beat();
    }
    expect(processes.map(({ log }) => log.count(CORRECTED))).toEqual([2, 0]);
    const [result] = await runSql(url, "select correction_ms from shared_time");
    expect(Math.abs(Number(result?.rows[0].correction_ms))).toBeLessThan(30_000);
  });
});
