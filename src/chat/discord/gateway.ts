import { setTimeout as wait } from "node:timers/promises";
import {
  type APIInteraction,
  Client,
  Collection,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayGuildCreateDispatchData,
  type GatewayGuildDeleteDispatchData,
  GatewayIntentBits,
  type GatewayReadyDispatchData,
  LimitedCollection,
} from "discord.js";
import type { PlatformHealth } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { restOptions } from "./api.ts";
import { TOKEN_REFUSED } from "./delivery-errors.ts";

/** What Discord tells of itself when a connection begins. */
export interface Session {
  readonly applicationId: string;
  readonly userId: string;
  readonly guildIds: readonly string[];
  /** The shard that these servers belong to, and how many there are. */
  readonly shard: readonly [number, number];
}

export interface GatewayListener {
  begun(session: Session): void;
  interaction(interaction: APIInteraction): void;
  /** The bot was added to a server, or is still in one that Discord had not told of. */
  guildJoined(guildId: string): void;
  guildLeft(guildId: string): void;
}

export interface GatewayOptions {
  readonly token: string;
  readonly apiUrl: string | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly listener: GatewayListener;
}

/** The connection over which Discord tells what happens. It comes back by itself, for as long as the token is good. */
export interface Gateway {
  /** Resolves when it is connected, or is known not to be: Discord being away keeps nobody from starting. */
  start(): Promise<void>;
  stop(): Promise<void>;
  health(): PlatformHealth;
}

const START_WITHIN_MS = 10_000;
const CLOSE_WITHIN_MS = 2_000;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 5 * 60_000;

/** discord.js needs them to read what the gateway says; they hold no more than the servers that the bot is in. */
const KEPT: ReadonlySet<string> = new Set([
  "GuildManager",
  "ChannelManager",
  "GuildChannelManager",
  "RoleManager",
  "PermissionOverwriteManager",
]);

const OURS_TO_PUT_RIGHT: Readonly<Record<number, string>> = {
  [GatewayCloseCodes.AuthenticationFailed]: TOKEN_REFUSED,
  [GatewayCloseCodes.DisallowedIntents]: "Discord refused the intents that splitwatch asks for",
  [GatewayCloseCodes.InvalidIntents]: "Discord refused the intents that splitwatch asks for",
  [GatewayCloseCodes.InvalidAPIVersion]: "Discord does not know the version of its interface that splitwatch speaks",
};

export function createGateway(options: GatewayOptions): Gateway {
  return new DiscordGateway(options);
}

/** How a connection ended: `final` where trying again would come to the same. */
interface End {
  readonly reason: string;
  readonly final: boolean;
}

class DiscordGateway implements Gateway {
  readonly #options: GatewayOptions;
  readonly #stopping = new AbortController();
  /** Aborts when the first try has come to something. */
  readonly #tried = new AbortController();
  #health: PlatformHealth = { ok: false, reason: "Discord has not been connected to yet" };
  #end: (end: End) => void = () => undefined;
  #closing: Promise<unknown> = Promise.resolve();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#loop = this.#keepConnected();
    await this.#options.clock.sleep(START_WITHIN_MS, this.#tried.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#tried.abort();
    this.#health = { ok: false, reason: "Discord has been left" };
    this.#end({ reason: "", final: true });
    await this.#loop;
    await this.#closing;
  }

  health(): PlatformHealth {
    return this.#health;
  }

  async #keepConnected(): Promise<void> {
    const { clock, log } = this.#options;
    for (let pause = FIRST_RETRY_MS; !this.#isStopping(); pause = Math.min(pause * 2, LAST_RETRY_MS)) {
      const { reason, final } = await this.#connect();
      if (this.#isStopping()) return;
      this.#health = { ok: false, reason };
      this.#tried.abort();
      if (final) log.error("discord credentials rejected", { reason });
      else log.warn("discord connect failed", { reason, againInMs: pause });
      if (final) return;
      await clock.sleep(pause, this.#stopping.signal);
    }
  }

  /** Resolves when the connection has ended for good: drops in between are discord.js's to mend. */
  #connect(): Promise<End> {
    const client = createClient(this.#options.apiUrl);
    const ended = new Promise<End>((resolve) => {
      this.#end = resolve;
      this.#listen(client, resolve);
      client.login(this.#options.token).catch((error: unknown) => resolve(endOf(error)));
    });
    return ended.finally(() => {
      // A server that no longer answers would keep the closing handshake open for half a minute.
      this.#closing = Promise.race([client.destroy(), wait(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    });
  }

  #listen(client: Client, end: (end: End) => void): void {
    const { listener, log } = this.#options;
    const known = new Set<string>();
    client.ws.on(GatewayDispatchEvents.Ready, (ready: GatewayReadyDispatchData) => {
      for (const { id } of ready.guilds) known.add(id);
      this.#gain();
      listener.begun(sessionOf(ready));
    });
    client.ws.on(GatewayDispatchEvents.Resumed, () => this.#gain());
    client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction) => {
      listener.interaction(interaction);
    });
    client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: GatewayGuildCreateDispatchData) => {
      if (!known.has(id)) listener.guildJoined(id);
      known.add(id);
    });
    client.ws.on(GatewayDispatchEvents.GuildDelete, ({ id, unavailable }: GatewayGuildDeleteDispatchData) => {
      // Unavailable is an outage on Discord's side: the bot is still in the server.
      if (unavailable) return;
      known.delete(id);
      listener.guildLeft(id);
    });
    // Each conversation in which somebody asks would stay in this cache for ever.
    client.on(Events.InteractionCreate, ({ guildId, channelId }) => {
      if (guildId === null && channelId !== null) client.channels.cache.delete(channelId);
    });
    client.on(Events.ShardReconnecting, () => this.#lose("the connection to Discord was lost and is being made again"));
    client.on(Events.ShardError, ({ message }) => this.#lose(`Discord's gateway cannot be reached: ${message}`));
    client.on(Events.ShardDisconnect, ({ code }) => end(endOfCode(code)));
    client.on(Events.Error, (error) => log.error("discord client failed", { error }));
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #gain(): void {
    if (!this.#health.ok) this.#options.log.info("discord connected");
    this.#health = { ok: true };
    this.#tried.abort();
  }

  #lose(reason: string): void {
    if (this.#health.ok) this.#options.log.warn("discord connection lost", { reason });
    if (!this.#isStopping()) this.#health = { ok: false, reason };
    this.#tried.abort();
  }
}

function createClient(apiUrl: string | null): Client {
  return new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: restOptions(apiUrl),
    makeCache: ({ name }) => (KEPT.has(name) ? new Collection() : new LimitedCollection({ maxSize: 0 })),
  });
}

function sessionOf({ application, user, guilds, shard = [0, 1] }: GatewayReadyDispatchData): Session {
  return { applicationId: application.id, userId: user.id, guildIds: guilds.map(({ id }) => id), shard };
}

function endOf(error: unknown): End {
  const refused = error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
  if (refused) return { reason: TOKEN_REFUSED, final: true };
  const reason = error instanceof Error ? error.message : String(error);
  if (/^Authentication failed$/.test(reason)) return { reason: TOKEN_REFUSED, final: true };
  return { reason: `Discord cannot be reached: ${reason}`, final: false };
}

function endOfCode(code: number): End {
  const reason = OURS_TO_PUT_RIGHT[code];
  if (reason !== undefined) return { reason, final: true };
  return { reason: `Discord closed the connection with code ${code}`, final: false };
}
