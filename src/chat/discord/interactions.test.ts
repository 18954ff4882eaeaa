import { PermissionFlagsBits } from "discord.js";
import { describe, expect, it } from "vitest";
import { faults } from "../../../test/platforms/discord/faults.ts";
import {
  type DiscordPlatformUnderTest,
  startDiscordPlatform,
} from "../../../test/support/discord-platform-under-test.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import type { Answer, Call, CommandInput } from "../../commands/command.ts";
import { defineCommand } from "../../commands/command.ts";
import { button, card } from "../../messages/message.ts";
import type { DiscordPlatformOptions } from "./platform.ts";

const LIST = defineCommand({
  name: "list",
  summary: "Lists",
  example: "list",
  options: { mention: { kind: "mention", summary: "Who" } },
  run: async () => [],
});

/** A platform whose one command answers so. */
function answering(answer: (input: CommandInput, call: Call) => Promise<Answer>): Promise<DiscordPlatformUnderTest> {
  const commands: DiscordPlatformOptions["commands"] = {
    list: [LIST],
    run: answer,
    runPublicly: answer,
    complete: async () => [],
    completeValue: async () => [],
  };
  return startDiscordPlatform({ commands }).then(async (made) => {
    await waitUntil("the command is registered", () => made.discord.commands.length > 0);
    return made;
  });
}

function textOf(input: CommandInput): string {
  return typeof input === "string" ? input : input.name;
}

function say(title: string, parts: Partial<Parameters<typeof card>[0]> = {}): Answer {
  return { cards: [card({ title, ...parts })], shareable: true };
}

describe("a command", () => {
  it("that takes long is deferred and answered in full later", async () => {
    const { ada, alerts, clock, discord } = await answering(async () => {
      await clock.sleep(4_000);
      return say("at last");
    });
    const answer = await ada.slash("/splits list", {}, alerts);
    expect(answer).toMatchObject({ deferred: true, ephemeral: true, text: expect.stringContaining("at last") });
    expect(answer.acknowledgedMs).toBeLessThan(2_500);
    expect(discord.violations).toEqual([]);
  });

  it("whose answer cannot be sent is logged, and the next one is answered", async () => {
    const made = await answering(async () => say("here"));
    made.discord.faults.add(faults.refusal(404, 10_062, "Unknown interaction"), { path: /callback$/, times: 1 });
    const lost = made.ada.slash("/splits list", {}, made.alerts).catch(() => "lost");
    await waitUntil("it is logged", () => made.log.count("discord reply failed") === 1);
    expect((await made.ada.slash("/splits list", {}, made.alerts)).text).toContain("here");
    expect(await lost).toBe("lost");
  });

  it("runs for the person and the destination of the interaction", async () => {
    const calls: object[] = [];
    const { ada, alerts, person, channel } = await answering(async (_input, call) => {
      calls.push({ ...call, mayManage: await call.mayManage() });
      return say("ok");
    });
    await ada.slash("/splits list", {}, alerts);
    await ada.slash("/splits list", {}, "dm");
    expect(calls).toMatchObject([
      { person, destination: channel, mayManage: expect.stringContaining("Manage Server") },
      { person, destination: person, mayManage: true },
    ]);
  });

  it("checks Manage Server at each use", async () => {
    const seen: unknown[] = [];
    const { ada, alerts, guild, discord } = await answering(async (_input, call) => {
      seen.push(await call.mayManage());
      return say("ok");
    });
    const role = discord.world.addRole(guild, "mods", { permissions: PermissionFlagsBits.ManageGuild });
    guild.members.get(ada.id)?.add(role.id);
    await ada.slash("/splits list", {}, alerts);
    guild.members.get(ada.id)?.delete(role.id);
    await ada.slash("/splits list", {}, alerts);
    expect(seen).toEqual([true, expect.stringContaining("Manage Server")]);
  });

  it("from a user installation is answered outside the bot's servers, but cannot set rules", async () => {
    const seen: unknown[] = [];
    const { ada, discord } = await answering(async (_input, call) => {
      seen.push(await call.mayManage());
      return say("ok");
    });
    const elsewhere = discord.world.addGuild("Elsewhere");
    elsewhere.members.set(ada.id, new Set());
    ada.account.installedApp = true;
    const answer = await ada.slash("/splits list", {}, discord.addChannel(elsewhere, "talk"));
    expect(answer.text).toContain("ok");
    expect(seen).toEqual([expect.stringContaining("isn't in this server")]);
  });

  it.each([
    ["a role that anyone may mention", { mentionable: true }, 0n, "allowed"],
    ["a role that no one may mention", { mentionable: false }, 0n, "refused"],
    ["any role, with Mention Everyone", { mentionable: false }, PermissionFlagsBits.MentionEveryone, "allowed"],
  ])("resolves a mention of %s", async (_, parts, permissions, kind) => {
    const seen: unknown[] = [];
    const { ada, alerts, guild, discord } = await answering(async (input, call) => {
      const { mention } = typeof input === "string" ? {} : input.values;
      seen.push(await call.resolveMention?.(String(mention)));
      return say("ok");
    });
    const [callee, own] = [
      discord.world.addRole(guild, "callee", parts),
      discord.world.addRole(guild, "own", { permissions }),
    ];
    guild.members.get(ada.id)?.add(own.id);
    await ada.slash("/splits list", { mention: callee.id }, alerts);
    await ada.slash("/splits list", { mention: guild.id }, alerts);
    expect(seen).toMatchObject([{ kind }, { kind: "refused", reason: expect.stringContaining("everyone") }]);
  });

  it("opens a direct channel for a person with a watchlist", async () => {
    const made = await answering(async () => say("ok"));
    await made.ada.slash("/splits list", {}, made.alerts);
    expect(await made.store.directChannels.of(made.person)).toBeNull();
    await made.store.watchlists.add(made.person, ["ACME" as never]);
    await made.ada.slash("/splits list", {}, made.alerts);
    await waitUntil("it is known", async () => (await made.store.directChannels.of(made.person)) !== null);
  });
});

describe("a button", () => {
  it("replaces the private message with the next page", async () => {
    const { ada, alerts } = await answering(async (input) =>
      say(textOf(input), { buttons: [button("Next", "list page:2")] }),
    );
    const first = await ada.slash("/splits list", {}, alerts);
    const next = await ada.press(first.message, "Next", alerts);
    expect(next.message.id).toBe(first.message.id);
    expect(next.text).toContain("list page:2");
  });

  it("shares the current answer in the name of the presser", async () => {
    const asked: string[] = [];
    const { ada, alerts, discord } = await answering(async (input) => say(`answer ${asked.push(textOf(input))}`));
    const own = await ada.slash("/splits list", {}, alerts);
    const shared = await ada.press(own.message, "Share", alerts);
    expect(shared.ephemeral).toBe(false);
    const [message] = discord.messages(alerts);
    expect(message).toMatchObject({ content: `<@${ada.id}> shares /splits list`, pings: [] });
    expect(shared.text).toContain("answer 2");
  });

  it("does not share an answer that has become private", async () => {
    let shareable = true;
    const { ada, alerts } = await answering(async () => ({ cards: [card({ title: "secret" })], shareable }));
    const own = await ada.slash("/splits list", {}, alerts);
    shareable = false;
    const shared = await ada.press(own.message, "Share", alerts);
    expect(shared.text).not.toContain("secret");
  });

  it("on a public message answers the presser privately", async () => {
    const { ada, alerts, discord, guild } = await answering(async (input) =>
      say(textOf(input), { buttons: [button("Next", "list page:2")] }),
    );
    const own = await ada.slash("/splits list", {}, alerts);
    await ada.press(own.message, "Share", alerts);
    const [message] = discord.messages(alerts);
    if (!message) throw new Error("it was shared");
    const before = JSON.stringify(message);
    const bird = discord.addUser("bird", guild);
    const answer = await bird.press(message, "Next", alerts);
    expect(answer).toMatchObject({ ephemeral: true, text: expect.stringContaining("list page:2") });
    expect(JSON.stringify(message)).toBe(before);
  });
});
