// Counts the files of src/ that three journeys enter, and the lines of each folder: `npm run journeys`, with `-- --files` their names too.
// A file is entered if one of its functions runs in the process between the beginning and the end of the journey.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SOURCE = pathToFileURL(join(ROOT, "src/")).href;
const PRELOAD = join(ROOT, "scripts/journeys/coverage-preload.mjs");
const START = "2026-03-02T15:00:00Z";
const SPEED = 30;
/** Files that not every run of a journey enters belong to other work of the process, such as polls. */
const RUNS = 3;
const TIMEOUT_MS = 120_000;
/** Time in which the threads write their reports. */
const THREADS_MS = 1_000;
/** Settings without polls after the one at the start, which no journey needs but the first. */
const RARE_POLLS = `poll: { splits: "0 0 1 1 *", articles: "0 0 1 1 *" }\n`;

const [
  { ProcessControl },
  { FakeNotices, SPLIT_TITLE, splitBody },
  { startSourceServer },
  { sourcesOff },
  { startDiscord },
  { startSlack },
] = await Promise.all(
  [
    "faults/controlled-process",
    "support/nasdaqtrader",
    "support/source-server",
    "support/sources-off",
    "platforms/discord/server",
    "platforms/slack/server/server",
  ].map((name) => import(new URL(`../test/${name}.ts`, import.meta.url).href)),
);
const { WIRES } = await import(new URL("../src/domain/article/wire.ts", import.meta.url).href);

/** Name and function of each journey. The function returns the entered files. */
const JOURNEYS = {
  "a notice of Nasdaq to its message on Slack": fromNoticeToSlack,
  "watch on Discord": watchOnDiscord,
  "GET /v1/splits": requestSplits,
};

for (const [name, travel] of Object.entries(JOURNEYS)) {
  let entered = new Set(await travel());
  for (let run = 1; run < RUNS; run += 1) entered = entered.intersection(new Set(await travel()));
  const files = [...entered];
  console.log(`${String(files.length).padStart(5)} files: ${name}`);
  if (process.argv.includes("--files")) console.log(files.map((file) => `        ${file}`).join("\n"));
}
printLines();

async function fromNoticeToSlack() {
  const control = new ProcessControl({ speed: SPEED, start: START });
  const notices = new FakeNotices();
  const publish = (number, ticker, company) => {
    const [title, body] = [SPLIT_TITLE, splitBody()].map((text) =>
      text.replaceAll("QLMR", ticker).replaceAll("Quillmere", company),
    );
    notices.publish({ number, title, body });
  };
  publish("2026-901", "QLMR", "Quillmere");
  const nasdaq = await startSourceServer((request) => notices.answer(request));
  const slack = await startSlack({ channels: ["alerts"], people: ["ada"], now: () => control.clock.now() });
  const wires = WIRES.map((wire) => `  ${wire}: { feeds: [] }\n`).join("");
  const settings = `newswires:\n${wires}${sourcesOff("nasdaq")}  nasdaq: { every: 1m, url: "${nasdaq.origin}" }\n`;
  const env = { ...control.env(), ...slack.env("socket"), SLACK_API_URL: slack.apiUrl };
  const files = await withProgram(settings, env, async ({ address, measure }) => {
    await until("Slack is connected", () => slack.socket.connections > 0);
    await until("the first notice is listed", async () =>
      (await textAt(`${address}/api/splits/QLMR`)).includes("Quillmere"),
    );
    await slack.user("ada").slash("subscribe", { channel: "alerts" });
    return measure(async () => {
      publish("2026-902", "ZRVNK", "Zorvane");
      await until("the message arrives", () => JSON.stringify(slack.messages("alerts")).includes("ZRVNK"));
    });
  });
  await Promise.all([nasdaq.close(), slack.stop()]);
  return files;
}

async function watchOnDiscord() {
  const discord = await startDiscord();
  const guild = discord.addGuild("Traders");
  discord.addChannel(guild, "alerts");
  const ada = discord.addUser("ada", guild);
  const env = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl };
  const files = await withProgram(null, env, async ({ measure }) => {
    await until("Discord is connected", () => discord.gateway.connected > 0 && discord.commands.length > 0);
    return measure(() => ada.slash("/splits watch", { tickers: "ACME" }, "dm"));
  });
  await discord.stop();
  return files;
}

async function requestSplits() {
  return withProgram(null, {}, async ({ address, env, measure }) => {
    const keys = spawn(process.execPath, [join(ROOT, "src/main.ts"), "keys", "add", "journey"], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [key] = /\S{30,}/.exec((await keys.stdout.toArray()).join("")) ?? [];
    const request = () => textAt(`${address}/v1/splits?apiKey=${key}`);
    await until("the key is valid", async () => (await request()).startsWith('{"data":'));
    return measure(request);
  });
}

/**
 * Runs `work` with the program in a folder of its own. `settings`: YAML; null: a folder without splits is the source. `measure` returns the
 * files that run during a step.
 */
async function withProgram(settings, variables, work) {
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-journey-"));
  const coverage = join(folder, "coverage");
  const path = join(folder, "settings.yaml");
  for (const name of ["splits.jsonl", "articles.jsonl"]) writeFileSync(join(folder, name), "");
  writeFileSync(path, settings ?? `service: { source: ${JSON.stringify(folder)} }\n${RARE_POLLS}`);
  const env = {
    PATH: process.env.PATH,
    PORT: "0",
    DATA_DIR: join(folder, "data"),
    SPLITWATCH_CONFIG: path,
    ...variables,
  };
  const options = `${variables.NODE_OPTIONS ?? ""} --import=${PRELOAD}`;
  const child = spawn(process.execPath, [join(ROOT, "src/main.ts")], {
    cwd: folder,
    env: { ...env, NODE_OPTIONS: options, NODE_V8_COVERAGE: coverage },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output.text += data));
  try {
    const address = () => /^Web chat: +(\S+)\/$/m.exec(output.text)?.[1];
    await until("the program listens", () => address() !== undefined || child.exitCode !== null);
    if (child.exitCode !== null) throw new Error(`the program ended:\n${output.text}`);
    const reportThreads = () => {
      child.send("threads");
      return sleep(THREADS_MS);
    };
    const reportMain = async () => {
      child.send("main");
      for (let message = null; message !== "main"; ) [message] = await once(child, "message");
    };
    const measure = async (step) => {
      await reportThreads();
      await reportMain();
      const before = new Set(readdirSync(coverage));
      await step();
      await reportMain();
      await reportThreads();
      return enteredFiles(
        readdirSync(coverage)
          .filter((name) => !before.has(name))
          .map((name) => join(coverage, name)),
      );
    };
    return await work({ address: address(), env, measure });
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of src/ with a function that ran, by the reports. The first function of a script is the loading of its module. */
function enteredFiles(reports) {
  const scripts = reports.flatMap((path) => JSON.parse(readFileSync(path, "utf8")).result);
  const entered = scripts.filter(
    ({ url, functions }) => url.startsWith(SOURCE) && functions.slice(1).some(({ ranges }) => ranges[0].count > 0),
  );
  return [...new Set(entered.map(({ url }) => String(url).slice(SOURCE.length)))].toSorted((a, b) =>
    a.localeCompare(b),
  );
}

/** Prints the lines of all .ts files but tests, by folder of src/. */
function printLines() {
  const folders = new Map();
  for (const file of globSync("src/**/*.ts", { cwd: ROOT })) {
    if (file.endsWith(".test.ts")) continue;
    const [, folder, rest] = file.split("/");
    const lines = readFileSync(join(ROOT, file), "utf8").split("\n").length - 1;
    for (const key of [rest === undefined ? "src/*.ts" : `src/${folder}/`, "all"]) {
      const counted = folders.get(key) ?? { files: 0, lines: 0 };
      folders.set(key, { files: counted.files + 1, lines: counted.lines + lines });
    }
  }
  console.log("\n files  lines");
  for (const [folder, { files, lines }] of [...folders].toSorted(([, a], [, b]) => b.lines - a.lines))
    console.log(`${String(files).padStart(6)} ${String(lines).padStart(6)}  ${folder}`);
}

async function textAt(url) {
  return (await fetch(url)).text();
}

async function until(what, condition) {
  const end = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out waiting until ${what}`);
    await sleep(50);
  }
}
