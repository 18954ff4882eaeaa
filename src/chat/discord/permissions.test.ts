import { PermissionFlagsBits as Bits, OverwriteType } from "discord.js";
import { describe, expect, it } from "vitest";
import { missingPermissions, permissionsIn, requiredPermissions } from "./permissions.ts";

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
