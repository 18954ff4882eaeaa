import type { Readable, Writable } from "node:stream";
import type { Config, ConfigInput } from "../config/index.ts";
import { createRedactor } from "../lib/redact.ts";
import { StoreError, StoreSettingError } from "../ports/store.ts";
import type { StoreAccess } from "../store/store-definition.ts";

/** Reason why the process has to end. */
export type Stop =
  | { readonly kind: "signal"; readonly signal: "SIGINT" | "SIGTERM" }
  | { readonly kind: "error"; readonly error: unknown };

/** What a subcommand uses of its process: configuration, input, output and stop requests. */
export interface Invocation extends ConfigInput {
  /** Prints a line of the result to standard output. */
  out(line: string): void;
  /** Resolves when standard output accepts more lines or is closed. Awaited between lines to bound memory. */
  drained(): Promise<void>;
  /** True if standard output is a terminal. */
  readonly outputIsTerminal: boolean;
  /** Prints an explanation or a problem to standard error. */
  err(line: string): void;
  /** Standard input. Called only to read it: an open input can keep the process alive. */
  input(): Readable;
  /** Standard output, for the questions of a terminal. */
  output(): Writable;
  /** Aborts when the reader closes standard output. */
  readonly outputClosed: AbortSignal;
  /** Resolves when the process has to end; never rejects. */
  readonly stopRequested: Promise<Stop>;
  /** Sets the listener for errors that are thrown while the process is stopping. By default, only their names are printed. */
  readonly onFurtherError: (listener: (error: unknown) => void) => void;
}

/** Exit codes. `usage`: invalid arguments or configuration. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** Exit code after an expected failure. A store setting that can't be used counts as invalid configuration. */
export function exitCodeOfFailure(error: unknown): number {
  return error instanceof StoreSettingError ? EXIT.usage : EXIT.failed;
}

/** Prints a problem to standard error, with secrets masked. */
export function printProblem(
  problem: string,
  { secrets, credentialPatterns }: Pick<Config, "secrets" | "credentialPatterns">,
  invocation: Invocation,
): void {
  invocation.err(`splitwatch: ${createRedactor(secrets, credentialPatterns)(problem)}`);
}

/** Prints a StoreError and returns the exit code. Throws any other error. */
export function reportStoreError(error: unknown, config: Config, invocation: Invocation): number {
  if (!(error instanceof StoreError)) throw error;
  printProblem(error.message, config, invocation);
  return exitCodeOfFailure(error);
}

/** Exit codes of a process that ends by a signal, as in shells. */
export const EXIT_BY_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const;

/** Exit code of a subcommand that is stopped early. Throws the error if an error caused the stop. */
export function exitCodeOf(stop: Stop): number {
  if (stop.kind === "error") throw stop.error;
  return EXIT_BY_SIGNAL[stop.signal];
}

/** Thrown by work that is abandoned because the process has to end. */
export class StopRequestedError extends Error {
  override readonly name = "StopRequestedError";
  readonly stop: Stop;

  constructor(stop: Stop) {
    super("the process is stopping");
    this.stop = stop;
  }

  get exitCode(): number {
    return exitCodeOf(this.stop);
  }
}

/** Yields the values; throws a StopRequestedError once a stop is requested. */
export async function* untilStopRequested<T>(values: AsyncIterable<T>, invocation: Invocation): AsyncGenerator<T> {
  const requested: { stop?: Stop } = {};
  const recordStop = async (): Promise<void> => {
    requested.stop = await invocation.stopRequested;
  };
  void recordStop();
  for await (const value of values) {
    if (requested.stop) throw new StopRequestedError(requested.stop);
    yield value;
  }
}

/** Problem of a command that needs a state. */
export function noStateProblem({ location, isShared }: StoreAccess): string {
  const variable = isShared ? "DATABASE_URL" : "DATA_DIR";
  return `${variable}: got ${location}, which contains no splitwatch data, expected the ${variable} of an installation`;
}
