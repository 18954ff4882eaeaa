import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { type Destination, destinationKey } from "../../src/domain/alert/destination.ts";
import { createMetrics } from "../../src/lib/metrics.ts";
import { Deliverer } from "../../src/pipeline/deliver.ts";
import { DeliveryError } from "../../src/ports/chat-platform.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { BEAT_MS } from "../../src/store/engines/postgres/membership.ts";
import { announced, deliveryOf } from "../contract/store-builders.ts";
import { isCommit } from "../faults/database.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { freshDatabase } from "../support/postgres.ts";
import { expectConsistentAlerts } from "../support/postgres-consistency.ts";
import { openProcess } from "../support/postgres-process.ts";
import { createRandom } from "../support/random.ts";
import { ScriptedPlatform } from "../support/scripted-platform.ts";
import { SEED } from "../support/soak.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { waitUntil } from "../support/wait-until.ts";

/** The deliverers of three processes; the built program: `test/soak/replicas.test.ts`. */
const CHANNELS = Array.from({ length: 24 }, (_, n): Destination => ({ platform: "web", kind: "channel", id: `c${n}` }));

/** Time within which the platform processes a request that it didn't answer. */
const MAX_PROCESSING_MS = 60_000;

it(`delivers each alert once from three processes while commits are lost and messages are posted late (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const url = await freshDatabase();
  const proxy = await startTcpProxy(Number(new URL(url).port));
  onTestFinished(() => proxy.close());
  const address = new URL(url);
  address.port = String(proxy.port);
  const clock = new ManualClock();
  const web = new ScriptedPlatform();
  web.maxProcessingMs = MAX_PROCESSING_MS;
  const late: Promise<unknown>[] = [];
  web.onSend = async ({ sends }, post) => {
    if (sends > 1 || random.chance(0.7)) return post();
    late.push(clock.sleep(random.below(MAX_PROCESSING_MS)).then(post));
    throw new DeliveryError("unknown-outcome", "no answer", { isTimeout: true });
  };
  const processes = await Promise.all([1, 2, 3].map(() => openProcess(address.href, clock)));
  let messages = 0;
  const deliverers = processes.map(({ store }, index) => {
    const deliverer = new Deliverer({
      store,
      clock,
      log: SILENT_LOG,
      metrics: createMetrics(),
      timezone: "UTC",
      nextDigest: (_, after) => after,
      expireAfterMs: Number.POSITIVE_INFINITY,
      newMessageId: () => `m${index}-${++messages}`,
    });
    deliverer.use([web]);
    deliverer.start();
    return deliverer;
  });
  onTestFinished(async () => {
    await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  });
  let lostCommits = 0;
  proxy.decide = (bytes) => {
    if (!isCommit(bytes) || !random.chance(0.06)) return "forward";
    lostCommits += 1;
    return random.pick(["cut", "swallow-answer"]);
  };

  const [first] = processes;
  for (const split of ["s1", "s2"]) {
    const event = announced(split);
    const deliveries = CHANNELS.map((to) => deliveryOf(event, to));
    const commit = async (): Promise<boolean> =>
      first?.store.snapshot.commit({ patch: null, events: [event], deliveries }).then(
        () => true,
        () => false,
      ) ?? false;
    await waitUntil("the alerts are committed", commit);
    await waitUntil("nothing waits", async () => {
      for (let beats = 0; beats < 5; beats += 1) {
        await clock.advance(BEAT_MS);
        for (const { membership } of processes) await membership.beat().catch(() => undefined);
        await pause(5);
      }
      return (await first?.store.outbox.waitingCount().catch(() => null)) === 0;
    });
  }
  await clock.advance(MAX_PROCESSING_MS);
  await Promise.all(late);

  const received = CHANNELS.map((to) => web.posted.filter((message) => message.to === destinationKey(to)));
  expect(received.map((posted) => posted.map(({ titles }) => titles.length))).toEqual(CHANNELS.map(() => [1, 1]));
  expect(Math.min(lostCommits, late.length)).toBeGreaterThan(0);
  await expectConsistentAlerts(url);
});
