// File store: concurrent commits, and a claim from a large outbox.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importModules } from "./parts/bundle.mjs";

const COMMITS = 20_000;
const MAX_CONCURRENT_COMMITS = 64;
const DESTINATIONS = 10_000;
const CLAIM_LIMIT = 100;

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };

export async function measure() {
  const [{ systemClock }, { configuredStore }] = await importModules("store", ["lib/clock", "store/index"]);
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const store = await configuredStore({ dataDir: dir }).open({ clock: systemClock, log, holder: "bench" });
  try {
    const commitsMs = await timeMs(() =>
      runConcurrently(COMMITS, MAX_CONCURRENT_COMMITS, (number) => commit(store, number)),
    );
    const request = { limit: CLAIM_LIMIT, leaseMs: 60_000, platforms: ["web"] };
    const claimMs = await timeMs(() => store.outbox.claim(request));
    return [
      { name: "store commits", unit: "per second", value: (COMMITS / commitsMs) * 1_000 },
      { name: "claim 100 of 10,000 deliveries", unit: "ms", value: claimMs },
    ];
  } finally {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  }
}

function commit(store, number) {
  const to = { platform: "web", kind: "person", id: `p${number % DESTINATIONS}` };
  const event = { kind: "test", id: `t${number}`, at: Date.now(), sample: false, askedBy: "bench" };
  const delivery = { id: `${event.id}>${to.id}`, eventId: event.id, to, because: ["bench"], mentions: [] };
  return store.snapshot.commit({ patch: null, events: [event], deliveries: [delivery] });
}

async function runConcurrently(count, workers, run) {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      await run(next);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

async function timeMs(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
