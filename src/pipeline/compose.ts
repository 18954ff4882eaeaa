import type { Attempt, MessageRef, WaitingDelivery } from "../domain/alert/delivery.ts";
import type { Destination } from "../domain/alert/destination.ts";
import { isSplitEvent } from "../domain/alert/event.ts";
import { canHold, type Hold, type HoldMoment, holdsAt, pastHold } from "../domain/alert/hold.ts";
import type { DestinationSettings } from "../domain/settings/destination-settings.ts";
import { dayInZone, type Instant } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { eventCard } from "../messages/alerts/event-card.ts";
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";

/** Upper bound of cards per message on any platform. */
const MAX_CARDS = 25;

export interface HoldParts extends Pick<HoldMoment, "timezone" | "nextDigest"> {
  readonly store: Store;
  readonly clock: Clock;
}

export interface ComposeParts extends HoldParts {
  readonly log: Log;
  readonly expireAfterMs: number;
  /** A unique id of at most 25 characters. */
  newMessageId(): string;
}

/** A waiting delivery that nothing holds now. */
interface ReadyDelivery extends WaitingDelivery {
  /** The hold that delayed it until recently; null if there was none. */
  readonly held: Hold | null;
}

/** When the first of the destination's holds ends; null if a delivery may be sent now or none is waiting. */
export async function heldUntil(parts: HoldParts, to: Destination): Promise<Instant | null> {
  const settings = await parts.store.destinationSettings.of(to);
  if (!canHold(settings)) return null;
  const holdOn = holdsAt(settings, momentOf(parts));
  let earliest: Instant | null = null;
  for (const { event } of await parts.store.outbox.waitingAt(to)) {
    const hold = holdOn(event);
    if (hold === null) return null;
    earliest = earliest === null ? hold.until : Math.min(earliest, hold.until);
  }
  return earliest;
}

/**
 * Puts the destination's due deliveries into one message: as many in a row as belong together and fit. Null if none is due. A
 * null body marks a delivery that cannot be rendered, so that it does not block the next ones.
 */
export async function compose(parts: ComposeParts, platform: ChatPlatform, to: Destination): Promise<Attempt | null> {
  const settings = await parts.store.destinationSettings.of(to);
  const [first, ...others] = await readyDeliveries(parts, to, settings);
  if (!first) return null;
  const timezone = settings.timezone ?? parts.timezone;
  const { group, replyTo } = await groupOf(parts, to, [first, ...others]);
  const attempt = render(parts, platform, { to, replyTo, timezone }, group);
  if (attempt.body !== null || group.length === 1) return attempt;
  // A card that cannot be rendered must not take the others with it.
  return render(parts, platform, { to, replyTo: await firstMessage(parts, to, first), timezone }, [first]);
}

/** The destination's deliveries that may be sent now, oldest first. */
async function readyDeliveries(
  parts: HoldParts,
  to: Destination,
  settings: DestinationSettings,
): Promise<readonly ReadyDelivery[]> {
  const { outbox } = parts.store;
  if (!canHold(settings)) {
    return (await outbox.waitingAt(to, MAX_CARDS)).map((waiting) => ({ ...waiting, held: null }));
  }
  const moment = momentOf(parts);
  const holdOn = holdsAt(settings, moment);
  const ready = (await outbox.waitingAt(to)).filter(({ event }) => holdOn(event) === null).slice(0, MAX_CARDS);
  return ready.map((waiting) => ({ ...waiting, held: pastHold(waiting.event, settings, moment) }));
}

function momentOf({ clock, timezone, nextDigest }: HoldParts): HoldMoment {
  return { now: clock.now(), timezone, nextDigest };
}

/** Deliveries in a row that reply to the same message, or to none; deliveries that were held share one message without reply. */
async function groupOf(
  parts: ComposeParts,
  to: Destination,
  [first, ...others]: readonly [ReadyDelivery, ...ReadyDelivery[]],
): Promise<{ readonly group: readonly ReadyDelivery[]; readonly replyTo: MessageRef | null }> {
  const replyTo = await firstMessage(parts, to, first);
  const group = [first];
  let haveOneReply = true;
  for (const next of others) {
    const hasSameReply = (await firstMessage(parts, to, next))?.id === replyTo?.id;
    if (!hasSameReply && (first.held === null || next.held === null)) break;
    haveOneReply &&= hasSameReply;
    group.push(next);
  }
  return { group, replyTo: haveOneReply ? replyTo : null };
}

/** What a message needs beside its cards. `timezone` applies to times of day. */
interface Draft extends Pick<Attempt, "to" | "replyTo"> {
  readonly timezone: string;
}

function render(
  parts: ComposeParts,
  platform: ChatPlatform,
  { to, replyTo, timezone }: Draft,
  group: readonly ReadyDelivery[],
): Attempt {
  const now = parts.clock.now();
  const messageId = parts.newMessageId();
  const attempt: Attempt = {
    to,
    replyTo,
    messageId,
    deliveries: group.map(({ delivery }) => delivery.id),
    body: null,
    createdAt: now,
    state: "ready",
    sends: 0,
    blindResends: 0,
    notBefore: now,
    problem: null,
  };
  try {
    const { expireAfterMs } = parts;
    const moment = { now, today: dayInZone(now, MARKET_ZONE), timezone, expireAfterMs };
    const cards = group.map(({ event, held }) => eventCard(event, { ...moment, held }));
    const mentions = [...new Set(group.flatMap(({ delivery }) => delivery.mentions))];
    const { body, carried } = platform.render({ messageId, to, cards, mentions });
    return { ...attempt, body, deliveries: attempt.deliveries.slice(0, carried) };
  } catch (error) {
    parts.log.error("message rendering failed", { platform: platform.name, deliveries: attempt.deliveries, error });
    return attempt;
  }
}

/** The first message about the delivery's split at this destination: later ones reply to it. */
async function firstMessage(
  { store }: ComposeParts,
  to: Destination,
  { event }: WaitingDelivery,
): Promise<MessageRef | null> {
  return isSplitEvent(event) ? store.history.firstMessage(to, event.splitId) : null;
}
