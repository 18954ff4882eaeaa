import { createHash } from "node:crypto";
import { deliveryId } from "../../domain/alert/delivery.ts";
import { destinationKey } from "../../domain/alert/destination.ts";
import type { EventId } from "../../domain/alert/event.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { type ChatPlatform, DeliveryError, type PlatformHealth, type RateLimit } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type Store, StoreError } from "../../ports/store.ts";
import { MAX_ALERTS, renderMessage } from "./message.ts";
import { createSender, limitKey } from "./sender.ts";
import { destinationOf, type Endpoint, PLATFORM, type WebhookSettings } from "./settings.ts";

/** Messages that may be sent without a pause. */
const BURST = 5;

export interface WebhookPlatformOptions extends WebhookSettings {
  readonly store: Pick<Store, "outbox" | "pauses" | "snapshot" | "mayStillSend">;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Makes the deliverer recheck its queue. */
  readonly wake: () => void;
  /** Time from a request to its answer, in real milliseconds. */
  readonly timeoutMs?: number;
}

/** Signed messages to other programs. Receivers recognize a resend by its id, so a message is resent after an unknown outcome. */
export function createWebhookPlatform(options: WebhookPlatformOptions): ChatPlatform {
  const { endpoints, messagesPerMinute, store, timeoutMs } = options;
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  const sender = createSender({
    ...options,
    maySend: () => store.mayStillSend(),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  let health: PlatformHealth = { ok: false, reason: "webhooks haven't started yet" };

  function limits(name: string): readonly RateLimit[] {
    return [{ key: limitKey(name), everyMs: MINUTE_MS / messagesPerMinute, burst: BURST, isShared: false }];
  }

  return {
    name: PLATFORM,
    showsSample: false,
    maxAlerts: MAX_ALERTS,
    async start() {
      health = { ok: true };
      for (const endpoint of endpoints) await begin(endpoint, options);
      options.wake();
    },
    async stop() {
      health = { ok: false, reason: "webhooks have stopped" };
      await sender.close();
    },
    health: () => health,
    limits: ({ id }) => limits(id),
    render: renderMessage,
    async send(attempt) {
      const endpoint = byName.get(attempt.to.id);
      if (endpoint !== undefined) return sender.send(endpoint, attempt);
      throw new DeliveryError(
        "gone",
        `webhook.endpoints doesn't contain ${attempt.to.id}; add it to send the waiting alerts`,
      );
    },
    find: () => Promise.resolve("cannot-search"),
  };
}

/**
 * Sends a test to an endpoint that is new or has a new address, and tries a paused one immediately: a restart usually follows a
 * change of its settings.
 */
async function begin({ name, url }: Endpoint, { store, clock, log }: WebhookPlatformOptions): Promise<void> {
  const to = destinationOf(name);
  const key = destinationKey(to);
  const address = createHash("sha256").update(url.href).digest("base64url").slice(0, 16);
  const id = `test.${key}.${address}` as EventId;
  const at = clock.now();
  const delivery = { id: deliveryId(id, key), eventId: id, to, reasons: ["test"], mentions: [] };
  try {
    // The store ignores an event that it knows.
    const event = { kind: "test", id, at, sample: false, askedBy: "splitwatch" } as const;
    await store.snapshot.commit({ patch: null, events: [event], deliveries: [delivery] });
    await store.pauses.retry(to, at);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.warn("webhook not tested", { to: key, error });
  }
}
