// Measures what splitwatch's speed hangs on, within this run and on this machine. The last line is the figures as JSON.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractFacts } from "../dist/extraction/extract.js";
import { systemClock } from "../dist/lib/clock.js";
import { configuredStore } from "../dist/store/index.js";

const RELEASES = 1_000;
const HOSTILE = "one-for-one-for-";
const COMMITS = 20_000;
const IN_FLIGHT = 64;
const DESTINATIONS = 10_000;
const CLAIMED = 100;

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };

const figures = { ...(await benchExtraction()), ...(await benchStore()) };
for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(40)} ${figure}`);
console.log(JSON.stringify(figures));

async function benchExtraction() {
  const lines = await readFile(new URL("../test/fixtures/releases/fresh.jsonl", import.meta.url), "utf8");
  const releases = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const read = (count) => {
    for (let index = 0; index < count; index += 1) extractFacts(releases[index % releases.length]);
  };
  read(releases.length);
  const quarter = HOSTILE.repeat(2 ** 18 / HOSTILE.length);
  return {
    extractThousandReleasesMs: timed(() => read(RELEASES)),
    extractHostileQuarterMegabyteMs: timed(() => extractFacts({ heading: "", content: quarter })),
    extractHostileMegabyteMs: timed(() => extractFacts({ heading: "", content: quarter.repeat(4) })),
  };
}

async function benchStore() {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const store = await configuredStore({ dataDir: dir }).open({ clock: systemClock, log, holder: "bench" });
  try {
    const seconds = await timedAsync(() => inFlight(COMMITS, IN_FLIGHT, (number) => commit(store, number)));
    const request = { now: Date.now(), limit: CLAIMED, leaseMs: 60_000, platforms: ["web"] };
    const claim = await timedAsync(() => store.outbox.claim(request));
    return { storeCommitsPerSecond: Math.round((COMMITS / seconds) * 1_000), claimHundredOfTenThousandMs: claim };
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

async function inFlight(count, lanes, run) {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      next += 1;
      await run(next);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function timed(work) {
  const start = performance.now();
  work();
  return rounded(performance.now() - start);
}

async function timedAsync(work) {
  const start = performance.now();
  await work();
  return rounded(performance.now() - start);
}

function rounded(milliseconds) {
  return Math.round(milliseconds * 10) / 10;
}
