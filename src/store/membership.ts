import type { Transaction } from "kysely";
import type { StoreProcess } from "../ports/inspection.ts";
import type { Schema } from "./schema.ts";

/** This process among those that use the database. */
export interface Membership {
  /** Id of this process. It is never used again, so that it identifies claims that this process has lost. */
  readonly id: number;
  /** Calls `listener` when other processes may have the claims and jobs of this one. */
  onLost(listener: () => void): void;
  /** Calls `listener` after each heartbeat, which can then repeat failed work. An engine for one process never calls it. */
  onBeat(listener: () => void): void;
  /** False if other processes may have taken over before the answer to a request that this one sends now. */
  mayStillSend(): boolean;
  /** False if other processes may take over soon. */
  mayStillLead(): boolean;
  /** Keeps the claims and jobs of this process until the end of the transaction. Returns false if it has lost them. */
  fence(transaction: Transaction<Schema>): Promise<boolean>;
  /** The processes, without their jobs, and their ids. */
  processes(): Promise<readonly (Omit<StoreProcess, "jobs"> & { readonly id: number })[]>;
}
