import { MINUTE_MS } from "../../../domain/time/day.ts";
import { linkAbort, untilAborted } from "../../../lib/abort.ts";
import { backoffMs } from "../../../lib/backoff.ts";
import { settleWithin } from "../../../lib/clock.ts";
import type { PlatformHealth } from "../../../ports/chat-platform.ts";
import type { Clock, MonotonicTime } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { type Rejection, rejectedHealth, TokenState } from "../../token-state.ts";
import { asCallError, isPermanentRefusal } from "../alerts/delivery-errors.ts";
import type { TokenKindProblem } from "../settings.ts";
import { type CallError, describeFailure } from "../web-api.ts";
import { PLATFORM } from "../workspace.ts";

/** Socket Mode or signed HTTP requests. */
export interface Transport {
  /** Environment variable with the transport's credential, for error messages. */
  readonly tokenVariable: string;
  /** Rejects with a CallError. */
  open(): Promise<void>;
  /** Resolves when the transport has to be opened again. */
  closed(): Promise<void>;
  close(): Promise<void>;
}

/** The bot token of a single workspace, verified before the transport opens. */
export interface TokenIdentity {
  readonly tokenVariable: string;
  /** Null while Slack accepts the token. */
  readonly rejection: Rejection | null;
  /** Milliseconds until a rejected token is tried again. */
  readonly retryMs: number;
  /** Logs the first rejection. */
  reject(reason: string): void;
  /** Ends the use of a token that is of the wrong kind. Logs the problem. */
  disable(problem: string): void;
  /** Reads the token's workspace from Slack, once and after each rejection. Rejects with a CallError. */
  read(): Promise<void>;
  /** Tries a rejected token again if its retry delay has ended. */
  probe(): Promise<void>;
}

const START_TIMEOUT_MS = 5_000;
const STOP_TIMEOUT_MS = 2_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = MINUTE_MS;

/** Maximum delay between two checks if the bot token was rejected; at most the first retry delay of a rejected token. */
const PROBE_INTERVAL_MS = 30_000;

/** Maximum number of reconnects per minute without a delay. */
const MAX_IMMEDIATE_RECONNECTS = 5;

export interface ConnectionParts {
  /** Null if each workspace has its own token. */
  readonly identity: TokenIdentity | null;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  /** A token that is set in the wrong variable, so it is never tried; null if the tokens are in the right variables. */
  readonly problem: TokenKindProblem | null;
}

/** Keeps the transport open. A rejected token is logged once and tried again with increasing delays. */
export class Connection {
  readonly #parts: ConnectionParts;
  readonly #stopping = new AbortController();
  readonly #transportToken: TokenState;
  #isIdentified: boolean;
  #health: PlatformHealth = { ok: false, reason: "Slack isn't connected yet" };
  #running: Promise<void> = Promise.resolve();
  #failuresInRow = 0;
  #openedAt: readonly MonotonicTime[] = [];

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#transportToken = new TokenState(PLATFORM, parts);
    this.#isIdentified = parts.identity === null;
  }

  get health(): PlatformHealth {
    const botTokenRejection = this.#parts.identity?.rejection ?? null;
    const rejection = botTokenRejection ?? this.#transportToken.rejection;
    return rejection === null || this.#isStopping()
      ? this.#health
      : rejectedHealth(rejection, botTokenRejection !== null);
  }

  /** Resolves when the first attempt has ended, or after START_TIMEOUT_MS. */
  async start(): Promise<void> {
    const { problem, identity, clock } = this.#parts;
    if (problem?.isBotToken) return identity?.disable(problem.text);
    if (problem !== null) this.#transportToken.disable(problem.text);
    if (problem !== null && identity === null) return;
    const firstAttempt = new Promise<void>((resolve) => {
      this.#running = this.#keepOpen(resolve);
    });
    await settleWithin(firstAttempt, START_TIMEOUT_MS, clock);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#health = { ok: false, reason: "Slack is disconnected: splitwatch is stopping" };
    await this.#parts.transport.close();
    await settleWithin(this.#running, STOP_TIMEOUT_MS, this.#parts.clock);
  }

  async #keepOpen(onFirstAttempt: () => void): Promise<void> {
    const { signal } = this.#stopping;
    while (await this.#openAndWait(onFirstAttempt)) await this.#parts.clock.sleep(this.#retryDelayMs(), signal);
  }

  /** Opens the transport and waits until it closes. Returns false after a stop. */
  async #openAndWait(onAttempt: () => void): Promise<boolean> {
    if (this.#isStopping()) return false;
    try {
      await this.#open();
    } catch (error) {
      if (!this.#isStopping()) this.#handleFailure(asCallError(error));
      return !this.#isStopping();
    } finally {
      onAttempt();
    }
    await this.#untilClosed();
    if (this.#isStopping()) return false;
    this.#health = { ok: false, reason: "Slack closed the connection; reconnecting" };
    return true;
  }

  /** Waits for the transport to close. Meanwhile, tries the bot token if it is rejected. */
  async #untilClosed(): Promise<void> {
    const closed = linkAbort(this.#stopping.signal);
    void this.#probeUntil(closed.signal);
    const stopped = untilAborted(closed.signal);
    await (this.#transportToken.isDisabled ? stopped : Promise.race([this.#parts.transport.closed(), stopped]));
    closed.abort();
    closed.unlink();
  }

  async #probeUntil(signal: AbortSignal): Promise<void> {
    const { identity, clock } = this.#parts;
    if (identity === null) return;
    const isClosed = (): boolean => signal.aborted;
    while (!isClosed()) {
      await clock.sleep(Math.min(identity.retryMs || PROBE_INTERVAL_MS, PROBE_INTERVAL_MS), signal);
      if (!isClosed()) await identity.probe();
    }
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #open(): Promise<void> {
    const { identity, transport, clock, log } = this.#parts;
    this.#isIdentified = identity === null;
    await identity?.read();
    this.#isIdentified = true;
    if (this.#transportToken.isDisabled) return;
    this.#transportToken.beginTry();
    const { rejections } = this.#transportToken;
    await transport.open();
    this.#transportToken.accept(rejections);
    if (this.#isStopping()) return transport.close();
    const now = clock.monotonic();
    this.#failuresInRow = 0;
    this.#openedAt = [...this.#openedAt.filter((at) => now - at < MINUTE_MS), now];
    this.#health = { ok: true };
    log.info("slack connected");
  }

  #handleFailure({ failure }: CallError): void {
    const { log } = this.#parts;
    const failureText = describeFailure(failure);
    if (isPermanentRefusal(failure)) {
      this.#rejectToken(failureText);
      return;
    }
    this.#failuresInRow += 1;
    this.#health = { ok: false, reason: `Slack can't be reached: ${failureText}` };
    log.warn("slack unreachable", { reason: failureText, attempts: this.#failuresInRow });
  }

  /** Marks as rejected: the bot token if its workspace wasn't read yet, otherwise the transport's token. */
  #rejectToken(failureText: string): void {
    const { identity, transport } = this.#parts;
    const isBotToken = identity !== null && !this.#isIdentified;
    const tokenHint =
      failureText === "not_allowed_token_type" ? "bot tokens begin with xoxb-, app-level tokens with xapp-; " : "";
    const { tokenVariable } = isBotToken ? identity : transport;
    const reason = `Slack refuses ${tokenVariable} (${failureText}): ${tokenHint}run splitwatch doctor for details; if the token changed, set it and restart`;
    if (isBotToken) identity.reject(reason);
    else this.#transportToken.reject(reason);
  }

  #retryDelayMs(): number {
    const failures = Math.max(this.#failuresInRow, this.#openedAt.length - MAX_IMMEDIATE_RECONNECTS);
    const delayMs = backoffMs(failures, { firstMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_MS });
    const transportMs = this.#transportToken.isDisabled ? 0 : this.#transportToken.retryMs;
    return Math.max(delayMs, transportMs, this.#parts.identity?.retryMs ?? 0);
  }
}
