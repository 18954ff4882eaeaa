import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startDiscord } from "../../test/platforms/discord/server.ts";
import { aRule } from "../../test/support/builders.ts";
import { anInvocation } from "../../test/support/recorded-invocation.ts";
import { systemClock } from "../lib/clock.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { configuredStore } from "../store/index.ts";
import { doctor } from "./doctor.ts";

it("checks the channels that have rules", async () => {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-doctor-"));
  const discord = await startDiscord();
  onTestFinished(async () => {
    await discord.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const guild = discord.addGuild("Traders");
  const alerts = discord.addChannel(guild, "alerts");
  const store = await configuredStore({ dataDir: join(folder, "data") }).open({ clock: systemClock, log: SILENT_LOG });
  for (const channelId of [alerts.id, "404"])
    await store.rules.add(
      aRule({ destination: { platform: "discord", kind: "channel", id: `${guild.id}/${channelId}` } }),
    );
  await store.close();

  const invocation = anInvocation(folder, { PORT: "0", DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl });
  expect(await doctor(invocation)).toBe(1);
  expect(invocation.printed.filter((text) => text.includes("discord: channel"))).toEqual([
    `ok   discord: channel #alerts (${alerts.id}): OK`,
    "FAIL discord: channel 404: the channel no longer exists",
  ]);
  expect(invocation.printed.join("\n")).not.toContain(discord.token);
});
