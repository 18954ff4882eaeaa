import { PermissionFlagsBits } from "discord.js";
import { expect, it, onTestFinished } from "vitest";
import { type FakeDiscord, startDiscord } from "../../../test/platforms/discord/server.ts";
import { systemClock } from "../../lib/clock.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { channelOf } from "./destinations.ts";
import { checkDiscord } from "./doctor.ts";

async function running(): Promise<FakeDiscord> {
  const discord = await startDiscord();
  onTestFinished(() => discord.stop());
  return discord;
}

it("reports the bot, the invite link and channels that work", async () => {
  const discord = await running();
  const guild = discord.addGuild("Traders");
  const alerts = discord.addChannel(guild, "alerts");
  const found = await examine(discord, [channelOf(guild.id, alerts.id)]);
  expect(found).toEqual([
    "ok token OK: bot splitwatch",
    expect.stringMatching(/^ok gateway OK; the only intent is Guilds/),
    expect.stringContaining(
      `client_id=${discord.bot.id}&scope=bot+applications.commands&permissions=${1_024 + 2_048 + 16_384 + 65_536 + 2 ** 38}`,
    ),
    `ok channel #alerts (${alerts.id}): OK`,
  ]);
});

it("shows names on one line, without control characters", async () => {
  const discord = await running();
  const guild = discord.addGuild("Traders");
  const alerts = discord.addChannel(guild, `a\u001b[2J\u202Eb\nok c${"n".repeat(10_000)}`);
  const [channel] = (await examine(discord, [channelOf(guild.id, alerts.id)])).slice(-1);
  expect(channel).toBe(`ok channel #a[2Jb ok c${"n".repeat(80 - "a[2Jb ok c".length)} (${alerts.id}): OK`);
});

it("reports missing permissions and missing channels", async () => {
  const discord = await running();
  const guild = discord.addGuild("Traders");
  const [quiet, hidden] = [discord.addChannel(guild, "quiet"), discord.addChannel(guild, "hidden")];
  quiet.denied.set(guild.id, PermissionFlagsBits.SendMessages | PermissionFlagsBits.EmbedLinks);
  hidden.denied.set(guild.id, PermissionFlagsBits.ViewChannel);
  const found = await examine(
    discord,
    [quiet.id, hidden.id, "404"].map((id) => channelOf(guild.id, id)),
  );
  expect(found.slice(3)).toEqual([
    `FAIL channel #quiet (${quiet.id}): grant splitwatch Send Messages, Embed Links`,
    expect.stringMatching(new RegExp(`^FAIL channel ${hidden.id}: .*View Channel`)),
    "FAIL channel 404: the channel no longer exists",
  ]);
});

it("reports a rejected token and an unreachable server", async () => {
  const discord = await running();
  expect(await examine(discord, [], "wrong")).toEqual([expect.stringMatching(/^FAIL Discord rejects DISCORD_TOKEN/)]);
  await discord.stop();
  expect(await examine(discord, [])).toEqual([
    expect.stringMatching(/^FAIL Discord can't be reached .*DISCORD_API_URL/),
  ]);
});

async function examine(
  { apiUrl, token }: FakeDiscord,
  channels: Parameters<typeof checkDiscord>[1],
  given = token,
): Promise<readonly string[]> {
  const options = { token: given, apiUrl, clock: systemClock, log: SILENT_LOG };
  return (await checkDiscord(options, channels)).map(
    ({ status, text }) => `${status === "fail" ? "FAIL" : "ok"} ${text}`,
  );
}
