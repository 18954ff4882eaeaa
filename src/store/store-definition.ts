import type { EnvironmentReader } from "../config/environment.ts";
import type { VariableDefinition } from "../config/variables.ts";
import type { Rule } from "../domain/settings/rule.ts";
import type { CheckResult } from "../lib/check-result.ts";
import type { ApiKeys } from "../ports/api-keys.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { StateKind, StateRecord } from "../ports/state-records.ts";
import type { Store } from "../ports/store.ts";

/** The part of the configuration that selects a store. */
export interface StoreSettings {
  readonly dataDir: string;
  /** Reads and validates the store's variables. Default: no variable is set. */
  readonly env?: EnvironmentReader;
}

/**
 * Definition of an engine of the store. A new engine needs a folder with this definition and a line in the registry. The definition
 * imports the other modules of the engine on demand.
 */
export interface StoreDefinition {
  /** Name of the engine's folder. */
  readonly name: string;
  /** Environment variables in addition to DATA_DIR, in the order of .env.example. */
  readonly variables: readonly VariableDefinition[];
  /** Returns access to the configured state; null if the settings select another engine. */
  select(settings: Required<StoreSettings>): StoreAccess | null;
}

/** Operations on the configured state. Failures are StoreErrors that say what to do. */
export interface StoreAccess {
  /** Where the state is, for users: a folder, or a database without its password. */
  readonly location: string;
  /** True if several processes can use the state at the same time. */
  readonly isShared: boolean;
  /** Opens the store for this process. */
  open(options: OpenOptions): Promise<Store>;
  /**
   * Reads the records of these kinds (default: all) as they are at one moment; none if no splitwatch has used the store yet, else at
   * least one of the kind `snapshot`. Takes no lock and changes nothing. Files and connections are released when the iteration ends.
   */
  readState(kinds?: readonly StateKind[]): AsyncIterable<StateRecord>;
  /** Writes the records as the new state, atomically. Fails if a state exists. */
  restore(records: AsyncIterable<StateRecord>, options: RestoreOptions): Promise<void>;
  /** The API keys, which are also changed while another process uses the store. They are part of the state. */
  apiKeys(): Promise<ApiKeys>;
  /** Runs the checks of `splitwatch doctor`, which change nothing. */
  check(): Promise<readonly CheckResult[]>;
  /** Absent if the store has no schema to migrate. */
  readonly migrations?: MigrationAccess;
}

/** Migrations of a database's schema. `open` applies the pending ones. */
export interface MigrationAccess {
  /** Compares the database with this version's migrations. Changes nothing. */
  read(): Promise<MigrationState>;
  /** Applies the pending migrations, all or none, and returns their names. Other processes that migrate or open wait. */
  apply(): Promise<readonly string[]>;
}

/** Names of migrations, oldest first. */
export interface MigrationState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
}

export interface OpenOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Description of this process for the errors of other processes: `pid 4711, http://127.0.0.1:8080`. */
  readonly holder?: string;
  /** Parts of the work that this process does. Absent if it is no server, but a command. */
  readonly roles?: readonly string[];
  /** Rules of the configuration, which are read with the stored ones and are not part of the state. Their destinations have no other rules. */
  readonly configuredRules?: readonly Rule[];
}

export interface RestoreOptions {
  readonly holder: string;
}
