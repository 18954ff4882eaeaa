import { REST, Routes } from "discord.js";
import { z } from "zod";
import { onAbort } from "../../lib/abort.ts";
import type { PlatformHealth } from "../../ports/chat-platform.ts";
import type { Store } from "../../ports/store.ts";
import { type ApiOptions, restOptions } from "./api.ts";
import { type ConnectionEnd, connectionEndOf, GatewayAccess } from "./gateway-access.ts";
import { type GatewayListener, GatewayShard } from "./gateway-shard.ts";

export interface GatewayOptions extends ApiOptions {
  readonly store: Pick<Store, "jobs" | "documents" | "rateSlots">;
  readonly listener: GatewayListener;
}

const START_TIMEOUT_MS = 10_000;
/** Time after which another process is assumed to hold the shards. */
const JOB_TIMEOUT_MS = 1_000;

const informationSchema = z.object({ shards: z.number().int().min(1) });

/** Connections that deliver Discord's events. Each shard is connected by one process. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #access: GatewayAccess;
  readonly #stopping = new AbortController();
  /** Aborts when the first attempt has succeeded or failed. */
  readonly #firstAttemptDone = new AbortController();
  /** The shards that this process connects. */
  readonly #shards = new Set<GatewayShard>();
  #jobs: readonly (() => Promise<void>)[] = [];
  /** Problem until the number of shards is known; null afterwards. */
  #problem: string | null = "Discord isn't connected yet";
  #loop: Promise<void> = Promise.resolve();

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#access = new GatewayAccess(options);
  }

  /** Resolves after the first attempt, or after ten seconds: an outage of Discord doesn't prevent startup. */
  async start(): Promise<void> {
    this.#loop = this.#run();
    await this.#options.clock.sleep(START_TIMEOUT_MS, this.#firstAttemptDone.signal);
  }

  /** Hands the shards over to other processes. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#firstAttemptDone.abort();
    this.#problem = "the connection to Discord was closed";
    await this.#loop;
    await Promise.all(this.#jobs.map((giveUp) => giveUp()));
  }

  /** Health of the shards that this process connects; good if other processes connect all of them. */
  health(): PlatformHealth {
    if (this.#stopping.signal.aborted || this.#problem !== null)
      return this.#rejectedHealth() ?? { ok: false, reason: this.#problem ?? "" };
    const unusable = [...this.#shards].map(({ health }) => health).find(({ ok }) => !ok);
    return this.#rejectedHealth() ?? unusable ?? { ok: true };
  }

  #rejectedHealth(): PlatformHealth | null {
    return this.#stopping.signal.aborted ? null : this.#access.rejectedHealth;
  }

  async #run(): Promise<void> {
    const { clock, store } = this.#options;
    const { signal } = this.#stopping;
    let count = 0;
    const readCount = async (): Promise<ConnectionEnd | null> => {
      const accept = this.#access.beginHandshake();
      try {
        count = await this.#readShardCount();
        accept();
        return null;
      } catch (error) {
        return connectionEndOf(error);
      }
    };
    const onFailure = (reason: string): void => {
      this.#problem = reason;
      this.#firstAttemptDone.abort();
    };
    await this.#access.repeat(readCount, onFailure, signal);
    if (signal.aborted) return;
    this.#problem = null;
    this.#jobs = Array.from({ length: count }, (_, index) =>
      store.jobs.lead(`discord shard ${index} of ${count}`, async () => this.#startShard([index, count])),
    );
    await clock.sleep(JOB_TIMEOUT_MS, this.#firstAttemptDone.signal);
    if (this.#shards.size === 0) this.#firstAttemptDone.abort();
  }

  /** Returns the number of shards that Discord recommends. */
  async #readShardCount(): Promise<number> {
    const { apiUrl, token } = this.#options;
    const rest = new REST(restOptions(apiUrl)).setToken(token);
    try {
      return informationSchema.parse(await rest.get(Routes.gatewayBot())).shards;
    } finally {
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    }
  }

  #startShard(shard: readonly [number, number]): { stop(): Promise<void> } {
    const connection = new GatewayShard({ ...this.#options, access: this.#access, shard });
    this.#shards.add(connection);
    onAbort(connection.firstAttempt, () => this.#firstAttemptDone.abort());
    return {
      stop: async () => {
        await connection.stop();
        this.#shards.delete(connection);
      },
    };
  }
}
