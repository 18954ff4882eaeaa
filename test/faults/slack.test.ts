import { expect, it } from "vitest";
import { repetitions } from "../support/soak.ts";
import { runSchedules } from "./run-schedules.ts";
import { startSlackChat } from "./slack-chat.ts";

it("delivers every alert once on Slack while faults of every kind combine", async () => {
  expect(await runSchedules(repetitions({ short: 1, full: 25 }), startSlackChat)).toEqual([]);
});
