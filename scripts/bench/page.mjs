// The page in a browser with an empty cache: bytes and requests of the first load, time until the page reacts to typing, and
// until the splits are shown. The peer is one file with the same text, style and script, sent by a bare server.
import { once } from "node:events";
import { access, constants, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startServer } from "./parts/measured-process.mjs";
import { median } from "./parts/pairs.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const ROUNDS = 11;
const SPLITS = 500;
const DAY_MS = 86_400_000;
const READY_INTERVAL_MS = 20;

/** Runs in the page before its own scripts. `shownAt`: milliseconds from the navigation to a frame, by its content. */
const OBSERVER = `
  globalThis.shownAt = {};
  const atNextFrame = (name) => requestAnimationFrame(() => setTimeout(() => { shownAt[name] ??= performance.now(); }));
  document.addEventListener("DOMContentLoaded", () => atNextFrame("typing"));
  new MutationObserver(() => {
    const table = document.getElementById("splits");
    if (table && !table.hidden && table.tBodies[0].rows.length > 0) atNextFrame("splits");
  }).observe(document, { subtree: true, childList: true, attributes: true });
`;

export async function measure() {
  const path = await findBrowser();
  if (path === null) {
    console.warn("page: skipped, no Chromium (set CHROMIUM_PATH)");
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const args = ["--headless", "--no-sandbox", "--disable-gpu"];
  const browser = await chromium.launch({ executablePath: path, args });
  const servers = [];
  try {
    await writeFile(join(folder, "splits.jsonl"), splitRows());
    await writeFile(join(folder, "articles.jsonl"), "");
    const sample = await startProgram(folder, "sample", "sample");
    servers.push(sample);
    const many = await startProgram(folder, "many", folder);
    servers.push(many);
    const bare = await serveOneFile(sample.address);
    servers.push(bare);
    return figuresOf(await loadInTurn(browser, { sample, many, bare }));
  } finally {
    await browser.close();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function startProgram(folder, name, source) {
  const settings = join(folder, `${name}.yaml`);
  await writeFile(settings, `service: { source: ${JSON.stringify(source)} }\n`);
  const env = { PORT: "0", DATA_DIR: join(folder, name), SPLITWATCH_CONFIG: settings, LOG_LEVEL: "error" };
  const server = await startServer(join(ROOT, "dist/main.js"), [], env);
  while (!(await fetch(`${server.address}/readyz`)).ok) await sleep(READY_INTERVAL_MS);
  return server;
}

/** Runs of each page, in turn, so that a comparison holds while other programs use the machine. */
async function loadInTurn(browser, pages) {
  const runs = Object.fromEntries(Object.keys(pages).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [name, { address }] of Object.entries(pages))
      runs[name].push(await load(browser, `${address}/`, name !== "bare"));
  // The first round warms up the browser and the servers.
  for (const list of Object.values(runs)) list.shift();
  return runs;
}

function figuresOf({ sample, many, bare }) {
  const besideOneFile = {
    peer: "one file",
    peerValue: medianOf(bare, "typing"),
    ratio: median(sample.map(({ typing }, round) => typing / bare[round].typing)),
  };
  return [
    { name: "page: bytes of the first load", unit: "kB", value: medianOf(sample, "bytes") / 1_000, atMost: 60 },
    { name: "page: requests of the first load", unit: "", value: medianOf(sample, "requests"), atMost: 5 },
    { name: "page: until typing", unit: "ms", value: medianOf(sample, "typing"), atMost: 200 },
    { name: "page: until typing, beside one file", unit: "ms", value: medianOf(sample, "typing"), ...besideOneFile },
    { name: "page: until 500 splits are shown", unit: "ms", value: medianOf(many, "splits"), atMost: 300 },
    { name: "page: bytes with 500 splits", unit: "kB", value: medianOf(many, "bytes") / 1_000 },
  ];
}

function medianOf(runs, key) {
  return median(runs.map((run) => run[key]));
}

/** Loads the page once with an empty cache. */
async function load(browser, address, hasSplits) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(OBSERVER);
    if (hasSplits) await page.addInitScript('localStorage.setItem("splitwatch.name", "bench")');
    const client = await context.newCDPSession(page);
    let bytes = 0;
    let requests = 0;
    await client.send("Network.enable");
    client.on("Network.requestWillBeSent", () => {
      requests += 1;
    });
    client.on("Network.responseReceived", ({ response }) => {
      bytes += response.encodedDataLength;
    });
    client.on("Network.dataReceived", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(address);
    await page.waitForFunction(isShown, hasSplits ? ["typing", "splits"] : ["typing"]);
    if (hasSplits) await page.locator("body[data-connection=live]").waitFor();
    return { ...(await page.evaluate("shownAt")), bytes, requests };
  } finally {
    await context.close();
  }
}

/** Runs in the page. */
function isShown(names) {
  return names.every((name) => globalThis.shownAt[name] !== undefined);
}

/** Serves the page as one file: its style sheets and scripts are part of the document. */
async function serveOneFile(address) {
  const text = async (path) => (await fetch(new URL(path, address))).text();
  let document = await text("/");
  for (const [tag, path] of document.matchAll(/<link rel="stylesheet" href="([^"]+)"[^>]*>/g))
    document = document.replace(tag, `<style>${await text(path)}</style>`);
  for (const [tag, path] of document.matchAll(/<script type="module" src="([^"]+)"[^>]*><\/script>/g)) {
    const script = (await text(path)).replaceAll("</script", "<\\/script");
    document = document.replace(tag, () => `<script type="module">${script}</script>`);
  }
  const server = createServer((incoming, outgoing) => {
    if (incoming.url !== "/") return outgoing.writeHead(404).end();
    return outgoing.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(document);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function splitRows() {
  return Array.from({ length: SPLITS }, (_, number) => `${JSON.stringify(splitRow(number))}\n`).join("");
}

function splitRow(number) {
  return {
    ticker: `T${number}`,
    exchange: "NASDAQ",
    company: `Company ${number} Holdings Inc.`,
    ratio: `1:${2 + (number % 40)}`,
    ex_date: day(1 + (number % 40)),
    date_announced: day(-5),
  };
}

function day(offset) {
  return new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
}

async function findBrowser() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const path of folders.flatMap((folder) => BROWSERS.map((name) => join(folder, name)))) {
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return null;
}
