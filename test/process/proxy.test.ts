import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startDiscord } from "../platforms/discord/server.ts";
import { startSlack } from "../platforms/slack/server/server.ts";
import { startForwardProxy } from "../support/forward-proxy.ts";
import { Processes } from "../support/process.ts";
import { startUpstream } from "../support/upstream.ts";
import { waitUntil } from "../support/wait-until.ts";
import { readReadiness } from "../support/web-chat-client.ts";

const processes = new Processes();
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "splitwatch-proxy-"));
});

afterEach(async () => {
  await processes.endAll();
  await rm(folder, { recursive: true, force: true });
});

/** Servers of everything that splitwatch connects to, under the host names `*.test`, which only the proxy knows. */
async function startServers(hosts: (name: string) => string): Promise<{
  readonly env: Readonly<Record<string, string>>;
  /** Hosts and ports that a running process connects to. */
  readonly targets: readonly string[];
}> {
  const [discord, slack, upstream, receiver] = await Promise.all([
    startDiscord(),
    startSlack(),
    startUpstream(),
    startReceiver(),
  ]);
  onTestFinished(async () => void (await Promise.all([discord.stop(), slack.stop(), upstream.stop()])));
  const at = (name: string, address: string): string => address.replace("127.0.0.1", hosts(name));
  const settings = join(folder, "settings.yaml");
  const hook = at("hook.test", receiver);
  await writeFile(settings, `webhook: { endpoints: { crm: { url: "${hook}", allowHttp: true, rules: [{}] } } }\n`);
  const addresses = {
    DISCORD_API_URL: at("discord.test", discord.apiUrl),
    SLACK_API_URL: at("slack.test", slack.apiUrl),
    SPLITS_API_URL: at("splits.test", upstream.url),
  };
  const webSockets = [discord.apiUrl, slack.apiUrl];
  return {
    env: {
      ...slack.env("socket"),
      ...addresses,
      DISCORD_TOKEN: discord.token,
      SPLITS_API_KEY: upstream.key,
      SPLITWATCH_CONFIG: settings,
      WEBHOOK_SECRETS: `crm=whsec_${Buffer.alloc(32).toString("base64")}`,
    },
    targets: [...Object.values(addresses), hook, ...webSockets].map((address) => new URL(address).host),
  };
}

async function startReceiver(): Promise<string> {
  const server = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function doctor(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly out: string }> {
  const process = processes.start({ args: ["doctor"], cwd: folder, env });
  const { code } = await process.ended;
  return { code, out: process.out() + process.err() };
}

/** Starts splitwatch, and stops it when everything is connected and polled. */
async function runUntilReady(env: Readonly<Record<string, string>>): Promise<string> {
  const splitwatch = processes.start({ args: ["start"], cwd: folder, env });
  const address = await splitwatch.ready;
  await waitUntil("everything is connected", async () => (await readReadiness(address)).ready);
  splitwatch.signal("SIGTERM");
  expect(await splitwatch.ended).toEqual({ code: 0, signal: null });
  return splitwatch.out() + splitwatch.err();
}

describe("HTTP_PROXY", () => {
  it("is used for Discord, Slack, webhooks and the data service, and for their WebSockets", async () => {
    const proxy = await startForwardProxy();
    const { env, targets } = await startServers((name) => name);
    const printed = await runUntilReady({ ...env, HTTP_PROXY: proxy.address });
    const checked = await doctor({ ...env, HTTP_PROXY: proxy.address });
    expect(new Set(proxy.asked)).toEqual(new Set(targets));
    expect(proxy.refused).toEqual([]);
    expect(checked.out.split("\n").filter((line) => /^\W*fail/i.test(line))).toEqual([]);
    expect(printed + checked.out).not.toContain("proxy-password");
  });

  it("is not used for hosts in NO_PROXY", async () => {
    const proxy = await startForwardProxy();
    const { env } = await startServers(() => "127.0.0.1");
    await writeFile(join(folder, ".env"), `HTTP_PROXY=${proxy.address}\n`);
    await runUntilReady({ ...env, no_proxy: "127.0.0.1" });
    expect([...proxy.asked, ...proxy.refused]).toEqual([]);
  });

  it("is not used for the embedded data service", async () => {
    const proxy = await startForwardProxy();
    const settings = join(folder, "sample.yaml");
    await writeFile(settings, "service: { source: sample }\n");
    await runUntilReady({ SPLITWATCH_CONFIG: settings, HTTP_PROXY: proxy.address });
    expect([...proxy.asked, ...proxy.refused]).toEqual([]);
  });

  it("is named by doctor without its password when nothing answers there", async () => {
    const { env } = await startServers((name) => name);
    const { code, out } = await doctor({ ...env, HTTP_PROXY: "http://proxy-user:proxy-password@127.0.0.1:1" });
    expect(code).toBe(1);
    for (const name of ["Discord", "Slack", "webhook", "data service"])
      expect(out).toMatch(new RegExp(`${name}.*\\(ECONNREFUSED\\), through HTTP_PROXY \\(127\\.0\\.0\\.1:1\\)`, "i"));
    expect(out).not.toContain("proxy-password");
  });
});
