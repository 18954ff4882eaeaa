// The program as a process of its own, and servers of its platforms.
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { importModules } from "./bundle.mjs";

const POLL_INTERVAL_MS = 10;

/**
 * Calls `work` with the environment and the address of a program with a folder of its own. Without platforms, the program reads the
 * sample; with platforms a folder without splits, because the sample is never sent to a platform outside the process.
 */
export async function withProgramFolder(env, work) {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const settings = join(folder, "settings.yaml");
  const source = env.DISCORD_TOKEN === undefined ? "sample" : folder;
  for (const name of ["splits.jsonl", "articles.jsonl"]) await writeFile(join(folder, name), "");
  await writeFile(settings, `service: { source: ${JSON.stringify(source)} }\n`);
  const port = await freePort();
  const options = { PORT: String(port), SPLITWATCH_CONFIG: settings, LOG_LEVEL: "error", DATA_DIR: folder, ...env };
  try {
    return await work(options, `http://127.0.0.1:${port}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves when the program at the address is ready. */
export async function isReady(address) {
  while ((await statusOf(`${address}/readyz`)) !== 200) await sleep(POLL_INTERVAL_MS);
}

function statusOf(url) {
  return new Promise((resolve) => {
    get(url, { agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on("error", () => resolve(null));
  });
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Servers of Discord and Slack as in the tests. `env`: the settings with which the program uses them. */
export async function startPlatforms() {
  const [{ startDiscord }, { startSlack }] = await importModules("platforms", [
    "../test/platforms/discord/server",
    "../test/platforms/slack/server/server",
  ]);
  const [discord, slack] = await Promise.all([startDiscord(), startSlack()]);
  discord.addGuild("Traders");
  return {
    env: {
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      ...slack.env("socket"),
      SLACK_API_URL: slack.apiUrl,
    },
    stop: () => Promise.all([discord.stop(), slack.stop()]),
  };
}
