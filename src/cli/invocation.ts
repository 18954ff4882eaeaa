import type { Readable } from "node:stream";
import type { ConfigSources } from "../config/index.ts";

/** Why the process is to end. */
export type Stop =
  | { readonly kind: "signal"; readonly signal: "SIGINT" | "SIGTERM" }
  | { readonly kind: "error"; readonly error: unknown };

/** What a subcommand works with: the process, as far as it is its business. */
export interface Invocation extends ConfigSources {
  /** A line of what was asked for. */
  out(line: string): void;
  /** Resolves when the reader of `out` has kept up, or has gone: who prints much waits for that, and holds little in memory. */
  drained(): Promise<void>;
  /** A line about it: an explanation, a problem. */
  err(line: string): void;
  /** Standard input. Asked for only where it is read: an open one can keep a process from ending. */
  input(): Readable;
  /** Aborted once nobody reads what is printed any more. */
  readonly outputClosed: AbortSignal;
  /** Resolves when the process is to end; never rejects. */
  readonly stopRequested: Promise<Stop>;
}

/** What the process ends with: done, failed, or asked for in a way that cannot be. */
export const EXIT = { done: 0, failed: 1, misused: 2 } as const;

/** As shells count the end by a signal. */
export const EXIT_BY_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const;

/** What a subcommand that is not done ends with. Throws the error that ends the process, where it is one. */
export function exitCodeOf(stop: Stop): number {
  if (stop.kind === "error") throw stop.error;
  return EXIT_BY_SIGNAL[stop.signal];
}
