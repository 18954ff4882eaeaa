// Data service: CPU time per answered request, compared with a bare node:http server that sends the same bytes.
//
// The service is the built program with 500 splits and 8,000 articles. Each request passes its key check, request limit and
// log. CPU time, not throughput: it doesn't depend on the speed of the client, and less on other programs on the machine.
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createLoad, get } from "./parts/http-load.mjs";
import { startServer } from "./parts/measured-process.mjs";
import { measurePairs } from "./parts/pairs.mjs";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const BARE_SERVER = fileURLToPath(new URL("parts/bare-http-server.mjs", import.meta.url));
const RELEASES = new URL("../../test/fixtures/releases/fresh.jsonl", import.meta.url);

const SPLITS = 500;
const ARTICLES = 8_000;
const DAY_MS = 86_400_000;
/** Of each kind. Until then, the runtime enlarges the memory for new objects and compiles. */
const WARM_UP_REQUESTS = 10_000;
const REQUESTS = 500;
const PAIRS = 21;

export async function measure() {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const started = [];
  const start = async (...parts) => {
    const server = await startServer(...parts);
    started.push(server);
    return { ...server, load: createLoad(server.address) };
  };
  try {
    const env = await prepare(dir);
    const key = execFileSync(process.execPath, [MAIN, "keys", "add", "bench"], {
      env,
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
    const service = await start(MAIN, ["service"], env);
    const requests = await requestsTo(service.address, key);
    const bare = await start(BARE_SERVER, [service.address, JSON.stringify(requests)]);
    for (const sent of requests) for (const { load } of [service, bare]) await load.repeat(sent, WARM_UP_REQUESTS);
    const figures = [];
    for (const sent of requests) figures.push(await compare(sent, service, bare));
    for (const { load } of [service, bare]) load.close();
    return figures;
  } finally {
    await Promise.all(started.map((server) => server.stop()));
    await rm(dir, { recursive: true, force: true });
  }
}

async function compare({ name, atLeast, ...sent }, service, bare) {
  const cost = async ({ load, cpuMicros }) => {
    const before = await cpuMicros();
    await load.repeat(sent, REQUESTS);
    return ((await cpuMicros()) - before) / REQUESTS;
  };
  const { first, second, ratio } = await measurePairs(
    PAIRS,
    () => cost(bare),
    () => cost(service),
  );
  return { name, unit: "µs CPU", value: second, peer: "bare node:http", peerValue: first, ratio, atLeast };
}

/** The measured requests: each target uncompressed, compressed, and with the ETag of its current answer. */
async function requestsTo(address, key) {
  const requests = [];
  for (const [target, path] of [
    ["/v1/splits", `/v1/splits?apiKey=${key}`],
    ["/v1/articles?size=40", `/v1/articles?size=40&apiKey=${key}`],
  ]) {
    const compressed = { "accept-encoding": "gzip" };
    const { etag } = (await get(address + path, compressed)).headers;
    requests.push(
      { name: `${target} identity`, path, status: 200, headers: { "accept-encoding": "identity" }, atLeast: 0.8 },
      { name: `${target} gzip`, path, status: 200, headers: compressed, atLeast: 0.8 },
      { name: `${target} 304`, path, status: 304, headers: { ...compressed, "if-none-match": etag }, atLeast: 0.6 },
    );
  }
  return requests;
}

/** Writes the rows and the settings, and returns the environment of the service. */
async function prepare(dir) {
  const releases = parseLines(await readFile(RELEASES, "utf8"));
  await writeFile(join(dir, "splits.jsonl"), formatLines(Array.from({ length: SPLITS }, (_, n) => splitRow(n))));
  await writeFile(
    join(dir, "articles.jsonl"),
    formatLines(Array.from({ length: ARTICLES }, (_, n) => articleRow(n, releases[n % releases.length]))),
  );
  const settings = join(dir, "settings.yaml");
  await writeFile(settings, `service:\n  source: ${JSON.stringify(dir)}\n  requestsPerMinute: 1000000\n`);
  const { PATH } = process.env;
  return { PATH, SPLITWATCH_CONFIG: settings, DATA_DIR: join(dir, "data"), PORT: "0", LOG_LEVEL: "warn" };
}

function splitRow(n) {
  return {
    ticker: `T${n}`,
    exchange: "NASDAQ",
    company: `Company ${n} Holdings Inc.`,
    ratio: `1:${2 + (n % 50)}`,
    ex_date: dayFromNow(n % 40),
    date_announced: dayFromNow(-5),
  };
}

function articleRow(n, { heading, content }) {
  const url = `https://wire.example/${n}`;
  return { source: "globenewswire", heading, url, content, date_published: dayFromNow(-(n % 200)) };
}

function dayFromNow(days) {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

function parseLines(text) {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function formatLines(rows) {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
