import { expect, it } from "vitest";
import { repetitions } from "../support/soak.ts";
import { startDiscordChat } from "./discord-chat.ts";
import { runSchedules } from "./run-schedules.ts";

it("delivers every alert once on Discord while faults of every kind combine", async () => {
  expect(await runSchedules(repetitions({ short: 1, full: 25 }), startDiscordChat)).toEqual([]);
});
