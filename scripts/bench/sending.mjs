// Sending: an alert from its commit to the platform's answer, compared with the limits of the platform and with the platform's
// own client that sends the same bodies.
//
// The real deliverer, store, discord.js and Slack client send over sockets to parts/chat-server.mjs, a process of its own. The
// smallest duration that the limits allow is that of 50 requests a second on Discord (an unopened direct message takes two), and
// of 300 messages a minute on Slack. Slack's fan-out is to 100 destinations; 1,100 would take 220 seconds.
import { fork } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { importModules } from "./parts/bundle.mjs";
import { measurePairs, median } from "./parts/pairs.mjs";

/** Not imported: the types of both packages would change how the other scripts are checked. */
const load = createRequire(import.meta.url);
const { webApi } = load("@slack/bolt");
const { REST, Routes } = load("discord.js");

const CHAT_SERVER = new URL("parts/chat-server.mjs", import.meta.url);
const PER_SECOND = { discord: 50, slack: 5 };

const FAN_OUTS = [
  { platform: "discord", name: "100 channels + 1,000 people", channels: 100, people: 1_000 },
  { platform: "discord", name: "the same beside stalls of up to 80 ms", channels: 100, people: 1_000, hasStalls: true },
  { platform: "discord", name: "300 unopened direct messages", channels: 0, people: 300, isUnopened: true },
  { platform: "slack", name: "20 channels + 80 people", channels: 20, people: 80 },
  { platform: "slack", name: "the same beside stalls of up to 80 ms", channels: 20, people: 80, hasStalls: true },
];

/** The event loop is blocked for a random time up to the longest, this often. */
const STALLS = { everyMs: 100, longestMs: 80 };

/** Without limits: messages per measured round, rounds, and messages of the bare client on their way at a time. */
const ROUND = 1_000;
const WARM_UP_ROUNDS = 3;
const PAIRS = 9;
const MAX_FAN_OUT_MS = 300_000;
const CONCURRENCY = 100;

/** At the pace of the limits. */
const PACED_PAIRS = 3;
const PACED_MESSAGES = { discord: 200, slack: 25 };

/** How much faster the clock runs that turns Discord's limits off. */
const LIMITS_OFF_SPEED = 1_000_000;

const TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.bench.token-of-the-stand-in-for-discord";
const SLACK_TOKEN = "xoxb-token-of-the-stand-in-for-slack";

export async function measure() {
  const modules = await importSource();
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const server = await startChatServer();
  let opened = 0;
  const open = (platformName, options) =>
    openSubject(modules, { dir: join(dir, String(++opened)), server, platformName, ...options });
  try {
    return [
      ...(await measureFanOuts(open, server)),
      ...(await measureWithoutLimits("discord", open, server)),
      ...(await measureWithoutLimits("slack", open, server)),
      ...(await measurePaced("discord", open, server)),
      ...(await measurePaced("slack", open, server)),
    ];
  } finally {
    server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function measureFanOuts(open, server) {
  const figures = [];
  for (const fanOut of FAN_OUTS) {
    const { seconds, minSeconds, refused } = await measureFanOut(fanOut, open, server);
    const name = `${fanOut.platform}: ${fanOut.name}`;
    const limits = { peer: "minimum of the limits", peerValue: minSeconds, ratio: seconds / minSeconds };
    // Beside stalls, the machine decides how much time is left.
    figures.push({ name, value: seconds, unit: "s", ...limits, ...(fanOut.hasStalls ? {} : { atMost: 1.07 }) });
    figures.push({ name: `${name}, refused`, value: refused, unit: "requests", atMost: 0 });
  }
  return figures;
}

async function measureFanOut({ platform, hasStalls, isUnopened, ...destinations }, open, server) {
  const subject = await open(platform, destinations);
  try {
    if (platform === "discord" && !isUnopened) await subject.openDirectChannels();
    await server.set({ isLimited: true });
    await server.report();
    const stalls = hasStalls ? startStalls() : null;
    const startedAt = performance.timeOrigin + performance.now();
    await subject.announce();
    stalls?.stop();
    const { lastArrivalAt, refused } = await server.report();
    const requests = subject.destinations.length * (isUnopened ? 2 : 1);
    return { seconds: (lastArrivalAt - startedAt) / 1_000, minSeconds: requests / PER_SECOND[platform], refused };
  } finally {
    await server.set({ isLimited: false });
    await subject.close();
  }
}

function startStalls() {
  const timer = setInterval(() => {
    const end = performance.now() + Math.random() * STALLS.longestMs;
    while (performance.now() < end);
  }, STALLS.everyMs);
  return { stop: () => clearInterval(timer) };
}

async function measureWithoutLimits(platform, open, server) {
  const subject = await open(platform, { channels: ROUND, people: 0, isUnlimited: true });
  try {
    const sends = bareSends(platform, await captureRequests(subject, server), server);
    const bare = measured(ROUND, () => runConcurrently(sends));
    const ours = measured(ROUND, () => subject.announce());
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) for (const send of [bare, ours]) await send();
    const results = { bare: [], ours: [] };
    const keep = (kind, send) => async () => {
      const result = await send();
      results[kind].push(result.cpuMs);
      return result.ms / ROUND;
    };
    const speed = await measurePairs(PAIRS, keep("bare", bare), keep("ours", ours));
    const cpu = { bare: median(results.bare), ours: median(results.ours) };
    const peer = platform === "discord" ? "discord.js REST" : "Slack's WebClient";
    return [
      {
        name: `${platform} without limits`,
        value: 1_000 / speed.second,
        unit: "messages/s",
        peer,
        peerValue: 1_000 / speed.first,
        ratio: speed.ratio,
        atLeast: 0.6,
      },
      {
        name: `${platform} without limits, CPU per message`,
        value: cpu.ours,
        unit: "ms",
        peer,
        peerValue: cpu.bare,
      },
      { name: `${platform} without limits, CPU above bare`, value: cpu.ours - cpu.bare, unit: "ms", atMost: 0.35 },
    ];
  } finally {
    await subject.close();
  }
}

async function measurePaced(platform, open, server) {
  const messages = PACED_MESSAGES[platform];
  const subject = await open(platform, { channels: messages, people: 0 });
  try {
    const sends = bareSends(platform, await captureRequests(subject, server), server);
    const bare = measured(messages, () => runPaced(sends, PER_SECOND[platform]));
    const ours = measured(messages, () => subject.announce());
    await ours();
    const { first, second, ratio } = await measurePairs(
      PACED_PAIRS,
      async () => (await bare()).cpuMs,
      async () => (await ours()).cpuMs,
    );
    const name = `${platform} at the limits' pace, CPU per message`;
    return [
      {
        name,
        value: second,
        unit: "ms",
        peer: "bare client at the same pace",
        peerValue: first,
        ratio: 1 / ratio,
        atMost: 2,
      },
    ];
  } finally {
    await subject.close();
  }
}

/** Returns a function that runs `work` and returns its duration, and its CPU time per message, in milliseconds. */
function measured(messages, work) {
  return async () => {
    const cpu = process.cpuUsage();
    const start = performance.now();
    await work();
    const ms = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    return { ms, cpuMs: (user + system) / 1_000 / messages };
  };
}

/** The messages of one alert, as the platform received them. */
async function captureRequests(subject, server) {
  await server.set({ keepsRequests: true });
  await server.report();
  await subject.announce();
  const { requests } = await server.report();
  await server.set({ keepsRequests: false });
  return requests.filter(({ path }) => /(?:messages|postMessage)$/.test(path));
}

/** The platform's client without retries and limits, as functions that each send one of the requests. */
function bareSends(platform, requests, { address }) {
  if (platform === "slack") {
    const options = { slackApiUrl: `${address}/api/`, retryConfig: { retries: 0 } };
    const client = new webApi.WebClient(SLACK_TOKEN, options);
    return requests.map(({ text }) => {
      const fields = [...new URLSearchParams(text)].map(([name, value]) => [name, parsed(value)]);
      const args = Object.fromEntries(fields);
      return () => client.apiCall("chat.postMessage", args);
    });
  }
  const globalRequestsPerSecond = Number.POSITIVE_INFINITY;
  const rest = new REST({ version: "10", api: `${address}/api`, retries: 0, globalRequestsPerSecond }).setToken(TOKEN);
  return requests.map(({ path, text }) => {
    const [, channelId] = /channels\/(\d+)/.exec(path);
    const body = JSON.parse(text);
    return () => rest.post(Routes.channelMessages(channelId), { body });
  });
}

function parsed(value) {
  return /^[[{]/.test(value) ? JSON.parse(value) : value;
}

async function runConcurrently(sends) {
  let next = 0;
  const worker = async () => {
    while (next < sends.length) await sends[next++]();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function runPaced(sends, perSecond) {
  const start = performance.now();
  const answers = [];
  for (const [index, send] of sends.entries()) {
    const waitMs = start + (index * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    answers.push(send());
  }
  await Promise.all(answers);
}

async function importSource() {
  const [discord, slack, deliver, stores, clock, log, scheduler] = await importModules("sending", [
    "chat/discord/platform",
    "chat/slack/platform",
    "pipeline/deliver",
    "store/index",
    "lib/clock",
    "lib/log",
    "lib/scheduler",
  ]);
  return { discord, slack, deliver, stores, clock, log, scheduler };
}

/** A deliverer with one platform and its own store. `announce` commits a new split for all destinations and waits until it is sent. */
async function openSubject(modules, { dir, server, platformName, channels, people, isUnlimited = false }) {
  const clock = modules.clock.systemClock;
  const secrets = [TOKEN, SLACK_TOKEN];
  const log = modules.log.createLog({ level: "info", format: "json", secrets, destination: { write: () => true } });
  const store = await modules.stores.configuredStore({ dataDir: dir }).open({ clock, log, holder: "bench" });
  const parts = { store, clock, log, wake: () => deliverer.wake(), commands: { list: [] }, screens: {} };
  const platform = isUnlimited
    ? { ...createPlatform(modules, platformName, server, { ...parts, clock: fastClock(clock) }), limits: () => [] }
    : createPlatform(modules, platformName, server, parts);
  if (platformName === "slack") await platform.start();
  const sent = new EventEmitter();
  const metrics = { countDelivery: () => sent.emit("outcome"), observeDeliveryMs: () => undefined };
  const { nextTick } = modules.scheduler.createScheduler(log);
  let rendered = 0;
  const deliverer = new modules.deliver.Deliverer({
    store,
    clock,
    log,
    metrics,
    timezone: "America/New_York",
    platforms: [platform],
    nextDigest: (zone, after) => nextTick("0 8 * * 1-5", zone, after),
    expireAfterMs: 86_400_000,
    newMessageId: () => `bench-${++rendered}`,
  });
  deliverer.start();
  const destinations = destinationsOf(platformName, channels, people);
  let announced = 0;
  return {
    destinations,
    async openDirectChannels() {
      const persons = destinations.filter(({ kind }) => kind === "person");
      await Promise.all(persons.map((person) => store.directChannels.put({ person, channelId: `${person.id}0` })));
    },
    async announce() {
      const event = announcement(++announced);
      const deliveries = destinations.map((to) => ({
        id: `${event.id}>${to.platform}:${to.kind}:${to.id}`,
        eventId: event.id,
        to,
        reasons: ["rule 1"],
        mentions: [],
      }));
      await store.snapshot.commit({ patch: null, events: [event], deliveries });
      deliverer.wake();
      const timeout = setTimeout(() => sent.emit("error", new Error("a fan-out is incomplete")), MAX_FAN_OUT_MS);
      while ((await store.outbox.waitingCount()) > 0) await once(sent, "outcome");
      clearTimeout(timeout);
    },
    async close() {
      await deliverer.stop();
      await store.close();
      if (platformName === "slack") await platform.stop();
    },
  };
}

function createPlatform({ discord, slack }, name, { address }, parts) {
  if (name === "discord") return discord.createDiscordPlatform({ ...parts, token: TOKEN, apiUrl: `${address}/api` });
  return slack.createSlackPlatform({
    ...parts,
    app: {
      access: { kind: "one", botToken: SLACK_TOKEN },
      transport: { kind: "http", signingSecret: "unused" },
      port: null,
      apiUrl: `${address}/api/`,
    },
    host: "127.0.0.1",
    publicUrl: null,
    serverPort: 0,
    restrictSubscribe: false,
    messagesPerMinute: 60 * PER_SECOND.slack,
  });
}

/** Clock whose delays are too short to limit anything. */
function fastClock(clock) {
  return {
    now: clock.now,
    monotonic: () => performance.now() * LIMITS_OFF_SPEED,
    sleep: (ms, signal) => clock.sleep(ms / LIMITS_OFF_SPEED, signal),
  };
}

function destinationsOf(platform, channels, people) {
  const isDiscord = platform === "discord";
  return [
    ...idsOf(channels, isDiscord ? "500/9" : "T0/C").map((id) => ({ platform, kind: "channel", id })),
    ...idsOf(people, isDiscord ? "8" : "T0/U").map((id) => ({ platform, kind: "person", id })),
  ];
}

function idsOf(count, prefix) {
  return Array.from({ length: count }, (_, n) => prefix + String(n).padStart(16, "0"));
}

function announcement(number) {
  const url = `https://wire.example/release-${number}`;
  return {
    kind: "announced",
    id: `s${number}.1`,
    at: Date.now(),
    sample: false,
    splitId: `s${number}`,
    record: {
      ticker: `T${number}`,
      exchange: "NASDAQ",
      company: `Northern Robotics ${number} Inc.`,
      ratioText: "1:20",
      ratio: { newShares: 1, oldShares: 20 },
      exDate: "2099-03-10",
      dateAnnounced: "2099-02-27",
    },
    fraction: {
      treatment: "round_up",
      level: "participant",
      sentence: "Fractional shares will be rounded up to the next whole share at the participant level.",
      url,
      source: "globenewswire",
    },
    release: {
      url,
      source: "globenewswire",
      heading: "Northern Robotics Announces Reverse Stock Split",
      published: "2099-02-27",
      kind: "reverse_split",
    },
    disagreements: [],
    alreadyEffective: false,
  };
}

async function startChatServer() {
  const child = fork(CHAT_SERVER);
  const next = async () => (await once(child, "message"))[0];
  const { address } = await next();
  const ask = async (message) => {
    child.send(message);
    return next();
  };
  return { address, set: ask, report: () => ask("report"), stop: () => child.disconnect() };
}
