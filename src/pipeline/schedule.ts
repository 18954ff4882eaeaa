import type { DiffSettings } from "../domain/diff/snapshot.ts";
import type { RowKey } from "../domain/split/split.ts";
import { DAY_MS } from "../domain/time/day.ts";
import { createMutex } from "../lib/mutex.ts";
import type { ArticleReader } from "../ports/article-reader.ts";
import type { Clock } from "../ports/clock.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import type { SplitSource } from "../ports/split-source.ts";
import type { CommitParts } from "./commit.ts";
import { Poller } from "./poll.ts";
import { Reminders } from "./reminders.ts";
import { createStalenessMonitor, type IsStale } from "./staleness.ts";

/** How long settled deliveries, events and messages are kept. */
const RETENTION_MS = 90 * DAY_MS;
const PRUNE_CRON = "30 4 * * *";

/** Polls also check staleness. This schedule checks it while no poll runs because the source requested a delay. */
const STALENESS_CRON = "* * * * *";

export interface ScheduleSettings extends DiffSettings {
  readonly timezone: string;
  readonly splitsCron: string;
  readonly articlesCron: string;
  readonly remindCron: string;
  /** Trading days before the ex date; 0 is the ex date itself. */
  readonly remindBefore: readonly number[];
}

export interface ScheduleParts extends CommitParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly source: SplitSource;
  readonly articleReader: ArticleReader;
  readonly settings: ScheduleSettings;
  readonly isStale: IsStale;
  /** Problem that leaves the reachable source without readable data; null if there is none. */
  sourceProblem(): string | null;
  /** Rows of splits that were published long before the first poll of their source; they trigger no alerts. */
  backfilledRows(): ReadonlySet<RowKey>;
}

/** Scheduled work for one source: polls, reminders, staleness checks and retention. */
export interface SourceSchedule {
  /** Polls immediately, then at the configured times. */
  start(): void;
  /** Polls immediately, because the source announced new data. */
  pollNow(): void;
  /** Creates the due reminders immediately. */
  remindNow(): void;
  /** Aborts running polls; resolves when no work is running. */
  stop(): Promise<void>;
}

export function createSourceSchedule(parts: ScheduleParts): SourceSchedule {
  const { store, clock, log, scheduler, settings } = parts;
  const { timezone } = settings;
  const stopping = new AbortController();
  const exclusive = createMutex();
  const staleness = createStalenessMonitor({ ...parts, exclusive });
  const poller = new Poller({
    ...parts,
    exclusive,
    onPollEnd: (events) => staleness.recordPoll(events),
    signal: stopping.signal,
  });
  const reminders = new Reminders({
    ...parts,
    exclusive,
    daysBefore: settings.remindBefore,
    cron: settings.remindCron,
    timezone,
  });
  let endSchedules: readonly (() => Promise<void>)[] = [];
  let prepared: Promise<void> = Promise.resolve();
  let started: Promise<void> = Promise.resolve();
  let reminding: Promise<void> = Promise.resolve();

  const prune = (): Promise<void> => store.prune(clock.now() - RETENTION_MS);

  /** Failed work is retried at its next tick. */
  const logFailure = (error: unknown): void => log.error("catch-up failed", { error });

  async function prepare(): Promise<void> {
    reminders.start();
    await prune().catch(logFailure);
  }

  async function catchUp(): Promise<void> {
    await prepared;
    await poller.pollBoth();
    await reminders.catchUp().catch(logFailure);
  }

  return {
    start() {
      endSchedules = [
        { name: "poll-splits", cron: settings.splitsCron, run: () => poller.poll("splits") },
        { name: "poll-articles", cron: settings.articlesCron, run: () => poller.poll("articles") },
        { name: "prune", cron: PRUNE_CRON, run: prune },
        { name: "staleness", cron: STALENESS_CRON, run: () => staleness.check() },
      ].map((schedule) => scheduler.start({ ...schedule, timezone }));
      prepared = prepare();
      started = catchUp();
    },
    pollNow() {
      void prepared.then(() => poller.pollNow());
    },
    remindNow() {
      reminding = prepared.then(() => reminders.tickNow()).catch(logFailure);
    },
    async stop() {
      stopping.abort();
      await Promise.all([reminders.stop(), ...endSchedules.map((end) => end())]);
      await reminding;
      await started;
      await poller.idle();
    },
  };
}
