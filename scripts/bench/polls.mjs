// Polls of splits and articles at the same time: the time from the list's answer to the first message about a new split,
// whatever the articles do, and the CPU time of a poll that finds nothing new.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { importModules } from "./parts/bundle.mjs";
import { get } from "./parts/http-load.mjs";
import { startServer } from "./parts/measured-process.mjs";
import { measurePairs, median } from "./parts/pairs.mjs";
import { log, metrics } from "./parts/silent.mjs";

const SERVICE = fileURLToPath(new URL("parts/splits-service.mjs", import.meta.url));
const ARTICLES = 4_100;
const LISTED = 100;
const ROUNDS = 25;
const BULK_ROUNDS = 5;
const PAIRS = 15;
const MAX_MEDIAN_MS = 35;
const MAX_P99_MS = 150;
/** A list waits at most 300 ms. */
const MAX_FIRST_MS = 300 + MAX_MEDIAN_MS;
const MAX_CPU_RATIO = 1.3;
const SETTLING_POLLS = 4;
/** All pages are read after 15 minutes. */
const ALL_PAGES_MS = 16 * 60_000;

/** Behaviors of the articles, as the service names them. */
const BEHAVIORS = [
  "prompt",
  "50 ms per page",
  "50 ms per page, no totals",
  "slow",
  "failing",
  "rate limited",
  "hanging",
  "endless",
];

const silent = () => undefined;

export async function measure() {
  const names = [
    "pipeline/deliver",
    "data-service/client/client",
    "domain/settings/rule",
    "lib/clock",
    "store/index",
    "../test/support/poll-parts",
  ];
  const modules = Object.assign({}, ...(await importModules("polls", names)));
  const service = await startServer(SERVICE, []);
  try {
    return [...(await measureFirstMessages(modules, service)), ...(await measureUnchanged(modules, service))];
  } finally {
    await service.stop();
  }
}

async function measureFirstMessages(modules, service) {
  const figures = [];
  const firstTimes = [];
  for (const behavior of BEHAVIORS) {
    const { firstMs, ...times } = await withFollowers(modules, service, behavior, measureRounds);
    figures.push(...figuresOf(`new split, articles ${behavior}`, times));
    firstTimes.push(firstMs);
  }
  // Only in this poll the list doesn't know yet that it would wait in vain.
  const worst = { name: "new split, first poll with such articles, worst", unit: "ms", value: Math.max(...firstTimes) };
  const bulk = await withFollowers(modules, service, "prompt", measureBulk);
  return [...figures, { ...worst, atMost: MAX_FIRST_MS }, ...figuresOf(`new split, ${ARTICLES} new articles`, bulk)];
}

/** Times of both followers for new splits, in turn. */
async function measureRounds({ alone, both, list }) {
  await list();
  const firstMs = await both.firstMessageMs();
  await alone.firstMessageMs();
  const times = { alone: [], both: [], firstMs };
  for (let round = 0; round < ROUNDS; round += 1) {
    await list();
    times.alone.push(await alone.firstMessageMs());
    times.both.push(await both.firstMessageMs());
  }
  return times;
}

async function measureBulk({ alone, both, list }) {
  const times = { alone: [], both: [] };
  for (let round = 0; round < BULK_ROUNDS; round += 1) {
    await list({ salt: `new-${round}` });
    times.alone.push(await alone.firstMessageMs());
    times.both.push(await both.firstMessageMs());
    await both.idle();
  }
  return times;
}

function figuresOf(name, { alone, both }) {
  const figure = (percentage, quantile, atMost) => {
    const compared = { peer: "list alone", peerValue: quantile(alone) };
    return { name: `${name}, ${percentage}`, unit: "ms", value: quantile(both), ...compared, atMost };
  };
  return [figure("median", median, MAX_MEDIAN_MS), figure("99 %", p99, MAX_P99_MS)];
}

function p99(times) {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1];
}

async function measureUnchanged(modules, service) {
  return withFollowers(modules, service, "prompt", async ({ both }) => {
    const pollAllPages = () => {
      both.skip(ALL_PAGES_MS);
      return both.poll();
    };
    const [firstPage, allPages] = [await beside(service, both.poll), await beside(service, pollAllPages)];
    return [
      unchangedFigure(`unchanged poll, ${ARTICLES} articles`, firstPage),
      unchangedFigure(`unchanged poll that reads all pages, ${ARTICLES} articles`, allPages),
    ];
  });
}

/** CPU times of a poll, and of one read of the pages beside it. */
function beside({ address }, poll) {
  return measurePairs(
    PAIRS,
    () => cpuOf(() => readAll(address)),
    () => cpuOf(poll),
  );
}

function unchangedFigure(name, { first, second }) {
  const compared = { peer: "one read of the pages", peerValue: first, ratio: second / first };
  return { name, unit: "ms CPU", value: second, ...compared, atMost: MAX_CPU_RATIO };
}

async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Reads the list and all pages once, without validators. */
async function readAll(address) {
  JSON.parse((await get(`${address}/v1/splits`)).body);
  for (let page = 0; ; page += 1) {
    const { articles } = JSON.parse((await get(`${address}/v1/articles?page=${page}&size=40`)).body);
    if (articles.length === 0) return;
  }
}

/**
 * Runs work with two followers of the service after their first polls: `both` polls splits and articles, which behave so;
 * `alone` polls splits only. `list` lists a new split.
 */
async function withFollowers(modules, { address }, behavior, work) {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const set = (state) => get(`${address}/set?${new URLSearchParams(state)}`);
  let splits = LISTED;
  const list = (state = {}) => {
    splits += 1;
    return set({ splits, ...state });
  };
  const started = [];
  const start = async (name, resources) => {
    const follower = await startFollower(modules, address, { dir: join(dir, name), resources });
    started.push(follower);
    return follower;
  };
  try {
    const alone = await start("alone", ["splits"]);
    const both = await start("both", ["splits", "articles"]);
    await set({ splits, articles: ARTICLES, salt: "known", behavior: "prompt" });
    for (const follower of started) for (let polls = 0; polls < SETTLING_POLLS; polls += 1) await follower.poll();
    await set({ behavior });
    return await work({ alone, both, list });
  } finally {
    for (const follower of started) await follower.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function startFollower(modules, address, { dir, resources }) {
  const { DEFAULT_FILTER, systemClock, configuredStore } = modules;
  const bench = { resources, skippedMs: 0, listReadAt: 0, onMessage: silent, stopping: new AbortController() };
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + bench.skippedMs };
  const store = await configuredStore({ dataDir: dir }).open({ clock, log, holder: "bench" });
  const destination = { platform: "web", kind: "channel", id: "general" };
  const createdBy = { platform: "web", kind: "person", id: "alice" };
  await store.rules.add({ ...DEFAULT_FILTER, destination, createdBy, createdAt: 0, mention: null });
  const parts = { store, clock, log, metrics };
  const client = modules.createSplitsClient({ baseUrl: address, apiKey: null, id: "bench", sample: false, clock, log });
  const deliverer = createDeliverer(modules, parts, bench);
  const source = timed(client, bench);
  const poller = modules.aPoller({ ...parts, source, wake: () => deliverer.wake(), signal: bench.stopping.signal });
  deliverer.start();
  return {
    ...createControls(poller, bench),
    async stop() {
      bench.stopping.abort();
      await client.close();
      await poller.idle();
      await deliverer.stop();
      await store.close();
    },
  };
}

function createDeliverer({ Deliverer }, parts, bench) {
  return new Deliverer({
    ...parts,
    platforms: [recordingPlatform(() => bench.onMessage())],
    timezone: "America/New_York",
    nextDigest: () => null,
    expireAfterMs: 86_400_000,
    newMessageId: randomUUID,
  });
}

/** The client, with the time of the list's last answer. */
function timed(client, bench) {
  return {
    ...client,
    async listSplits(signal) {
      const list = await client.listSplits(signal);
      bench.listReadAt = performance.now();
      return list;
    },
  };
}

function createControls(poller, bench) {
  const poll = () => Promise.all(bench.resources.map((resource) => poller.poll(resource)));
  return {
    poll,
    idle: () => poller.idle(),
    skip: (ms) => {
      bench.skippedMs += ms;
    },
    /** Polls once. Returns the time from the list's answer to the first message, in milliseconds. */
    async firstMessageMs() {
      const sent = new Promise((resolve) => {
        bench.onMessage = () => resolve(performance.now());
      });
      void poll();
      const ms = (await sent) - bench.listReadAt;
      await poller.poll("splits");
      return ms;
    },
  };
}

/** Platform that accepts all messages immediately. */
function recordingPlatform(onMessage) {
  return {
    name: "web",
    showsSample: true,
    start: async () => undefined,
    stop: async () => undefined,
    health: () => ({ ok: true }),
    limits: () => [],
    render: ({ cards }) => ({ body: cards, cardCount: cards.length }),
    async send({ messageId }) {
      onMessage();
      return { id: messageId, link: null };
    },
    find: async () => "not-found",
  };
}
