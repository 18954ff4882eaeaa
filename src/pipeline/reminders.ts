import { type Destination, type DestinationKey, destinationKey } from "../domain/alert/destination.ts";
import { dueReminders } from "../domain/alert/due-reminders.ts";
import type { Event } from "../domain/alert/event.ts";
import { headerOf, headerPatch, type Snapshot, type SnapshotPatch } from "../domain/diff/snapshot.ts";
import { DEFAULT_SETTINGS, type DestinationSettings } from "../domain/settings/destination-settings.ts";
import { addDays, DAY_MS, type Day, dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { createMutex, type Mutex } from "../lib/mutex.ts";
import { yieldToEventLoop } from "../lib/slices.ts";
import { untilSaved } from "../lib/until-saved.ts";
import type { Clock } from "../ports/clock.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import { type CommitParts, commitChanges } from "./commit.ts";

/** Maximum age of missed ticks that are run at startup; longer than any weekend. */
const CATCH_UP_MS = 4 * DAY_MS;

/** Maximum number of past days for which a tick creates the missed reminders of a time zone. */
const MAX_DAYS_BEHIND = 7;

export interface RemindParts extends CommitParts {
  readonly clock: Clock;
  readonly exclusive: Mutex;
  readonly scheduler: Scheduler;
  readonly source: { readonly id: string; readonly sample: boolean };
  /** Trading days before the ex date; 0 is the ex date itself. */
  readonly daysBefore: readonly number[];
  readonly cron: string;
  /** Time zone of destinations without a time zone setting. */
  readonly timezone: string;
}

/** Day through which the destinations of each time zone have been reminded. */
type RemindedThrough = Readonly<Record<string, Day>>;

/** Creates reminders and `effective` events in each destination's time zone. While the store fails, they are created later. */
export class Reminders {
  readonly #parts: RemindParts;
  /** Functions that end the schedule of each zone. Zones without destinations send no reminders. */
  readonly #schedules = new Map<string, () => Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #oneUpdate = createMutex();
  #unsubscribe: () => void = () => undefined;

  constructor(parts: RemindParts) {
    this.#parts = parts;
  }

  /** Schedules the ticks of every time zone in use, now and after settings change. */
  start(): void {
    this.#schedule(this.#parts.timezone);
    this.#unsubscribe = this.#parts.store.destinationSettings.onChange(() => this.#updateSchedules());
    this.#updateSchedules();
  }

  /** Runs the tick of every time zone immediately. */
  tickNow(): Promise<void> {
    return this.#untilSaved(async () => {
      for (const zone of await this.#zones()) await this.#tick(zone);
    });
  }

  /** Runs the ticks that were missed before this start. */
  catchUp(): Promise<void> {
    const { clock, scheduler, cron } = this.#parts;
    const now = clock.now();
    return this.#untilSaved(async () => {
      for (const zone of await this.#zones())
        if (scheduler.hasTicked(cron, zone, now - CATCH_UP_MS, now)) await this.#tick(zone);
    });
  }

  /** Starts no more ticks; resolves when none is running. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    await Promise.all([this.#oneUpdate(async () => undefined), ...[...this.#schedules.values()].map((end) => end())]);
  }

  #updateSchedules(): void {
    this.#oneUpdate(() => this.#untilSaved(() => this.#scheduleZones())).catch((error: unknown) =>
      this.#parts.log.error("reminder schedule update failed", { error }),
    );
  }

  async #scheduleZones(): Promise<void> {
    const zones = await this.#zones();
    for (const zone of zones) this.#schedule(zone);
    await this.#parts.exclusive(() => this.#saveNewZones());
  }

  /** The next tick is a day later, so work that the store couldn't save is repeated. */
  #untilSaved(work: () => Promise<void>): Promise<void> {
    const { clock, log } = this.#parts;
    return untilSaved(work, { clock, log, signal: this.#stopping.signal, delayed: "reminders delayed" });
  }

  #schedule(zone: string): void {
    if (this.#stopping.signal.aborted || this.#schedules.has(zone)) return;
    const { scheduler, cron, timezone } = this.#parts;
    const name = zone === timezone ? "remind" : `remind ${zone}`;
    this.#schedules.set(
      zone,
      scheduler.start({ name, cron, timezone: zone, run: () => this.#untilSaved(() => this.#tick(zone)) }),
    );
  }

  /** Records today for new zones, so that reminders of earlier days are not sent to them. */
  async #saveNewZones(): Promise<void> {
    const snapshot = await this.#readSnapshot();
    if (snapshot === null) return;
    const patch = withRemindedThrough(snapshot, null, this.#remindedThrough(snapshot, await this.#zones()));
    if (patch !== null) await commitChanges(this.#parts, { patch, events: [] });
  }

  /** Creates the due reminders for the destinations of one zone. Idempotent: repeating a tick adds no reminders. */
  #tick(zone: string): Promise<void> {
    const { clock, exclusive, source, daysBefore, timezone } = this.#parts;
    return exclusive(async () => {
      const snapshot = await this.#readSnapshot();
      if (snapshot === null) return;
      const settingsOf = await this.#readSettings();
      const reminded = this.#remindedThrough(snapshot, await this.#zones());
      const at = clock.now();
      const today = dayInZone(at, MARKET_ZONE);
      const moment = { at, today, sample: source.sample, lastRemindedOn: reminded?.[zone] ?? today };
      const { patch, events, stillValid } = dueReminders(snapshot, daysBefore, moment);
      const canReceive = (destination: Destination, event: Event): boolean => {
        const settings = settingsOf(destination);
        if ((settings.timezone ?? timezone) !== zone) return false;
        return (settings.reminders || event.kind !== "reminder") && this.#parts.canReceive(destination, event);
      };
      const nextPatch = withRemindedThrough(snapshot, patch, reminded && { ...reminded, [zone]: today });
      await commitChanges({ ...this.#parts, canReceive }, { patch: nextPatch, events, stillValid });
    });
  }

  /** Null if the snapshot belongs to another source. */
  async #readSnapshot(): Promise<Snapshot | null> {
    const snapshot = await this.#parts.store.snapshot.read();
    return snapshot.source === this.#parts.source.id ? snapshot : null;
  }

  /** The configured time zone and those of destinations. */
  async #zones(): Promise<readonly string[]> {
    return [...new Set([this.#parts.timezone, ...(await this.#parts.store.destinationSettings.timezones())])];
  }

  /** Returns a function that gives the settings of a destination. */
  async #readSettings(): Promise<(destination: Destination) => DestinationSettings> {
    const byKey = new Map<DestinationKey, DestinationSettings>();
    for await (const page of this.#parts.store.destinationSettings.all()) {
      for (const { to, settings } of page) byKey.set(destinationKey(to), settings);
      await yieldToEventLoop();
    }
    return (destination) => byKey.get(destinationKey(destination)) ?? DEFAULT_SETTINGS;
  }

  /** Returns the last reminded day of each zone; null if there is only one zone, because none can be behind another. */
  #remindedThrough(snapshot: Snapshot, zones: readonly string[]): RemindedThrough | null {
    if (zones.length < 2) return null;
    const today = dayInZone(this.#parts.clock.now(), MARKET_ZONE);
    const earliest = addDays(today, -MAX_DAYS_BEHIND);
    return Object.fromEntries(
      zones.map((zone) => {
        const through = snapshot.remindedThrough?.[zone] ?? addDays(today, -1);
        return [zone, through < earliest ? earliest : through];
      }),
    );
  }
}

/** Adds the zones' days to the patch, unless the snapshot already has them. */
function withRemindedThrough(
  snapshot: Snapshot,
  patch: SnapshotPatch | null,
  reminded: RemindedThrough | null,
): SnapshotPatch | null {
  const { remindedThrough: before, ...header } = headerOf(snapshot);
  if (JSON.stringify(before ?? null) === JSON.stringify(reminded)) return patch;
  const next = reminded === null ? header : { ...header, remindedThrough: reminded };
  return { ...(patch ?? headerPatch(next)), header: next };
}
