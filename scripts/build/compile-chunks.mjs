// Starts the built program once, with every chat platform outside the process, and saves the code that V8 has compiled until it is ready.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const PRELOAD = new URL("record-scripts.mjs", import.meta.url).href;
const CHUNK_LOADER = fileURLToPath(new URL("../../src/lib/chunk-loader.ts", import.meta.url));
const SETTINGS = `service: { source: sample }
webhook: { endpoints: { build: { url: "http://127.0.0.1:1" } } }
`;
const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 20;

/** Tokens that no server receives: nothing listens at the addresses. */
const PLATFORMS = {
  DISCORD_TOKEN: "MTIzNDU2Nzg5MDEyMzQ1Njc4.build.token-without-a-server",
  DISCORD_API_URL: "http://127.0.0.1:1/api",
  SLACK_BOT_TOKEN: "xoxb-build-without-a-server",
  SLACK_APP_TOKEN: "xapp-build-without-a-server",
  SLACK_API_URL: "http://127.0.0.1:1/api/",
  WEBHOOK_SECRETS: `build=whsec_${Buffer.alloc(32).toString("base64")}`,
};

/** Writes `NAME.cjs.cache` beside each chunk of `out`. Without these files, a start takes longer. */
export async function compileChunks(out) {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-build-"));
  const settings = join(folder, "settings.yaml");
  await writeFile(settings, SETTINGS);
  const child = fork(join(out, "main.js"), {
    cwd: folder,
    execArgv: ["--import", PRELOAD],
    env: { PATH: process.env.PATH, PORT: "0", SPLITWATCH_CONFIG: settings, LOG_LEVEL: "error", ...PLATFORMS },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const ended = once(child, "exit");
  const timeout = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
  try {
    await Promise.race([isPolled(child), ended.then(() => fail("the program ended before it was ready"))]);
    child.send({ chunkLoader: await bundleLoader(folder), chunks: await chunksIn(out) });
    const [code] = await ended;
    if (code !== 0) fail(`the program ended with exit code ${code}`);
  } catch (error) {
    console.warn(`build: no compiled code, so starts take longer: ${error.message}`);
  } finally {
    clearTimeout(timeout);
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

async function chunksIn(out) {
  const files = await readdir(out, { recursive: true });
  return files.filter((name) => name.endsWith(".cjs")).map((name) => join(out, name));
}

/** Bundles the module that saves compiled code, and returns its address. */
async function bundleLoader(folder) {
  const file = join(folder, "chunk-loader.mjs");
  const build = await rolldown({ input: CHUNK_LOADER, platform: "node" });
  await build.write({ file, format: "esm" });
  await build.close();
  return pathToFileURL(file).href;
}

/** Resolves after the first polls of the splits and the articles. */
async function isPolled(child) {
  const address = await addressIn(child.stdout);
  for (;;) {
    const answer = await fetch(`${String(address)}/readyz`);
    const { checks } = await answer.json();
    if (checks.splits.ok && checks.articles.ok) return;
    await sleep(POLL_INTERVAL_MS);
  }
}

async function addressIn(output) {
  for await (const line of createInterface({ input: output })) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (address) return address;
  }
  return fail("the program printed no address");
}

function fail(message) {
  throw new Error(message);
}
