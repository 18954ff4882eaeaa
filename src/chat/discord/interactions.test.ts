import { type APIInteraction, InteractionType, PermissionFlagsBits } from "discord.js";
import { describe, expect, it } from "vitest";
import { faults } from "../../../test/platforms/discord/faults.ts";
import {
  type DiscordPlatformUnderTest,
  startDiscordPlatform,
} from "../../../test/support/discord-platform-under-test.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import { temporaryStore } from "../../../test/support/temporary-store.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import type { Answer, Call, CommandInput } from "../../commands/command.ts";
import { defineCommand } from "../../commands/command.ts";
import { destinationKey } from "../../domain/alert/destination.ts";
import { button, card } from "../../messages/message.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { createReplayGuard } from "../replay-guard.ts";
import { answerInteraction, type InteractionParts } from "./interactions.ts";
import type { DiscordPlatformOptions } from "./platform.ts";

const LIST = defineCommand({
  name: "list",
  summary: "Lists",
  example: "list",
  options: { mention: { kind: "mention", summary: "Who" } },
  run: async () => [],
});

/** Duration of a command whose answer is deferred. */
const SLOW_MS = 1_600;

/** Starts a platform whose only command returns these answers. */
function startWithAnswer(
  answer: (input: CommandInput, call: Call) => Promise<Answer>,
): Promise<DiscordPlatformUnderTest> {
  const commands: DiscordPlatformOptions["commands"] = {
    list: [LIST],
    run: answer,
    runPublicly: answer,
    complete: async () => [],
    completeValue: async () => [],
  };
  return startDiscordPlatform({ commands }).then(async (setup) => {
    await waitUntil("the command is registered", () => setup.discord.commands.length > 0);
    return setup;
  });
}

function isCallback({ path }: { readonly path: string }): boolean {
  return path.endsWith("/callback");
}

function textOf(input: CommandInput): string {
  return typeof input === "string" ? input : input.name;
}

function answerWith(title: string, parts: Partial<Parameters<typeof card>[0]> = {}): Answer {
  return { cards: [card({ title, ...parts })], shareable: true };
}

describe("a command", () => {
  it("that takes long is deferred, and its full answer follows", async () => {
    const { ada, alerts, clock, discord } = await startWithAnswer(async () => {
      await clock.sleep(4_000);
      return answerWith("at last");
    });
    const answer = await ada.slash("/splits list", {}, alerts);
    expect(answer).toMatchObject({ deferred: true, ephemeral: true, text: expect.stringContaining("at last") });
    expect(answer.acknowledgedMs).toBeLessThan(2_500);
    expect(discord.violations).toEqual([]);
  });

  it.each([
    ["the answer is refused by a gateway", faults.status(503), /@original$/],
    ["the connection is lost", faults.reset, /@original$/],
    ["the answer is stored and not confirmed", faults.storedThenReset, /@original$/],
    ["the deferral is not confirmed", faults.storedThenReset, /callback$/],
  ])("that takes long is answered although %s", async (_, fault, path) => {
    const { ada, alerts, clock, discord, log } = await startWithAnswer(async () => {
      await clock.sleep(SLOW_MS);
      return answerWith("at last");
    });
    discord.faults.add(fault, { path, times: 1 });
    expect(await ada.slash("/splits list", {}, alerts)).toMatchObject({ text: expect.stringContaining("at last") });
    expect([log.count("discord reply failed"), discord.violations]).toEqual([0, []]);
  });

  it.each([
    ["its connection ends while it is written", faults.reset],
    ["a gateway refuses it", faults.status(503)],
    ["it is stored and not confirmed", faults.storedThenReset],
  ])("is answered although %s", async (_, fault) => {
    const { ada, alerts, discord, log } = await startWithAnswer(async () => answerWith("here"));
    discord.faults.add(fault, { path: /callback$/, times: 1 });
    const answer = await ada.slash("/splits list", {}, alerts);
    expect(answer).toMatchObject({ deferred: false, text: expect.stringContaining("here") });
    await waitUntil("the answer is confirmed", () => discord.requests.filter(isCallback).length === 2);
    expect([log.count("discord reply failed"), discord.violations]).toEqual([0, []]);
  });

  it("that takes long doesn't delay a stop while its answer can't be sent", async () => {
    const { ada, alerts, clock, discord, log, platform } = await startWithAnswer(async () => {
      await clock.sleep(SLOW_MS);
      return answerWith("at last");
    });
    discord.faults.add(faults.status(503), { path: /@original$/ });
    ada.slash("/splits list", {}, alerts).catch(() => "lost");
    await waitUntil("the answer was tried", () => discord.requests.some(({ path }) => path.endsWith("@original")));
    await platform.stop();
    expect(log.count("discord reply failed")).toBe(1);
  });

  it("whose answer cannot be sent is logged, and the next one is answered", async () => {
    const setup = await startWithAnswer(async () => answerWith("here"));
    setup.discord.faults.add(faults.refusal(404, 10_062, "Unknown interaction"), { path: /callback$/, times: 1 });
    const lostAnswer = setup.ada.slash("/splits list", {}, setup.alerts).catch(() => "lost");
    await waitUntil("the failure is logged", () => setup.log.count("discord reply failed") === 1);
    expect((await setup.ada.slash("/splits list", {}, setup.alerts)).text).toContain("here");
    expect(await lostAnswer).toBe("lost");
  });

  it("runs for the person and the destination of the interaction", async () => {
    const calls: object[] = [];
    const { ada, alerts, person, channel } = await startWithAnswer(async (_input, call) => {
      calls.push({ ...call, mayManage: await call.mayManage() });
      return answerWith("ok");
    });
    await ada.slash("/splits list", {}, alerts);
    await ada.slash("/splits list", {}, "dm");
    expect(calls).toMatchObject([
      { person, destination: channel, mayManage: expect.stringContaining("Manage Server") },
      { person, destination: person, mayManage: true },
    ]);
  });

  it("checks Manage Server at each use", async () => {
    const results: unknown[] = [];
    const { ada, alerts, guild, discord } = await startWithAnswer(async (_input, call) => {
      results.push(await call.mayManage());
      return answerWith("ok");
    });
    const role = discord.world.addRole(guild, "mods", { permissions: PermissionFlagsBits.ManageGuild });
    guild.members.get(ada.id)?.add(role.id);
    await ada.slash("/splits list", {}, alerts);
    guild.members.get(ada.id)?.delete(role.id);
    await ada.slash("/splits list", {}, alerts);
    expect(results).toEqual([true, expect.stringContaining("Manage Server")]);
  });

  it("from a user installation is answered outside the bot's servers, but cannot set rules", async () => {
    const results: unknown[] = [];
    const { ada, discord } = await startWithAnswer(async (_input, call) => {
      results.push(await call.mayManage());
      return answerWith("ok");
    });
    const otherGuild = discord.world.addGuild("Elsewhere");
    otherGuild.members.set(ada.id, new Set());
    ada.account.installedApp = true;
    const answer = await ada.slash("/splits list", {}, discord.addChannel(otherGuild, "talk"));
    expect(answer.text).toContain("ok");
    expect(results).toEqual([expect.stringContaining("isn't in this server")]);
  });

  it.each([
    ["a role that anyone may mention", { mentionable: true }, 0n, "allowed"],
    ["a role that no one may mention", { mentionable: false }, 0n, "refused"],
    ["any role, with Mention Everyone", { mentionable: false }, PermissionFlagsBits.MentionEveryone, "allowed"],
  ])("resolves a mention of %s", async (_, parts, permissions, kind) => {
    const results: unknown[] = [];
    const { ada, alerts, guild, discord } = await startWithAnswer(async (input, call) => {
      const { mention } = typeof input === "string" ? {} : input.values;
      results.push(await call.resolveMention?.(String(mention)));
      return answerWith("ok");
    });
    const [mentionedRole, memberRole] = [
      discord.world.addRole(guild, "callee", parts),
      discord.world.addRole(guild, "own", { permissions }),
    ];
    guild.members.get(ada.id)?.add(memberRole.id);
    await ada.slash("/splits list", { mention: mentionedRole.id }, alerts);
    await ada.slash("/splits list", { mention: guild.id }, alerts);
    expect(results).toMatchObject([{ kind }, { kind: "refused", reason: expect.stringContaining("everyone") }]);
  });

  it("opens a direct channel for a person with a watchlist", async () => {
    const setup = await startWithAnswer(async () => answerWith("ok"));
    await setup.ada.slash("/splits list", {}, setup.alerts);
    expect(await setup.store.directChannels.find(destinationKey(setup.person))).toBeNull();
    await setup.store.watchlists.add(setup.person, ["ACME" as never]);
    await setup.ada.slash("/splits list", {}, setup.alerts);
    await waitUntil(
      "the channel is stored",
      async () => (await setup.store.directChannels.find(destinationKey(setup.person))) !== null,
    );
  });
});

describe("a button", () => {
  it("replaces the private message with the next page", async () => {
    const { ada, alerts } = await startWithAnswer(async (input) =>
      answerWith(textOf(input), { buttons: [button("Next", "list page:2")] }),
    );
    const first = await ada.slash("/splits list", {}, alerts);
    const next = await ada.press(first.message, "Next", alerts);
    expect(next.message.id).toBe(first.message.id);
    expect(next.text).toContain("list page:2");
  });

  it("shares the current answer and names the person who pressed it", async () => {
    const lines: string[] = [];
    const { ada, alerts, discord } = await startWithAnswer(async (input) =>
      answerWith(`answer ${lines.push(textOf(input))}`),
    );
    const privateAnswer = await ada.slash("/splits list", {}, alerts);
    const sharedAnswer = await ada.press(privateAnswer.message, "Share", alerts);
    expect(sharedAnswer.ephemeral).toBe(false);
    const [message] = discord.messages(alerts);
    expect(message).toMatchObject({ content: `<@${ada.id}> shares /splits list`, pings: [] });
    expect(sharedAnswer.text).toContain("answer 2");
  });

  it("does not share an answer that has become private", async () => {
    let shareable = true;
    const { ada, alerts } = await startWithAnswer(async () => ({ cards: [card({ title: "secret" })], shareable }));
    const privateAnswer = await ada.slash("/splits list", {}, alerts);
    shareable = false;
    const sharedAnswer = await ada.press(privateAnswer.message, "Share", alerts);
    expect(sharedAnswer.text).not.toContain("secret");
  });

  it("on a public message answers the person privately", async () => {
    const { ada, alerts, discord, guild } = await startWithAnswer(async (input) =>
      answerWith(textOf(input), { buttons: [button("Next", "list page:2")] }),
    );
    const privateAnswer = await ada.slash("/splits list", {}, alerts);
    await ada.press(privateAnswer.message, "Share", alerts);
    const [message] = discord.messages(alerts);
    if (!message) throw new Error("nothing was shared");
    const before = JSON.stringify(message);
    const bird = discord.addUser("bird", guild);
    const answer = await bird.press(message, "Next", alerts);
    expect(answer).toMatchObject({ ephemeral: true, text: expect.stringContaining("list page:2") });
    expect(JSON.stringify(message)).toBe(before);
  });
});

it("an interaction of unknown shape is logged and not answered", async () => {
  const log = recordedLog();
  const interaction = { type: InteractionType.ApplicationCommand } as APIInteraction;
  await answerInteraction(interaction, { log } as unknown as InteractionParts);
  expect(log.count("discord interaction invalid")).toBe(1);
});

function buttonPress(id: string): APIInteraction {
  return {
    id,
    type: InteractionType.MessageComponent,
    token: "t",
    user: { id: "1" },
    message: { flags: 64 },
    data: { custom_id: "run:list", component_type: 2 },
  } as unknown as APIInteraction;
}

it("an interaction that two processes receive runs and is answered once", async () => {
  const { seenRequests } = await temporaryStore();
  const runs: string[] = [];
  const responses: string[] = [];
  const startProcess = (name: string): InteractionParts =>
    ({
      api: { answer: async () => responses.push(name) },
      commands: {
        run: async () => {
          runs.push(name);
          return answerWith("ok");
        },
      },
      directChannels: { openLater: () => undefined },
      store: { directChannels: { find: async () => ({ channelId: "1" }) } },
      isNew: createReplayGuard("discord", seenRequests, SILENT_LOG),
      clock: new ManualClock(),
      log: SILENT_LOG,
    }) as unknown as InteractionParts;
  const [first, second] = [startProcess("first"), startProcess("second")];
  await Promise.all([answerInteraction(buttonPress("10"), first), answerInteraction(buttonPress("10"), second)]);
  await answerInteraction(buttonPress("11"), second);
  expect([runs, responses]).toEqual([
    ["first", "second"],
    ["first", "second"],
  ]);
});
