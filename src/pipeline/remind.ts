import { type Destination, type DestinationKey, destinationKey } from "../domain/alert/destination.ts";
import type { Event } from "../domain/alert/event.ts";
import { dueReminders } from "../domain/alert/remind.ts";
import { headerOf, headerPatch, type Snapshot, type SnapshotPatch } from "../domain/diff/snapshot.ts";
import { DEFAULT_SETTINGS, type DestinationSettings } from "../domain/settings/destination-settings.ts";
import { addDays, DAY_MS, type Day, dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import type { Mutex } from "../lib/mutex.ts";
import type { Clock } from "../ports/clock.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import { type CommitParts, commitChanges } from "./commit.ts";

/** A start makes up for a tick that nobody was there for within this time: longer than any weekend. */
const CAUGHT_UP_MS = 4 * DAY_MS;

/** How far back a zone is made up for what was told in others; a longer pause is one of all zones. */
const MOST_DAYS_BEHIND = 7;

export interface RemindParts extends CommitParts {
  readonly clock: Clock;
  readonly exclusive: Mutex;
  readonly scheduler: Scheduler;
  readonly source: { readonly id: string; readonly sample: boolean };
  /** Trading days before the ex date; 0 is the ex date itself. */
  readonly before: readonly number[];
  readonly cron: string;
  /** Of places that have none of their own. */
  readonly timezone: string;
}

/** Each place is reminded at the times of its own zone. */
export interface Reminders {
  /** Has the ticks run of every zone that a place keeps, and of those that are set from now on. */
  start(): Promise<void>;
  /** After a start: the ticks that were missed. */
  catchUp(): Promise<void>;
  /** No tick starts after this, and none runs any more when it has resolved. */
  stop(): Promise<void>;
}

export function createReminders(parts: RemindParts): Reminders {
  return new ZoneReminders(parts);
}

class ZoneReminders implements Reminders {
  readonly #parts: RemindParts;
  /** What ends the schedule of each zone. One that nobody keeps any more finds nobody to remind. */
  readonly #schedules = new Map<string, () => Promise<void>>();
  #unfollow: () => void = () => undefined;
  #isStopped = false;

  constructor(parts: RemindParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { store, log } = this.#parts;
    this.#schedule(this.#parts.timezone);
    this.#unfollow = store.destinationSettings.onChange(() => {
      this.#follow().catch((error: unknown) => log.error("reminder schedule update failed", { error }));
    });
    await this.#follow();
  }

  async catchUp(): Promise<void> {
    const { clock, scheduler, cron } = this.#parts;
    const now = clock.now();
    for (const zone of (await this.#readPlaces()).zones)
      if (scheduler.ticked(cron, zone, now - CAUGHT_UP_MS, now)) await this.#tick(zone);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unfollow();
    await Promise.all([...this.#schedules.values()].map((end) => end()));
  }

  async #follow(): Promise<void> {
    const { zones } = await this.#readPlaces();
    for (const zone of zones) this.#schedule(zone);
    await this.#parts.exclusive(() => this.#mark());
  }

  #schedule(zone: string): void {
    if (this.#isStopped || this.#schedules.has(zone)) return;
    const { scheduler, cron, timezone } = this.#parts;
    const name = zone === timezone ? "remind" : `remind ${zone}`;
    this.#schedules.set(zone, scheduler.start({ name, cron, timezone: zone, run: () => this.#tick(zone) }));
  }

  /** A zone that is new here is not made up for what was told before it. */
  async #mark(): Promise<void> {
    const snapshot = await this.#readSnapshot();
    if (snapshot === null) return;
    const patch = withMarks(snapshot, null, this.#marksOf(snapshot, (await this.#readPlaces()).zones));
    if (patch !== null) await commitChanges(this.#parts, { patch, events: [] });
  }

  /** Makes the reminders that are due, for the places of one zone. Twice makes none twice. */
  #tick(zone: string): Promise<void> {
    const { clock, exclusive: inTurn, source, before } = this.#parts;
    return inTurn(async () => {
      const snapshot = await this.#readSnapshot();
      if (snapshot === null) return;
      const places = await this.#readPlaces();
      const marks = this.#marksOf(snapshot, places.zones);
      const at = clock.now();
      const today = dayInZone(at, MARKET_ZONE);
      const due = dueReminders(snapshot, before, { at, today, sample: source.sample, since: marks?.[zone] ?? today });
      const patch = withMarks(snapshot, due.patch, marks && { ...marks, [zone]: today });
      const reaches = (to: Destination, event: Event): boolean =>
        this.#parts.reaches(to, event) && wants(places.settingsOf(to), event, zone, this.#parts.timezone);
      await commitChanges({ ...this.#parts, reaches }, { ...due, patch });
    });
  }

  /** Null: it shows another source. What that showed is not ours to remind of. */
  async #readSnapshot(): Promise<Snapshot | null> {
    const snapshot = await this.#parts.store.snapshot.read();
    return snapshot.source === this.#parts.source.id ? snapshot : null;
  }

  async #readPlaces(): Promise<{
    readonly zones: readonly string[];
    settingsOf(to: Destination): DestinationSettings;
  }> {
    const all = await this.#parts.store.destinationSettings.all();
    const byKey = new Map<DestinationKey, DestinationSettings>(
      all.map(({ to, settings }) => [destinationKey(to), settings]),
    );
    const own = all.flatMap(({ settings }) => settings.timezone ?? []);
    return {
      zones: [...new Set([this.#parts.timezone, ...own])],
      settingsOf: (to) => byKey.get(destinationKey(to)) ?? DEFAULT_SETTINGS,
    };
  }

  /** Through which day each zone has been reminded; null where there is but one: it is never behind another. */
  #marksOf(snapshot: Snapshot, zones: readonly string[]): Readonly<Record<string, Day>> | null {
    if (zones.length < 2) return null;
    const today = dayInZone(this.#parts.clock.now(), MARKET_ZONE);
    const earliest = addDays(today, -MOST_DAYS_BEHIND);
    return Object.fromEntries(
      zones.map((zone) => {
        const mark = snapshot.remindedThrough?.[zone] ?? addDays(today, -1);
        return [zone, mark < earliest ? earliest : mark];
      }),
    );
  }
}

function wants({ timezone, reminders }: DestinationSettings, event: Event, zone: string, usual: string): boolean {
  return (timezone ?? usual) === zone && (reminders || event.kind !== "reminder");
}

/** The patch with the marks in it; null where nothing changes. */
function withMarks(
  snapshot: Snapshot,
  patch: SnapshotPatch | null,
  marks: Readonly<Record<string, Day>> | null,
): SnapshotPatch | null {
  const { remindedThrough: before, ...header } = headerOf(snapshot);
  if (JSON.stringify(before ?? null) === JSON.stringify(marks)) return patch;
  const next = marks === null ? header : { ...header, remindedThrough: marks };
  return { ...(patch ?? headerPatch(next)), header: next };
}
