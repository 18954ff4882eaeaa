import type { CatalogSplit } from "../../../src/catalog/catalog-split.ts";
import { completeSplits } from "../../../src/catalog/catalog-split.ts";
import { ratioCode } from "../../../src/domain/split/ratio.ts";
import { DAY_MS, HOUR_MS, type Instant } from "../../../src/domain/time/day.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import { followSources, type LiveSources } from "../../../src/sources/live-sources.ts";
import type { OpenSource, SourceParts } from "../../../src/sources/source-definition.ts";
import { createHostQueue } from "../../../src/sources/web/host-queue.ts";
import { type CountingQueue, countingQueue } from "../counting-queue.ts";
import { ManualClock } from "../manual-clock.ts";
import type { Random } from "../random.ts";
import { recordedLog } from "../recorded-log.ts";
import { SkippingClock } from "../skipping-clock.ts";
import { MemoryObservations, MemoryReleases } from "../source-records.ts";
import { type RunningServers, startMonthServers } from "./servers.ts";
import { FIRST_DAY, type Month, type TrueSplit } from "./story.ts";

/** Average time between two readings. */
const STEP_MS = 8 * HOUR_MS;
const FAULT_SHARE = 0.3;
const RESTART_SHARE = 0.02;
/** Longer than the backoff of a refused page or feed. */
const RECOVERY_MS = 7 * HOUR_MS;
const RECOVERY_READINGS = 3;

/** A source with the clock that wakes its next reading. */
interface Followed {
  readonly name: string;
  readonly clock: ManualClock;
  readonly queue: CountingQueue;
}

/** The sources of the month, followed as in production; the replay decides which one reads when. */
export class MonthReplay {
  readonly log = recordedLog();
  readonly #servers: RunningServers;
  readonly #month: Month;
  readonly #store = { releases: new MemoryReleases(), observations: new MemoryObservations() };
  #now = Date.parse(`${FIRST_DAY}T10:00:00Z`);
  #published = 0;
  #followed: readonly Followed[] = [];
  #live: LiveSources | null = null;
  #splits: () => readonly CatalogSplit[] = () => [];

  private constructor(month: Month, servers: RunningServers) {
    this.#month = month;
    this.#servers = servers;
  }

  static async open(month: Month): Promise<MonthReplay> {
    const replay = new MonthReplay(month, await startMonthServers());
    await replay.#follow();
    return replay;
  }

  /** Reads the sources in random order at random times, with faults and restarts, until everything is published. */
  async readAtRandom(random: Random): Promise<void> {
    const end = this.#month.publications.at(-1)?.at ?? this.#now;
    while (this.#now < end) {
      this.#publishUntil(this.#now + 2 * STEP_MS * random.next());
      if (random.chance(RESTART_SHARE)) await this.#restart();
      const source = this.#followed[random.below(this.#followed.length)];
      if (source === undefined) continue;
      if (random.chance(FAULT_SHARE)) this.#servers.break(source.name, random);
      await this.#read(source);
      this.#servers.repair();
    }
  }

  /** Reads every source without faults, after the backoff of earlier ones. */
  async readAll(): Promise<void> {
    for (let reading = 0; reading < RECOVERY_READINGS; reading += 1) {
      this.#publishUntil(this.#now + RECOVERY_MS);
      for (const source of this.#followed) await this.#read(source);
    }
  }

  /** The rows of the catalog. */
  rows(): readonly TrueSplit[] {
    return this.#splits()
      .flatMap(completeSplits)
      .map(({ ratio, announced, ...row }) => ({ ...row, ratio: ratioCode(ratio), announced: announced ?? row.exDate }));
  }

  async close(): Promise<void> {
    await this.#live?.stop();
    await this.#servers.close();
  }

  async #follow(): Promise<void> {
    const definitions = SOURCES.filter(({ name }) => name in this.#servers.settings);
    this.#followed = definitions.map(({ name }) => ({
      name,
      clock: new ManualClock(new Date(this.#now).toISOString()),
      queue: countingQueue(createHostQueue(new SkippingClock())),
    }));
    const openers = definitions.map((definition, index) => (parts: SourceParts): Promise<OpenSource> => {
      this.#splits = parts.splits;
      const { clock = parts.clock, queue = parts.queue } = this.#followed[index] ?? {};
      return definition.open(this.#servers.settings[definition.name], { ...parts, clock, queue });
    });
    const clock = new ManualClock(new Date(this.#now).toISOString());
    this.#live = await followSources(openers, {
      store: this.#store,
      keepTextsMs: 731 * DAY_MS,
      clock,
      queue: createHostQueue(clock),
      version: "0.0.0",
      contact: "ops@example.com",
      log: this.log,
    });
    for (const { queue } of this.#followed) await queue.settled();
  }

  async #restart(): Promise<void> {
    await this.#live?.stop();
    await this.#follow();
  }

  /** Wakes the source, and waits until it has read what is due. */
  async #read({ clock, queue }: Followed): Promise<void> {
    clock.skip(this.#now - clock.now());
    await clock.advance(0);
    await queue.settled();
  }

  #publishUntil(time: Instant): void {
    this.#now = time;
    const { publications } = this.#month;
    for (let next = publications[this.#published]; next && next.at <= time; next = publications[this.#published]) {
      next.publish(this.#servers);
      this.#published += 1;
    }
  }
}
