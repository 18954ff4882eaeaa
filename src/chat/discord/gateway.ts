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
import { backoffMs } from "../../lib/backoff.ts";
import { errorMessage } from "../../lib/error-text.ts";
import type { PlatformHealth } from "../../ports/chat-platform.ts";
import { rejectedHealth, TokenState } from "../token-state.ts";
import { type ApiOptions, restOptions } from "./api.ts";
import { TOKEN_REJECTED } from "./delivery-errors.ts";
import { PLATFORM } from "./destinations.ts";

/** State that Discord reports when a connection is established. */
export interface Session {
  readonly applicationId: string;
  readonly userId: string;
  readonly guildIds: readonly string[];
  /** Index of this shard, and number of shards. */
  readonly shard: readonly [number, number];
}

export interface GatewayListener {
  sessionStarted(session: Session): void;
  interaction(interaction: APIInteraction): void;
  /** The bot was added to a server that was not part of the session. */
  guildJoined(guildId: string): void;
  guildLeft(guildId: string): void;
  /** Permissions in the server may have changed. */
  permissionsChanged(guildId: string): void;
}

/** Events that can allow the bot to post in a channel. GuildMemberUpdate events about the bot itself need no intent. */
const PERMISSION_EVENTS = [
  GatewayDispatchEvents.ChannelUpdate,
  GatewayDispatchEvents.ThreadUpdate,
  GatewayDispatchEvents.GuildUpdate,
  GatewayDispatchEvents.GuildRoleUpdate,
  GatewayDispatchEvents.GuildRoleDelete,
  GatewayDispatchEvents.GuildMemberUpdate,
] as const;

export interface GatewayOptions extends ApiOptions {
  readonly listener: GatewayListener;
}

const START_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
const RETRY = { firstMs: 2_000, maxMs: 5 * 60_000 };

/** Caches that discord.js needs to process events. The number of the bot's servers bounds their size. */
const REQUIRED_CACHES: ReadonlySet<string> = new Set([
  "GuildManager",
  "ChannelManager",
  "GuildChannelManager",
  "RoleManager",
  "PermissionOverwriteManager",
]);

/** Reason why a connection ended. */
interface ConnectionEnd {
  readonly reason: string;
  /** What Discord rejected, so that a quick retry can't succeed; null if the connection ended for another reason. */
  readonly rejected: "token" | "parameters" | null;
}

const INTENTS_REJECTED: ConnectionEnd = { reason: "Discord rejected the gateway intents", rejected: "parameters" };

const REJECTION_CLOSE_CODES: Readonly<Record<number, ConnectionEnd>> = {
  [GatewayCloseCodes.AuthenticationFailed]: { reason: TOKEN_REJECTED, rejected: "token" },
  [GatewayCloseCodes.DisallowedIntents]: INTENTS_REJECTED,
  [GatewayCloseCodes.InvalidIntents]: INTENTS_REJECTED,
  [GatewayCloseCodes.InvalidAPIVersion]: {
    reason: "Discord no longer supports the API version that splitwatch uses",
    rejected: "parameters",
  },
};

/** Connection that delivers Discord's events. It reconnects until it is stopped, with longer delays while the token is rejected. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #token: TokenState;
  /** Whether Discord accepts the gateway intents and the API version. Messages can be sent even if Discord rejects them. */
  readonly #parameters: TokenState;
  readonly #stopping = new AbortController();
  /** Aborts when the first attempt has succeeded or failed. */
  readonly #firstAttemptDone = new AbortController();
  /** Numbers of rejections at the beginning of the last handshake. */
  #rejectionsAtStart = { token: 0, parameters: 0 };
  #health: PlatformHealth = { ok: false, reason: "Discord isn't connected yet" };
  #end: (end: ConnectionEnd) => void = () => undefined;
  #closing: Promise<unknown> = Promise.resolve();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#token = options.tokenState;
    this.#parameters = new TokenState(PLATFORM, options);
  }

  /** Resolves after the first attempt, or after ten seconds: an outage of Discord doesn't prevent startup. */
  async start(): Promise<void> {
    this.#loop = this.#keepConnected();
    await this.#options.clock.sleep(START_TIMEOUT_MS, this.#firstAttemptDone.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#firstAttemptDone.abort();
    this.#health = { ok: false, reason: "the connection to Discord was closed" };
    this.#end({ reason: "", rejected: null });
    await this.#loop;
    await this.#closing;
  }

  health(): PlatformHealth {
    const { rejection } = this.#parameters;
    return rejection === null || this.#isStopping() ? this.#health : rejectedHealth(rejection, false);
  }

  async #keepConnected(): Promise<void> {
    const { clock, log } = this.#options;
    let failures = 0;
    while (!this.#isStopping()) {
      await this.#waitForTry();
      const startedAt = clock.monotonic();
      const { reason, rejected } = await this.#connect();
      if (this.#isStopping()) return;
      // Discord allows 1,000 connections a day, so only a connection that lasted longer than the maximum delay resets the backoff.
      failures = clock.monotonic() - startedAt > RETRY.maxMs ? 1 : failures + 1;
      this.#health = { ok: false, reason };
      if (rejected === "token") this.#token.reject(reason);
      if (rejected === "parameters") this.#parameters.reject(reason);
      const retryMs = Math.max(backoffMs(failures, RETRY), this.#token.retryMs, this.#parameters.retryMs);
      if (rejected === null) log.warn("discord connect failed", { reason, retryMs });
      this.#firstAttemptDone.abort();
      await clock.sleep(retryMs, this.#stopping.signal);
    }
  }

  /** Waits until a rejected token may be tried. Checks again after each wait, because an API request may have tried it. */
  async #waitForTry(): Promise<void> {
    const { clock } = this.#options;
    this.#parameters.beginTry();
    for (let waitMs = this.#token.beginTry(); waitMs > 0 && !this.#isStopping(); waitMs = this.#token.beginTry())
      await clock.sleep(waitMs, this.#stopping.signal);
  }

  /** Resolves when the connection has ended permanently; discord.js resumes it after interruptions. */
  #connect(): Promise<ConnectionEnd> {
    const client = createClient(this.#options.apiUrl);
    this.#beginHandshake();
    const ended = new Promise<ConnectionEnd>((resolve) => {
      this.#end = resolve;
      this.#listen(client, resolve);
      client.login(this.#options.token).catch((error: unknown) => resolve(toConnectionEnd(error)));
    });
    return ended.finally(() => {
      // Without a response, the closing handshake takes half a minute.
      this.#closing = Promise.race([client.destroy(), wait(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    });
  }

  #listen(client: Client, end: (end: ConnectionEnd) => void): void {
    const { listener, log } = this.#options;
    const guildIds = new Set<string>();
    client.ws.on(GatewayDispatchEvents.Ready, (ready: GatewayReadyDispatchData) => {
      for (const { id } of ready.guilds) guildIds.add(id);
      this.#setConnected();
      listener.sessionStarted(sessionOf(ready));
    });
    client.ws.on(GatewayDispatchEvents.Resumed, () => this.#setConnected());
    client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction) => {
      listener.interaction(interaction);
    });
    client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: GatewayGuildCreateDispatchData) => {
      if (!guildIds.has(id)) listener.guildJoined(id);
      guildIds.add(id);
    });
    client.ws.on(GatewayDispatchEvents.GuildDelete, ({ id, unavailable }: GatewayGuildDeleteDispatchData) => {
      // `unavailable` means an outage of Discord: the bot is still a member.
      if (unavailable) return;
      guildIds.delete(id);
      listener.guildLeft(id);
    });
    for (const event of PERMISSION_EVENTS)
      client.ws.on(event, (data: { readonly id?: string; readonly guild_id?: string }) =>
        listener.permissionsChanged(data.guild_id ?? data.id ?? ""),
      );
    // discord.js never removes direct message channels from this cache.
    client.on(Events.InteractionCreate, ({ guildId, channelId }) => {
      if (guildId === null && channelId !== null) client.channels.cache.delete(channelId);
    });
    client.on(Events.ShardReconnecting, () => {
      this.#beginHandshake();
      this.#setDisconnected("the connection to Discord was lost and is being restored");
    });
    client.on(Events.ShardError, ({ message }) =>
      this.#setDisconnected(`Discord's gateway can't be reached: ${message}`),
    );
    client.on(Events.ShardDisconnect, ({ code }) => end(connectionEndOf(code)));
    client.on(Events.Error, (error) => log.error("discord client failed", { error }));
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #beginHandshake(): void {
    this.#rejectionsAtStart = { token: this.#token.rejections, parameters: this.#parameters.rejections };
  }

  #setConnected(): void {
    this.#token.accept(this.#rejectionsAtStart.token);
    this.#parameters.accept(this.#rejectionsAtStart.parameters);
    if (!this.#health.ok) this.#options.log.info("discord connected");
    this.#health = { ok: true };
    this.#firstAttemptDone.abort();
  }

  #setDisconnected(reason: string): void {
    if (this.#health.ok) this.#options.log.warn("discord connection lost", { reason });
    if (!this.#isStopping()) this.#health = { ok: false, reason };
    this.#firstAttemptDone.abort();
  }
}

function createClient(apiUrl: string | null): Client {
  return new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: restOptions(apiUrl),
    makeCache: ({ name }) => (REQUIRED_CACHES.has(name) ? new Collection() : new LimitedCollection({ maxSize: 0 })),
  });
}

function sessionOf({ application, user, guilds, shard = [0, 1] }: GatewayReadyDispatchData): Session {
  return { applicationId: application.id, userId: user.id, guildIds: guilds.map(({ id }) => id), shard };
}

function toConnectionEnd(error: unknown): ConnectionEnd {
  const reason = errorMessage(error);
  const isTokenInvalid = error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
  if (isTokenInvalid || /^Authentication failed$/.test(reason)) return { reason: TOKEN_REJECTED, rejected: "token" };
  return { reason: `Discord can't be reached: ${reason}`, rejected: null };
}

function connectionEndOf(code: number): ConnectionEnd {
  return REJECTION_CLOSE_CODES[code] ?? { reason: `Discord closed the connection with code ${code}`, rejected: null };
}
