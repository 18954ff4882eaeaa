import type { DiffSettings } from "../domain/diff/snapshot.ts";
import type { RowKey } from "../domain/split/split.ts";
import { DAY_MS } from "../domain/time/day.ts";
import { createMutex } from "../lib/mutex.ts";
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

/** Maximum delay of a tick that counts as on time; the scheduler reports later ticks as missed. */
const TICK_TOLERANCE_MS = 1_000;

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

  const extraPolls = createExtraPolls(poller);

  /** Splits and articles that are due at the same tick are polled together. */
  function pollOnSplitsTick(): Promise<void> {
    const now = clock.now();
    const areArticlesDue = scheduler.hasTicked(settings.articlesCron, timezone, now - TICK_TOLERANCE_MS, now);
    return areArticlesDue ? poller.pollBoth() : poller.poll("splits");
  }

  const prune = (): Promise<void> => store.prune(clock.now() - RETENTION_MS);

  /** Failed work is retried at its next tick. */
  const logFailure = (error: unknown): void => log.error("catch-up failed", { error });

  return {
    start() {
      endSchedules = [
        { name: "poll-splits", cron: settings.splitsCron, run: pollOnSplitsTick },
        { name: "poll-articles", cron: settings.articlesCron, run: () => poller.poll("articles") },
        { name: "prune", cron: PRUNE_CRON, run: prune },
        { name: "staleness", cron: STALENESS_CRON, run: () => staleness.check() },
      ].map((schedule) => scheduler.start({ ...schedule, timezone }));
      const remindersStarted = reminders.start().catch(logFailure);
      extraPolls.run(async () => {
        await remindersStarted;
        await prune().catch(logFailure);
        await poller.pollBoth();
        await reminders.catchUp().catch(logFailure);
      });
    },
    pollNow: () => extraPolls.pollNow(),
    async stop() {
      stopping.abort();
      await Promise.all([reminders.stop(), ...endSchedules.map((end) => end())]);
      await extraPolls.idle();
      await poller.idle();
    },
  };
}

/** Serial queue of the polls outside the schedule. */
interface ExtraPolls {
  run(work: () => Promise<void>): void;
  pollNow(): void;
  idle(): Promise<void>;
}

function createExtraPolls(poller: Poller): ExtraPolls {
  let last: Promise<void> = Promise.resolve();
  let isPending = false;

  async function poll(): Promise<void> {
    // A running poll may have read the source before it changed.
    await poller.idle();
    isPending = false;
    await poller.pollBoth("immediate");
  }

  return {
    run(work) {
      last = last.then(work);
    },
    pollNow() {
      // A pending poll reads everything that is announced before it starts.
      if (isPending) return;
      isPending = true;
      last = last.then(poll);
    },
    idle: () => last,
  };
}
