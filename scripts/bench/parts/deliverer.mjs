// Messages through the deliverer to a platform that answers immediately: claim, composition, attempt, outcome, release.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { importModules } from "./bundle.mjs";
import { log, metrics } from "./silent.mjs";

const CHECK_MS = 20;

/** Returns a function that starts a deliverer for a store. `limits`: the rate limits of all messages. `folder` as in `importModules`. */
export async function importDeliverer(folder) {
  const [{ Deliverer }, { createScheduler }, { systemClock }, { createRateSlots }] = await importModules(folder, [
    "pipeline/deliver",
    "lib/scheduler",
    "lib/clock",
    "lib/rate-limiter",
  ]);
  return (store, limits = []) => {
    const { nextTick } = createScheduler(log);
    const deliverer = new Deliverer({
      store: { ...store, rateSlots: store.rateSlots ?? createRateSlots(systemClock) },
      clock: systemClock,
      log,
      metrics,
      timezone: "America/New_York",
      platforms: [instantPlatform(limits)],
      nextDigest: (zone, after) => nextTick("0 8 * * 1-5", zone, after),
      expireAfterMs: 86_400_000,
      newMessageId: randomUUID,
    });
    deliverer.start();
    return deliverer;
  };
}

function instantPlatform(limits) {
  const text = "x".repeat(1_000);
  return {
    name: "web",
    showsSample: true,
    health: () => ({ ok: true }),
    limits: () => limits,
    render: ({ cards }) => ({ body: { text }, cardCount: cards.length }),
    send: async ({ messageId }) => ({ id: messageId, link: null }),
    find: async () => "not-found",
  };
}

/** The commit of the events, each with a delivery to every destination. */
export function deliveriesOf(events, destinations) {
  const recent = events.map((event) => ({ ...event, at: Date.now() }));
  const deliveries = recent.flatMap((event) =>
    Array.from({ length: destinations }, (_, n) => {
      const to = { platform: "web", kind: "channel", id: `c${n}` };
      return { id: `${event.id}>web:channel:c${n}`, eventId: event.id, to, reasons: ["rule 1"], mentions: [] };
    }),
  );
  return { patch: null, events: recent, deliveries };
}

/** Resolves when nothing waits. */
export async function outboxEmpty(store) {
  while ((await store.outbox.waitingCount()) > 0) await pause(CHECK_MS);
}
