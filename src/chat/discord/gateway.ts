import { type APIGatewayBotInfo, REST, Routes } from "discord.js";
import { z } from "zod";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { onAbort } from "../../lib/abort.ts";
import { type LedJob, leadJob } from "../../lib/jobs.ts";
import type { PlatformHealth } from "../../ports/chat-platform.ts";
import type { MonotonicTime } from "../../ports/clock.ts";
import type { Stoppable } from "../../ports/jobs.ts";
import type { Store } from "../../ports/store.ts";
import { type ApiOptions, restOptions } from "./api.ts";
import { type ConnectionEnd, connectionEndOf, GatewayAccess } from "./gateway-access.ts";
import { type GatewayListener, GatewayShard, type ShardNumber } from "./gateway-shard.ts";

export interface GatewayOptions extends ApiOptions {
  readonly store: Pick<Store, "jobs" | "documents" | "rateSlots">;
  readonly listener: GatewayListener;
}

const START_TIMEOUT_MS = 10_000;
/** Session of a shard that serves it too, so that the death of a process leaves no command unanswered. */
const SECOND_SESSION = ", second session";
/** Age up to which the answer to the first request serves the shards, too. */
const MAX_INFORMATION_AGE_MS = MINUTE_MS;

const informationSchema: z.ZodType<APIGatewayBotInfo> = z.object({
  url: z.string(),
  shards: z.number().int().min(1),
  session_start_limit: z.object({
    total: z.number(),
    remaining: z.number(),
    reset_after: z.number(),
    max_concurrency: z.number().int().min(1),
  }),
});

/** Connections that deliver Discord's events. Each shard is connected by two processes, if there are two. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #access: GatewayAccess;
  readonly #stopping = new AbortController();
  /** Aborts when the first attempt has succeeded or failed. */
  readonly #firstAttemptDone = new AbortController();
  /** The shards that this process connects. */
  readonly #shards = new Set<GatewayShard>();
  #jobs: readonly LedJob[] = [];
  /** The last answer that contained the number of shards. */
  #information: { readonly answer: APIGatewayBotInfo; readonly at: MonotonicTime } | null = null;
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
    await Promise.all(this.#jobs.map(({ giveUp }) => giveUp()));
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
    const { signal } = this.#stopping;
    const read = async (): Promise<ConnectionEnd | null> => {
      const accept = this.#access.beginHandshake();
      try {
        await this.#readInformation();
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
    await this.#access.repeat(read, onFailure, signal);
    if (signal.aborted) return;
    this.#problem = null;
    await this.#leadShards(this.#information?.answer.shards ?? 0);
  }

  /** Resolves when this process connects a shard, or other processes are assumed to connect them. */
  async #leadShards(count: number): Promise<void> {
    const { clock, store } = this.#options;
    const parts = { jobs: store.jobs, clock, stopping: this.#stopping.signal };
    this.#jobs = Array.from({ length: count }, (_, index) => {
      const name = `discord shard ${index} of ${count}`;
      const start = async (acquired: string): Promise<Stoppable> => this.#startShard([index, count], acquired !== name);
      return leadJob(parts, { name: [name, `${name}${SECOND_SESSION}`], start });
    });
    const held = await Promise.all(this.#jobs.map(({ isHeld }) => isHeld));
    if (!held.includes(true)) this.#firstAttemptDone.abort();
  }

  /** Reads the number of shards that Discord recommends. */
  async #readInformation(): Promise<void> {
    const { apiUrl, token, clock } = this.#options;
    const rest = new REST(restOptions(apiUrl)).setToken(token);
    try {
      const answer = informationSchema.parse(await rest.get(Routes.gatewayBot()));
      this.#information = { answer, at: clock.monotonic() };
    } finally {
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    }
  }

  /** Null if it may be outdated. */
  get #currentInformation(): APIGatewayBotInfo | null {
    const { clock } = this.#options;
    if (this.#information === null || clock.monotonic() - this.#information.at > MAX_INFORMATION_AGE_MS) return null;
    return this.#information.answer;
  }

  #startShard(shard: ShardNumber, isSecond: boolean): Stoppable {
    const information = this.#currentInformation;
    const connection = new GatewayShard({ ...this.#options, access: this.#access, shard, isSecond, information });
    this.#shards.add(connection);
    onAbort(connection.firstAttempt, () => this.#firstAttemptDone.abort());
    if (isSecond) this.#firstAttemptDone.abort();
    return {
      stop: async () => {
        await connection.stop();
        this.#shards.delete(connection);
      },
    };
  }
}
