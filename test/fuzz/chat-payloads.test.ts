import { createHmac } from "node:crypto";
import { App } from "@slack/bolt";
import type { APIInteraction } from "discord.js";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Api } from "../../src/chat/discord/api.ts";
import { answerInteraction } from "../../src/chat/discord/interactions.ts";
import { registerInteractions } from "../../src/chat/slack/commands/interactions.ts";
import { createHttpReceiver } from "../../src/chat/slack/connection/http-receiver.ts";
import { boltLogger } from "../../src/chat/slack/web-api.ts";
import { parseJson } from "../../src/lib/json.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { type CommandBench, openCommandBench } from "../support/command-bench.ts";
import { fuzz, mutated } from "../support/fuzz.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { temporaryStore } from "../support/temporary-store.ts";
import { startWebPlatform } from "../support/web-platform-under-test.ts";

const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";

let bench: CommandBench;

beforeAll(async () => {
  bench = await openCommandBench();
});

afterAll(() => bench.close());

const person = { id: "U1", name: "ada", team_id: "T1" };
const view = {
  id: "V1",
  hash: "1",
  callback_id: "rule",
  private_metadata: '{"channelId":"C1","number":null}',
  app_installed_team_id: "T1",
  state: { values: { events: { events: { selected_options: [{ value: "announced" }] } } } },
};
const action = { action_id: "run:1", block_id: "b", type: "button", value: "list when:all", action_ts: "1.1" };

/** Payloads of Slack, without addresses to respond to. */
const slackPayloads = [
  {
    type: "block_actions",
    team: { id: "T1" },
    user: person,
    container: { type: "message", channel_id: "C1", is_ephemeral: true },
    actions: [action],
    trigger_id: "1",
  },
  { type: "block_actions", team: { id: "T1" }, user: person, container: { type: "view" }, view, actions: [action] },
  { type: "view_submission", team: { id: "T1" }, user: person, view },
  { type: "view_closed", team: { id: "T1" }, user: person, view },
  { type: "block_suggestion", team: { id: "T1" }, user: person, container: {}, action_id: "timezone", value: "new" },
  { type: "shortcut", team: { id: "T1" }, user: person, callback_id: "x" },
];
const slackEvents = [
  { type: "app_home_opened", user: "U1", channel: "D1", tab: "home", event_ts: "1.1" },
  { type: "app_uninstalled" },
  { type: "tokens_revoked", tokens: { oauth: ["U1"], bot: ["U2"] } },
  { type: "member_joined_channel", user: "U2", channel: "C1", channel_type: "G", team: "T1", inviter: "U1" },
  { type: "channel_unarchive", channel: "C1", user: "U1" },
];
const command = { command: "/splits", text: "list", team_id: "T1", user_id: "U1", user_name: "ada", channel_id: "C1" };

const slackBodies: readonly string[] = [
  ...slackPayloads.map((payload) => new URLSearchParams({ payload: JSON.stringify(payload) }).toString()),
  ...slackEvents.map((event, index) =>
    JSON.stringify({ type: "event_callback", team_id: "T1", api_app_id: "A1", event, event_id: `Ev${index}` }),
  ),
  new URLSearchParams(command).toString(),
  JSON.stringify({ type: "url_verification", challenge: "c" }),
];

function decodable(body: string): string {
  return body.startsWith("payload=") ? decodeURIComponent(body.slice(8).replaceAll("+", " ")) : body;
}

const authorize = async (): Promise<{ botToken: string }> => ({ botToken: "xoxb-1" });
const refuse = (): Promise<never> => Promise.reject(new Error("not reachable in this test"));

/** Mutates the JSON within the form, which is then encoded again. */
function signedBody(bytes: Buffer, original: string): string {
  const text = bytes.toString("utf8");
  return original.startsWith("payload=") ? `payload=${encodeURIComponent(text)}` : text;
}

it("any signed body of Slack is answered without a server error or a stack", async () => {
  const clock = new ManualClock();
  const { receiver, routes } = createHttpReceiver({ signingSecret: SECRET, clock, log: SILENT_LOG });
  const app = new App({ receiver, authorize, convoStore: false, logger: boltLogger(SILENT_LOG) });
  const connected = {
    workspace: { teamId: "T1", botName: "splitwatch", url: null },
    api: { call: refuse },
  };
  const background = registerInteractions(app, {
    workspaces: {
      find: async ({ teamId }) => (teamId === "T1" ? connected : null),
      absenceReason: async () => "not installed",
      forDelivery: refuse,
      handleRefusedToken: refuse,
      handleRemoval: async () => undefined,
    },
    commands: bench.commands,
    screens: bench.screens,
    adminsOnly: false,
    hasRules: async () => false,
    postPicture: refuse,
    sendFiles: refuse,
    resume: async () => undefined,
    untilSaved: (work) => work(),
    seenRequests: (await temporaryStore({ clock })).seenRequests,
    clock,
    log: SILENT_LOG,
  });
  await receiver.start();
  const bodies = mutated(fc.constantFrom(...slackBodies), (body) => Buffer.from(decodable(body)));
  await fuzz("signed bodies of Slack", bodies, { short: 200, full: 10_000 }, async ({ bytes, document }) => {
    const body = signedBody(bytes, document);
    const timestamp = String(Math.floor(clock.now() / 1_000));
    const signature = `v0=${createHmac("sha256", SECRET).update(`v0:${timestamp}:${body}`).digest("hex")}`;
    const headers = { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature };
    const response = await routes.request("/slack/events", { method: "POST", headers, body });
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).not.toMatch(/\n\s+at |node_modules/);
    await background.idle();
  });
});

const discordPerson = { user: { id: "1", username: "ada" }, permissions: "32" };
const common = {
  id: "10",
  application_id: "20",
  token: "t",
  version: 1,
  guild_id: "30",
  channel: { id: "40", type: 0 },
  member: discordPerson,
  authorizing_integration_owners: { "0": "30" },
};
const role = { id: "50", name: "traders", mentionable: true };
const interactions = [
  {
    ...common,
    type: 2,
    data: {
      id: "1",
      type: 1,
      name: "splits",
      options: [{ type: 1, name: "subscribe", options: [{ type: 8, name: "mention", value: "50" }] }],
      resolved: { roles: { "50": role } },
    },
  },
  {
    ...common,
    type: 4,
    data: {
      type: 1,
      name: "splits",
      options: [{ type: 1, name: "show", options: [{ type: 3, name: "ticker", value: "A", focused: true }] }],
    },
  },
  { ...common, type: 3, message: { flags: 64 }, data: { custom_id: "run:list when:all", component_type: 2 } },
];

it("any interaction of Discord is answered, or logged as failed", async () => {
  const log = recordedLog();
  const api = { answer: async () => ({}), call: async () => ({}), isTokenRejected: false } as unknown as Api;
  const parts = {
    api,
    directChannels: { openLater: () => undefined },
    downloads: { fetch: async () => ({ kind: "unreachable" as const, name: "a", reason: "none" }) },
    commands: bench.commands,
    isNew: async () => true,
    store: bench.store,
    clock: bench.clock,
    log,
  } as unknown as Parameters<typeof answerInteraction>[1];
  const inputs = mutated(fc.constantFrom(...interactions), (interaction) => Buffer.from(JSON.stringify(interaction)));
  const values = fc.record({
    input: inputs,
    path: fc.array(fc.nat(6), { maxLength: 5 }),
    value: fc.jsonValue({ maxDepth: 2 }),
  });
  await fuzz("interactions of Discord", values, { short: 200, full: 10_000 }, async ({ input, path, value }) => {
    const parsed = parseJson(input.bytes.toString("utf8")) ?? structuredClone(input.document);
    if (typeof parsed !== "object") return;
    replaceAt(parsed, path, value);
    await answerInteraction(parsed as unknown as APIInteraction, parts);
  });
  expect((await bench.run("help")).cards).toHaveLength(1);
});

/** Replaces the value at a path of positions. */
function replaceAt(object: unknown, [first = 0, ...rest]: readonly number[], value: unknown): void {
  if (typeof object !== "object" || object === null) return;
  const keys = Object.keys(object);
  const key = keys[first % (keys.length || 1)];
  if (key === undefined || key === "type") return;
  const parent = object as Record<string, unknown>;
  if (rest.length === 0 || typeof parent[key] !== "object") parent[key] = value;
  else replaceAt(parent[key], rest, value);
}

const webRequests = [
  { path: "/api/command", body: { name: "ada", line: "list", channel: "general", direct: false } },
  { path: "/api/command", body: { name: "ada", line: "import", file: { name: "a.txt", base64: "QUNNRQ==" } } },
  { path: "/api/complete", body: { name: "ada", line: "show A" } },
  { path: "/api/share", body: { name: "ada", line: "list" } },
];

it("any body of the page's requests is answered without a server error or a stack", async () => {
  const { post } = await startWebPlatform({ ask: (line, call) => bench.commands.run(line, call) });
  const bodies = mutated(fc.constantFrom(...webRequests), ({ body }) => Buffer.from(JSON.stringify(body)));
  await fuzz("bodies of the page", bodies, { short: 200, full: 10_000 }, async ({ bytes, document: { path } }) => {
    const response = await post(path, bytes.toString("latin1"));
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).not.toMatch(/\n\s+at |node_modules/);
  });
});
