// Measures the speed of the extraction and of the store. The last line of the output is a JSON object with all figures.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractFacts } from "../dist/extraction/extract.js";
import { systemClock } from "../dist/lib/clock.js";
import { configuredStore } from "../dist/store/index.js";

const RELEASES = 1_000;
const HOSTILE_TEXT = "one-for-one-for-";
const COMMITS = 20_000;
const MAX_CONCURRENT_COMMITS = 64;
const DESTINATIONS = 10_000;
const CLAIM_LIMIT = 100;

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };

const figures = { ...(await benchExtraction()), ...(await benchStore()) };
for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(40)} ${figure}`);
console.log(JSON.stringify(figures));

async function benchExtraction() {
  const jsonLines = await readFile(new URL("../test/fixtures/releases/fresh.jsonl", import.meta.url), "utf8");
  const releases = jsonLines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const extract = (count) => {
    for (let index = 0; index < count; index += 1) extractFacts(releases[index % releases.length]);
  };
  extract(releases.length);
  const quarterMegabyte = HOSTILE_TEXT.repeat(2 ** 18 / HOSTILE_TEXT.length);
  return {
    extractThousandReleasesMs: measureMs(() => extract(RELEASES)),
    extractHostileQuarterMegabyteMs: measureMs(() => extractFacts({ heading: "", content: quarterMegabyte })),
    extractHostileMegabyteMs: measureMs(() => extractFacts({ heading: "", content: quarterMegabyte.repeat(4) })),
  };
}

async function benchStore() {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const store = await configuredStore({ dataDir: dir }).open({ clock: systemClock, log, holder: "bench" });
  try {
    const commitsMs = await measureAsyncMs(() =>
      runConcurrently(COMMITS, MAX_CONCURRENT_COMMITS, (number) => commit(store, number)),
    );
    const request = { limit: CLAIM_LIMIT, leaseMs: 60_000, platforms: ["web"] };
    const claimMs = await measureAsyncMs(() => store.outbox.claim(request));
    return { storeCommitsPerSecond: Math.round((COMMITS / commitsMs) * 1_000), claimHundredOfTenThousandMs: claimMs };
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

function measureMs(work) {
  const start = performance.now();
  work();
  return roundToTenth(performance.now() - start);
}

async function measureAsyncMs(work) {
  const start = performance.now();
  await work();
  return roundToTenth(performance.now() - start);
}

function roundToTenth(milliseconds) {
  return Math.round(milliseconds * 10) / 10;
}
