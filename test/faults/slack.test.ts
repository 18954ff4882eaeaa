import { expect, it } from "vitest";
import { Disk } from "./disk.ts";
import { runSchedules } from "./run-schedules.ts";
import { startSlackChat } from "./slack-chat.ts";
import type { OpenState } from "./state.ts";

const openState: OpenState = (parts) => Disk.open(parts);

it("delivers every alert once on Slack while faults of every kind combine", async () => {
  expect(await runSchedules("Slack", { kind: "files", startChat: startSlackChat, openState })).toEqual([]);
});
