import { expect, it } from "vitest";
import { startDiscordChat } from "./discord-chat.ts";
import { Disk } from "./disk.ts";
import { runSchedules } from "./run-schedules.ts";
import type { OpenState } from "./state.ts";

const openState: OpenState = (parts) => Disk.open(parts);

it("delivers every alert once on Discord while faults of every kind combine", async () => {
  expect(await runSchedules("Discord", { kind: "files", startChat: startDiscordChat, openState })).toEqual([]);
});
