import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { KEEP_IDLE_CONNECTIONS } from "../../support/idle-connections.ts";
import { createAttachments } from "./attachments.ts";
import { createFaults, type Faults } from "./faults.ts";
import { Gateway } from "./gateway.ts";
import { ACKNOWLEDGE_WITHIN_MS, Interactions } from "./interactions.ts";
import { isEphemeral, type Json, type Message } from "./model.ts";
import { channelPayload, guildPayload, userPayload } from "./payloads.ts";
import { Posting } from "./posting.ts";
import { createRateLimits, DISCORDS_LIMITS, type Limits } from "./rate-limits.ts";
import { type Recorded, type RestParts, restListener } from "./rest.ts";
import { DiscordUser, type PickedFile } from "./user.ts";
import { type Account, type Channel, type Guild, World } from "./world.ts";

const GUILDS_INTENT = 1;

export interface DiscordStart {
  /** Default: Discord's own limits. */
  readonly limits?: Limits;
  /** Time for which a nonce is valid; default: three minutes. */
  readonly nonceWindowMs?: number;
  readonly heartbeatMs?: number;
  /** Time within which the app must answer an interaction; default: three seconds. */
  readonly acknowledgeWithinMs?: number;
  /** Recommended number of shards; default: 1. */
  readonly shards?: number;
  /** Clock for ids and messages; default: the system clock. */
  readonly now?: () => number;
  /** Time of the rate limits, in milliseconds. Default: real time. */
  readonly limitTime?: () => number;
}

/**
 * Discord for tests, on a real socket of 127.0.0.1: REST v10 and the gateway, for the real discord.js. It applies
 * Discord's limits, permissions and rejections, and fails on request.
 *
 *     const discord = await startDiscord();
 *     const guild = discord.addGuild("Traders");
 *     const alerts = discord.addChannel(guild, "alerts");
 *     const ada = discord.addUser("ada", guild);
 *     const answer = await ada.slash("/splits list", {}, alerts);
 *     discord.faults.add(faults.storedThenReset, { method: "POST", path: /messages$/, times: 1 });
 *     expect(discord.violations).toEqual([]);            // Discord would accept every body
 *     await discord.stop();
 */
export interface FakeDiscord {
  /** For DISCORD_API_URL. */
  readonly apiUrl: string;
  readonly token: string;
  readonly world: World;
  readonly bot: Account;
  readonly gateway: Gateway;
  readonly faults: Faults;
  /** All requests so far, oldest first. */
  readonly requests: readonly Recorded[];
  /** Problems with bodies and routes, even if the requests were answered. */
  readonly violations: readonly string[];
  /** Answers that count against the ban: 401, 403 and 429. */
  readonly invalid: readonly number[];
  /** Milliseconds until each interaction was acknowledged. */
  readonly acknowledgedMs: readonly number[];
  /** Number of repeated posts that their nonce suppressed. */
  readonly suppressed: number;
  readonly commands: readonly Json[];
  /** Adds a guild with the bot as a member. */
  addGuild(name: string): Guild;
  addChannel(guild: Guild, name: string, parts?: Partial<Pick<Channel, "type" | "parent">>): Channel;
  /** Adds a person who is a member of these guilds. */
  addUser(name: string, ...guilds: readonly Guild[]): DiscordUser;
  /** Adds a file that people can attach. */
  addFile(filename: string, content: string | Buffer): PickedFile;
  /** Adds the bot or a person to a guild. */
  join(guild: Guild, account: Account): void;
  leave(guild: Guild, account: Account): void;
  deleteChannel(channel: Channel): void;
  /** Denies the bot these permissions in the channel; 0n allows everything. */
  deny(channel: Channel, permissions: bigint): void;
  /** Public messages of the channel, oldest first. */
  messages(channel: Channel): readonly Message[];
  /** Number of messages posted with the bot token; answers to commands are not included. */
  posted(): number;
  /** Closes the connections of requests; those of the gateway stay. */
  dropConnections(): void;
  stop(): Promise<void>;
}

export async function startDiscord(start: DiscordStart = {}): Promise<FakeDiscord> {
  const { limits = DISCORDS_LIMITS, nonceWindowMs = 180_000, heartbeatMs = 41_250, shards = 1 } = start;
  const { now = Date.now, limitTime = () => performance.now(), acknowledgeWithinMs = ACKNOWLEDGE_WITHIN_MS } = start;
  const token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.test.token-of-the-fake-discord";
  const world = new World(now);
  const posting = new Posting(world, now, nonceWindowMs);
  const interactions = new Interactions(posting, world.bot.id, acknowledgeWithinMs);
  const faults = createFaults();
  const address = { port: 0 };
  const gatewayUrl = (): string => `ws://127.0.0.1:${address.port}/`;
  const parts: RestParts = {
    token,
    world,
    posting,
    interactions,
    faults,
    gatewayUrl,
    shards,
    now,
    limits: createRateLimits(limits, limitTime),
    requests: [],
    violations: [],
    invalid: [],
    commands: [],
  };
  const attachments = createAttachments(() => `http://127.0.0.1:${address.port}`);
  const server = createServer(KEEP_IDLE_CONNECTIONS, attachments.before(restListener(parts)));
  const gateway = new Gateway({ server, token, url: gatewayUrl, heartbeatMs, welcome: () => welcomeOf(world) });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address.port = (server.address() as AddressInfo).port;

  const hasBot = ({ members }: Guild): boolean => members.has(world.bot.id);
  const discord: FakeDiscord = {
    apiUrl: `http://127.0.0.1:${address.port}/api`,
    token,
    world,
    bot: world.bot,
    gateway,
    faults,
    requests: parts.requests,
    violations: parts.violations,
    invalid: parts.invalid,
    acknowledgedMs: interactions.acknowledgedMs,
    get suppressed() {
      return posting.suppressed;
    },
    get commands() {
      return parts.commands;
    },
    addGuild(name) {
      const guild = world.addGuild(name);
      discord.join(guild, world.bot);
      return guild;
    },
    addChannel(guild, name, own = {}) {
      const channel = world.addChannel({ name, guild, ...own });
      const event = channel.parent ? "THREAD_CREATE" : "CHANNEL_CREATE";
      if (hasBot(guild)) gateway.dispatch(event, channelPayload(channel), GUILDS_INTENT);
      return channel;
    },
    addUser(name, ...guilds) {
      const account = world.addAccount(name);
      for (const guild of guilds) guild.members.set(account.id, new Set());
      return new DiscordUser(account, {
        world,
        commands: () => parts.commands,
        begin: (begun) => interactions.begin({ id: world.nextId(), ...begun }),
        dispatch: (event, data) => gateway.dispatch(event, data),
        answerTo: (interaction) => interactions.answerTo(interaction),
      });
    },
    addFile: (filename, content) => attachments.add(filename, content),
    join(guild, account) {
      guild.members.set(account.id, new Set());
      if (account === world.bot) gateway.dispatch("GUILD_CREATE", guildPayload(world, guild), GUILDS_INTENT);
    },
    leave(guild, account) {
      guild.members.delete(account.id);
      if (account === world.bot) gateway.dispatch("GUILD_DELETE", { id: guild.id }, GUILDS_INTENT);
    },
    deleteChannel(channel) {
      world.channels.delete(channel.id);
      const event = channel.parent ? "THREAD_DELETE" : "CHANNEL_DELETE";
      gateway.dispatch(event, channelPayload(channel), GUILDS_INTENT);
    },
    deny(channel, permissions) {
      channel.denied.set(world.bot.id, permissions);
      gateway.dispatch("CHANNEL_UPDATE", channelPayload(channel), GUILDS_INTENT);
    },
    messages: ({ messages }) => messages.filter((message) => !isEphemeral(message)),
    posted: () => parts.requests.filter(({ method, path, status }) => isPost(method, path) && status === 200).length,
    dropConnections: () => server.closeAllConnections(),
    async stop() {
      gateway.stop();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return discord;
}

function isPost(method: string, path: string): boolean {
  return method === "POST" && /^\/channels\/\d+\/messages$/.test(path);
}

function welcomeOf(world: World): { ready: Json; guilds: readonly Json[] } {
  const { bot } = world;
  const guilds = [...world.guilds.values()].filter(({ members }) => members.has(bot.id));
  const ready = { user: { ...userPayload(bot), verified: true, email: null }, application: { id: bot.id, flags: 0 } };
  return { ready, guilds: guilds.map((guild) => guildPayload(world, guild)) };
}
