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

const SERVICE = fileURLToPath(new URL("parts/splits-service.mjs", import.meta.url));
const ARTICLES = 4_100;
const LISTED = 100;
const ROUNDS = 25;
const PAIRS = 15;
const MAX_MEDIAN_MS = 35;
const MAX_P99_MS = 150;
/** A list waits at most 300 ms. */
const MAX_FIRST_MS = 300 + MAX_MEDIAN_MS;
const MAX_CPU_RATIO = 1.3;
const SETTLING_POLLS = 4;
/** All pages are read after 15 minutes. */
const ALL_PAGES_MS = 16 * 60_000;

/** What the articles do at the same tick, by the behaviors of the service. */
const KINDS = [
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
const log = { debug: silent, info: silent, warn: silent, error: silent };
const metrics = { countPoll: silent, countEvent: silent, countDelivery: silent, observeDeliveryMs: silent };

export async function measure() {
  const names = [
    "pipeline/poll",
    "pipeline/deliver",
    "data-service/client/client",
    "domain/settings/rule",
    "lib/clock",
    "lib/mutex",
    "store/index",
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
  const alone = await withFollower(modules, service, "prompt", (follower) =>
    roundsOf(() => follower.newSplit(["splits"])),
  );
  const figures = figuresOf("new split, list alone", alone);
  const firstTimes = [];
  for (const kind of KINDS) {
    const measured = await withFollower(modules, service, kind, async (follower, firstMs) => {
      return { firstMs, times: await roundsOf(() => follower.newSplit()) };
    });
    figures.push(...figuresOf(`new split, articles ${kind}`, measured.times, alone));
    firstTimes.push(measured.firstMs);
  }
  // Only in this poll the list doesn't know yet that it would wait in vain.
  const firstMs = Math.max(...firstTimes);
  figures.push({
    name: "new split, first poll with such articles, worst",
    unit: "ms",
    value: firstMs,
    atMost: MAX_FIRST_MS,
  });
  const bulk = await withFollower(modules, service, "prompt", (follower) =>
    roundsOf(async (round) => {
      await follower.set({ salt: `new-${round}` });
      const ms = await follower.newSplit();
      await follower.idle();
      return ms;
    }, 5),
  );
  return [...figures, ...figuresOf(`new split, ${ARTICLES} new articles`, bulk, alone)];
}

function figuresOf(name, times, peer) {
  const compared = (value) => (peer ? { peer: "list alone", peerValue: value(peer) } : {});
  return [
    { name: `${name}, median`, unit: "ms", value: median(times), ...compared(median), atMost: MAX_MEDIAN_MS },
    { name: `${name}, 99 %`, unit: "ms", value: p99(times), ...compared(p99), atMost: MAX_P99_MS },
  ];
}

function p99(times) {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1];
}

async function roundsOf(work, rounds = ROUNDS) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) times.push(await work(round));
  return times;
}

async function measureUnchanged(modules, service) {
  return withFollower(modules, service, "prompt", async (follower) => {
    const read = () => cpuOf(() => readAll(service.address));
    const first = await measurePairs(PAIRS, read, () => cpuOf(() => follower.poll()));
    const allPages = await measurePairs(PAIRS, read, () => {
      follower.skip(ALL_PAGES_MS);
      return cpuOf(() => follower.poll());
    });
    const figure = (name, { first: peerValue, second: value }) => {
      const peer = "one read of the pages";
      return { name, unit: "ms CPU", value, peer, peerValue, ratio: value / peerValue, atMost: MAX_CPU_RATIO };
    };
    return [
      figure(`unchanged poll, ${ARTICLES} articles`, first),
      figure(`unchanged poll that reads all pages, ${ARTICLES} articles`, allPages),
    ];
  });
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

/** Runs work with a poller and a deliverer on a store, after the first polls of a service whose articles behave so. */
async function withFollower(modules, service, behavior, work) {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const follower = await startFollower(modules, service, dir);
  try {
    await follower.set({ splits: LISTED, articles: ARTICLES, salt: "known", behavior: "prompt" });
    for (let polls = 0; polls < SETTLING_POLLS; polls += 1) await follower.poll();
    await follower.set({ behavior });
    const firstMs = await follower.newSplit();
    return await work(follower, firstMs);
  } finally {
    await follower.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function startFollower(modules, { address }, dir) {
  const { DEFAULT_FILTER, systemClock, configuredStore } = modules;
  const bench = {
    address,
    skippedMs: 0,
    listReadAt: 0,
    splits: LISTED,
    onMessage: silent,
    stopping: new AbortController(),
  };
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + bench.skippedMs };
  const store = await configuredStore({ dataDir: dir }).open({ clock, log, holder: "bench" });
  const destination = { platform: "web", kind: "channel", id: "general" };
  const createdBy = { platform: "web", kind: "person", id: "alice" };
  await store.rules.add({ ...DEFAULT_FILTER, destination, createdBy, createdAt: 0, mention: null });
  const parts = { store, clock, log, metrics };
  const client = modules.createSplitsClient({ baseUrl: address, apiKey: null, id: "bench", sample: false, clock, log });
  const deliverer = createDeliverer(modules, parts, bench);
  const poller = createPoller(modules, { ...parts, source: timed(client, bench), wake: () => deliverer.wake() }, bench);
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

function createPoller({ Poller, createMutex }, parts, { stopping }) {
  return new Poller({
    ...parts,
    canReceive: () => true,
    exclusive: createMutex(),
    settings: { missingPolls: 3, shrinkGuard: 0.5, firstRun: "silent" },
    backfilledRows: () => new Set(),
    onPollEnd: async () => undefined,
    signal: stopping.signal,
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
  const set = (state) => get(`${bench.address}/set?${new URLSearchParams(state)}`);
  const poll = (resources = ["splits", "articles"]) => Promise.all(resources.map((resource) => poller.poll(resource)));
  return {
    set,
    poll,
    idle: () => poller.idle(),
    skip: (ms) => {
      bench.skippedMs += ms;
    },
    /** Lists a new split and polls. Returns the time from the list's answer to the first message, in milliseconds. */
    async newSplit(resources) {
      bench.splits += 1;
      await set({ splits: bench.splits });
      const sent = new Promise((resolve) => {
        bench.onMessage = () => resolve(performance.now());
      });
      const polled = poll(resources);
      const ms = (await sent) - bench.listReadAt;
      await Promise.race([polled, poller.poll("splits")]);
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
