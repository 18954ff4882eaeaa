import { foldAnnouncements } from "../domain/alert/announcement.ts";
import { type Body, deliveryId, type SentDelivery, type SentMessage } from "../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import { type Event, type EventId, isSplitEvent, type SplitEvent, supersedes } from "../domain/alert/event.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import { dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { eventCard } from "../messages/alerts/event-card.ts";
import { type LaterAlert, supersededCard } from "../messages/alerts/superseded-card.ts";
import type { NoticeLink } from "../messages/split-text.ts";
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";

/** Upper bound of cards per message on any platform. */
export const MAX_CARDS = 25;

export interface ContentParts {
  readonly store: Pick<Store, "history">;
  readonly log: Log;
  readonly platform: ChatPlatform;
  readonly to: Destination;
  /** Time zone of the destination. */
  readonly timezone: string;
  readonly expireAfterMs: number;
  readonly noticeOf?: (record: SplitRecord) => NoticeLink | null;
}

/**
 * The current content of a sent message, as of the time when it was sent: together with deliveries that join it, and with what later
 * alerts have superseded. Null if it doesn't fit into the message, and for a list of alerts.
 */
export async function currentBody(
  parts: ContentParts,
  message: SentMessage,
  added: readonly SentDelivery[] = [],
): Promise<Body> {
  const { log, platform, to, timezone, expireAfterMs, noticeOf } = parts;
  const { messageId, at: now, size, deliveries } = message;
  const events = foldAnnouncements([...deliveries, ...added]).map(({ event }) => event);
  if (size > MAX_CARDS || events.length > MAX_CARDS) return null;
  const later = await laterAlerts(parts, message, events);
  try {
    const at = { now, today: dayInZone(now, MARKET_ZONE), timezone, expireAfterMs, ...(noticeOf && { noticeOf }) };
    const mentions = [...new Set(deliveries.flatMap(({ delivery }) => delivery.mentions))];
    const cards = events.map((event) => {
      const next = later.get(event.id);
      const card = eventCard(event, at);
      return next === undefined || !isSplitEvent(event) ? card : supersededCard(card, event, next);
    });
    const { body, cardCount } = platform.render({ messageId, to, cards, events, mentions });
    return cardCount === cards.length ? body : null;
  } catch (error) {
    log.error("message rendering failed", { platform: platform.name, message: messageId, error });
    return null;
  }
}

/** The last superseding alert after each event that the destination received in another message. */
async function laterAlerts(
  parts: ContentParts,
  message: SentMessage,
  events: readonly Event[],
): Promise<ReadonlyMap<EventId, LaterAlert>> {
  const later = new Map<EventId, LaterAlert>();
  const own = events.filter(isSplitEvent);
  for (const splitId of new Set(own.map((event) => event.splitId))) {
    const all = await parts.store.history.forSplit(splitId);
    const sent = await supersedingAlerts(parts, all);
    for (const event of own.filter((one) => one.splitId === splitId)) {
      const after = all.findIndex(({ id }) => id === event.id);
      const last = sent.findLast((one) => all.indexOf(one.event) > after && one.message.ref.id !== message.ref.id);
      if (last === undefined) continue;
      const { ref, at } = last.message;
      later.set(event.id, { event: last.event, link: ref.link, isAbove: at < message.at });
    }
  }
  return later;
}

/** An alert that supersedes earlier ones, in the message that contains it. */
export interface SupersedingAlert {
  readonly event: SplitEvent;
  readonly message: SentMessage;
}

/** Those of a split's events that supersede earlier ones and were sent to the destination, in the order of the events. */
export async function supersedingAlerts(
  { store, to }: Pick<ContentParts, "store" | "to">,
  events: readonly Event[],
): Promise<readonly SupersedingAlert[]> {
  const superseding = events.filter(supersedes);
  if (superseding.length === 0) return [];
  const key = destinationKey(to);
  const messages = await store.history.messagesWith(
    to,
    superseding.map(({ id }) => deliveryId(id, key)),
  );
  return superseding.flatMap((event) => {
    const message = messages.find(({ deliveries }) => deliveries.some((one) => one.event.id === event.id));
    return message === undefined ? [] : [{ event, message }];
  });
}
