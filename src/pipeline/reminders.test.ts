import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALICE, aSplit } from "../../test/support/builders.ts";
import { type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import { ManualScheduler } from "../../test/support/manual-scheduler.ts";
import { commitParts } from "../../test/support/poll-parts.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { createMutex } from "../lib/mutex.ts";
import { type DestinationSettingsStore, type Store, StoreError } from "../ports/store.ts";
import { Reminders } from "./reminders.ts";

const AUCKLAND = "Pacific/Auckland";

let bench: CommandBench;
let scheduler: ManualScheduler;
let reminders: Reminders;

beforeEach(async () => {
  bench = await openCommandBench();
  scheduler = new ManualScheduler();
});

afterEach(async () => {
  await reminders.stop();
  await bench.close();
});

/** Reminders whose store has these parts instead of its own. */
function remindersOf(parts: Partial<Store>): Reminders {
  const { store, clock } = bench;
  return new Reminders({
    ...commitParts(),
    store: { ...store, ...parts },
    clock,
    exclusive: createMutex(),
    scheduler,
    source: { id: "http://splits.example", sample: false },
    daysBefore: [1, 0],
    cron: "0 8 * * *",
    timezone: "America/New_York",
  });
}

/** The store's destination settings, with these methods instead of its own. */
function settingsWith(methods: Partial<DestinationSettingsStore>): DestinationSettingsStore {
  const { destinationSettings: saved } = bench.store;
  return {
    of: (to) => saved.of(to),
    change: (to, patch) => saved.change(to, patch),
    onChange: (listener) => saved.onChange(listener),
    timezones: () => saved.timezones(),
    all: () => saved.all(),
    ...methods,
  };
}

const zones = async () => Object.keys((await bench.store.snapshot.read()).remindedThrough ?? {});

it("a changed time zone is scheduled without reading the settings of all destinations", async () => {
  await bench.seed({});
  const settings = settingsWith({
    all() {
      throw new Error("all settings are read");
    },
  });
  reminders = remindersOf({ destinationSettings: settings });
  reminders.start();
  await bench.store.destinationSettings.change(ALICE, { timezone: AUCKLAND });

  await waitUntil("both time zones are saved", async () => (await zones()).length > 0);
  expect(await zones()).toEqual(["America/New_York", AUCKLAND]);
  await expect(scheduler.tick(`remind ${AUCKLAND}`)).rejects.toThrow("all settings are read");
});

describe("while the store fails", () => {
  let failures: number;

  /** Fails as often as `failures` says. */
  function failOr<T>(work: () => Promise<T>): Promise<T> {
    failures -= 1;
    return failures >= 0 ? Promise.reject(new StoreError("the database is away")) : work();
  }

  it("time zones are scheduled as soon as they can be read", async () => {
    await bench.seed({});
    await bench.store.destinationSettings.change(ALICE, { timezone: AUCKLAND });
    failures = 3;
    const timezones = (): Promise<readonly string[]> => failOr(() => bench.store.destinationSettings.timezones());
    reminders = remindersOf({ destinationSettings: settingsWith({ timezones }) });
    reminders.start();
    await expect(async () => scheduler.tick(`remind ${AUCKLAND}`)).rejects.toThrow("no schedule named");

    await waitUntil("the zone is scheduled", async () => {
      await bench.clock.advance(60_000);
      return (await zones()).includes(AUCKLAND);
    });
    await scheduler.tick(`remind ${AUCKLAND}`);
  });

  it("a tick is repeated, and its reminder isn't lost until the next day", async () => {
    await bench.seed({ splits: [aSplit({ exDate: "2026-03-03" })] });
    failures = 3;
    const { snapshot } = bench.store;
    reminders = remindersOf({
      snapshot: { read: () => snapshot.read(), commit: (change) => failOr(() => snapshot.commit(change)) },
    });
    reminders.start();
    const reminded = async () => [...(await snapshot.read()).splits.values()].map((split) => split.reminded);
    const ticked = scheduler.tick("remind");
    await waitUntil("the reminder is saved", async () => {
      await bench.clock.advance(60_000);
      return Object.keys((await reminded())[0] ?? {}).length > 0;
    });
    await ticked;
    expect(await reminded()).toEqual([{ 1: "2026-03-03" }]);
  });

  it("a stop ends the repetitions", async () => {
    await bench.seed({});
    failures = Number.POSITIVE_INFINITY;
    reminders = remindersOf({
      destinationSettings: settingsWith({ timezones: () => failOr(async () => []) }),
    });
    reminders.start();
    const caughtUp = reminders.catchUp();
    await reminders.stop();
    await expect(caughtUp).rejects.toThrow("the database is away");
  });
});
