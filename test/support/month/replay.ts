import type { CatalogSplit } from "../../../src/catalog/catalog-split.ts";
import { completeSplits } from "../../../src/catalog/catalog-split.ts";
import { ratioCode } from "../../../src/domain/split/ratio.ts";
import { DAY_MS, type Day, dayInZone, HOUR_MS, type Instant } from "../../../src/domain/time/day.ts";
import { MARKET_ZONE } from "../../../src/domain/time/trading-day.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { SILENT_LOG } from "../../../src/ports/log.ts";
import type { SourceRecords, Store } from "../../../src/ports/store.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import type { OpenSource, SourceParts } from "../../../src/sources/source-definition.ts";
import { createHostBackoff } from "../../../src/sources/web/host-backoff.ts";
import { createHostQueue } from "../../../src/sources/web/host-queue.ts";
import { openSqliteStore } from "../../../src/store/engines/sqlite/open.ts";
import { aRecord } from "../builders.ts";
import { type CountingQueue, countingQueue } from "../counting-queue.ts";
import { directReader } from "../direct-reader.ts";
import { type FollowedLiveSources, followSources } from "../follow-sources.ts";
import { ManualClock } from "../manual-clock.ts";
import { PolledSource } from "../polled-source.ts";
import type { Random } from "../random.ts";
import { recordedLog } from "../recorded-log.ts";
import { SkippingClock } from "../skipping-clock.ts";
import { type RunningServers, startMonthServers } from "./servers.ts";
import { FIRST_DAY, type Month, type TrueSplit } from "./story.ts";

/** Average time between two readings. */
const STEP_MS = 5 * HOUR_MS;
const FAULT_SHARE = 0.3;
const RESTART_SHARE = 0.02;
/** Longer than the backoff of a page or feed. */
const RECOVERY_MS = 25 * HOUR_MS;
const RECOVERY_POLLS = 3;

/**
 * Longest outage after which nothing is lost: three trading days of halts and a week of filings are shown, and releases are
 * extracted again for ten days.
 */
const MAX_OUTAGE_MS: Readonly<Record<string, number>> = { halts: 2 * DAY_MS, sec: 5 * DAY_MS, symbols: 5 * DAY_MS };

function openStore(dir: string): Promise<Store> {
  return openSqliteStore({ dir, clock: systemClock, log: SILENT_LOG });
}

/** A source with the clock that wakes its next poll. */
interface Followed {
  readonly name: string;
  readonly clock: ManualClock;
  readonly queue: CountingQueue;
}

/** An alert on a new split. */
export interface Announcement {
  readonly ticker: string;
  readonly exDate: Day;
  /** Day in New York. */
  readonly on: Day;
  /** Whether its row was withdrawn since the last announcement. */
  readonly isReturn: boolean;
}

/** The sources of the month, followed as in production; the replay decides which one reads when. */
export class MonthReplay {
  readonly log = recordedLog();
  readonly #servers: RunningServers;
  readonly #month: Month;
  readonly #dataDir: string;
  #store: Store;
  readonly #poller = PolledSource.settled([], `${FIRST_DAY}T09:00:00Z`);
  /** Symbols that were announced, and are no longer listed. */
  readonly #withdrawn = new Set<string>();
  /** Symbols that a directory contradicted. */
  readonly contradicted = new Set<string>();
  /** Oldest first. */
  readonly announcements: Announcement[] = [];
  #now = Date.parse(`${FIRST_DAY}T10:00:00Z`);
  #startedAt = 0;
  /** Writes in flight. */
  #writes = 0;
  #published = 0;
  #followed: readonly Followed[] = [];
  #live: FollowedLiveSources | null = null;
  #splits: () => readonly CatalogSplit[] = () => [];

  private constructor(month: Month, servers: RunningServers, dataDir: string, store: Store) {
    this.#month = month;
    this.#servers = servers;
    this.#dataDir = dataDir;
    this.#store = store;
  }

  /** Starts the servers of the month, and sources whose records are stored in the folder. */
  static async open(month: Month, dataDir: string): Promise<MonthReplay> {
    const time: { replay?: MonthReplay } = {};
    const servers = await startMonthServers(() => time.replay?.now ?? 0);
    const replay = new MonthReplay(month, servers, dataDir, await openStore(dataDir));
    time.replay = replay;
    await replay.#follow();
    return replay;
  }

  get now(): Instant {
    return this.#now;
  }

  /** Reads the sources in random order at random times, with faults and restarts, until everything is published. */
  async readAtRandom(random: Random): Promise<void> {
    const end = this.#month.publications.at(-1)?.at ?? this.#now;
    while (this.#now < end) {
      this.#publishUntil(this.#now + 2 * STEP_MS * random.next());
      if (random.chance(RESTART_SHARE)) await this.#restart();
      const overdue = this.#overdue();
      const source = overdue ?? this.#followed[random.below(this.#followed.length)];
      if (source === undefined) continue;
      if (overdue === undefined && random.chance(FAULT_SHARE)) this.#servers.break(source.name, random);
      await this.#read(source);
      this.#servers.repair();
    }
  }

  /** Reads every source without faults, after the backoff of earlier ones. */
  async readAll(): Promise<void> {
    for (let poll = 0; poll < RECOVERY_POLLS; poll += 1) {
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

  /** The splits that a halt confirms, as `ACME 2026-03-10`. */
  confirmed(): readonly string[] {
    const splits = this.#splits().filter(({ confirmations }) => confirmations.length > 0);
    return splits.map(({ listings, exDate }) => `${listings[0]?.ticker} ${exDate}`).toSorted();
  }

  async close(): Promise<void> {
    await this.#live?.stop();
    await this.#store.close();
    await this.#servers.close();
  }

  async #follow(): Promise<void> {
    const definitions = SOURCES.filter(({ name }) => name in this.#servers.settings);
    this.#followed = definitions.map(({ name }) => {
      const clock = new ManualClock(new Date(this.#now).toISOString());
      const queue = { ...createHostQueue(new SkippingClock()), backoff: createHostBackoff(clock) };
      return { name, clock, queue: countingQueue(queue) };
    });
    const openers = definitions.map((definition, index) => (parts: SourceParts): Promise<OpenSource> => {
      this.#splits = parts.splits;
      const { clock = parts.clock, queue = parts.queue } = this.#followed[index] ?? {};
      return definition.open(this.#servers.settings[definition.name], { ...parts, clock, queue });
    });
    const clock = new ManualClock(new Date(this.#now).toISOString());
    this.#startedAt = this.#now;
    this.#live = await followSources(openers, {
      store: {
        releases: this.#counting(this.#store.releases),
        observations: this.#counting(this.#store.observations),
        sourceStatuses: this.#store.sourceStatuses,
        sourceReads: this.#counting(this.#store.sourceReads),
      },
      keepTextsMs: 731 * DAY_MS,
      clock,
      queue: createHostQueue(clock),
      reader: directReader,
      version: "0.0.0",
      contact: "ops@example.com",
      log: this.log,
    });
    for (const { queue } of this.#followed) await queue.settled(() => this.#writes > 0);
  }

  /** The records, with their writes counted while they last. */
  #counting<T>(records: SourceRecords<T>): SourceRecords<T> {
    const count = async (write: Promise<void>): Promise<void> => {
      this.#writes += 1;
      await write.finally(() => {
        this.#writes -= 1;
      });
    };
    return {
      all: () => records.all(),
      put: (record) => count(records.put(record)),
      remove: (keys) => count(records.remove(keys)),
      onChange: (listener) => records.onChange(listener),
    };
  }

  async #restart(): Promise<void> {
    await this.#live?.stop();
    await this.#store.close();
    this.#store = await openStore(this.#dataDir);
    await this.#follow();
  }

  /** A source that could not be read for the longest time after which it still shows everything. */
  #overdue(): Followed | undefined {
    const statuses = this.#live?.statuses() ?? [];
    return this.#followed.find(({ name }) => {
      const lastOkAt = statuses.find((status) => status.name === name)?.lastOkAt ?? this.#startedAt;
      return this.#now - lastOkAt > (MAX_OUTAGE_MS[name] ?? Number.POSITIVE_INFINITY);
    });
  }

  /** Wakes the source, and waits until it has read what is due. */
  async #read({ clock, queue }: Followed): Promise<void> {
    clock.skip(this.#now - clock.now());
    await clock.advance(0);
    await queue.settled(() => this.#writes > 0);
    this.#poll();
  }

  /** Compares the rows with those of the last poll, as the bot does. */
  #poll(): void {
    this.#poller.at = this.#now;
    const records = this.rows().map(({ announced, ...row }) => aRecord({ ...row, dateAnnounced: announced }));
    const listed = new Set<string>(records.map(({ ticker }) => ticker));
    const today = dayInZone(this.#now, MARKET_ZONE);
    for (const event of this.#poller.poll(records)) {
      if (event.kind !== "announced") continue;
      const { ticker, exDate } = event.record;
      this.announcements.push({ ticker, exDate, on: today, isReturn: this.#withdrawn.has(ticker) });
    }
    for (const split of this.#splits()) {
      if (this.#live?.listingProblems(split).length) this.contradicted.add(split.listings[0]?.ticker ?? "");
    }
    for (const { ticker } of this.announcements) {
      if (listed.has(ticker)) this.#withdrawn.delete(ticker);
      else this.#withdrawn.add(ticker);
    }
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
