import type { Hono } from "hono";
import type { ChatPlatform, PlatformHealth } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { alertPayload } from "../alert-payload.ts";
import { createPostingSender } from "../posting-sender.ts";
import { createFeedDocuments } from "./documents.ts";
import type { FeedBody } from "./entry.ts";
import { feedRoutes } from "./routes.ts";
import { PLATFORM } from "./settings.ts";

/** Alerts of one posting. */
const MAX_ALERTS = 100;

export interface FeedPlatformOptions {
  readonly store: Pick<Store, "postings">;
  readonly clock: Clock;
  readonly log: Log;
  /** External address, without a trailing slash. */
  readonly publicUrl: string;
}

export interface FeedPlatform extends ChatPlatform {
  /** Serves `/feeds/*`. */
  readonly routes: Hono;
}

/** The feeds. A message is a posting in the store. */
export function createFeedPlatform({ store, clock, log, publicUrl }: FeedPlatformOptions): FeedPlatform {
  const documents = createFeedDocuments({ store, clock, log, publicUrl });
  let health: PlatformHealth = { ok: false, reason: "the feeds haven't started yet" };

  return {
    name: PLATFORM,
    showsSample: false,
    maxAlerts: MAX_ALERTS,
    routes: feedRoutes({ documents, clock, log }),
    async start() {
      health = { ok: true };
    },
    async stop() {
      health = { ok: false, reason: "the feeds have stopped" };
      documents.close();
    },
    health: () => health,
    limits: () => [],
    render({ cards, events }) {
      const shown = cards.slice(0, MAX_ALERTS);
      const alerts = shown.flatMap((card, index) => {
        const event = events[index];
        return event === undefined ? [] : [alertPayload(event, card)];
      });
      return { body: { alerts } satisfies FeedBody, cardCount: alerts.length };
    },
    ...createPostingSender({ postings: store.postings, clock, linkOf: () => null }),
  };
}
