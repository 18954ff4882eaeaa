import { expect, it, onTestFinished } from "vitest";
import { faults } from "../../../test/platforms/discord/faults.ts";
import { aRule } from "../../../test/support/builders.ts";
import { makeDiscordPlatform, startDiscordPlatform } from "../../../test/support/discord-platform-under-test.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { card } from "../../messages/message.ts";
import { LEFT_REASON } from "./guild-rules.ts";

it("requests only the Guilds intent", async () => {
  const { discord } = await startDiscordPlatform();
  expect(discord.gateway.identifications.map(({ intents }) => intents)).toEqual([1]);
});

it("logs a rejected token once and starts without Discord", async () => {
  const { platform, log } = await startDiscordPlatform({ token: "wrong" });
  expect(platform.health()).toEqual({ ok: false, reason: expect.stringContaining("DISCORD_TOKEN") });
  const logged = log.lines.filter(({ level }) => level !== "debug");
  expect(logged.map(({ level, event }) => [level, event])).toEqual([["error", "discord credentials rejected"]]);
});

it("stops reconnecting when the gateway rejects the token later", async () => {
  const { platform, discord, log } = await startDiscordPlatform();
  discord.gateway.close(4_004);
  await waitUntil("it is said", () => log.count("discord credentials rejected") === 1);
  expect(platform.health()).toEqual({ ok: false, reason: expect.stringContaining("DISCORD_TOKEN") });
});

it("starts during an outage of Discord and connects afterwards", async () => {
  const made = await makeDiscordPlatform();
  onTestFinished(() => made.close());
  const away = made.discord.faults.add(faults.status(503), { path: /gateway/ });
  await made.platform.start();
  expect(made.platform.health()).toEqual({ ok: false, reason: expect.stringContaining("can't be reached") });
  away();
  made.clock.skip(10_000);
  await waitUntil("it is connected", () => made.platform.health().ok);
});

it("resumes after a lost connection and receives missed interactions", async () => {
  const { platform, discord, ada, alerts } = await startDiscordPlatform({
    commands: {
      list: [],
      run: async () => ({ cards: [card({ title: "heard" })], shareable: false }),
      runPublicly: async () => ({ cards: [], shareable: false }),
      complete: async () => [],
      completeValue: async () => [],
    },
  });
  await waitUntil("the command is registered", () => discord.commands.length > 0);
  discord.gateway.drop();
  await waitUntil("it noticed", () => !platform.health().ok);
  expect(platform.health()).toEqual({ ok: false, reason: expect.stringContaining("lost") });
  expect((await ada.slash("/splits", {}, alerts)).text).toContain("heard");
  expect(platform.health()).toEqual({ ok: true });
  expect(discord.gateway.resumes).toBe(1);
});

it("pauses a server's channels when it is removed and resumes them when it is invited again", async () => {
  const made = await startDiscordPlatform();
  const { store, discord, guild, channel } = made;
  await store.rules.add(aRule({ destination: channel }));
  const elsewhere = { ...channel, id: "1/2" };
  await store.rules.add(aRule({ destination: elsewhere }));

  discord.leave(guild, discord.bot);
  await waitUntil("it is paused", async () => (await store.outbox.pauseReason(channel)) === LEFT_REASON);
  expect(await store.outbox.pauseReason(elsewhere)).toBeNull();

  const before = made.wakes();
  discord.join(guild, discord.bot);
  await waitUntil("it goes on", async () => (await store.outbox.pauseReason(channel)) === null);
  expect(made.wakes()).toBeGreaterThan(before);
});

it("applies memberships that changed while it was offline", async () => {
  const made = await makeDiscordPlatform();
  onTestFinished(() => made.close());
  const { store, channel } = made;
  const gone = { ...channel, id: "1/2" };
  const forbidden = { ...channel, id: `${made.guild.id}/3` };
  for (const destination of [channel, gone, forbidden]) await store.rules.add(aRule({ destination }));
  await store.outbox.pause(channel, LEFT_REASON, 0);
  await store.outbox.pause(forbidden, "we may not post there", 0);

  await made.platform.start();
  await waitUntil("it goes on", async () => (await store.outbox.pauseReason(channel)) === null);
  expect(await store.outbox.pauseReason(gone)).toBe(LEFT_REASON);
  expect(await store.outbox.pauseReason(forbidden)).toBe("we may not post there");
});

it("does not treat an unavailable server as a removal", async () => {
  const { store, discord, guild, channel } = await startDiscordPlatform();
  const other = discord.addGuild("Other");
  const left = { ...channel, id: `${other.id}/2` };
  for (const destination of [channel, left]) await store.rules.add(aRule({ destination }));
  discord.gateway.dispatch("GUILD_DELETE", { id: guild.id, unavailable: true });
  discord.leave(other, discord.bot);
  await waitUntil("it heard of both", async () => (await store.outbox.pauseReason(left)) === LEFT_REASON);
  expect(await store.outbox.pauseReason(channel)).toBeNull();
});
