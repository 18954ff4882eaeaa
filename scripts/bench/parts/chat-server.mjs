// Stand-in for Discord's REST API and Slack's Web API, in a process of its own. It checks nothing and answers with the message as
// the platforms do, so that its own speed doesn't bound the speed of what is measured.
//
// With the message { isLimited: true } it applies the platforms' limits by the time of arrival: 50 requests with Discord's token in
// any second, 5 messages in any 5 seconds per channel; 300 messages a minute and one a second on Slack, with its usual bursts.
// The message "report" returns what arrived since the last one.
import { createServer } from "node:http";

const DISCORD_GLOBAL = { requests: 50, windowMs: 1_000 };
const DISCORD_CHANNEL = { requests: 5, windowMs: 5_000 };
const SLACK_WORKSPACE = { everyMs: 200, burst: 30 };
const SLACK_CHANNEL = { everyMs: 1_000, burst: 3 };

let received = [];
let refused = 0;
/** In milliseconds since 1970, but without the jumps of the system clock. */
let lastArrivalAt = null;
let settings = { isLimited: false, keepsRequests: false };
let lastId = 10n ** 18n;
const windows = new Map();
const buckets = new Map();

async function serve(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const at = performance.now();
  const path = request.url;
  const text = Buffer.concat(chunks).toString("utf8");
  lastArrivalAt = performance.timeOrigin + at;
  if (settings.keepsRequests) received.push({ path, text });
  const { status, headers, body } = path.startsWith("/api/v10/")
    ? answerDiscord(path, text, at)
    : answerSlack(path, text, at);
  if (status === 429) refused += 1;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function answerDiscord(path, text, at) {
  const globalWaitMs = settings.isLimited ? takeOfWindow("discord", DISCORD_GLOBAL, at) : 0;
  if (globalWaitMs > 0) return discordRefusal(globalWaitMs, true);
  if (path === "/api/v10/users/@me/channels") return ok({ id: `${JSON.parse(text).recipient_id}0`, type: 1 });
  const [, channel] = /^\/api\/v10\/channels\/(\d+)\/messages$/.exec(path);
  const waitMs = settings.isLimited ? takeOfWindow(channel, DISCORD_CHANNEL, at) : 0;
  if (waitMs > 0) return discordRefusal(waitMs, false);
  const { nonce, embeds, components, content = "", flags = 0 } = JSON.parse(text);
  const author = { id: "1", username: "splitwatch", discriminator: "0000", avatar: null, bot: true };
  const message = { id: nextId(), type: 0, channel_id: channel, author, nonce, content, embeds, components, flags };
  const rest = { attachments: [], mentions: [], mention_roles: [], pinned: false, mention_everyone: false, tts: false };
  return ok(
    { ...message, ...rest, timestamp: new Date().toISOString(), edited_timestamp: null },
    {
      "x-ratelimit-bucket": "messages",
      "x-ratelimit-limit": "5",
      "x-ratelimit-remaining": "4",
      "x-ratelimit-reset": (Date.now() / 1_000 + 1).toFixed(3),
      "x-ratelimit-reset-after": "1.000",
    },
  );
}

function discordRefusal(waitMs, isGlobal) {
  const seconds = waitMs / 1_000;
  const scope = isGlobal ? { "x-ratelimit-global": "true" } : {};
  const headers = {
    "retry-after": String(Math.ceil(seconds)),
    "x-ratelimit-scope": isGlobal ? "global" : "user",
    ...scope,
  };
  const body = { message: "You are being rate limited.", retry_after: seconds, global: isGlobal };
  return { status: 429, headers, body };
}

function answerSlack(path, text, at) {
  if (path === "/api/auth.test")
    return ok({ ok: true, url: "https://bench.slack.com/", team_id: "T0", user: "splitwatch", user_id: "U0" });
  const fields = new URLSearchParams(text);
  const channel = fields.get("channel");
  const waitMs = settings.isLimited ? takeOfBuckets(channel, at) : 0;
  if (waitMs > 0) {
    const headers = { "retry-after": String(Math.ceil(waitMs / 1_000)) };
    return { status: 429, headers, body: { ok: false, error: "ratelimited" } };
  }
  const ts = `${Math.floor(Date.now() / 1_000)}.${nextId().slice(-6)}`;
  const message = { type: "message", user: "U0", bot_id: "B0", app_id: "A0", text: fields.get("text"), team: "T0", ts };
  return ok({ ok: true, channel, ts, message: { ...message, blocks: JSON.parse(fields.get("blocks") ?? "[]") } });
}

function ok(body, headers = {}) {
  return { status: 200, headers, body };
}

function nextId() {
  lastId += 1n;
  return String(lastId);
}

/** Counts a request; returns the milliseconds until one is allowed if it is refused. */
function takeOfWindow(key, { requests, windowMs }, at) {
  const times = windows.get(key) ?? [];
  windows.set(key, times);
  while (times.length > 0 && times[0] <= at - windowMs) times.shift();
  if (times.length >= requests) return times[0] + windowMs - at;
  times.push(at);
  return 0;
}

function takeOfBuckets(channel, at) {
  const limits = [
    ["slack", SLACK_WORKSPACE],
    [channel, SLACK_CHANNEL],
  ];
  const waits = limits.map(([key, { everyMs, burst }]) => (buckets.get(key) ?? 0) - (burst - 1) * everyMs - at);
  const waitMs = Math.max(0, ...waits);
  if (waitMs === 0)
    for (const [key, { everyMs }] of limits) buckets.set(key, Math.max(buckets.get(key) ?? 0, at) + everyMs);
  return waitMs;
}

process.on("message", (message) => {
  if (message === "report") {
    process.send({ lastArrivalAt, refused, requests: received });
    received = [];
    refused = 0;
    return;
  }
  settings = { ...settings, ...message };
  windows.clear();
  buckets.clear();
  process.send("done");
});
process.on("disconnect", () => process.exit());
const server = createServer((request, response) => void serve(request, response));
server.listen(0, "127.0.0.1", () => process.send({ address: `http://127.0.0.1:${server.address().port}` }));
