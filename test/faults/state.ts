import type { StateRecord } from "../../src/ports/state-records.ts";
import type { ProcessControl } from "./controlled-process.ts";

/** State of a schedule's process. Its faults are those of its kind of store. */
export interface FaultyState {
  readonly kind: StateKind;
  /** Seconds of a schedule per real second, before and after the destinations are set up: its answers must come within timeouts. */
  readonly startSpeed: number;
  readonly speed: number;
  /** Environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Standard error of a process that may not start because of a fault. */
  readonly failedStart: RegExp;
  /** Reads the whole state; the process may run. */
  read(): AsyncIterable<StateRecord>;
  /** Lets the process be killed right after its next durable writes; 0: it isn't. */
  killAfterWrites(writes: number): void;
  close(): Promise<void>;
}

/** Store of a schedule: the files in DATA_DIR, or a PostgreSQL database. */
export type StateKind = "files" | "database";

/** Opens an empty state; `folder` is empty and may be used for it. */
export type OpenState = (parts: { readonly folder: string; readonly control: ProcessControl }) => Promise<FaultyState>;
