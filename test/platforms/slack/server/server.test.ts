import { App, type Logger, LogLevel } from "@slack/bolt";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Slack, startSlack } from "./server.ts";
import { checkView } from "./view-checks.ts";
import type { Json } from "./workspace.ts";

/** All other tests rely on this server: Slack's own client must work with it as with Slack. */
let slack: Slack;
let stopApp: () => Promise<unknown>;

beforeEach(async () => {
  slack = await startSlack({ channels: ["general", "alerts"] });
  stopApp = () => Promise.resolve();
});

afterEach(async () => {
  await stopApp();
  await slack.stop();
});

async function startBolt(): Promise<App> {
  const app = new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    logger: SILENT,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
  });
  await app.start();
  stopApp = () => app.stop();
  return app;
}

/** Some tests break connections on purpose, which Bolt would log. */
const nothing = (): void => undefined;
const SILENT: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};

function aSection(text: string) {
  return { type: "section", text: { type: "mrkdwn", text } } as const;
}

const PLAIN = { type: "plain_text", text: "words" } as const;
const MENU = { type: "static_select", action_id: "a", options: options(2) };

function modal(title: string): Json {
  return { type: "modal", title: { type: "plain_text", text: title }, blocks: [{ type: "divider" }] };
}

function homeWith(element: Json): Json {
  return { type: "home", blocks: [{ type: "input", label: PLAIN, element }] };
}

function options(many: number): readonly Json[] {
  return Array.from({ length: many }, (_, index) => ({
    text: { type: "plain_text", text: "words" },
    value: `v${index}`,
  }));
}

describe("the Slack test server with Bolt", () => {
  it("delivers a command, takes its acknowledgement, and shows the answer to the caller only", async () => {
    const app = await startBolt();
    app.command("/splits", async ({ ack, command, respond }) => {
      await ack();
      await respond({ text: `Typed: ${command.text}`, blocks: [aSection(`Typed: *${command.text}*`)] });
    });
    const { ackMs, messages } = await slack.user("ada").slash("list nasdaq", { channel: "general" });
    expect(ackMs).toBeLessThan(3_000);
    expect(messages).toEqual([expect.objectContaining({ text: "Typed: list nasdaq", onlyFor: expect.any(String) })]);
    expect(slack.user("ada").visibleMessages("general")).toHaveLength(1);
    expect(slack.user("bob").visibleMessages("general")).toEqual([]);
    expect(slack.violations).toEqual([]);
  });

  it("delivers a button press, and replaces the message with the answer", async () => {
    const app = await startBolt();
    const { client } = app;
    app.action("next", async ({ ack, respond }) => {
      await ack();
      await respond({ text: "page 2", replace_original: true });
    });
    const button = { type: "button", text: { type: "plain_text", text: "Next" }, action_id: "next" } as const;
    await client.chat.postMessage({
      channel: slack.channel("general").id,
      text: "page 1",
      blocks: [aSection("page 1"), { type: "actions", elements: [button] }],
    });
    const [shown] = slack.messages("general");
    if (!shown) throw new Error("nothing was posted");
    await slack.user("ada").press(shown, "Next");
    expect(slack.messages("general").map(({ text }) => text)).toEqual(["page 2"]);
  });

  it("separates threads, broadcasts and metadata as Slack does", async () => {
    const { client } = await startBolt();
    const channel = slack.channel("general").id;
    const metadata = { event_type: "alert", event_payload: { id: "m-1" } };
    const { ts = "" } = await client.chat.postMessage({ channel, text: "first", metadata });
    await client.chat.postMessage({ channel, text: "in the thread", thread_ts: ts });
    await client.chat.postMessage({ channel, text: "in both", thread_ts: ts, reply_broadcast: true });
    const history = await client.conversations.history({ channel, include_all_metadata: true });
    expect(history.messages?.map(({ text }) => text)).toEqual(["in both", "first"]);
    expect(history.messages?.at(-1)?.metadata).toEqual(metadata);
    const replies = await client.conversations.replies({ channel, ts });
    expect(replies.messages?.map(({ text }) => text)).toEqual(["first", "in the thread", "in both"]);
    expect(replies.messages?.[0]?.metadata).toBeUndefined();
  });

  it("gets a new connection after a disconnect request and after a lost connection", async () => {
    const app = await startBolt();
    app.command("/splits", async ({ ack }) => ack("here"));
    for (const disturb of [() => slack.socket.requestDisconnect("refresh_requested"), () => slack.socket.drop()]) {
      disturb();
      const { messages } = await slack.user("ada").slash("list");
      expect(messages.map(({ text }) => text)).toEqual(["here"]);
    }
  });

  it("refuses wrong tokens and tokens of the wrong kind", async () => {
    const { client } = await startBolt();
    await expect(client.auth.test({ token: "xoxb-other" })).rejects.toThrow("invalid_auth");
    await expect(client.chat.postMessage({ token: slack.appToken, channel: "C1", text: "x" })).rejects.toThrow(
      "not_allowed_token_type",
    );
  });

  it("reports why Slack would refuse a message", async () => {
    const { client } = await startBolt();
    const channel = slack.channel("general").id;
    await expect(
      client.chat.postMessage({ channel, text: "x", blocks: [aSection("y".repeat(3_001))] }),
    ).rejects.toThrow("invalid_blocks");
    expect(slack.violations).toEqual(["chat.postMessage blocks[0].text.text: 3001 characters, at most 3000"]);
    await client.chat.postMessage({ channel, text: "", blocks: [aSection("a < b & c")] });
    expect(slack.violations.slice(1)).toEqual([
      "chat.postMessage text: missing, so the notification line is empty",
      'chat.postMessage blocks[0].text.text: an unescaped < or > in "a < b & c"',
      "chat.postMessage blocks[0].text.text: an unescaped &",
    ]);
  });

  it("limits each channel and the workspace, and returns Retry-After", async () => {
    const times = { now: 1_000_000 };
    const limited = await startSlack({
      channels: ["one", "two"],
      now: () => times.now,
      limits: { perChannel: { everyMs: 1_000, burst: 2 }, perMinute: 60 },
    });
    const post = async (channel: string): Promise<string> => {
      const response = await fetch(`${limited.apiUrl}chat.postMessage`, {
        method: "POST",
        headers: { authorization: `Bearer ${limited.botToken}` },
        body: new URLSearchParams({ channel: limited.channel(channel).id, text: "x" }),
      });
      return response.status === 200 ? "ok" : `${response.status}, ${response.headers.get("retry-after")}`;
    };
    expect([await post("one"), await post("one"), await post("one")]).toEqual(["ok", "ok", "429, 1"]);
    expect(await post("two")).toBe("ok");
    times.now += 1_000;
    expect(await post("one")).toBe("ok");
    await limited.stop();
  });

  it("accepts five answers per response URL, for half an hour", async () => {
    const app = await startBolt();
    const statuses: number[] = [];
    app.command("/splits", async ({ ack, command }) => {
      await ack();
      for (let use = 0; use < 6; use += 1) {
        const body = JSON.stringify({ text: `answer ${use}` });
        statuses.push((await fetch(command.response_url, { method: "POST", body })).status);
      }
    });
    await slack.user("ada").slash("list");
    await expect.poll(() => statuses).toEqual([200, 200, 200, 200, 200, 404]);
  });

  it("opens a form once and soon after a press, and refuses invalid ones", async () => {
    const times = { now: 1_000_000 };
    const served = await startSlack({ now: () => times.now });
    const ada = served.user("ada").id;
    const { views } = served;
    const first = views.createTrigger(ada);
    expect(views.open({ trigger_id: first, view: modal("Rule") })).toMatchObject({ ok: true });
    expect(views.open({ trigger_id: first, view: modal("Rule") })).toMatchObject({ error: "exchanged_trigger_id" });
    expect(views.modalOf(ada)?.title).toBe("Rule");
    expect(
      views.open({ trigger_id: views.createTrigger(ada), view: modal("A title that is far too long") }),
    ).toMatchObject({
      error: "invalid_arguments",
    });
    const late = views.createTrigger(ada);
    times.now += 3_001;
    expect(views.open({ trigger_id: late, view: modal("Rule") })).toMatchObject({ error: "expired_trigger_id" });
    expect(views.publish({ user_id: ada, view: modal("Rule") })).toMatchObject({ error: "invalid_arguments" });
    expect(served.violations).toEqual([
      "views.open view.title.text: 28 characters, at most 24",
      'views.publish view.type: "modal", expected home',
    ]);
    await served.stop();
  });

  it.each([
    ["a static_select with 101 options", { type: "static_select", action_id: "a", options: options(101) }],
    ["eleven checkboxes", { type: "checkboxes", action_id: "a", options: options(11) }],
    ["an initial option that is not an option", { ...MENU, initial_option: { text: PLAIN, value: "other" } }],
    ["an empty list of initial options", { ...MENU, type: "multi_static_select", initial_options: [] }],
    [
      "an option text that is too long",
      { ...MENU, options: [{ text: { ...PLAIN, text: "x".repeat(76) }, value: "v" }] },
    ],
    ["an action id that is too long", { ...MENU, action_id: "x".repeat(256) }],
    ["an invalid time", { type: "timepicker", action_id: "a", initial_time: "24:00" }],
    ["a field of another element", { ...MENU, max_length: 3 }],
    ["a button as an input", { type: "button", action_id: "a", text: PLAIN }],
  ])("reports %s in a view", (_, element) => {
    expect(checkView(homeWith(MENU), "home")).toEqual([]);
    expect(checkView(homeWith(element), "home")).toHaveLength(1);
  });
});
