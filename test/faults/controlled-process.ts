import { fileURLToPath } from "node:url";
import { SETTLE_MS } from "../../src/lib/clock.ts";
import type { SplitwatchProcess } from "../support/process.ts";
import { RunningClock } from "../support/running-clock.ts";

const PRELOAD = fileURLToPath(new URL("process-preload.js", import.meta.url));

/** Controls the time, the clock and the names of the servers as a process sees them, across its restarts. */
export class ProcessControl {
  /** Time of the schedule and of the servers, which no fault affects. */
  readonly clock: RunningClock;
  #speed: number;
  #jumpMs = 0;
  #clockRightAt = 0;
  #names: Readonly<Record<string, string>> = {};
  #process: SplitwatchProcess | null = null;
  /** Called after each change of the clock. */
  onTimeChange: () => void = () => undefined;
  /** Longest stall of an event loop so far, in real milliseconds. */
  worstStallMs = 0;

  constructor({ speed, start }: { readonly speed: number; readonly start: string }) {
    this.#speed = speed;
    this.clock = new RunningClock({ speed, start });
  }

  /** Environment of the next process. */
  env(): Readonly<Record<string, string>> {
    const start = { time: this.time(), names: this.#names };
    return { NODE_OPTIONS: `--import=${PRELOAD}`, FAULTS_START: JSON.stringify(start) };
  }

  /** Controls this process from now on, and measures its stalls after its first poll: loading and compiling code is not one. */
  attach(process: SplitwatchProcess): void {
    this.#process = process;
    void process.nextLog("poll completed").then(() => process.send({ measure: true }));
  }

  readonly onMessage = (message: unknown): void => {
    const { stallMs = 0 } = message as { readonly stallMs?: number };
    this.worstStallMs = Math.max(this.worstStallMs, stallMs);
  };

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.clock.setSpeed(speed);
    this.#sendTime();
  }

  /** Advances the clock in one step, as on a suspended machine. */
  skip(ms: number): void {
    this.clock.skip(ms);
    this.#sendTime();
  }

  /** Lets the clock of the process be wrong by this; 0: lets it be right. */
  setClockError(ms: number): void {
    this.#jumpMs = ms;
    this.#clockRightAt = ms === 0 ? this.clock.now() + SETTLE_MS : Number.POSITIVE_INFINITY;
    this.#sendTime();
  }

  kill(): void {
    this.#process?.signal("SIGKILL");
  }

  /** Lets the process be killed right after its next durable writes. */
  killAfterWrites(writes: number): void {
    this.#process?.send({ writes });
  }

  /** False as long as the process may use a time that is wrong. */
  get isClockRight(): boolean {
    return this.clock.now() >= this.#clockRightAt;
  }

  /** `address`: an IP address, or the code of the error with which the name fails. */
  resolve(name: string, address: string): void {
    this.#names = { ...this.#names, [name]: address };
    this.#process?.send({ names: this.#names });
  }

  /** Resolves every name to its server. */
  restoreNames(): void {
    this.#names = {};
    this.#process?.send({ names: this.#names });
  }

  /** Real milliseconds that this time of the schedule takes. */
  toReal(ms: number): number {
    return ms / this.#speed;
  }

  /** The schedule's time `virtual` at the real time `real`, both in milliseconds since 1970, and its speed. */
  time(): { readonly real: number; readonly virtual: number; readonly speed: number; readonly jumpMs: number } {
    const real = performance.timeOrigin + performance.now();
    return { real, virtual: this.clock.now(), speed: this.#speed, jumpMs: this.#jumpMs };
  }

  #sendTime(): void {
    this.#process?.send({ time: this.time() });
    this.onTimeChange();
  }
}
