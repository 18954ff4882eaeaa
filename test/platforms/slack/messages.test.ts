import { afterEach, describe, expect, it } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { SlackBench } from "./bench.ts";
import { MONDAY } from "./rows.ts";
import type { Json } from "./server/workspace.ts";
import { shownText } from "./users/message-text.ts";
import type { Via } from "./users/user.ts";

let bench: SlackBench;

afterEach(() => bench.close());

/** Sends the event of a message that ada wrote in #traders or to the app. Returns after Slack's acknowledgement. */
async function write(type: "message" | "app_mention", extra: Json, via: Via): Promise<void> {
  const { slack } = bench;
  const { workspace } = slack;
  const { id } = slack.user("ada");
  const channel = type === "message" ? workspace.directChannel(id).id : slack.channel("traders").id;
  const event = { type, user: id, channel, ts: "1700000000.000100", text: "hello", ...extra };
  await slack.sendEvent(slack, type === "message" ? { channel_type: "im", ...event } : event, { via });
}

const helpAnswers = () => bench.slack.calls.filter(({ method }) => /^chat\.post(?:Message|Ephemeral)$/.test(method));

describe.each(["socket", "http"] as const)("a message over %s", (via) => {
  async function open(): Promise<void> {
    bench = await SlackBench.open({ now: MONDAY, via, slack: { channels: ["traders"] } });
  }

  it("to the app is answered with help in the direct messages, once per message", async () => {
    await open();
    await write("message", {}, via);
    await write("app_mention", { channel: bench.slack.workspace.directChannel(bench.slack.user("ada").id).id }, via);
    await write("message", {}, via);
    await write("message", { ts: "1700000000.000200" }, via);
    await waitUntil("two answers", () => helpAnswers().length >= 2);
    // A stop ends when all answers are sent.
    await bench.stop();
    expect(helpAnswers()).toHaveLength(2);
    await bench.start();
    await write("message", { ts: "1700000000.000300" }, via);
    await waitUntil("a third answer", () => helpAnswers().length >= 3);
    expect(helpAnswers()).toHaveLength(3);
    const [first] = bench.slack.user("ada").visibleMessages();
    expect(first && shownText(first)).toMatch(/splitwatch alerts you to reverse stock splits[\s\S]*\/splits list/);
  });

  it("that mentions the app is answered in the channel, visible to the author only", async () => {
    await open();
    await write("app_mention", {}, via);
    await waitUntil("an answer", () => helpAnswers().length >= 1);
    expect(helpAnswers().map(({ method }) => method)).toEqual(["chat.postEphemeral"]);
    expect(bench.slack.user("ada").visibleMessages("traders")).toHaveLength(1);
    expect(bench.slack.user("bob").visibleMessages("traders")).toEqual([]);
    expect(bench.slack.violations).toEqual([]);
  });

  it("of a bot, in another conversation, or that was edited is not answered", async () => {
    await open();
    await write("message", { bot_id: "B1" }, via);
    await write("app_mention", { bot_id: "B1", ts: "1700000000.000200" }, via);
    await write("message", { subtype: "message_changed", ts: "1700000000.000300" }, via);
    await write("message", { channel_type: "channel", ts: "1700000000.000400" }, via);
    await write("message", { ts: "1700000000.000500" }, via);
    await waitUntil("the answer to the last message", () => helpAnswers().length >= 1);
    expect(helpAnswers()).toHaveLength(1);
  });
});
