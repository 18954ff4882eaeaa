import type { DiffSettings } from "../domain/diff/snapshot.ts";
import type { RowKey } from "../domain/split/split.ts";
import { DAY_MS } from "../domain/time/day.ts";
import { createMutex } from "../lib/mutex.ts";
import type { Clock } from "../ports/clock.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import type { SplitSource } from "../ports/split-source.ts";
import type { CommitParts } from "./commit.ts";
import { createPoller, type Poller } from "./poll.ts";
import type { IsStale } from "./readiness.ts";
import { createReminders } from "./remind.ts";
import { createStalenessMonitor } from "./staleness.ts";

/** How long settled deliveries, events and messages are remembered. */
const KEPT_MS = 90 * DAY_MS;
const PRUNE_CRON = "30 4 * * *";

/** A busy process is so late with a tick, at most; later ones come as missed. */
const SAME_TICK_MS = 1_000;

/** A poll looks too; this is for the time in which a source wants not to be asked. */
const STALE_CRON = "* * * * *";

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
  /** Why the source's own data cannot be read, though it answers; null when it can. */
  sourceProblem(): string | null;
  /** The rows that the source knows to be no news. */
  oldNews(): ReadonlySet<RowKey>;
}

/** Follows one source. */
export interface SourceSchedule {
  /** Reads now, and from then on at the set times. */
  start(): void;
  /** The source has news: reads at once. */
  lookNow(): void;
  /** Breaks off what is being read; resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

export function createSourceSchedule(parts: ScheduleParts): SourceSchedule {
  const { store, clock, log, scheduler, source, settings } = parts;
  const { timezone } = settings;
  const stopping = new AbortController();
  const inTurn = createMutex();
  const stale = createStalenessMonitor({ ...parts, exclusive: inTurn });
  const ended = (events: number): Promise<void> => stale.polled(events);
  const poller = createPoller({ ...parts, exclusive: inTurn, onPollEnd: ended, signal: stopping.signal });
  const reminders = createReminders({
    ...parts,
    exclusive: inTurn,
    source,
    before: settings.remindBefore,
    cron: settings.remindCron,
    timezone,
  });
  let schedules: readonly (() => Promise<void>)[] = [];
  const readings = createReadings(poller);

  const areArticlesDue = (): boolean => {
    const now = clock.now();
    return scheduler.ticked(settings.articlesCron, timezone, now - SAME_TICK_MS, now);
  };
  const lookOnTick = (): Promise<void> => (areArticlesDue() ? poller.pollBoth() : poller.poll("splits"));

  const prune = (): Promise<void> => store.prune(clock.now() - KEPT_MS);

  /** What cannot be written now is due again at the next tick. */
  const noteFailure = (error: unknown): void => log.error("catch up failed", { error });

  return {
    start() {
      schedules = [
        { name: "poll-splits", cron: settings.splitsCron, run: lookOnTick },
        { name: "poll-articles", cron: settings.articlesCron, run: () => poller.poll("articles") },
        { name: "prune", cron: PRUNE_CRON, run: prune },
        { name: "stale", cron: STALE_CRON, run: () => stale.look() },
      ].map((schedule) => scheduler.start({ ...schedule, timezone }));
      const scheduled = reminders.start().catch(noteFailure);
      readings.next(async () => {
        await scheduled;
        await prune().catch(noteFailure);
        await poller.pollBoth();
        await reminders.catchUp().catch(noteFailure);
      });
    },
    lookNow: () => readings.lookNow(),
    async stop() {
      stopping.abort();
      await Promise.all([reminders.stop(), ...schedules.map((end) => end())]);
      await readings.ended();
      await poller.idle();
    },
  };
}

/** Readings of all that there is, one after the other. */
interface Readings {
  next(work: () => Promise<void>): void;
  lookNow(): void;
  ended(): Promise<void>;
}

function createReadings(poller: Poller): Readings {
  let last: Promise<void> = Promise.resolve();
  let isLookDue = false;

  async function look(): Promise<void> {
    // A poll under way may have read the source before it changed.
    await poller.idle();
    isLookDue = false;
    await poller.pollBoth("at-once");
  }

  return {
    next(work) {
      last = last.then(work);
    },
    lookNow() {
      // A reading that is still to begin shows all of the news that comes until then.
      if (isLookDue) return;
      isLookDue = true;
      last = last.then(look);
    },
    ended: () => last,
  };
}
