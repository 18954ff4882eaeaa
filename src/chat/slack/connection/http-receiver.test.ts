import { createHmac } from "node:crypto";
import { App } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { createHttpReceiver } from "./http-receiver.ts";

const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const COMMAND = new URLSearchParams({ command: "/splits", text: "list", channel_id: "C1", user_id: "U1" }).toString();

interface Sent {
  readonly body?: string;
  readonly secret?: string;
  /** Seconds by which the timestamp is ahead. */
  readonly ahead?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A receiver with an app that acknowledges commands. */
async function started(): Promise<{ send: (sent?: Sent) => Promise<Response>; heard: string[]; stop: () => void }> {
  const clock = new ManualClock();
  const { receiver, routes } = createHttpReceiver({ signingSecret: SECRET, clock, log: SILENT_LOG });
  const heard: string[] = [];
  const app = new App({ receiver, authorize: async () => ({ botToken: "xoxb-1" }), convoStore: false });
  app.command(/./, async ({ ack, command }) => {
    await ack();
    heard.push(command.text);
  });
  await receiver.start();
  return {
    heard,
    stop: () => void receiver.stop(),
    async send({ body = COMMAND, secret = SECRET, ahead = 0, headers = {} } = {}) {
      const timestamp = String(Math.floor(clock.now() / 1_000) + ahead);
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
    const { send, heard } = await started();
    const answer = await send();
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect(heard).toEqual(["list"]);
  });

  it.each<[string, Sent]>([
    ["signed with another secret", { secret: "another" }],
    ["older than five minutes", { ahead: -301 }],
    ["from the future", { ahead: 301 }],
    ["without a signature", { headers: { "x-slack-signature": "" } }],
    ["of another version", { headers: { "x-slack-signature": "v1=00" } }],
    ["without a timestamp", { headers: { "x-slack-request-timestamp": "" } }],
    ["with an invalid timestamp", { headers: { "x-slack-request-timestamp": "soon" } }],
  ])("that is %s is rejected and not handled", async (_, sent) => {
    const { send, heard } = await started();
    expect((await send(sent)).status).toBe(401);
    expect(heard).toEqual([]);
  });

  it("with a modified body is rejected", async () => {
    const { send } = await started();
    const signed = createHmac("sha256", SECRET).update(`v0:0:${COMMAND}`).digest("hex");
    expect((await send({ headers: { "x-slack-signature": `v0=${signed}` } })).status).toBe(401);
  });

  it("for URL verification gets its challenge back", async () => {
    const { send } = await started();
    const answer = await send({ body: JSON.stringify({ type: "url_verification", challenge: "say it" }) });
    expect(await answer.json()).toEqual({ challenge: "say it" });
  });

  it.each([
    ["ssl_check=1", 200],
    ["payload=nonsense", 400],
    ["{nonsense", 400],
    [JSON.stringify({ type: "view_submission", user: { id: "U1" }, view: {} }), 404],
    ["x".repeat(1024 * 1024 + 1), 413],
  ])("with %.40s is answered with %i", async (body, status) => {
    const { send } = await started();
    expect((await send({ body })).status).toBe(status);
  });

  it("is answered with 503 while Slack is not connected", async () => {
    const { send, stop, heard } = await started();
    stop();
    expect((await send()).status).toBe(503);
    expect(heard).toEqual([]);
  });
});
