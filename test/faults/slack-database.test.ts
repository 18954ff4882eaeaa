import { expect, it } from "vitest";
import { ownServer } from "../support/postgres.ts";
import { FaultyDatabase } from "./database.ts";
import { runSchedules } from "./run-schedules.ts";
import { startSlackChat } from "./slack-chat.ts";

it("delivers every alert once on Slack from PostgreSQL while faults of every kind combine", async () => {
  const openState = FaultyDatabase.on(await ownServer());
  expect(
    await runSchedules("Slack from PostgreSQL", { kind: "database", startChat: startSlackChat, openState }),
  ).toEqual([]);
});
