import type { Processes, ProcessOptions, SplitwatchProcess } from "../support/process.ts";
import type { ProcessControl } from "./controlled-process.ts";
import type { Span } from "./requests.ts";

/** Time of the schedule after which a failed start is repeated. */
const RESTART_MS = 1_000;

/** Exit codes of a start that fails: the disk is full (1), or the data folder can't be written (2). */
const EXIT_CODES: readonly (number | null)[] = [1, 2];

interface ProgramParts {
  readonly control: ProcessControl;
  readonly processes: Processes;
  readonly options: () => ProcessOptions;
  /** Standard error of a start that fails because of a fault and is repeated. */
  readonly failedStart: RegExp;
  /** Reports what the program must not do. */
  readonly report: (problem: string) => void;
}

/** The built program, one process at a time. As a service manager does, it repeats starts that fail because of a fault. */
export class Program {
  readonly #parts: ProgramParts;
  #process: SplitwatchProcess | null = null;
  #isWanted = false;
  #downSince: number | null = null;
  /** Times without a process that answered. */
  readonly downtimes: Span[] = [];
  starts = 0;
  kills = 0;

  constructor(parts: ProgramParts) {
    this.#parts = parts;
  }

  /** The running process; null between an end and the next start. */
  get current(): SplitwatchProcess | null {
    return this.#process;
  }

  start(): SplitwatchProcess {
    const { processes, options, control } = this.#parts;
    const splitwatch = processes.start(options());
    control.attach(splitwatch);
    this.#process = splitwatch;
    this.#isWanted = true;
    this.starts += 1;
    void splitwatch.ready.then(
      () => this.#endDowntime(),
      () => undefined,
    );
    void this.#supervise(splitwatch);
    return splitwatch;
  }

  #beginDowntime(): void {
    this.#downSince ??= this.#parts.control.clock.now();
  }

  #endDowntime(): void {
    if (this.#downSince === null) return;
    this.downtimes.push({ from: this.#downSince, until: this.#parts.control.clock.now() });
    this.#downSince = null;
  }

  /** Resolves with a process that answers; starts one if none is running. */
  async running(): Promise<SplitwatchProcess> {
    for (;;) {
      const splitwatch = this.#process ?? this.start();
      const isReady = await splitwatch.ready.then(
        () => true,
        () => false,
      );
      if (isReady) return splitwatch;
      if (this.#process === splitwatch) throw new Error(`the process ended at its start: ${splitwatch.err()}`);
    }
  }

  /** Ends the process, which must not have ended before. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const splitwatch = this.#process;
    this.#isWanted = false;
    this.#process = null;
    if (splitwatch === null) return;
    this.#beginDowntime();
    if (signal === "SIGKILL") this.kills += 1;
    splitwatch.signal(signal);
    const ending = await splitwatch.ended;
    // A signal that comes before the program has installed its handler ends it as any other process.
    const isEarly = splitwatch.log().length === 0 && splitwatch.out() === "";
    const isExpected =
      signal === "SIGKILL" || isEarly ? ending.signal === signal || ending.code === 0 : ending.code === 0;
    if (!isExpected && !this.#hasFailedToStart(splitwatch, ending.code))
      this.#parts.report(`${signal} ended it with ${ending.code ?? ending.signal}`);
    this.#readOutput(splitwatch);
  }

  /** Kills the process without a report. */
  async abort(): Promise<void> {
    this.#isWanted = false;
    await this.#process?.kill();
  }

  /** Starts the program where it can't start. It must say why in one line, and end; or start nevertheless, and stop. */
  async startInVain(): Promise<void> {
    const { processes, options, control, report } = this.#parts;
    const splitwatch = processes.start(options());
    control.attach(splitwatch);
    this.starts += 1;
    const hasStarted = await splitwatch.ready.then(
      () => true,
      () => false,
    );
    if (hasStarted) {
      this.#process = splitwatch;
      await this.end("SIGTERM");
      return;
    }
    const { code } = await splitwatch.ended;
    if (!EXIT_CODES.includes(code) || splitwatch.stderrOutsideLog().length !== 1)
      report(`where it can't start, it ended with ${code}: ${splitwatch.err()}`);
  }

  /** Repeats a start that failed because of a fault. */
  async #supervise(splitwatch: SplitwatchProcess): Promise<void> {
    const { code } = await splitwatch.ended;
    if (this.#process !== splitwatch || !this.#hasFailedToStart(splitwatch, code)) return;
    this.#process = null;
    this.#beginDowntime();
    await this.#parts.control.clock.sleep(RESTART_MS);
    if (this.#process === null && this.#isWanted) this.start();
  }

  #hasFailedToStart(splitwatch: SplitwatchProcess, code: number | null): boolean {
    const [line = "", ...others] = splitwatch.stderrOutsideLog();
    return code === 1 && others.length === 0 && this.#parts.failedStart.test(line);
  }

  #readOutput(splitwatch: SplitwatchProcess): void {
    const { failedStart, report } = this.#parts;
    for (const line of splitwatch.stderrOutsideLog()) if (!failedStart.test(line)) report(`standard error: ${line}`);
  }
}
