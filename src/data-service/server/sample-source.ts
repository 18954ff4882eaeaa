import { z } from "zod";
import { dayInZone, type Instant, instantSchema } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { parseJson } from "../../lib/json.ts";
import { repeat } from "../../lib/repeat.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Polling, SampleStory } from "../../ports/data-source.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { publicationTimes, reminderTimes, type Sample, sampleAt } from "./sample.ts";
import type { CatalogSource, WritableCatalog } from "./served-catalog.ts";

/** Interval at which the sample publishes what is due. */
const TICK_MS = 1_000;

/** Document with the last start of the sample's story. */
const DOCUMENT = "sample-story";

const documentSchema = z.object({ startedAt: instantSchema });

export interface SampleSourceOptions {
  readonly sample: Sample;
  /** The only problem of the data. */
  readonly note: string;
  /** Shares the start of the story with other processes, and has the subscriptions that start it; null: it starts immediately. */
  readonly store: Pick<Store, "documents" | "rules" | "watchlists"> | null;
  readonly catalog: WritableCatalog;
  readonly clock: Clock;
  readonly log: Log;
}

/** Fills the catalog with the sample. Its story starts with the first subscription and continues after a restart on the same day. */
export class SampleSource implements CatalogSource {
  readonly name = "built-in sample";
  readonly sample = true;
  readonly #options: SampleSourceOptions;
  /** Start of the story; null before it. */
  #startedAt: Instant | null;
  #replacedId: string | null = null;
  readonly #openedAt: Instant;
  /** Milliseconds after the start of the story through which everything due is published. */
  #publishedMs = 0;
  #polling: Polling | null = null;
  #endTicks = async (): Promise<void> => undefined;
  #isStopped = false;

  constructor(options: SampleSourceOptions, startedAt: Instant | null) {
    this.#options = options;
    this.#startedAt = startedAt;
    this.#openedAt = options.clock.now();
    this.#publish();
  }

  static async open(options: SampleSourceOptions): Promise<SampleSource> {
    const { store, clock } = options;
    return new SampleSource(options, store === null ? clock.now() : await readStart(store, clock));
  }

  /** Before the story, the same all day, also after a restart and in other processes. */
  get id(): string {
    const start = this.#startedAt;
    return `sample:${start === null ? dayInZone(this.#openedAt, MARKET_ZONE) : new Date(start).toISOString()}`;
  }

  get story(): SampleStory {
    return { startedAt: this.#startedAt, replacedId: this.#replacedId, replay: () => this.#begin() };
  }

  readonly problems = (): readonly string[] => [this.#options.note];
  readonly readError = (): null => null;
  readonly backfilledRows = (): ReadonlySet<never> => new Set();

  start(polling: Polling): void {
    const { clock, log } = this.#options;
    this.#polling = polling;
    const options = { everyMs: TICK_MS, clock, log, failure: "sample not updated" };
    this.#endTicks = repeat(() => this.#tick(polling), options);
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#endTicks();
  }

  async #tick(polling: Polling): Promise<void> {
    const { sample } = this.#options;
    await this.#adoptStart(polling);
    const publishedMs = this.#publishedMs;
    const elapsedMs = this.#elapsedMs();
    const isDue = (ms: number): boolean => ms > publishedMs && ms <= elapsedMs;
    if (publicationTimes(sample).some(isDue)) this.#publish(elapsedMs);
    if (reminderTimes(sample).some(isDue)) polling.remindNow();
    // If the system clock is set back, no step is repeated.
    this.#publishedMs = Math.max(publishedMs, elapsedMs);
  }

  /** Follows a start by another process. The process that polls starts the story of a sample with subscriptions. */
  async #adoptStart(polling: Polling): Promise<void> {
    const { store, clock } = this.#options;
    if (store === null) return;
    const startedAt = await readStart(store, clock);
    if (startedAt !== null) await this.#serve(startedAt);
    else if (this.#startedAt === null && polling.isRunning() && (await hasSubscriptions(store))) await this.#begin();
  }

  /** Starts the story, in all processes. */
  async #begin(): Promise<void> {
    const { store, clock } = this.#options;
    const startedAt = clock.now();
    await store?.documents.write(DOCUMENT, JSON.stringify({ startedAt }));
    await this.#serve(startedAt);
  }

  /** Serves the sample as it is in a story that was started at `startedAt`. */
  async #serve(startedAt: Instant): Promise<void> {
    const { log } = this.#options;
    if (startedAt === this.#startedAt) return;
    await this.#polling?.pauseFor(async () => {
      if (this.#isStopped || startedAt === this.#startedAt) return;
      this.#replacedId = this.id;
      this.#startedAt = startedAt;
      this.#publish();
      log.info("sample story started", { id: this.id });
    });
  }

  #publish(elapsedMs = this.#elapsedMs()): void {
    const { sample, catalog } = this.#options;
    const start = this.#startedAt ?? this.#openedAt;
    this.#publishedMs = elapsedMs;
    catalog.replace(sampleAt(sample, start, start + elapsedMs));
  }

  #elapsedMs(): number {
    return this.#startedAt === null ? 0 : this.#options.clock.now() - this.#startedAt;
  }
}

/** Time at which the story was started last, by any process; null if not on this day, whose dates the sample has. */
async function readStart({ documents }: Pick<Store, "documents">, clock: Clock): Promise<Instant | null> {
  const document = documentSchema.safeParse(parseJson((await documents.read(DOCUMENT)) ?? ""));
  if (!document.success) return null;
  const { startedAt } = document.data;
  return dayInZone(startedAt, MARKET_ZONE) === dayInZone(clock.now(), MARKET_ZONE) ? startedAt : null;
}

/** True if alerts of the story can be received. */
async function hasSubscriptions({ rules, watchlists }: Pick<Store, "rules" | "watchlists">): Promise<boolean> {
  return (await rules.count()) > 0 || (await watchlists.count()).people > 0;
}
