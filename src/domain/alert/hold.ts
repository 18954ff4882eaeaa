import type { DestinationSettings, QuietHours } from "../settings/destination-settings.ts";
import { addDays, type Day, type Instant } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";
import { instantAt, wallClockAt } from "../time/wall-clock.ts";
import { type Event, isSplitEvent } from "./event.ts";

export type HoldReason = "muted" | "quiet" | "digest";

/** An event is told to a place later, because the place wants it so. */
export interface Hold {
  readonly until: Instant;
  /** In the order in which they hold it; at least one. */
  readonly reasons: readonly HoldReason[];
}

export interface HoldMoment {
  readonly now: Instant;
  /** Of places that have none of their own. */
  readonly timezone: string;
  /** The first time for a digest after `after` in a zone; null: none comes within a year. */
  nextDigest(zone: string, after: Instant): Instant | null;
}

/** Null: it may be told now. */
export type HoldFor = (event: Event) => Hold | null;

/**
 * What a place's settings hold at a moment. A test is never held. An event whose ex date comes before the next digest does
 * not wait for that.
 */
export function holdsAt(settings: DestinationSettings, moment: HoldMoment): HoldFor {
  const silence = silenceFrom(settings, zoneOf(settings, moment), moment.now);
  return (event) => {
    if (event.kind === "test") return null;
    const mayWaitFor = (tick: Instant): boolean => !comesBefore(event, tick);
    return asHold(withDigest(settings, moment, { silence, seenAt: event.at, mayWaitFor }));
  };
}

/** What would hold an event that comes now, and is in no hurry. */
export function holdForNewEvent(settings: DestinationSettings, moment: HoldMoment): Hold | null {
  const silence = silenceFrom(settings, zoneOf(settings, moment), moment.now);
  return asHold(withDigest(settings, moment, { silence, seenAt: moment.now, mayWaitFor: () => true }));
}

/** Why an event that may be told now was held when it came; null: it was not, or not until now. */
export function pastHold(event: Event, settings: DestinationSettings, moment: HoldMoment): Hold | null {
  const hold = holdsAt(settings, { ...moment, now: event.at })(event);
  return hold !== null && hold.until <= moment.now ? hold : null;
}

/** Whether the settings could hold anything at all. */
export function canHold({ digest, quiet, mutedUntil }: DestinationSettings): boolean {
  return digest || quiet !== null || mutedUntil !== null;
}

function zoneOf(settings: DestinationSettings, { timezone }: HoldMoment): string {
  return settings.timezone ?? timezone;
}

function asHold(hold: Hold): Hold | null {
  return hold.reasons.length === 0 ? null : hold;
}

/** The hold that begins with a silence, and goes on until the first digest after the event was seen. */
function withDigest(
  settings: DestinationSettings,
  moment: HoldMoment,
  event: { readonly silence: Hold; readonly seenAt: Instant; mayWaitFor(tick: Instant): boolean },
): Hold {
  const { silence } = event;
  const zone = zoneOf(settings, moment);
  const tick = settings.digest ? moment.nextDigest(zone, event.seenAt) : null;
  if (tick === null || tick <= silence.until || !event.mayWaitFor(tick)) return silence;
  const { until, reasons } = silenceFrom(settings, zone, tick);
  return { until, reasons: [...new Set<HoldReason>([...silence.reasons, "digest", ...reasons])] };
}

/** Muted or quiet, from `at` on without a break; without a reason, `until` is `at`. */
function silenceFrom({ mutedUntil, quiet }: DestinationSettings, zone: string, at: Instant): Hold {
  const isMuted = mutedUntil !== null && mutedUntil > at;
  const heard = isMuted ? mutedUntil : at;
  const quietEnd = quiet === null ? null : quietUntil(quiet, zone, heard);
  const reasons: readonly HoldReason[] = [
    ...(isMuted ? ["muted" as const] : []),
    ...(quietEnd ? ["quiet" as const] : []),
  ];
  return { until: quietEnd ?? heard, reasons: reasons };
}

/** When the quiet hours end in which `at` lies; null where it lies in none. */
function quietUntil(hours: QuietHours, zone: string, at: Instant): Instant | null {
  const { from, to } = hours;
  const { day } = wallClockAt(at, zone);
  // Where clocks go back at midnight, the day that begins may have begun before.
  for (const first of [addDays(day, -1), day, addDays(day, 1)]) {
    const start = instantAt(first, from, zone);
    const end = instantAt(to > from ? first : addDays(first, 1), to, zone);
    // Where clocks skip the hour in which it is not quiet, one night's hours go over into the next's.
    if (start <= at && at < end) return quietUntil(hours, zone, end) ?? end;
  }
  return null;
}

/** Whether an ex date that was not over when the event came begins before `tick`. */
function comesBefore(event: Event, tick: Instant): boolean {
  return exDatesOf(event).some(
    (exDate) => instantAt(exDate, 0, MARKET_ZONE) < tick && instantAt(addDays(exDate, 1), 0, MARKET_ZONE) > event.at,
  );
}

/** A date that was given up counts too: who reckons with it should know. */
function exDatesOf(event: Event): readonly Day[] {
  if (isSplitEvent(event)) return "was" in event ? [event.record.exDate, event.was.exDate] : [event.record.exDate];
  if (!("article" in event)) return [];
  const stated = event.article.terms.flatMap(({ exDate }) => exDate ?? []);
  return [...event.splits.map(({ record }) => record.exDate), ...stated];
}
