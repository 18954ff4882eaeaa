import type { DestinationSettings } from "../settings/destination-settings.ts";
import type { QuietHours } from "../settings/setting-values.ts";
import { addDays, type Day, HOUR_MS, type Instant } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";
import { instantAt, wallClockAt } from "../time/wall-clock.ts";
import { type Event, isSplitEvent } from "./event.ts";

/**
 * Maximum time of detection in the future. An event with an earlier one was detected while the clock was ahead and waits for no
 * second digest; an event with a later one waits for no digest.
 */
const MAX_AHEAD_MS = HOUR_MS;

export type HoldReason = "muted" | "quiet" | "digest";

/** A delay that the settings of a destination impose on an event. */
export interface Hold {
  readonly until: Instant;
  /** At least one, in the order in which they apply. */
  readonly reasons: readonly HoldReason[];
}

export interface HoldMoment {
  readonly now: Instant;
  /** Time zone of destinations that set none. */
  readonly timezone: string;
  /** Returns the next digest time after `after` in a zone; null if there is none within a year. */
  nextDigest(zone: string, after: Instant): Instant | null;
}

/** Returns the hold on an event; null if the event can be sent now. */
export type HoldFor = (event: Event) => Hold | null;

/**
 * Returns the holds that settings impose at a moment. Test events are never held. An event whose ex date precedes the next
 * digest doesn't wait for the digest.
 */
export function holdsAt(settings: DestinationSettings, moment: HoldMoment): HoldFor {
  const quietHold = quietHoldFrom(settings, zoneOf(settings, moment), moment.now);
  return (event) => {
    if (event.kind === "test") return null;
    const mayWaitFor = (digestAt: Instant): boolean => !hasExDateBefore(event, digestAt);
    return holdOrNull(extendToDigest(settings, moment, { quietHold, detectedAt: event.at, mayWaitFor }));
  };
}

/** Returns the hold on a new event without an imminent ex date; null if there is none. */
export function holdForNewEvent(settings: DestinationSettings, moment: HoldMoment): Hold | null {
  const quietHold = quietHoldFrom(settings, zoneOf(settings, moment), moment.now);
  return holdOrNull(extendToDigest(settings, moment, { quietHold, detectedAt: moment.now, mayWaitFor: () => true }));
}

/** Returns the hold if it has ended; null if the event wasn't held or is still held. */
export function endedHold(event: Event, settings: DestinationSettings, moment: HoldMoment): Hold | null {
  const hold = holdsAt(settings, { ...moment, now: event.at })(event);
  return hold !== null && hold.until <= moment.now ? hold : null;
}

/** True if the settings can hold events. */
export function canHold({ digest, quiet, mutedUntil }: DestinationSettings): boolean {
  return digest || quiet !== null || mutedUntil !== null;
}

function zoneOf(settings: DestinationSettings, { timezone }: HoldMoment): string {
  return settings.timezone ?? timezone;
}

function holdOrNull(hold: Hold): Hold | null {
  return hold.reasons.length === 0 ? null : hold;
}

/** Extends the hold of mute and quiet hours to the first digest after the event was detected. */
function extendToDigest(
  settings: DestinationSettings,
  moment: HoldMoment,
  event: { readonly quietHold: Hold; readonly detectedAt: Instant; mayWaitFor(digestAt: Instant): boolean },
): Hold {
  const { quietHold } = event;
  const zone = zoneOf(settings, moment);
  const digestAt = settings.digest ? digestAfter(event.detectedAt, zone, moment) : null;
  if (digestAt === null || digestAt <= quietHold.until || !event.mayWaitFor(digestAt)) return quietHold;
  const { until, reasons } = quietHoldFrom(settings, zone, digestAt);
  return { until, reasons: [...new Set<HoldReason>([...quietHold.reasons, "digest", ...reasons])] };
}

function digestAfter(detectedAt: Instant, zone: string, moment: HoldMoment): Instant | null {
  const aheadMs = detectedAt - moment.now;
  if (aheadMs <= 0) return moment.nextDigest(zone, detectedAt);
  return aheadMs <= MAX_AHEAD_MS ? moment.nextDigest(zone, detectedAt - MAX_AHEAD_MS) : null;
}

/**
 * The hold by a mute that is active at `at`, and by the quiet hours that are active when the mute ends (without a mute: at `at`).
 * If neither is active, `reasons` is empty and `until` is `at`.
 */
function quietHoldFrom({ mutedUntil, quiet }: DestinationSettings, zone: string, at: Instant): Hold {
  const isMuted = mutedUntil !== null && mutedUntil > at;
  const unmuted = isMuted ? mutedUntil : at;
  const quietEnd = quiet === null ? null : quietUntil(quiet, zone, unmuted);
  const reasons: readonly HoldReason[] = [
    ...(isMuted ? ["muted" as const] : []),
    ...(quietEnd ? ["quiet" as const] : []),
  ];
  return { until: quietEnd ?? unmuted, reasons };
}

/** End of the quiet hours that contain `at`; null if `at` is outside quiet hours. */
function quietUntil(hours: QuietHours, zone: string, at: Instant): Instant | null {
  const { from, to } = hours;
  const { day } = wallClockAt(at, zone);
  // Includes the next day: if clocks are set back at midnight, it begins before the current day ends.
  for (const startDay of [addDays(day, -1), day, addDays(day, 1)]) {
    const start = instantAt(startDay, from, zone);
    const end = instantAt(to > from ? startDay : addDays(startDay, 1), to, zone);
    // If a clock change skips the gap between two periods, they are contiguous.
    if (start <= at && at < end) return quietUntil(hours, zone, end) ?? end;
  }
  return null;
}

/** True if an ex date of the event begins before `digestAt`. Ignores ex dates that had passed when the event was detected. */
function hasExDateBefore(event: Event, digestAt: Instant): boolean {
  return exDatesOf(event).some(
    (exDate) =>
      instantAt(exDate, 0, MARKET_ZONE) < digestAt && instantAt(addDays(exDate, 1), 0, MARKET_ZONE) > event.at,
  );
}

/** Includes previous ex dates, because people may rely on them. */
function exDatesOf(event: Event): readonly Day[] {
  if (isSplitEvent(event)) return "was" in event ? [event.record.exDate, event.was.exDate] : [event.record.exDate];
  if (!("article" in event)) return [];
  const statedExDates = event.article.terms.flatMap(({ exDate }) => exDate ?? []);
  return [...event.splits.map(({ record }) => record.exDate), ...statedExDates];
}
