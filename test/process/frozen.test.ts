import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from "vitest";
import { channelOf } from "../../src/chat/discord/destinations.ts";
import { channelDestination } from "../../src/chat/slack/workspace.ts";
import { startDiscord } from "../platforms/discord/server.ts";
import { startSlack } from "../platforms/slack/server/server.ts";
import { SourceProcesses, type StoreProcess } from "../support/source-processes.ts";
import { StoreFolders } from "../support/store-folder.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Time after which the process in these tests may not send without reaching its store again. */
const LIMIT_MS = 250;

/**
 * Program that saves an attempt for each platform, freezes itself, and then sends both. It prints whether it may send before it
 * freezes, the results, and the results of a second send after it has reached its store again.
 */
const SENDING = `
import { createDiscordPlatform } from "SRC/chat/discord/platform.ts";
import { createSlackPlatform } from "SRC/chat/slack/platform.ts";
import { card } from "SRC/messages/message.ts";
let reachedAt = 0;
const store = await openStore(dir);
const fenced = { ...store, mayStillSend: () => performance.now() - reachedAt <= ${LIMIT_MS} };
const parts = { store: fenced, clock, log, commands: { list: [] }, screens: {}, wake: quiet };
const create = { discord: createDiscordPlatform, slack: createSlackPlatform };
const senders = JSON.parse(args[0]).map(({ to, options }) => ({ to, platform: create[to.platform]({ ...parts, ...options }) }));
const forAll = (work) => Promise.all(senders.map(work));
const send = ({ platform, attempt }) => platform.send(attempt).then(() => "sent", ({ failure }) => failure);
await forAll(async (sender) => {
  const { platform, to } = sender;
  await platform.start();
  const event = { id: "e-" + to.platform, at: Date.now(), sample: false, kind: "test", askedBy: "nobody" };
  const delivery = { id: event.id + ">x", eventId: event.id, to, reasons: [], mentions: [] };
  await store.snapshot.commit({ patch: null, events: [event], deliveries: [delivery] });
  const messageId = "m-" + to.platform;
  const { body } = platform.render({ messageId, to, cards: [card({ title: "ACME 1-for-20" })], events: [], mentions: [] });
  const times = { createdAt: Date.now(), notBefore: 0 };
  sender.attempt = { messageId, to, body, deliveries: [delivery.id], replyTo: null, state: "sending", sends: 1, blindResends: 0, problem: null, ...times };
  await store.outbox.saveAttempt(sender.attempt);
});
reachedAt = performance.now();
say("may send: " + fenced.mayStillSend());
process.kill(process.pid, "SIGSTOP");
say(await forAll(send));
reachedAt = Number.POSITIVE_INFINITY;
say(await forAll(send));
process.exit(0);
`;

const folders = new StoreFolders();
let processes: SourceProcesses;

beforeAll(async () => {
  processes = await SourceProcesses.open();
});

afterEach(() => folders.removeAll());

afterAll(() => processes.remove());

async function isStopped({ pid }: StoreProcess): Promise<boolean> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "state=", "-p", String(pid)]);
  return stdout.trim().startsWith("T");
}

it("a process that was frozen before it sends posts nothing until it reaches its store again", async () => {
  const [discord, slack] = [await startDiscord(), await startSlack()];
  onTestFinished(async () => {
    await Promise.all([discord.stop(), slack.stop()]);
  });
  const guild = discord.addGuild("Traders");
  const { token } = discord;
  const { botToken, appToken, apiUrl } = slack;
  const app = { access: { kind: "one", botToken }, transport: { kind: "socket", appToken }, port: null, apiUrl };
  const senders = [
    { to: channelOf(guild.id, discord.addChannel(guild, "alerts").id), options: { token, apiUrl: discord.apiUrl } },
    {
      to: channelDestination(slack.workspace.team.id, slack.channel("general").id),
      options: { app, host: "127.0.0.1", publicUrl: null, serverPort: 0 },
    },
  ];

  const sender = await processes.run(SENDING, await folders.make(), JSON.stringify(senders));
  await sender.says(1);
  await waitUntil("the process is stopped", () => isStopped(sender));
  await pause(2 * LIMIT_MS);
  sender.signal("SIGCONT");

  expect(await sender.says(3)).toEqual(["may send: true", "retry,retry", "sent,sent"]);
  expect(discord.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/messages"))).toHaveLength(
    1,
  );
  expect(slack.calls.filter(({ method }) => method === "chat.postMessage")).toHaveLength(1);
});
