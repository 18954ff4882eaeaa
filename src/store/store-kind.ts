import type { CheckResult } from "../lib/check-result.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { StateRecord } from "../ports/state-records.ts";
import type { Store } from "../ports/store.ts";

/** The part of the configuration that selects a store. */
export interface StoreSettings {
  readonly dataDir: string;
}

/** A kind of store. Adding one takes a folder with this definition and its line in the registry. */
export interface StoreKind {
  /** The folder's name. */
  readonly name: string;
  /** Returns access to the configured state; null where the settings ask for another kind. */
  select(settings: StoreSettings): StoreAccess | null;
}

/** The configured state, and what can be done with it. Failures are StoreErrors that say what to do. */
export interface StoreAccess {
  /** Opens the store for this process. */
  open(options: OpenOptions): Promise<Store>;
  /** Reads the whole state as of one moment; null where there is none. Takes no lock and changes nothing. */
  readState(): Promise<Iterable<StateRecord> | null>;
  /** Writes the records where no state is yet: all of them or, when it fails or is cut short, none. */
  restore(records: AsyncIterable<StateRecord>, options: RestoreOptions): Promise<void>;
  /** The store's part of `splitwatch doctor`. */
  check(): Promise<readonly CheckResult[]>;
}

export interface OpenOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Describes this process to another one that is refused: `pid 4711, http://127.0.0.1:8080`. */
  readonly holder?: string;
}

export interface RestoreOptions {
  readonly holder: string;
  readonly companion: CompanionFile;
}

/** A file of another owner in DATA_DIR that is restored together with the state. */
export interface CompanionFile {
  readonly name: string;
  /** Called after the last record; null where the file is not to exist. */
  text(): string | null;
}
