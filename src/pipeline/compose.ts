import { dayInZone } from "../core/day.ts";
import type { Attempt, MessageRef, WaitingDelivery } from "../core/delivery.ts";
import type { Destination } from "../core/destination.ts";
import { isSplitEvent } from "../core/event.ts";
import { MARKET_ZONE } from "../core/trading-day.ts";
import { describeEvent } from "../messages/alerts.ts";
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";

/** More than any platform carries in one message. */
const MOST_TOGETHER = 25;

export interface ComposeParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly timezone: string;
  readonly expireAfterMs: number;
  /** At most 25 characters, never the same twice. */
  newMessageId(): string;
}

/**
 * Puts what waits at a destination into one message: as many events in a row as answer the same message and fit. Null when
 * nothing waits. A body of null is that of an event that cannot be rendered: it must not hold up what comes after it.
 */
export async function compose(parts: ComposeParts, platform: ChatPlatform, to: Destination): Promise<Attempt | null> {
  const waiting = await parts.store.outbox.waitingAt(to, MOST_TOGETHER);
  const [first] = waiting;
  if (!first) return null;
  const replyTo = await answered(parts, to, first);
  const group = [first];
  for (const next of waiting.slice(1)) {
    if ((await answered(parts, to, next))?.id !== replyTo?.id) break;
    group.push(next);
  }
  const draft = { to, replyTo };
  const together = render(parts, platform, draft, group);
  // One bad card must not cost the others.
  return together.body === null ? render(parts, platform, draft, [first]) : together;
}

function render(
  parts: ComposeParts,
  platform: ChatPlatform,
  draft: Pick<Attempt, "to" | "replyTo">,
  group: readonly WaitingDelivery[],
): Attempt {
  const now = parts.clock.now();
  const messageId = parts.newMessageId();
  const attempt: Attempt = {
    ...draft,
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
    const { timezone, expireAfterMs } = parts;
    const moment = { now, today: dayInZone(now, MARKET_ZONE), timezone, expireAfterMs };
    const cards = group.map(({ event }) => describeEvent(event, moment));
    const mentions = [...new Set(group.flatMap(({ delivery }) => delivery.mentions))];
    const { body, carried } = platform.render({ messageId, to: draft.to, cards, mentions });
    return { ...attempt, body, deliveries: attempt.deliveries.slice(0, carried) };
  } catch (error) {
    parts.log.error("message-not-rendered", { platform: platform.name, deliveries: attempt.deliveries, error });
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
