import { DAY_MS } from "../core/day.ts";
import type { DiffSettings } from "../core/reading.ts";
import type { Clock } from "../ports/clock.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import type { SplitSource } from "../ports/split-source.ts";
import type { CommitParts } from "./commit.ts";
import { createPoller } from "./poll.ts";
import { createReminders } from "./remind.ts";
import { createTurns } from "./turns.ts";

/** How long settled deliveries, events and messages are remembered. */
const KEPT_MS = 90 * DAY_MS;
const PRUNE_CRON = "30 4 * * *";

export interface WatchSettings extends DiffSettings {
  readonly timezone: string;
  readonly splitsCron: string;
  readonly articlesCron: string;
  readonly remindCron: string;
  /** Trading days before the ex date; 0 is the ex date itself. */
  readonly remindBefore: readonly number[];
}

export interface WatchParts extends CommitParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly source: SplitSource;
  readonly settings: WatchSettings;
}

/** Follows one source. */
export interface Watch {
  /** Reads now, and from then on at the set times. */
  start(): void;
  /** The source has news: reads at once. */
  lookNow(): void;
  /** Breaks off what is being read; resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

export function createWatch(parts: WatchParts): Watch {
  const { store, clock, log, scheduler, source, settings } = parts;
  const { timezone } = settings;
  const stopping = new AbortController();
  const inTurn = createTurns();
  const poller = createPoller({ ...parts, inTurn, signal: stopping.signal });
  const reminders = createReminders({
    ...parts,
    inTurn,
    source,
    before: settings.remindBefore,
    cron: settings.remindCron,
    timezone,
  });
  let looking: Promise<void> = Promise.resolve();

  const prune = (): Promise<void> => store.prune(clock.now() - KEPT_MS);

  /** What cannot be written now is due again at the next tick. */
  const noteFailure = (error: unknown): void => log.error("catch-up-failed", { error });

  /** Splits first: a release is linked to the split that it is about. */
  async function readAll(): Promise<void> {
    await poller.poll("splits");
    await poller.poll("articles");
  }

  return {
    start() {
      scheduler.start({ name: "poll-splits", cron: settings.splitsCron, timezone, run: () => poller.poll("splits") });
      scheduler.start({
        name: "poll-articles",
        cron: settings.articlesCron,
        timezone,
        run: () => poller.poll("articles"),
      });
      scheduler.start({ name: "remind", cron: settings.remindCron, timezone, run: () => reminders.tick() });
      scheduler.start({ name: "prune", cron: PRUNE_CRON, timezone, run: prune });
      looking = prune()
        .catch(noteFailure)
        .then(readAll)
        .then(() => reminders.catchUp())
        .catch(noteFailure);
    },
    lookNow() {
      // A poll under way may have read the source before it changed.
      looking = looking.then(() => poller.idle()).then(readAll);
    },
    async stop() {
      stopping.abort();
      await scheduler.stop();
      await looking;
      await poller.idle();
    },
  };
}
