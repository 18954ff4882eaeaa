// CPU time of single requests that are built to be expensive, as their bytes on a socket: the known shapes, and 200 generated ones.
//
// The servers are the built program: with a token, an API key, feeds and Slack's routes on a port of their own, and without a token.
// A figure is the median of 21 requests after a warm-up, in CPU time of the whole process until the connection is closed. Each
// request comes from another loopback address, so that no limit per address shortens its work.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startServer } from "./parts/measured-process.mjs";
import { median } from "./parts/pairs.mjs";
import { freePort, isReady } from "./parts/program.mjs";
import { generatedShapes, knownShapes } from "./parts/request-shapes.mjs";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const ADMIN_TOKEN = "the-token-of-the-benchmark";
const SEED = 26;
const GENERATED = 200;
const WARM_UP_ROUNDS = 5;
const ROUNDS = 21;
/** After it, the client ends the connection. Only live streams stay open as long. */
const MAX_ANSWER_MS = 300;
const MAX_OPEN_MS = 5;
const MAX_AUTHENTICATED_MS = 50;

export async function measure() {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const servers = [];
  try {
    const { listeners, apiKey } = await start(folder, servers);
    const parts = { bearer: `Authorization: Bearer ${ADMIN_TOKEN}`, apiKey, now: Math.floor(Date.now() / 1_000) };
    const known = knownShapes(parts);
    const costs = [];
    // The first run of all shapes warms up the program.
    for (const shape of known) await costOf(shape, listeners[shape.listener], 1);
    for (const shape of [...known, ...generatedShapes(GENERATED, randomNumbers(SEED), parts)])
      costs.push({ ...shape, ms: await costOf(shape, listeners[shape.listener], ROUNDS) });
    return figuresOf(costs);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** The most expensive shapes, known and generated. */
const SHOWN = 8;

function figuresOf(costs) {
  return [false, true].flatMap((isAuthenticated) => {
    const kind = isAuthenticated ? "authenticated" : "without credentials";
    const ofKind = costs.filter((cost) => cost.isAuthenticated === isAuthenticated).toSorted((a, b) => b.ms - a.ms);
    const atMost = isAuthenticated ? MAX_AUTHENTICATED_MS : MAX_OPEN_MS;
    const shown = ofKind.filter(({ ms }, rank) => rank < SHOWN || ms > atMost);
    return [
      ...shown.map(({ name, ms }) => ({ name: `${kind}: ${name}`, unit: "ms CPU", value: ms, atMost })),
      { name: `${kind}: median of ${ofKind.length} shapes`, unit: "ms CPU", value: median(ofKind.map(({ ms }) => ms)) },
    ];
  });
}

async function start(folder, servers) {
  const settings = join(folder, "settings.yaml");
  await writeFile(settings, "service: { source: sample, requestsPerMinute: 1000000 }\nfeed: { enabled: true }\n");
  const slackPort = await freePort();
  const environment = async (name) => {
    const port = String(await freePort());
    const publicUrl = `http://127.0.0.1:${port}`;
    const data = join(folder, name);
    return { SPLITWATCH_CONFIG: settings, LOG_LEVEL: "silent", PUBLIC_URL: publicUrl, PORT: port, DATA_DIR: data };
  };
  const env = await environment("guarded");
  const slack = {
    SLACK_PORT: String(slackPort),
    SLACK_CLIENT_ID: "1.2",
    SLACK_CLIENT_SECRET: "client-secret",
    SLACK_STATE_SECRET: "a-long-state-secret",
    SLACK_SIGNING_SECRET: "the-signing-secret",
    ENCRYPTION_KEY: "a-long-encryption-key",
    SLACK_API_URL: "http://127.0.0.1:1/api/",
  };
  const keys = { env: { ...process.env, ...env }, encoding: "utf8", stdio: "pipe" };
  const apiKey = execFileSync(process.execPath, [MAIN, "keys", "add", "bench"], keys).trim();
  const guarded = await startServer(MAIN, [], { ...env, ...slack, ADMIN_TOKEN });
  servers.push(guarded);
  const open = await startServer(MAIN, [], await environment("open"));
  servers.push(open);
  await Promise.all(servers.map(({ address }) => isReady(address)));
  return {
    apiKey,
    listeners: { page: listenerOf(guarded), "open page": listenerOf(open), slack: listenerOf(guarded, slackPort) },
  };
}

function listenerOf({ address, cpuMicros }, port = Number(new URL(address).port)) {
  return { cpuMicros, port };
}

async function costOf({ bytes }, { cpuMicros, port }, rounds) {
  const costs = [];
  for (let round = rounds === 1 ? 0 : -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const before = await cpuMicros();
    await exchange(bytes, port);
    if (round >= 0) costs.push(((await cpuMicros()) - before) / 1_000);
  }
  return median(costs);
}

let client = 0;

/** Sends the bytes, and resolves when the connection is closed. */
async function exchange(bytes, port) {
  client += 1;
  const localAddress = `127.1.${(client >> 8) % 256}.${(client % 254) + 1}`;
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.resume();
  socket.write(bytes);
  const deadline = setTimeout(() => socket.destroy(), MAX_ANSWER_MS);
  await new Promise((resolve) => socket.on("error", () => undefined).once("close", resolve));
  clearTimeout(deadline);
  // The server learns of a closed connection in a later turn.
  await sleep(1);
}

function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
