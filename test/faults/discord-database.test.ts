import { expect, it } from "vitest";
import { ownServer } from "../support/postgres.ts";
import { FaultyDatabase } from "./database.ts";
import { startDiscordChat } from "./discord-chat.ts";
import { runSchedules } from "./run-schedules.ts";

it("delivers every alert once on Discord from PostgreSQL while faults of every kind combine", async () => {
  const openState = FaultyDatabase.on(await ownServer());
  expect(
    await runSchedules("Discord from PostgreSQL", { kind: "database", startChat: startDiscordChat, openState }),
  ).toEqual([]);
});
