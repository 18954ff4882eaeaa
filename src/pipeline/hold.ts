import type { WaitingDelivery } from "../domain/alert/delivery.ts";
import type { Destination } from "../domain/alert/destination.ts";
import { canHold, type Hold, type HoldMoment, holdsAt, pastHold } from "../domain/alert/hold.ts";
import type { DestinationSettings } from "../domain/settings/destination-settings.ts";
import type { Instant } from "../domain/time/day.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";

export interface HoldParts extends Pick<HoldMoment, "timezone" | "nextDigest"> {
  readonly store: Store;
  readonly clock: Clock;
}

/** A delivery that may go out now. */
export interface ReadyDelivery extends WaitingDelivery {
  /** Why it was held until a while ago; null: it was not. */
  readonly held: Hold | null;
}

/** Until when everything that waits at a place is held; null: nothing waits, or something may go now. */
export async function heldUntil(parts: HoldParts, to: Destination): Promise<Instant | null> {
  const settings = await parts.store.destinationSettings.of(to);
  if (!canHold(settings)) return null;
  const holdOn = holdsAt(settings, momentOf(parts));
  const ends: Instant[] = [];
  for (const { event } of await parts.store.outbox.waitingAt(to)) {
    const hold = holdOn(event);
    if (hold === null) return null;
    ends.push(hold.until);
  }
  return ends.length === 0 ? null : lowest(ends);
}

/** What may go to a place now, oldest first, at most `most`. */
export async function readyAt(
  parts: HoldParts,
  to: Destination,
  settings: DestinationSettings,
  most: number,
): Promise<readonly ReadyDelivery[]> {
  const { outbox } = parts.store;
  if (!canHold(settings)) return (await outbox.waitingAt(to, most)).map((waiting) => ({ ...waiting, held: null }));
  const moment = momentOf(parts);
  const holdOn = holdsAt(settings, moment);
  const ready = (await outbox.waitingAt(to)).filter(({ event }) => holdOn(event) === null).slice(0, most);
  return ready.map((waiting) => ({ ...waiting, held: pastHold(waiting.event, settings, moment) }));
}

function momentOf({ clock, timezone, nextDigest }: HoldParts): HoldMoment {
  return { now: clock.now(), timezone, nextDigest };
}

/** There may be more of them than a call takes arguments. */
function lowest(times: readonly Instant[]): Instant {
  let found = Number.POSITIVE_INFINITY;
  for (const time of times) found = Math.min(found, time);
  return found;
}
