import type { Config } from "../config/index.ts";
import { type ClientLimits, createSplitsClient, type SplitsClient } from "../data-service/client/client.ts";
import { MINUTE_MS } from "../domain/time/day.ts";
import { repeat } from "../lib/repeat.ts";
import type { Clock } from "../ports/clock.ts";
import type { Polling } from "../ports/data-source.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import type { DataSource } from "./data-source.ts";

type ServiceAddress = NonNullable<Config["splitsApi"]>;

/** Minimum time between two switches: several servers behind one address may have different data. */
const MIN_SWITCH_INTERVAL_MS = MINUTE_MS;

/** Interval at which a process adopts the kind of data that another one polls. */
const ADOPT_INTERVAL_MS = 2_000;

const SAMPLE_NOTE = "Sample data (invented companies), served by the data service.";

interface ExternalParts {
  readonly store: Pick<Store, "snapshot">;
  /** True if other processes use the store too. */
  readonly isShared: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** An external data service. A response header marks sample data, which the service may later replace with live data. */
export class ExternalSource implements DataSource {
  readonly kind = "external";
  readonly service = null;
  readonly catalog = null;
  readonly live = null;
  readonly name: string;
  readonly #key: string | null;
  readonly #parts: ExternalParts;
  #isSample: boolean;
  #switchedAt = Number.NEGATIVE_INFINITY;
  #polling: Polling | null = null;
  #endAdopting = async (): Promise<void> => undefined;

  private constructor({ url, key }: ServiceAddress, isSample: boolean, parts: ExternalParts) {
    this.name = url;
    this.#key = key;
    this.#isSample = isSample;
    this.#parts = parts;
  }

  /** Opens it with the kind of data that was polled last. */
  static async open(address: ServiceAddress, parts: ExternalParts): Promise<ExternalSource> {
    const { source } = await parts.store.snapshot.read();
    return new ExternalSource(address, source === idOf(address.url, true), parts);
  }

  get id(): string {
    return idOf(this.name, this.#isSample);
  }

  get sample(): boolean {
    return this.#isSample;
  }

  readonly problem = (): null => null;
  readonly releaseText = (): null => null;
  readonly backfilledRows = (): ReadonlySet<never> => new Set();

  notes(): readonly string[] {
    return this.#isSample ? [SAMPLE_NOTE] : [];
  }

  connect(_address: string, limits: Partial<ClientLimits>): SplitsClient {
    const { clock, log } = this.#parts;
    return createSplitsClient({
      id: this.id,
      sample: this.sample,
      baseUrl: this.name,
      apiKey: this.#key,
      acceptsData: (isMarkedSample) => this.#accepts(isMarkedSample),
      clock,
      log,
      limits,
    });
  }

  start(polling: Polling): void {
    const { isShared, clock, log } = this.#parts;
    this.#polling = polling;
    if (!isShared) return;
    const onFailure = (error: unknown): void => log.warn("data source not followed", { error });
    this.#endAdopting = repeat(() => this.#adopt(polling), { everyMs: ADOPT_INTERVAL_MS, clock, onFailure });
  }

  close(): Promise<void> {
    return this.#endAdopting();
  }

  /** Switches to the other kind of data instead of accepting an answer with it. */
  #accepts(isMarkedSample: boolean): boolean {
    const { clock, log } = this.#parts;
    if (isMarkedSample === this.#isSample) return true;
    if (this.#polling !== null && clock.monotonic() - this.#switchedAt >= MIN_SWITCH_INTERVAL_MS) {
      this.#switchedAt = clock.monotonic();
      this.#polling
        .pauseFor(async () => {
          this.#isSample = isMarkedSample;
          log.info("source changed", { to: this.id });
        })
        .catch((error: unknown) => log.error("source change failed", { error }));
    }
    return false;
  }

  async #adopt(polling: Polling): Promise<void> {
    if (polling.isRunning()) return;
    const { source } = await this.#parts.store.snapshot.read();
    if (source === idOf(this.name, !this.#isSample)) this.#isSample = !this.#isSample;
  }
}

function idOf(url: string, isSample: boolean): string {
  return isSample ? `sample:${url}` : url;
}
