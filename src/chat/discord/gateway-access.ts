import { DiscordAPIError, GatewayCloseCodes } from "discord.js";
import { backoffMs } from "../../lib/backoff.ts";
import { errorMessage } from "../../lib/error-text.ts";
import type { PlatformHealth } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { rejectedHealth, TokenState } from "../token-state.ts";
import { TOKEN_REJECTED } from "./delivery-errors.ts";
import { PLATFORM } from "./destinations.ts";

const RETRY = { firstMs: 2_000, maxMs: 5 * 60_000 };

/** Reason why a connection ended or a request failed. */
export interface ConnectionEnd {
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
  [GatewayCloseCodes.InvalidShard]: { reason: "Discord rejected the number of the shard", rejected: "parameters" },
  [GatewayCloseCodes.ShardingRequired]: { reason: "Discord requires more shards", rejected: "parameters" },
};

/** Why Discord closed a connection for good; null if the connection can be restored. */
export function finalEndOf(code: number): ConnectionEnd | null {
  return REJECTION_CLOSE_CODES[code] ?? null;
}

export function connectionEndOf(error: unknown): ConnectionEnd {
  if (error instanceof DiscordAPIError && error.status === 401) return { reason: TOKEN_REJECTED, rejected: "token" };
  return { reason: `Discord can't be reached: ${errorMessage(error)}`, rejected: null };
}

export interface GatewayAccessParts {
  readonly tokenState: TokenState;
  readonly clock: Clock;
  readonly log: Log;
}

/** Tries to reach the gateway, with longer delays while Discord rejects the token or the parameters of connections. */
export class GatewayAccess {
  readonly #parts: GatewayAccessParts;
  /** Whether Discord accepts the gateway intents and the API version. Messages can be sent even if Discord rejects them. */
  readonly #parameters: TokenState;

  constructor(parts: GatewayAccessParts) {
    this.#parts = parts;
    this.#parameters = new TokenState(PLATFORM, parts);
  }

  /** Health while the parameters are rejected; null while they are accepted. */
  get rejectedHealth(): PlatformHealth | null {
    const { rejection } = this.#parameters;
    return rejection && rejectedHealth(rejection, false);
  }

  /** Records that a handshake begins. Returns the function that records its success. */
  beginHandshake(): () => void {
    const { tokenState } = this.#parts;
    const atStart = { token: tokenState.rejections, parameters: this.#parameters.rejections };
    return () => {
      tokenState.accept(atStart.token);
      this.#parameters.accept(atStart.parameters);
    };
  }

  /** Repeats `attempt` until it returns null or `signal` aborts. `onFailure` is called after each failed attempt. */
  async repeat(
    attempt: () => Promise<ConnectionEnd | null>,
    onFailure: (reason: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.#parts;
    const isStopping = (): boolean => signal.aborted;
    for (let failures = 0; ; ) {
      await this.#waitForTry(signal);
      // An attempt that begins after the abort would not be told of it.
      if (isStopping()) return;
      const startedAt = clock.monotonic();
      const end = await attempt();
      if (end === null || isStopping()) return;
      // Discord allows 1,000 connections a day, so only a connection that lasted longer than the maximum delay resets the backoff.
      failures = clock.monotonic() - startedAt > RETRY.maxMs ? 1 : failures + 1;
      const retryMs = this.#recordEnd(end, failures);
      onFailure(end.reason);
      await clock.sleep(retryMs, signal);
    }
  }

  /** Returns the milliseconds until the next try. */
  #recordEnd({ reason, rejected }: ConnectionEnd, failures: number): number {
    const { tokenState, log } = this.#parts;
    if (rejected === "token") tokenState.reject(reason);
    if (rejected === "parameters") this.#parameters.reject(reason);
    const retryMs = Math.max(backoffMs(failures, RETRY), tokenState.retryMs, this.#parameters.retryMs);
    if (rejected === null) log.warn("discord connect failed", { reason, retryMs });
    return retryMs;
  }

  /** Waits until a rejected token may be tried. Checks again after each wait, because an API request may have tried it. */
  async #waitForTry(signal: AbortSignal): Promise<void> {
    const { tokenState, clock } = this.#parts;
    this.#parameters.beginTry();
    for (let waitMs = tokenState.beginTry(); waitMs > 0 && !signal.aborted; waitMs = tokenState.beginTry())
      await clock.sleep(waitMs, signal);
  }
}
