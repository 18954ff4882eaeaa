import { createHmac } from "node:crypto";
import { App } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { createHttpReceiver } from "./http-receiver.ts";

const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const COMMAND = new URLSearchParams({ command: "/splits", text: "list", channel_id: "C1", user_id: "U1" }).toString();

const NOW_SECONDS = Math.floor(new ManualClock().now() / 1_000);
const [NOW, LATER] = [String(NOW_SECONDS), String(NOW_SECONDS + 1)];

interface RequestParts {
  readonly body?: string;
  readonly secret?: string;
  /** Difference of the timestamp from the current time. */
  readonly aheadSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A receiver with an app that acknowledges commands. */
async function startReceiver(): Promise<{
  send: (parts?: RequestParts) => Promise<Response>;
  commands: string[];
  stop: () => void;
}> {
  const clock = new ManualClock();
  const { receiver, routes } = createHttpReceiver({ signingSecret: SECRET, clock, log: SILENT_LOG });
  const commands: string[] = [];
  const app = new App({ receiver, authorize: async () => ({ botToken: "xoxb-1" }), convoStore: false });
  app.command(/./, async ({ ack, command }) => {
    await ack();
    commands.push(command.text);
  });
  await receiver.start();
  return {
    commands,
    stop: () => void receiver.stop(),
    async send({ body = COMMAND, secret = SECRET, aheadSeconds = 0, headers = {} } = {}) {
      const timestamp = String(Math.floor(clock.now() / 1_000) + aheadSeconds);
      const signature = `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
      return routes.request("/slack/events", {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "x-slack-request-timestamp": timestamp,
          "x-slack-signature": signature,
          ...headers,
        },
        body,
      });
    },
  };
}

describe("a request from Slack", () => {
  it("with a valid signature is acknowledged and handled", async () => {
    const { send, commands } = await startReceiver();
    const answer = await send();
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect(commands).toEqual(["list"]);
  });

  it.each<[string, RequestParts]>([
    ["signed with another secret", { secret: "another" }],
    ["older than five minutes", { aheadSeconds: -301 }],
    ["from the future", { aheadSeconds: 301 }],
    [
      "recorded earlier and sent with the current time",
      { aheadSeconds: -400, headers: { "x-slack-request-timestamp": NOW } },
    ],
    ["signed for the current time and sent with a later one", { headers: { "x-slack-request-timestamp": LATER } }],
    ["signed, with another notation of its time", { headers: { "x-slack-request-timestamp": `+${NOW}.0001` } }],
    ["signed, with two times", { headers: { "x-slack-request-timestamp": `${NOW}, ${NOW}` } }],
    ["signed twice", { headers: { "x-slack-signature": `v0=${"0".repeat(64)}, v0=${"0".repeat(64)}` } }],
    ["without a signature", { headers: { "x-slack-signature": "" } }],
    ["of another version", { headers: { "x-slack-signature": "v1=00" } }],
    ["without a timestamp", { headers: { "x-slack-request-timestamp": "" } }],
    ["with an invalid timestamp", { headers: { "x-slack-request-timestamp": "tomorrow" } }],
  ])("that is %s is rejected and not handled", async (_, parts) => {
    const { send, commands } = await startReceiver();
    expect((await send(parts)).status).toBe(401);
    expect(commands).toEqual([]);
  });

  it.each([
    ["without a signature", { "x-slack-signature": "" }],
    ["of another time", { "x-slack-request-timestamp": "1" }],
    ["with a long timestamp", { "x-slack-request-timestamp": `${NOW}.${"0".repeat(300)}` }],
  ])("that is %s is rejected before its body is read", async (_, headers) => {
    const { send } = await startReceiver();
    expect((await send({ body: "x".repeat(512 * 1024 + 1), headers })).status).toBe(401);
  });

  it("with a modified body is rejected", async () => {
    const { send } = await startReceiver();
    const signed = createHmac("sha256", SECRET).update(`v0:0:${COMMAND}`).digest("hex");
    expect((await send({ headers: { "x-slack-signature": `v0=${signed}` } })).status).toBe(401);
  });

  it("for URL verification is answered with its challenge", async () => {
    const { send } = await startReceiver();
    const answer = await send({ body: JSON.stringify({ type: "url_verification", challenge: "challenge-1" }) });
    expect(await answer.json()).toEqual({ challenge: "challenge-1" });
  });

  it.each([
    ["ssl_check=1", 200],
    ["payload=nonsense", 400],
    ["{nonsense", 400],
    [JSON.stringify({ type: "view_submission", user: { id: "U1" }, view: {} }), 404],
    ["x".repeat(512 * 1024 + 1), 413],
    [
      new URLSearchParams({
        command: "/splits",
        text: "あ".repeat(40_000),
        channel_id: "C1",
        user_id: "U1",
      }).toString(),
      200,
    ],
  ])("with %.40s is answered with %i", async (body, status) => {
    const { send } = await startReceiver();
    expect((await send({ body })).status).toBe(status);
  });

  it("is answered with 503 while Slack is not connected", async () => {
    const { send, stop, commands } = await startReceiver();
    stop();
    expect((await send()).status).toBe(503);
    expect(commands).toEqual([]);
  });
});
