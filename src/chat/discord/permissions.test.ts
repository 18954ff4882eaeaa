import { PermissionFlagsBits as Bits, OverwriteType } from "discord.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { startDiscord } from "../../../test/platforms/discord/server.ts";
import { systemClock } from "../../lib/clock.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { TokenState } from "../token-state.ts";
import { createApi } from "./api.ts";
import { createAccessReader, missingPermissions, permissionsIn, requiredPermissions } from "./permissions.ts";

const GUILD = {
  id: "1",
  owner_id: "9",
  roles: [
    { id: "1", permissions: Bits.ViewChannel },
    { id: "2", permissions: Bits.SendMessages },
    { id: "3", permissions: Bits.Administrator },
  ],
};

const BOT = { user: { id: "5" }, roles: ["2"] };

function overwrite(id: string, type: OverwriteType, parts: { allow?: bigint; deny?: bigint }) {
  return { id, type, allow: parts.allow ?? 0n, deny: parts.deny ?? 0n };
}

describe("permissions in a channel", () => {
  it("combine @everyone and the roles of the bot", () => {
    const granted = permissionsIn(GUILD, BOT, { permission_overwrites: [] });
    expect(granted).toBe(Bits.ViewChannel | Bits.SendMessages);
    expect(missingPermissions(granted, false)).toEqual(["Embed Links", "Read Message History"]);
    expect(missingPermissions(granted, true)).toEqual([
      "Send Messages in Threads",
      "Embed Links",
      "Read Message History",
    ]);
  });

  it("apply overwrites of @everyone, roles and the member in this order", () => {
    const { Role, Member } = OverwriteType;
    const layers = [
      overwrite("5", Member, { allow: Bits.EmbedLinks }),
      overwrite("2", Role, { allow: Bits.ViewChannel, deny: Bits.SendMessages | Bits.EmbedLinks }),
      overwrite("1", Role, { deny: Bits.ViewChannel }),
      overwrite("7", Role, { deny: Bits.ViewChannel }),
      overwrite("6", Member, { deny: Bits.ViewChannel }),
    ];
    expect(permissionsIn(GUILD, BOT, { permission_overwrites: layers })).toBe(Bits.ViewChannel | Bits.EmbedLinks);
  });

  it.each([
    { ...BOT, roles: ["3"] },
    { ...BOT, user: { id: "9" } },
  ])("are unrestricted for administrators and the owner", (member) => {
    const denied = [overwrite("1", OverwriteType.Role, { deny: Bits.ViewChannel })];
    expect(missingPermissions(permissionsIn(GUILD, member, { permission_overwrites: denied }), false)).toEqual([]);
  });

  it("in the invite link are exactly the required ones", () => {
    const { ViewChannel, SendMessages, SendMessagesInThreads, EmbedLinks, ReadMessageHistory } = Bits;
    expect(requiredPermissions()).toBe(
      ViewChannel | SendMessages | SendMessagesInThreads | EmbedLinks | ReadMessageHistory,
    );
  });
});

it("reads the server and the bot's membership once for channels that are read at the same time", async () => {
  const discord = await startDiscord();
  onTestFinished(() => discord.stop());
  const parts = { clock: systemClock, log: SILENT_LOG };
  const { token, apiUrl } = discord;
  const api = createApi({ ...parts, token, apiUrl, tokenState: new TokenState("discord", parts) });
  onTestFinished(() => api.stop());
  const guild = discord.addGuild("Traders");
  const names = ["one", "two", "three"];
  const channels = names.map((name) => discord.addChannel(guild, name));
  const access = createAccessReader(api);
  const readings = channels.map(({ id }) => access.read({ guildId: guild.id, channelId: id, botId: discord.bot.id }));
  expect((await Promise.all(readings)).map(({ channel }) => channel)).toEqual(names);
  const paths = discord.requests.map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith("/guilds/"))).toHaveLength(2);
  expect(paths).toHaveLength(2 + names.length);
});
