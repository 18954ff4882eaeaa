import { setTimeout as wait } from "node:timers/promises";
import { CloseCodes, type SessionInfo, WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import {
  type APIGatewayBotInfo,
  type APIInteraction,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type GatewayGuildCreateDispatchData,
  type GatewayGuildDeleteDispatchData,
  GatewayIntentBits,
  type GatewayReadyDispatchData,
  REST,
} from "discord.js";
import { z } from "zod";
import { proxyWebSockets } from "../../http/proxy-connections.ts";
import { onAbort } from "../../lib/abort.ts";
import { backoffMs } from "../../lib/backoff.ts";
import { parseJson } from "../../lib/json.ts";
import type { PlatformHealth, RateLimit } from "../../ports/chat-platform.ts";
import type { Stoppable } from "../../ports/jobs.ts";
import type { Reservation } from "../../ports/rate-slots.ts";
import type { Store } from "../../ports/store.ts";
import { type ApiOptions, restOptions } from "./api.ts";
import { type ConnectionEnd, connectionEndOf, finalEndOf, type GatewayAccess } from "./gateway-access.ts";

proxyWebSockets();

/** State that Discord reports when a session starts. */
export interface Session {
  readonly applicationId: string;
  readonly guildIds: readonly string[];
  readonly shard: ShardNumber;
}

/** Index of a shard, and number of shards. */
export type ShardNumber = readonly [index: number, count: number];

export interface GatewayListener {
  /** A session started. Changes that happened while the bot was offline are not reported as events. */
  sessionStarted(session: Session): void;
  /** The session of another process continues. The changes since then follow as events. */
  sessionResumed(session: Pick<Session, "applicationId">): void;
  interaction(interaction: APIInteraction): void;
  /** The bot was added to a server that was not part of the session. */
  guildJoined(guildId: string): void;
  guildLeft(guildId: string): void;
  /** Discord stated the name of a server: at the start of a session, after an invitation and after a change. */
  guildNamed(guildId: string, name: string): void;
  /** Permissions in the server may have changed. */
  permissionsChanged(guildId: string): void;
  /** Resolves when the changes of memberships are applied. */
  idle(): Promise<void>;
}

/** Events that can allow the bot to post in a channel. GuildMemberUpdate events about the bot itself need no intent. */
const PERMISSION_EVENTS: ReadonlySet<string> = new Set([
  GatewayDispatchEvents.ChannelUpdate,
  GatewayDispatchEvents.ThreadUpdate,
  GatewayDispatchEvents.GuildUpdate,
  GatewayDispatchEvents.GuildRoleUpdate,
  GatewayDispatchEvents.GuildRoleDelete,
  GatewayDispatchEvents.GuildMemberUpdate,
]);

const CLOSE_TIMEOUT_MS = 2_000;

/** Discord allows one login per 5 seconds and group of shards. */
const IDENTIFY_EVERY_MS = 5_000;

const SLOT_RETRY = { firstMs: 500, maxMs: 5_000 };

/** A session as one process hands it over to the next. Discord keeps it for some minutes. */
const handoverSchema = z.object({
  applicationId: z.string(),
  session: z.object({
    resumeURL: z.string(),
    sequence: z.number(),
    sessionId: z.string(),
    shardCount: z.number(),
    shardId: z.number(),
  }),
});

export interface GatewayShardOptions extends ApiOptions {
  readonly store: Pick<Store, "documents" | "rateSlots">;
  readonly listener: GatewayListener;
  readonly access: GatewayAccess;
  readonly shard: ShardNumber;
  /** True if another process connects the same shard, too. Its session is handed over separately. */
  readonly isSecond: boolean;
  /** Serves the first attempt; null: it is requested. */
  readonly information: APIGatewayBotInfo | null;
}

class ShardManager extends WebSocketManager {
  readonly #information: APIGatewayBotInfo | null;

  constructor(information: APIGatewayBotInfo | null, options: ConstructorParameters<typeof WebSocketManager>[0]) {
    super(options);
    this.#information = information;
  }

  override async fetchGatewayInformation(force?: boolean): Promise<APIGatewayBotInfo> {
    return this.#information ?? super.fetchGatewayInformation(force);
  }
}

/** Connection that delivers the events of one shard. It reconnects until it is stopped, and hands its session over. */
export class GatewayShard implements Stoppable {
  /** Aborts when the first attempt has succeeded or failed. */
  readonly firstAttempt: AbortSignal;
  readonly #options: GatewayShardOptions;
  readonly #attempted = new AbortController();
  readonly #stopping = new AbortController();
  readonly #loop: Promise<void>;
  readonly #guildIds = new Set<string>();
  #health: PlatformHealth = { ok: false, reason: "Discord isn't connected yet" };
  #applicationId: string | null = null;
  #session: SessionInfo | null = null;
  /** The session comes from another process, and Discord hasn't accepted it yet. */
  #isTakenOver = false;
  #information: APIGatewayBotInfo | null;
  #acceptHandshake: () => void = () => undefined;
  #closing: Promise<unknown> = Promise.resolve();

  constructor(options: GatewayShardOptions) {
    this.#options = options;
    this.#information = options.information;
    this.firstAttempt = this.#attempted.signal;
    this.#loop = this.#run();
  }

  get health(): PlatformHealth {
    return this.#health;
  }

  /** Closes the connection so that another process can continue the session. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#attempted.abort();
    this.#health = { ok: false, reason: "the connection to Discord was closed" };
    await this.#loop;
    await this.#closing;
    await this.#options.listener.idle();
    await this.#handOver();
  }

  async #run(): Promise<void> {
    await this.#takeOver();
    const onFailure = (reason: string): void => {
      this.#health = { ok: false, reason };
      this.#attempted.abort();
    };
    await this.#options.access.repeat(() => this.#connect(), onFailure, this.#stopping.signal);
  }

  get #document(): string {
    const { shard, isSecond } = this.#options;
    return `discord-shard-${shard.join("-of-")}${isSecond ? "-second" : ""}`;
  }

  /** Continues the session of the process that stopped last. */
  async #takeOver(): Promise<void> {
    const { store, log } = this.#options;
    try {
      const handover = handoverSchema.safeParse(parseJson((await store.documents.read(this.#document)) ?? ""));
      if (!handover.success) return;
      // The session continues from here: repeating it after a crash would repeat its events.
      await store.documents.write(this.#document, "");
      this.#applicationId = handover.data.applicationId;
      this.#session = handover.data.session;
      this.#isTakenOver = true;
    } catch (error) {
      log.warn("discord session not taken over", { error });
    }
  }

  async #handOver(): Promise<void> {
    const { store, log } = this.#options;
    if (this.#session === null || this.#applicationId === null) return;
    const handover = { applicationId: this.#applicationId, session: this.#session };
    await store.documents.write(this.#document, JSON.stringify(handover)).catch((error: unknown) => {
      log.warn("discord session not handed over", { error });
    });
  }

  /** Resolves when the connection has ended permanently; it is restored after interruptions. */
  #connect(): Promise<ConnectionEnd> {
    const { apiUrl, token } = this.#options;
    const rest = new REST(restOptions(apiUrl)).setToken(token);
    const manager = this.#createManager(rest);
    this.#acceptHandshake = this.#options.access.beginHandshake();
    const ended = new Promise<ConnectionEnd>((resolve) => {
      onAbort(this.#stopping.signal, () => resolve({ reason: "", rejected: null }));
      this.#listen(manager, resolve);
      manager.connect().catch((error: unknown) => resolve(connectionEndOf(error)));
    });
    return ended.finally(() => {
      const code = this.#isStopping() ? CloseCodes.Resuming : CloseCodes.Normal;
      // Without a response, the closing handshake takes half a minute.
      this.#closing = Promise.race([manager.destroy({ code }), wait(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    });
  }

  #createManager(rest: REST): WebSocketManager {
    const { token, shard } = this.#options;
    const [index, count] = shard;
    const information = this.#information;
    this.#information = null;
    return new ShardManager(information, {
      token,
      rest,
      intents: GatewayIntentBits.Guilds,
      shardCount: count,
      shardIds: [index],
      retrieveSessionInfo: () => this.#session,
      updateSessionInfo: (_, session) => {
        // The closed connection deletes it, but the next process continues it.
        if (session !== null || !this.#isStopping()) this.#session = session;
      },
      buildIdentifyThrottler: async (manager) => {
        const { max_concurrency: groups } = (await manager.fetchGatewayInformation()).session_start_limit;
        const key = `discord:identify:${index % groups}`;
        // Slots of shared limits are reserved ahead.
        const limit = { key, everyMs: IDENTIFY_EVERY_MS, burst: 1, isShared: false };
        return { waitForIdentify: (_, signal) => this.#waitForIdentify(limit, signal) };
      },
    });
  }

  /**
   * Waits for the slot of a login, also while the store fails: after an error here, the client would connect again, and log in once for
   * each of them in the end. Rejects if the connection closes meanwhile; else the client would log in without one.
   */
  async #waitForIdentify(limit: RateLimit, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    for (let tries = 1; ; tries += 1) {
      const slot = await this.#takeIdentifySlot(limit);
      const isTaken = slot?.isTaken === true;
      if (!isTaken) await clock.sleep(slot?.waitMs ?? backoffMs(tries, SLOT_RETRY), signal);
      signal.throwIfAborted();
      if (isTaken) return;
    }
  }

  /**
   * Takes the slot of a login if it is free now; null if the store fails. No slot is reserved ahead: that of a connection that closes
   * before its login would delay the next one.
   */
  async #takeIdentifySlot(limit: RateLimit): Promise<Reservation | null> {
    const { store, log } = this.#options;
    try {
      return await store.rateSlots.reserve([limit], 0);
    } catch (error) {
      log.warn("discord login delayed", { error });
      return null;
    }
  }

  #listen(manager: WebSocketManager, end: (end: ConnectionEnd) => void): void {
    const { log, access } = this.#options;
    manager.on(WebSocketShardEvents.Dispatch, ({ data }) => {
      if (!this.#isStopping()) this.#dispatch(data);
    });
    manager.on(WebSocketShardEvents.Closed, ({ code }) => {
      const final = finalEndOf(code);
      if (final !== null) return end(final);
      this.#acceptHandshake = access.beginHandshake();
      this.#setDisconnected("the connection to Discord was lost and is being restored");
    });
    manager.on(WebSocketShardEvents.Error, ({ error }) => {
      this.#setDisconnected(`Discord's gateway can't be reached: ${error.message}`);
    });
    manager.on("error", (error: unknown) => log.error("discord client failed", { error }));
  }

  #dispatch(payload: GatewayDispatchPayload): void {
    const { listener } = this.#options;
    if (PERMISSION_EVENTS.has(payload.t)) listener.permissionsChanged(guildIdOf(payload.d));
    if (payload.t === GatewayDispatchEvents.GuildUpdate) this.#nameGuild(payload.d);
    else if (payload.t === GatewayDispatchEvents.InteractionCreate) listener.interaction(payload.d);
    else if (payload.t === GatewayDispatchEvents.Ready) this.#startSession(payload.d);
    else if (payload.t === GatewayDispatchEvents.Resumed) this.#resumeSession();
    else if (payload.t === GatewayDispatchEvents.GuildCreate) this.#addGuild(payload.d);
    else if (payload.t === GatewayDispatchEvents.GuildDelete) this.#removeGuild(payload.d);
  }

  #startSession({ application, guilds }: GatewayReadyDispatchData): void {
    const { listener, shard } = this.#options;
    const guildIds = guilds.map(({ id }) => id);
    for (const id of guildIds) this.#guildIds.add(id);
    this.#applicationId = application.id;
    this.#isTakenOver = false;
    this.#setConnected();
    listener.sessionStarted({ applicationId: application.id, guildIds, shard });
  }

  #resumeSession(): void {
    this.#setConnected();
    if (this.#isTakenOver) this.#options.listener.sessionResumed({ applicationId: this.#applicationId ?? "" });
    this.#isTakenOver = false;
  }

  /** A server that Discord can't reach has no name. */
  #nameGuild({ id, name }: { readonly id: unknown; readonly name?: unknown }): void {
    if (typeof id === "string" && typeof name === "string") this.#options.listener.guildNamed(id, name);
  }

  #addGuild(guild: GatewayGuildCreateDispatchData): void {
    const { id } = guild;
    this.#nameGuild(guild);
    if (!this.#guildIds.has(id)) this.#options.listener.guildJoined(id);
    this.#guildIds.add(id);
  }

  #removeGuild({ id, unavailable }: GatewayGuildDeleteDispatchData): void {
    // `unavailable` means an outage of Discord: the bot is still a member.
    if (unavailable) return;
    this.#guildIds.delete(id);
    this.#options.listener.guildLeft(id);
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #setConnected(): void {
    this.#acceptHandshake();
    if (!this.#health.ok) this.#options.log.info("discord connected");
    this.#health = { ok: true };
    this.#attempted.abort();
  }

  #setDisconnected(reason: string): void {
    if (this.#health.ok) this.#options.log.warn("discord connection lost", { reason });
    if (!this.#isStopping()) this.#health = { ok: false, reason };
    this.#attempted.abort();
  }
}

/** Server of an event: the field of its own id is used by events about the server itself. */
function guildIdOf(data: unknown): string {
  const { guild_id: guildId, id = "" } = data as { readonly guild_id?: string; readonly id?: string };
  return guildId ?? id;
}
