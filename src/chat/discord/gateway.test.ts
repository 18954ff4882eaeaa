import { describe, expect, it, onTestFinished, vi } from "vitest";
import { faults } from "../../../test/platforms/discord/faults.ts";
import { aRule } from "../../../test/support/builders.ts";
import {
  type DiscordPlatformUnderTest,
  discordAttempt,
  makeDiscordPlatform,
  startDiscordPlatform,
} from "../../../test/support/discord-platform-under-test.ts";
import { addressOf, freshDatabase } from "../../../test/support/postgres.ts";
import { type RecordedLog, recordedLog } from "../../../test/support/recorded-log.ts";
import { RunningClock } from "../../../test/support/running-clock.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { defineCommand } from "../../commands/command.ts";
import { card } from "../../messages/message.ts";
import type { ChatPlatform, EditingPlatform, RejectedCredentials } from "../../ports/chat-platform.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { type Store, StoreError } from "../../ports/store.ts";
import { openPostgresStore } from "../../store/engines/postgres/open.ts";
import { LEFT_REASON } from "./guild-membership.ts";
import { createDiscordPlatform, type DiscordPlatformOptions } from "./platform.ts";

const ANSWERING: DiscordPlatformOptions["commands"] = {
  list: [],
  run: async () => ({ cards: [card({ title: "the answer" })], shareable: false }),
  runPublicly: async () => ({ cards: [], shareable: false }),
  complete: async () => [],
  completeValue: async () => [],
};

it("requests only the Guilds intent", async () => {
  const { discord } = await startDiscordPlatform();
  expect(discord.gateway.identifications.map(({ intents }) => intents)).toEqual([1]);
});

it("logs the invite link once per start, after the connection", async () => {
  const { log } = await startDiscordPlatform();
  await waitUntil("the commands are registered", () => log.count("discord commands registered") === 1);
  const { fields } = log.lines.find(({ event }) => event === "discord invite link") ?? {};
  expect(fields?.url).toMatch(/^https:\/\/discord\.com\/oauth2\/authorize\?client_id=\d+&scope=bot/);
  expect(log.count("discord invite link")).toBe(1);
});

it("logs a rejected token once and starts without Discord", async () => {
  const { platform, log } = await startDiscordPlatform({ token: "wrong" });
  expect(platform.health()).toMatchObject({ ok: false, reason: expect.stringContaining("DISCORD_TOKEN") });
  const logged = log.lines.filter(({ level }) => level !== "debug");
  expect(logged.map(({ level, event }) => [level, event])).toEqual([["error", "discord credentials rejected"]]);
});

it("reconnects with longer delays while Discord rejects the token, and reports since when", async () => {
  const setup = await startDiscordPlatform();
  const { platform, discord, log, clock } = setup;
  await waitUntil("the commands are registered", () => log.count("discord commands registered") === 1);
  const identified = (): number => discord.gateway.identifications.length;
  const removeFault = discord.faults.add(faults.refusal(401, 0, "401: Unauthorized"));
  discord.gateway.close(4_004);
  await waitUntil("the rejection is logged", () => log.count("discord credentials rejected") === 1);
  const rejected = (): RejectedCredentials | undefined => {
    const health = platform.health();
    return health.ok ? undefined : health.rejected;
  };
  const { since } = rejected() ?? {};
  const message = discordAttempt(setup, setup.channel);
  await expect(platform.send(message)).rejects.toMatchObject({ failure: "broken-credentials" });
  for (let tries = 1; tries < 4; tries += 1) {
    const delayMs = (): number => (rejected()?.retryAt ?? 0) - clock.now();
    clock.skip(delayMs());
    await waitUntil("it was tried after a longer delay", () => delayMs() > 50_000 * 2 ** (tries - 1));
  }
  expect(rejected()?.since).toBe(since);
  expect((rejected()?.retryAt ?? 0) - clock.now()).toBeGreaterThan(200_000);
  expect([discord.invalid.length, identified(), log.count("discord credentials rejected")]).toEqual([3, 1, 1]);
  removeFault();
  clock.skip(10 * 60_000);
  await waitUntil("the gateway is connected", () => platform.health().ok);
});

it("isn't connected in a process that only sends, and messages are sent", async () => {
  const setup = await startDiscordPlatform({ receives: false });
  expect(setup.platform.health()).toEqual({ ok: true });
  const message = discordAttempt(setup, setup.channel);
  expect(await setup.platform.send(message)).toEqual(await setup.platform.find(message));
  expect(setup.discord.gateway.identifications).toEqual([]);
});

it("starts during an outage of Discord and connects afterwards", async () => {
  const setup = await makeDiscordPlatform();
  onTestFinished(() => setup.close());
  const removeFault = setup.discord.faults.add(faults.status(503), { path: /gateway/ });
  await setup.platform.start();
  expect(setup.platform.health()).toEqual({ ok: false, reason: expect.stringContaining("can't be reached") });
  removeFault();
  setup.clock.skip(10_000);
  await waitUntil("the gateway is connected", () => setup.platform.health().ok);
});

it("logs in once after an outage of the store, in which no slot of a login could be reserved", async () => {
  const { platform, discord, log, store, clock } = await startDiscordPlatform();
  const reserve = vi.spyOn(store.rateSlots, "reserve").mockRejectedValue(new StoreError("the database is away"));
  const warn = vi.spyOn(console, "warn");
  discord.gateway.invalidate();
  for (let failures = 1; failures <= 12; failures += 1) {
    await waitUntil("the login is delayed", () => log.count("discord login delayed") >= failures);
    clock.skip(5_000);
  }
  expect(platform.health().ok).toBe(false);
  reserve.mockRestore();
  clock.skip(5_000);
  await waitUntil("the gateway is connected", () => platform.health().ok);
  expect(discord.gateway.identifications).toHaveLength(2);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

it("logs in at the next free slot, although connections that closed before their login waited for it", async () => {
  const { platform, discord, store, clock } = await startDiscordPlatform();
  const reserve = vi.spyOn(store.rateSlots, "reserve");
  const triedLogins = (): number => reserve.mock.calls.filter(([[limit]]) => limit?.key.includes("identify")).length;
  clock.setSpeed(0.001);
  discord.gateway.invalidate();
  for (let closed = 0; closed < 5; closed += 1) {
    await waitUntil("a login waits", () => triedLogins() > closed);
    discord.gateway.drop();
  }
  await waitUntil("the last login waits", () => triedLogins() > 5);
  expect(discord.gateway.identifications).toHaveLength(1);
  clock.skip(5_000);
  await waitUntil("the gateway is connected", () => platform.health().ok);
  expect(discord.gateway.identifications).toHaveLength(2);
});

it("resumes a lost connection and receives missed interactions", async () => {
  const { platform, discord, ada, alerts, log } = await startDiscordPlatform({ commands: ANSWERING });
  await waitUntil("the command is registered", () => discord.commands.length > 0);
  discord.gateway.refusing = true;
  discord.gateway.drop();
  await waitUntil("the loss is detected", () => !platform.health().ok);
  const loss = log.lines.find(({ event }) => event === "discord connection lost");
  expect(loss?.fields).toEqual({ reason: expect.stringContaining("lost") });
  const answer = ada.slash("/splits", {}, alerts);
  discord.gateway.refusing = false;
  expect((await answer).text).toContain("the answer");
  // Discord reports the end of the missed events after them.
  await waitUntil("the connection is restored", () => platform.health().ok);
  expect(discord.gateway.resumes).toBe(1);
});

it("pauses a server's channels when it is removed and resumes them when it is invited again", async () => {
  const setup = await startDiscordPlatform();
  const { store, discord, guild, channel } = setup;
  await store.rules.add(aRule({ destination: channel }));
  const otherServerChannel = { ...channel, id: "1/2" };
  await store.rules.add(aRule({ destination: otherServerChannel }));

  discord.leave(guild, discord.bot);
  await waitUntil("the channel is paused", async () => (await store.pauses.of(channel))?.reason === LEFT_REASON);
  expect(await store.pauses.of(otherServerChannel)).toBeNull();

  const before = setup.wakes();
  discord.join(guild, discord.bot);
  await waitUntil("deliveries are resumed", async () => (await store.pauses.of(channel)) === null);
  await waitUntil("the deliverer is woken", () => setup.wakes() > before);
});

it("applies memberships that changed while it was offline", async () => {
  const setup = await makeDiscordPlatform();
  onTestFinished(() => setup.close());
  const { store, channel } = setup;
  const leftChannel = { ...channel, id: "1/2" };
  const forbiddenChannel = { ...channel, id: `${setup.guild.id}/3` };
  for (const destination of [channel, leftChannel, forbiddenChannel]) await store.rules.add(aRule({ destination }));
  await store.pauses.pause(channel, LEFT_REASON, 0);
  await store.pauses.pause(forbiddenChannel, "we may not post there", 0);

  await setup.platform.start();
  await waitUntil("deliveries are resumed", async () => (await store.pauses.of(channel)) === null);
  expect(await store.pauses.of(leftChannel)).toMatchObject({ reason: LEFT_REASON });
  expect(await store.pauses.of(forbiddenChannel)).toMatchObject({ reason: "we may not post there" });
});

it.each([
  ["CHANNEL_UPDATE", (guildId: string) => ({ id: "5", type: 0, guild_id: guildId })],
  ["THREAD_UPDATE", (guildId: string) => ({ id: "5", type: 11, guild_id: guildId })],
  ["GUILD_UPDATE", (guildId: string) => ({ id: guildId })],
  ["GUILD_ROLE_UPDATE", (guildId: string) => ({ guild_id: guildId, role: { id: "6", permissions: "0" } })],
  ["GUILD_ROLE_DELETE", (guildId: string) => ({ guild_id: guildId, role_id: "6" })],
  ["GUILD_MEMBER_UPDATE", (guildId: string) => ({ guild_id: guildId, user: { id: "7" }, roles: [] })],
])("tries a server's paused channels once after a burst of %s", async (event, dataOf) => {
  const setup = await startDiscordPlatform();
  const { store, discord, guild, channel, clock } = setup;
  const otherChannel = { ...channel, id: "1/2" };
  for (const destination of [channel, otherChannel]) {
    await store.rules.add(aRule({ destination }));
    await store.pauses.pause(destination, "no permission", clock.now());
  }
  const before = setup.wakes();
  for (let count = 0; count < 20; count += 1) discord.gateway.dispatch(event, dataOf(guild.id), 1);
  clock.setSpeed(100);
  await waitUntil("it is tried", async () => (await store.pauses.of(channel))?.refusals === 0);
  expect(await store.pauses.of(otherChannel)).toMatchObject({ refusals: 1 });
  await waitUntil("the deliverer is woken", () => setup.wakes() > before);
  expect(setup.wakes()).toBe(before + 1);
});

it("does not treat an unavailable server as a removal", async () => {
  const { store, discord, guild, channel } = await startDiscordPlatform();
  const other = discord.addGuild("Other");
  const leftChannel = { ...channel, id: `${other.id}/2` };
  for (const destination of [channel, leftChannel]) await store.rules.add(aRule({ destination }));
  discord.gateway.dispatch("GUILD_DELETE", { id: guild.id, unavailable: true });
  discord.leave(other, discord.bot);
  await waitUntil(
    "both events are processed",
    async () => (await store.pauses.of(leftChannel))?.reason === LEFT_REASON,
  );
  expect(await store.pauses.of(channel)).toBeNull();
});

const ADDED_COMMAND = defineCommand({
  name: "greet",
  summary: "Greets a person",
  example: "greet",
  options: {},
  shareable: true,
  run: () => Promise.resolve([card({ title: "Hello" })]),
});

/** The platform of another process on the same store, whose version has one more command. */
async function startSecond(first: DiscordPlatformUnderTest): Promise<{ platform: EditingPlatform; log: RecordedLog }> {
  const { store, clock, discord } = first;
  const log = recordedLog();
  const { token, apiUrl } = discord;
  const platform = createDiscordPlatform({
    store,
    clock,
    log,
    token,
    apiUrl,
    commands: { ...ANSWERING, list: [ADDED_COMMAND] },
    receives: true,
    wake: () => undefined,
  });
  onTestFinished(() => platform.stop());
  await platform.start();
  return { platform, log };
}

describe("with a second process", () => {
  it("connects once, and both can send", async () => {
    const first = await startDiscordPlatform({ commands: ANSWERING });
    const second = await startSecond(first);
    expect(first.discord.gateway.identifications).toHaveLength(1);
    expect([first.platform.health(), second.platform.health()]).toEqual([{ ok: true }, { ok: true }]);
    await second.platform.send(discordAttempt({ ...first, platform: second.platform }, first.channel));
    expect(first.discord.messages(first.alerts)).toHaveLength(1);
  });

  it("hands the session over at a stop, so that a command during the handover is answered once", async () => {
    const first = await startDiscordPlatform({ commands: ANSWERING });
    const { discord, ada, alerts, log } = first;
    await waitUntil("the command is registered", () => log.count("discord commands registered") === 1);
    const second = await startSecond(first);
    const stopped = first.platform.stop();
    const { gateway } = discord;
    await waitUntil("the connection is closed", () => gateway.connected === 0 || gateway.resumes > 0);
    const answer = ada.slash("/splits", {}, alerts);
    await stopped;
    expect((await answer).text).toContain("the answer");
    await waitUntil(
      "the command of the new version is registered",
      () => second.log.count("discord commands registered") === 1,
    );
    expect([gateway.resumes, gateway.identifications.length]).toEqual([1, 1]);
  });

  it("starts a new session if Discord has forgotten the one that was handed over", async () => {
    const first = await startDiscordPlatform({ commands: ANSWERING });
    const { discord, ada, alerts } = first;
    await waitUntil("the command is registered", () => first.log.count("discord commands registered") === 1);
    const second = await startSecond(first);
    discord.gateway.forgetDisconnected();
    await first.platform.stop();
    await waitUntil("the second is connected", () => discord.gateway.identifications.length === 2);
    expect((await ada.slash("/splits", {}, alerts)).text).toContain("the answer");
    expect(second.platform.health()).toEqual({ ok: true });
  });
});

describe("with other processes on the same database", () => {
  /** Milliseconds of the clock that each record of a command takes. */
  let recordMs: number;

  /** Processes with a store of their own. The first one is that of the returned Discord server. */
  async function startProcesses(
    count: number,
  ): Promise<DiscordPlatformUnderTest & { readonly platforms: ChatPlatform[] }> {
    recordMs = 0;
    const address = addressOf(await freshDatabase());
    const clock = new RunningClock();
    const open = async (): Promise<Pick<DiscordPlatformOptions, "store" | "clock" | "commands">> => {
      const store = await openPostgresStore({ address, clock, log: SILENT_LOG });
      onTestFinished(() => store.close());
      const add: Store["seenRequests"]["add"] = async (...request) => {
        await clock.sleep(recordMs);
        return store.seenRequests.add(...request);
      };
      return { store: { ...store, seenRequests: { add } }, clock, commands: ANSWERING };
    };
    const first = await startDiscordPlatform(await open());
    const platforms = [first.platform];
    const { log, discord } = first;
    for (let index = 1; index < count; index += 1) {
      const { token, apiUrl } = discord;
      const options = { ...(await open()), log, token, apiUrl, receives: true, wake: () => undefined };
      const platform = createDiscordPlatform(options);
      onTestFinished(() => platform.stop());
      await platform.start();
      platforms.push(platform);
    }
    // Logins are five seconds apart.
    clock.skip(5_000);
    await waitUntil("two sessions have started", () => discord.gateway.connected === 2);
    await waitUntil("the command is registered", () => discord.commands.length > 0);
    return { ...first, platforms };
  }

  it.each([
    ["", 0],
    [" while the store is slow", 2_000],
  ])("receives each command in two of them, of which one answers%s", async (_, ms) => {
    const { discord, ada, alerts, log } = await startProcesses(3);
    recordMs = ms;
    for (let count = 0; count < 3; count += 1)
      expect((await ada.slash("/splits", {}, alerts)).text).toContain("the answer");
    expect(alerts.messages).toHaveLength(0);
    expect([log.count("discord reply failed"), discord.violations]).toEqual([0, []]);
  });

  it("hands the sessions over to the others, so that two stay connected", async () => {
    const { discord, ada, alerts, platforms } = await startProcesses(3);
    for (const [stopped, platform] of platforms.slice(0, 2).entries()) {
      await platform.stop();
      await waitUntil("the next process is connected", () => discord.gateway.connected === 2 - stopped);
      expect((await ada.slash("/splits", {}, alerts)).text).toContain("the answer");
    }
    expect([discord.gateway.resumes, discord.gateway.identifications.length]).toEqual([1, 2]);
  });
});

it("connects as many shards as Discord recommends, one login after another, and serves the servers of all", async () => {
  const setup = await startDiscordPlatform({ commands: ANSWERING }, { shards: 3 });
  const { discord, clock, platform, log } = setup;
  await waitUntil("the command is registered", () => log.count("discord commands registered") === 1);
  const { identifications } = discord.gateway;
  // Time passes only in steps: each allows one login.
  clock.setSpeed(0.001);
  for (const logins of [1, 2]) {
    expect(identifications).toHaveLength(logins);
    clock.skip(5_000);
    await waitUntil("the next shard has logged in", () => identifications.length > logins);
  }
  await waitUntil("all shards are connected", () => discord.gateway.connected === 3 && platform.health().ok);
  const shards = identifications.map(({ shard }) => JSON.stringify(shard));
  expect(new Set(shards)).toEqual(new Set(["[0,3]", "[1,3]", "[2,3]"]));
  expect(discord.requests.filter(({ path }) => path.endsWith("/gateway/bot"))).toHaveLength(1);
  for (let count = 0; count < 4; count += 1) {
    const guild = discord.addGuild(`Server ${count}`);
    const channel = discord.addChannel(guild, "alerts");
    const user = discord.addUser(`user${count}`, guild);
    expect((await user.slash("/splits", {}, channel)).text).toContain("the answer");
  }
});
