import { expect, it } from "vitest";
import { runSchedules } from "./run-schedules.ts";
import { startSlackChat } from "./slack-chat.ts";

it("delivers every alert once on Slack while faults of every kind combine", async () => {
  expect(await runSchedules("Slack", startSlackChat)).toEqual([]);
});
