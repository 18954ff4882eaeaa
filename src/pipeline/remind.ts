import { DAY_MS, dayInZone } from "../core/day.ts";
import { dueReminders } from "../core/remind.ts";
import { MARKET_ZONE } from "../core/trading-day.ts";
import type { Clock } from "../ports/clock.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import { type CommitParts, commitNews } from "./commit.ts";
import type { InTurn } from "./turns.ts";

/** A start makes up for a tick that nobody was there for within this time: longer than any weekend. */
const CAUGHT_UP_MS = 4 * DAY_MS;

export interface RemindParts extends CommitParts {
  readonly clock: Clock;
  readonly inTurn: InTurn;
  readonly scheduler: Scheduler;
  readonly source: { readonly id: string; readonly sample: boolean };
  /** Trading days before the ex date; 0 is the ex date itself. */
  readonly before: readonly number[];
  readonly cron: string;
  readonly timezone: string;
}

export interface Reminders {
  /** Makes the reminders that are due. Twice makes none twice. */
  tick(): Promise<void>;
  /** After a start. */
  catchUp(): Promise<void>;
}

export function createReminders(parts: RemindParts): Reminders {
  const { store, clock, inTurn, scheduler, source, before, cron, timezone } = parts;

  const tick = (): Promise<void> =>
    inTurn(async () => {
      const at = clock.now();
      const snapshot = await store.snapshot.read();
      // What another source showed is not ours to remind of.
      if (snapshot.source !== source.id) return;
      const moment = { at, today: dayInZone(at, MARKET_ZONE), sample: source.sample };
      await commitNews(parts, dueReminders(snapshot, before, moment));
    });

  return {
    tick,
    async catchUp() {
      const now = clock.now();
      if (scheduler.ticked(cron, timezone, now - CAUGHT_UP_MS, now)) await tick();
    },
  };
}
