import { createListeners, subscribeAll } from "../../lib/listeners.ts";
import type { Log } from "../../ports/log.ts";
import type { SourceStatus, SourceStatuses } from "../../ports/source-status.ts";
import type { OpenSource } from "../source-definition.ts";

/** The sources as this process knows them: open while it follows them, else by the statuses that another process shares. */
export interface KnownSources {
  /** Null while this process doesn't follow the sources. */
  readonly opened: readonly OpenSource[] | null;
  /** Empty until the sources are open or another process has shared their statuses. */
  statuses(): readonly SourceStatus[];
  /** Calls `listener` whenever a status changes. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

export class SharedSources implements KnownSources {
  readonly #store: SourceStatuses;
  readonly #log: Log;
  readonly #listeners = createListeners();
  readonly onChange = this.#listeners.add;
  #opened: readonly OpenSource[] | null = null;
  #shared: readonly SourceStatus[] = [];
  /** The running write; null if none is running. */
  #writing: Promise<void> | null = null;
  #isOutdated = false;

  constructor(store: SourceStatuses, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  get opened(): readonly OpenSource[] | null {
    return this.#opened;
  }

  statuses(): readonly SourceStatus[] {
    return this.#opened?.flatMap((source) => source.statuses()) ?? this.#shared;
  }

  /** Follows the statuses that other processes share. Returns a function that ends it. */
  async follow(): Promise<() => void> {
    const unsubscribe = this.#store.onChange(() => void this.#read());
    await this.#read();
    return unsubscribe;
  }

  /** Uses these sources and shares their statuses, until the returned function is called. */
  use(opened: readonly OpenSource[]): () => Promise<void> {
    this.#opened = opened;
    const changed = (): void => {
      this.#listeners.notify();
      this.#share();
    };
    const unsubscribe = subscribeAll(opened, changed);
    changed();
    return async () => {
      unsubscribe();
      this.#shared = this.statuses();
      this.#opened = null;
      await this.#writing;
    };
  }

  async #read(): Promise<void> {
    try {
      this.#shared = await this.#store.read();
    } catch (error) {
      this.#log.warn("source statuses unreadable", { error });
    }
    if (this.#opened === null) this.#listeners.notify();
  }

  /** Writes the statuses; changes during a write are written after it. */
  #share(): void {
    this.#isOutdated = true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    while (this.#isOutdated && this.#opened !== null) {
      this.#isOutdated = false;
      await this.#store
        .write(this.statuses())
        .catch((error: unknown) => this.#log.warn("source statuses not shared", { error }));
    }
  }
}
