import { once } from "node:events";
import {
  Client,
  DiscordAPIError,
  Events,
  GatewayIntentBits,
  type Interaction,
  RateLimitError,
  REST,
  Routes,
} from "discord.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { faults } from "./faults.ts";
import { NO_LIMITS } from "./rate-limits.ts";
import { type DiscordStart, type FakeDiscord, startDiscord } from "./server.ts";

const POSTS = { method: "POST", path: /\/messages$/ };

async function running(start: DiscordStart = {}): Promise<FakeDiscord> {
  const discord = await startDiscord(start);
  onTestFinished(() => discord.stop());
  return discord;
}

function restOf(discord: FakeDiscord, timeout = 60_000): REST {
  return new REST({ api: discord.apiUrl, retries: 0, timeout, rejectOnRateLimit: () => true }).setToken(discord.token);
}

async function clientOf(discord: FakeDiscord): Promise<Client> {
  const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: discord.apiUrl } });
  onTestFinished(() => client.destroy());
  // The tests check reconnections, not the errors that cause them.
  client.on(Events.Error, () => undefined);
  const ready = once(client, Events.ClientReady);
  await client.login(discord.token);
  await ready;
  return client;
}

function message(nonce: string, parts: Readonly<Record<string, unknown>> = {}) {
  return { body: { content: "hello", nonce, enforce_nonce: true, allowed_mentions: { parse: [] }, ...parts } };
}

/** Status and code of a rejected request. */
async function refusalOf(request: Promise<unknown>): Promise<readonly unknown[]> {
  const error = await request.then(
    () => new Error("it was not refused"),
    (reason: unknown) => reason,
  );
  if (error instanceof DiscordAPIError) return [error.status, error.code];
  throw error;
}

describe("the test server's gateway", () => {
  it("serves guilds to discord.js and records the client's identification", async () => {
    const discord = await running();
    const guild = discord.addGuild("Traders");
    const channel = discord.addChannel(guild, "alerts");
    const client = await clientOf(discord);
    expect(client.user?.id).toBe(discord.bot.id);
    expect(client.guilds.cache.get(guild.id)?.name).toBe("Traders");
    expect(client.channels.cache.has(channel.id)).toBe(true);
    expect(discord.gateway.identifications).toMatchObject([{ intents: GatewayIntentBits.Guilds }]);
  });

  it("announces added and removed guilds and channels", async () => {
    const discord = await running();
    const client = await clientOf(discord);
    const guild = discord.addGuild("Traders");
    await once(client, Events.GuildCreate);
    const channel = discord.addChannel(guild, "alerts");
    await once(client, Events.ChannelCreate);
    discord.deleteChannel(channel);
    await once(client, Events.ChannelDelete);
    discord.leave(guild, discord.bot);
    await once(client, Events.GuildDelete);
    expect(client.guilds.cache.size).toBe(0);
  });

  it("replays missed events after a lost connection", async () => {
    const discord = await running();
    const client = await clientOf(discord);
    discord.gateway.refusing = true;
    discord.gateway.drop();
    const created = once(client, Events.GuildCreate);
    discord.addGuild("Traders");
    discord.gateway.refusing = false;
    await created;
    expect([discord.gateway.resumes, discord.gateway.identifications.length]).toEqual([1, 1]);
  });

  it.each([
    ["asks to reconnect", (discord: FakeDiscord) => discord.gateway.askToReconnect(), { resumes: 1, identified: 1 }],
    ["invalidates the session", (discord: FakeDiscord) => discord.gateway.invalidate(), { resumes: 0, identified: 2 }],
    ["closes the connection", (discord: FakeDiscord) => discord.gateway.close(4_000), { resumes: 1, identified: 1 }],
  ])("%s", async (_, disturb, { resumes, identified }) => {
    const discord = await running();
    const client = await clientOf(discord);
    const back = once(client, resumes > 0 ? Events.ShardResume : Events.ShardReady);
    disturb(discord);
    await back;
    expect([discord.gateway.resumes, discord.gateway.identifications.length]).toEqual([resumes, identified]);
    // discord.js identifies at most once in five seconds.
  });

  it("stops answering: the client notices by its heartbeats and reconnects", async () => {
    const discord = await running({ heartbeatMs: 100 });
    await clientOf(discord);
    discord.gateway.silent = true;
    await waitUntil("the client is back", async () => discord.gateway.resumes > 0);
    expect(discord.gateway.identifications).toHaveLength(1);
  });

  it("rejects a wrong token", async () => {
    const discord = await running();
    const client = new Client({ intents: [], rest: { api: discord.apiUrl } });
    await expect(client.login("wrong.token.here")).rejects.toThrow(/invalid token/i);
    expect(discord.invalid).toEqual([401]);
  });
});

describe("the test server's people", () => {
  it("run commands, complete options and press buttons", async () => {
    const discord = await running();
    const guild = discord.addGuild("Traders");
    const channel = discord.addChannel(guild, "alerts");
    const ada = discord.addUser("ada", guild);
    const client = await clientOf(discord);
    const tickers = { type: 3, name: "tickers", description: "Which", required: true, autocomplete: true } as const;
    const watch = { type: 1, name: "watch", description: "Watch", options: [tickers] } as const;
    await client.application?.commands.set([{ name: "splits", description: "Splits", options: [watch] }]);
    client.on(Events.InteractionCreate, (interaction) => void answer(interaction));

    const answered = await ada.slash("/splits watch", { tickers: "ACME" }, channel);
    expect(answered).toMatchObject({ ephemeral: true, deferred: true, text: "ACME for ada\n[Undo]" });
    expect(await ada.autocomplete("splits watch", { name: "tickers", typed: "AC" }, channel)).toEqual([
      { name: "ACME", value: "AC" },
    ]);
    const undone = await ada.press(answered.message, "Undo", channel);
    expect([undone.text, answered.text]).toEqual(["undone", "undone"]);
    expect(discord.messages(channel)).toEqual([]);
    await expect(ada.slash("/splits watch", {}, channel)).rejects.toThrow("asks for tickers");
    expect(discord.violations).toEqual([]);
  });
});

async function answer(interaction: Interaction): Promise<void> {
  const allowedMentions = { parse: [] };
  if (interaction.isAutocomplete()) {
    await interaction.respond([{ name: "ACME", value: interaction.options.getFocused() }]);
  } else if (interaction.isButton()) {
    await interaction.update({ content: "undone", components: [], allowedMentions });
  } else if (interaction.isChatInputCommand()) {
    await interaction.deferReply({ flags: 64 });
    const content = `${interaction.options.getString("tickers")} for ${interaction.user.username}`;
    const undo = { type: 2, style: 2, label: "Undo", custom_id: "undo" } as const;
    await interaction.editReply({ content, components: [{ type: 1, components: [undo] }], allowedMentions });
  }
}

describe("the test server's channels", () => {
  it("store a message once while its nonce is valid, and again afterwards", async () => {
    let time = Date.now();
    const discord = await running({ now: () => time });
    const channel = discord.addChannel(discord.addGuild("Traders"), "alerts");
    const rest = restOf(discord);
    const first = await rest.post(Routes.channelMessages(channel.id), message("n-1"));
    expect(await rest.post(Routes.channelMessages(channel.id), message("n-1"))).toMatchObject(first as object);
    time += 200_000;
    await rest.post(Routes.channelMessages(channel.id), message("n-1"));
    expect([discord.messages(channel).length, discord.suppressed]).toEqual([2, 1]);
  });

  it("list the newest message first", async () => {
    const discord = await running({ limits: NO_LIMITS });
    const channel = discord.addChannel(discord.addGuild("Traders"), "alerts");
    const rest = restOf(discord);
    for (const nonce of ["a", "b", "c"]) {
      await rest.post(Routes.channelMessages(channel.id), message(nonce, { content: nonce }));
    }
    const listed = (await rest.get(Routes.channelMessages(channel.id))) as { content: string }[];
    expect(listed.map(({ content }) => content)).toEqual(["c", "b", "a"]);
  });

  it.each([
    ["a deleted channel", "gone", [404, 10_003]],
    ["a channel of a guild that the bot has left", "left", [403, 50_001]],
    ["a person who accepts no messages", "closed", [403, 50_007]],
  ])("reject a message to %s", async (_, what, refusal) => {
    const discord = await running();
    const guild = discord.addGuild("Traders");
    const channel = discord.addChannel(guild, "alerts");
    const ada = discord.addUser("ada", guild);
    const { direct } = ada;
    if (what === "gone") discord.deleteChannel(channel);
    if (what === "left") discord.leave(guild, discord.bot);
    if (what === "closed") ada.account.dmsClosed = true;
    const to = what === "closed" ? direct : channel;
    expect(await refusalOf(restOf(discord).post(Routes.channelMessages(to.id), message("n")))).toEqual(refusal);
  });

  it.each([
    ["an embed that is too long", { embeds: [{ description: "x".repeat(4_096) }, { description: "y".repeat(2_000) }] }],
    ["two buttons with one id", { components: [{ type: 1, components: [aButton("a"), aButton("a")] }] }],
    ["an id of 101 characters", { components: [{ type: 1, components: [aButton("a".repeat(101))] }] }],
    ["a field without a text", { embeds: [{ title: "t", fields: [{ name: "", value: "v" }] }] }],
    ["a null byte", { content: "a\u0000b" }],
    ["no allowed mentions", { allowed_mentions: undefined }],
    ["no nonce", { nonce: undefined }],
  ])("reject %s and record it", async (_, parts) => {
    const discord = await running();
    const channel = discord.addChannel(discord.addGuild("Traders"), "alerts");
    const sent = restOf(discord).post(Routes.channelMessages(channel.id), message("n", parts));
    expect(await refusalOf(sent)).toEqual([400, 50_035]);
    expect(discord.violations.length).toBeGreaterThan(0);
    expect(discord.messages(channel)).toEqual([]);
  });
});

/** A time that does not pass, so that the windows of the limits last however slow the requests are. */
function atOneMoment(): () => number {
  const moment = Date.now();
  return () => moment;
}

describe("the test server's limits and faults", () => {
  it("accept five messages in a channel and reject the sixth, which discord.js anticipates", async () => {
    const discord = await running({ limitTime: atOneMoment() });
    const channel = discord.addChannel(discord.addGuild("Traders"), "alerts");
    const rest = restOf(discord);
    for (let sent = 0; sent < 5; sent += 1) await rest.post(Routes.channelMessages(channel.id), message(`n-${sent}`));
    await expect(rest.post(Routes.channelMessages(channel.id), message("n-5"))).rejects.toThrow(RateLimitError);
    expect([discord.posted(), discord.invalid]).toEqual([5, []]);
    const another = restOf(discord).post(Routes.channelMessages(channel.id), message("n-5"));
    await expect(another).rejects.toMatchObject({ global: false, scope: "user" });
    expect(discord.invalid).toEqual([429]);
  });

  it("accept fifty requests per second across all channels", async () => {
    const discord = await running({ limitTime: atOneMoment() });
    const guild = discord.addGuild("Traders");
    const channels = Array.from({ length: 60 }, (_, number) => discord.addChannel(guild, `c-${number}`));
    const send = (id: string): Promise<unknown> => restOf(discord).post(Routes.channelMessages(id), message(id));
    const results = await Promise.allSettled(channels.map(({ id }) => send(id)));
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(10);
    expect(discord.invalid).toHaveLength(10);
  });

  it.each([
    ["reset after it was stored", faults.storedThenReset, 1],
    ["answered with 502 after it was stored", faults.storedThen(502), 1],
    ["not answered", faults.hang, 0],
    ["reset before it was stored", faults.reset, 0],
    ["answered with 503", faults.status(503), 0],
  ])("apply the configured fault: a message is %s", async (_, fault, stored) => {
    const discord = await running();
    const channel = discord.addChannel(discord.addGuild("Traders"), "alerts");
    discord.faults.add(fault, { ...POSTS, times: 1 });
    const faulty = restOf(discord, fault === faults.hang ? 500 : undefined);
    await expect(faulty.post(Routes.channelMessages(channel.id), message("n"))).rejects.toThrow(/\w/);
    expect(discord.messages(channel)).toHaveLength(stored);
    await restOf(discord).post(Routes.channelMessages(channel.id), message("n"));
    expect(discord.messages(channel)).toHaveLength(1);
  });
});

function aButton(id: string) {
  return { type: 2, style: 2, label: "Press", custom_id: id };
}
