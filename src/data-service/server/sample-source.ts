import { headerOf, headerPatch } from "../../domain/diff/snapshot.ts";
import { dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { repeat } from "../../lib/repeat.ts";
import type { Clock } from "../../ports/clock.ts";
import { isSampleId, type Polling, type SampleStory } from "../../ports/data-source.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { publicationTimes, reminderTimes, type Sample, sampleAt } from "./sample.ts";
import type { CatalogSource, WritableCatalog } from "./served-catalog.ts";

/** Interval at which the sample publishes what is due. */
const TICK_MS = 1_000;

/** Id of a snapshot of the story, or of the snapshot from a start of the story until the next poll. */
const STORY_ID = /^sample:(?:started )?(\d{4}-\d{2}-\d{2}T.+)$/;

export interface SampleSourceOptions {
  readonly sample: Sample;
  /** The only problem of the data. */
  readonly note: string;
  /** Has the subscriptions that start the story, and the time of its start in the snapshot; null: it starts immediately. */
  readonly store: Pick<Store, "snapshot" | "rules" | "watchlists"> | null;
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
    return { startedAt: this.#startedAt, replay: () => this.#begin() };
  }

  readonly problems = (): readonly string[] => [this.#options.note];
  readonly readError = (): null => null;
  readonly backfilledRows = (): ReadonlySet<never> => new Set();

  start(polling: Polling): void {
    const { clock, log } = this.#options;
    this.#polling = polling;
    const onFailure = (error: unknown): void => log.warn("sample not updated", { error });
    this.#endTicks = repeat(() => this.#tick(polling), { everyMs: TICK_MS, clock, onFailure });
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
  #begin(): Promise<void> {
    const startedAt = this.#options.clock.now();
    return this.#serve(startedAt, () => this.#saveStart(startedAt));
  }

  /** Serves the sample as it is in a story that was started at `startedAt`. */
  async #serve(startedAt: Instant, save?: () => Promise<void>): Promise<void> {
    if (startedAt === this.#startedAt) return;
    await this.#polling?.pauseFor(async () => {
      if (this.#isStopped || startedAt === this.#startedAt) return;
      await save?.();
      this.#startedAt = startedAt;
      this.#publish();
      this.#options.log.info("sample story started", { id: this.id });
    });
  }

  /** Renames the snapshot, whose splits are shown until the first poll of the story. The snapshot of another source stays. */
  async #saveStart(startedAt: Instant): Promise<void> {
    const { store } = this.#options;
    const snapshot = await store?.snapshot.read();
    if (snapshot === undefined || !isSampleId(snapshot.source)) return;
    const header = { ...headerOf(snapshot), source: `sample:started ${new Date(startedAt).toISOString()}` };
    await store?.snapshot.commit({ patch: headerPatch(header), events: [], deliveries: [] });
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
async function readStart({ snapshot }: Pick<Store, "snapshot">, clock: Clock): Promise<Instant | null> {
  const startedAt = Date.parse(STORY_ID.exec((await snapshot.read()).source)?.[1] ?? "");
  if (Number.isNaN(startedAt)) return null;
  return dayInZone(startedAt, MARKET_ZONE) === dayInZone(clock.now(), MARKET_ZONE) ? startedAt : null;
}

/** True if alerts of the story can be received. */
async function hasSubscriptions({ rules, watchlists }: Pick<Store, "rules" | "watchlists">): Promise<boolean> {
  return (await rules.count()) > 0 || (await watchlists.count()).people > 0;
}
