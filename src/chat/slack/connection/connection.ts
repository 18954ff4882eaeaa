import { type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import type { PlatformHealth } from "../../../ports/chat-platform.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { asCallError, isPermanentRefusal } from "../alerts/delivery-errors.ts";
import { type CallError, describeFailure } from "../web-api.ts";

/** How what people ask for comes in. */
export interface Transport {
  /** The variable that holds what it opens with, for whoever has to put it right. */
  readonly variable: string;
  /** Fails with a CallError. */
  open(): Promise<void>;
  /** Resolves when it has to be opened again. */
  closed(): Promise<void>;
  close(): Promise<void>;
}

/** Whose token it is: that is found out before anything comes in. */
export interface TokenIdentity {
  readonly variable: string;
  /** Why the token is of no use; null while it is. */
  readonly refusal: string | null;
  refuse(reason: string): void;
  /** Fails with a CallError; asks Slack once. */
  read(): Promise<void>;
}

const START_TIMEOUT_MS = 5_000;

/** How long a stop waits for a try under way: Slack may not answer at all. */
const STOP_TIMEOUT_MS = 2_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = MINUTE_MS;

/** So often in a minute a connection that ended is opened again at once. */
const MAX_IMMEDIATE_RECONNECTS = 5;

export interface ConnectionParts {
  /** Null: each workspace has a token of its own. */
  readonly identity: TokenIdentity | null;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  /** Why it need not even be tried; null: it is worth a try. */
  readonly problem: string | null;
}

/** Keeps the way open by which Slack speaks to us. What Slack refuses for good is said once, in one line, and not tried again. */
export class Connection {
  readonly #identity: TokenIdentity | null;
  readonly #inlet: Transport;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #problem: string | null;
  readonly #stopping = new AbortController();
  #isIdentified: boolean;
  #health: PlatformHealth = { ok: false, reason: "Slack is not connected yet" };
  #running: Promise<void> = Promise.resolve();
  /** In a row. */
  #failures = 0;
  #opened: readonly Instant[] = [];

  constructor(parts: ConnectionParts) {
    this.#identity = parts.identity;
    this.#isIdentified = parts.identity === null;
    this.#inlet = parts.transport;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#problem = parts.problem;
  }

  get health(): PlatformHealth {
    const refusal = this.#identity?.refusal ?? null;
    return refusal === null || this.#isStopping() ? this.#health : { ok: false, reason: refusal };
  }

  /** Resolves when the first try has ended, well or not, or has taken too long to wait for. */
  async start(): Promise<void> {
    if (this.#problem !== null) {
      this.#identity?.refuse(this.#problem);
      this.#health = { ok: false, reason: this.#problem };
      this.#log.error("slack credentials rejected", { reason: this.#problem });
      return;
    }
    const enough = new AbortController();
    const tried = new Promise<void>((resolve) => {
      this.#running = this.#keepOpen(resolve);
    });
    await Promise.race([tried, this.#clock.sleep(START_TIMEOUT_MS, enough.signal)]);
    enough.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#health = { ok: false, reason: "Slack is disconnected: splitwatch stops" };
    await this.#inlet.close();
    const enough = new AbortController();
    await Promise.race([this.#running, this.#clock.sleep(STOP_TIMEOUT_MS, enough.signal)]);
    enough.abort();
  }

  async #keepOpen(firstTried: () => void): Promise<void> {
    const { signal } = this.#stopping;
    while (await this.#openOnce(firstTried)) await this.#clock.sleep(this.#waitMs(), signal);
  }

  /** Opens, and waits for the end of it. False where there is nothing more to be done. */
  async #openOnce(firstTried: () => void): Promise<boolean> {
    if (this.#isStopping()) return false;
    try {
      await this.#open();
    } catch (error) {
      return !this.#isStopping() && this.#failed(asCallError(error));
    } finally {
      firstTried();
    }
    await Promise.race([this.#inlet.closed(), aborted(this.#stopping.signal)]);
    if (this.#isStopping() || this.#isRefused()) return false;
    this.#health = { ok: false, reason: "Slack has closed the connection; it is being opened again" };
    return true;
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #isRefused(): boolean {
    return (this.#identity?.refusal ?? null) !== null;
  }

  async #open(): Promise<void> {
    await this.#identity?.read();
    this.#isIdentified = true;
    await this.#inlet.open();
    if (this.#isStopping()) return this.#inlet.close();
    const now = this.#clock.now();
    this.#failures = 0;
    this.#opened = [...this.#opened.filter((at) => now - at < MINUTE_MS), now];
    this.#health = { ok: true };
    this.#log.info("slack connected");
  }

  /** Whether to try again. */
  #failed({ failure }: CallError): boolean {
    const why = describeFailure(failure);
    if (isPermanentRefusal(failure)) {
      const { variable } = this.#isIdentified ? this.#inlet : (this.#identity ?? this.#inlet);
      const kinds = why === "not_allowed_token_type" ? "a bot's token begins with xoxb-, an app's with xapp-; " : "";
      const reason = `Slack refuses ${variable} (${why}): ${kinds}splitwatch doctor tells more; put it right and start again`;
      if (!this.#isIdentified) this.#identity?.refuse(reason);
      this.#health = { ok: false, reason };
      this.#log.error("slack credentials rejected", { reason });
      return false;
    }
    this.#failures += 1;
    this.#health = { ok: false, reason: `Slack cannot be reached: ${why}` };
    this.#log.warn("slack unreachable", { reason: why, tries: this.#failures });
    return true;
  }

  #waitMs(): number {
    const tries = Math.max(this.#failures, this.#opened.length - MAX_IMMEDIATE_RECONNECTS);
    return tries <= 0 ? 0 : Math.min(FIRST_RETRY_MS * 2 ** Math.min(tries - 1, 10), MAX_RETRY_MS);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
