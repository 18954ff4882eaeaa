import { expect, it } from "vitest";
import { ALICE } from "../../test/support/builders.ts";
import { openCommandBench } from "../../test/support/command-bench.ts";
import { ManualScheduler } from "../../test/support/manual-scheduler.ts";
import { commitParts } from "../../test/support/poll-parts.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { createMutex } from "../lib/mutex.ts";
import type { DestinationSettingsStore } from "../ports/store.ts";
import { Reminders } from "./reminders.ts";

it("a changed time zone is scheduled without reading the settings of all destinations", async () => {
  const bench = await openCommandBench();
  await bench.seed({});
  const { store, clock } = bench;
  const { destinationSettings: saved } = store;
  const destinationSettings: DestinationSettingsStore = {
    of: (to) => saved.of(to),
    change: (to, patch) => saved.change(to, patch),
    onChange: (listener) => saved.onChange(listener),
    timezones: () => saved.timezones(),
    all: () => {
      throw new Error("all settings are read");
    },
  };
  const scheduler = new ManualScheduler();
  const reminders = new Reminders({
    ...commitParts(),
    store: { ...store, destinationSettings },
    clock,
    exclusive: createMutex(),
    scheduler,
    source: { id: "http://splits.example", sample: false },
    daysBefore: [1, 0],
    cron: "0 8 * * *",
    timezone: "America/New_York",
  });
  await reminders.start();
  await store.destinationSettings.change(ALICE, { timezone: "Pacific/Auckland" });

  const zones = async () => Object.keys((await store.snapshot.read()).remindedThrough ?? {});
  await waitUntil("both time zones are saved", async () => (await zones()).length > 0);
  expect(await zones()).toEqual(["America/New_York", "Pacific/Auckland"]);
  await expect(scheduler.tick("remind Pacific/Auckland")).rejects.toThrow("all settings are read");
  await reminders.stop();
  await bench.close();
});
