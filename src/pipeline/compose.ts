import type { Attempt, MessageRef, WaitingDelivery } from "../domain/alert/delivery.ts";
import type { Destination } from "../domain/alert/destination.ts";
import { isSplitEvent } from "../domain/alert/event.ts";
import { dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { eventCard } from "../messages/alerts/event-card.ts";
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { Log } from "../ports/log.ts";
import { type HoldParts, type ReadyDelivery, readyAt } from "./hold.ts";

/** More than any platform carries in one message. */
const MOST_TOGETHER = 25;

export interface ComposeParts extends HoldParts {
  readonly log: Log;
  readonly expireAfterMs: number;
  /** At most 25 characters, never the same twice. */
  newMessageId(): string;
}

/** What a message is before its cards are rendered. */
interface Draft extends Pick<Attempt, "to" | "replyTo"> {
  /** Of the times of day in it. */
  readonly timezone: string;
}

/**
 * Puts what may go to a destination now into one message: as many events in a row as belong together and fit. Null when
 * nothing may. A body of null is that of an event that cannot be rendered: it must not hold up what comes after it.
 */
export async function compose(parts: ComposeParts, platform: ChatPlatform, to: Destination): Promise<Attempt | null> {
  const settings = await parts.store.destinationSettings.of(to);
  const ready = await readyAt(parts, to, settings, MOST_TOGETHER);
  const [first] = ready;
  if (!first) return null;
  const timezone = settings.timezone ?? parts.timezone;
  const { group, replyTo } = await groupOf(parts, to, [first, ...ready.slice(1)]);
  const together = render(parts, platform, { to, replyTo, timezone }, group);
  if (together.body !== null || group.length === 1) return together;
  // One bad card must not cost the others.
  return render(parts, platform, { to, replyTo: await answered(parts, to, first), timezone }, [first]);
}

/** Those in a row that answer the same message, or none; of what was held all, in a message that answers none. */
async function groupOf(
  parts: ComposeParts,
  to: Destination,
  [first, ...others]: readonly [ReadyDelivery, ...ReadyDelivery[]],
): Promise<{ readonly group: readonly ReadyDelivery[]; readonly replyTo: MessageRef | null }> {
  const replyTo = await answered(parts, to, first);
  const group = [first];
  let answersOne = true;
  for (const next of others) {
    const alike = (await answered(parts, to, next))?.id === replyTo?.id;
    if (!alike && (first.held === null || next.held === null)) break;
    answersOne &&= alike;
    group.push(next);
  }
  return { group, replyTo: answersOne ? replyTo : null };
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

/** The message that this one answers: the first about the same split. */
async function answered(
  { store }: ComposeParts,
  to: Destination,
  { event }: WaitingDelivery,
): Promise<MessageRef | null> {
  return isSplitEvent(event) ? store.history.firstMessage(to, event.splitId) : null;
}
