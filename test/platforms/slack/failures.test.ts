import { afterEach, describe, expect, it } from "vitest";
import { aSplitRow } from "../../support/upstream.ts";
import { type BenchOptions, SlackBench } from "./bench.ts";
import { ACME, BRAVO, MONDAY } from "./rows.ts";
import { OUTSIDE_MARKETPLACE } from "./server/limits.ts";
import { notificationText, shownText } from "./users/message-text.ts";

let bench: SlackBench;

afterEach(() => bench.close());

const NEWS = aSplitRow({ ticker: "NEWS" });

/** Opens two channels with a default rule each. */
async function open(start: BenchOptions = {}): Promise<void> {
  bench = await SlackBench.open({
    now: MONDAY,
    splits: [ACME, BRAVO],
    slack: { channels: ["bad", "good"] },
    ...start,
  });
  for (const channel of ["bad", "good"]) await bench.slack.user("ada").slash("subscribe", { channel });
}

function answerTo(line: string, channel: string): Promise<string> {
  return bench.slack.user("ada").answerTo(line, { channel });
}

/** Lists a new split; resolves when the good channel has its alert. */
async function listNews(): Promise<void> {
  bench.upstream.splits = [ACME, BRAVO, NEWS];
  await bench.run("poll-splits");
  await bench.until("the good channel has its alert", () => bench.slack.messages("good").length > 0);
}

/** Error codes that pause the destination, with the displayed reason. */
const PAUSING: readonly (readonly [string, RegExp])[] = [
  ["channel_not_found", /channel|exist|found/i],
  ["is_archived", /archive/i],
  ["not_in_channel", /invite/i],
  ["restricted_action", /allow|admin|restrict/i],
  ["restricted_action_read_only_channel", /read|allow|restrict/i],
  ["user_disabled", /deactivated|disabled|account|user/i],
  ["messages_tab_disabled", /message|direct/i],
  ["cannot_dm_bot", /bot|direct/i],
  ["missing_scope", /lacks a scope; .*install the app again, then type \/splits test/],
];

describe("a channel that Slack refuses", () => {
  it.each(PAUSING)(
    "with %s is paused with a visible reason, and gets its alert when Slack accepts it again",
    async (code, reason) => {
      await open();
      const bad = bench.slack.channel("bad").id;
      const endFault = bench.slack.faults.add({
        method: "chat.postMessage",
        channel: bad,
        effect: { kind: "error", code },
      });
      // splitwatch tries to join public channels; this refuses it.
      bench.slack.faults.add({ method: "conversations.join", effect: { kind: "error", code: "method_not_supported" } });
      await listNews();
      await bench.until("the status shows the problem", async () => reason.test(await answerTo("status", "good")));
      expect(await answerTo("why NEWS", "bad")).toMatch(reason);
      // The command in the channel tried it again.
      await bench.until("it was tried twice", () => bench.log.count("destination still paused") === 1);
      bench.clock.skip(4 * 60_000);
      await bench.run("poll-splits");
      expect(["paused", "still paused"].map((end) => bench.log.count(`destination ${end}`))).toEqual([1, 1]);
      endFault();
      bench.slack.faults.clear();
      bench.clock.skip(60 * 60_000);
      await bench.allDelivered();
      const alerts = bench.slack.messages("bad").map(notificationText).join("\n");
      expect(alerts.split("NEWS 1-for-20")).toHaveLength(2);
    },
  );

  it.each(["service_unavailable", "internal_error", "fatal_error", "request_timeout", "team_added_to_org"])(
    "with %s is retried, and gets the alert once",
    async (code) => {
      await open({ speed: 20 });
      const channel = bench.slack.channel("bad").id;
      bench.slack.faults.add({ method: "chat.postMessage", channel, times: 2, effect: { kind: "error", code } });
      await listNews();
      await bench.allDelivered();
      expect(bench.slack.messages("bad")).toHaveLength(1);
      expect(bench.slack.messages("good")).toHaveLength(1);
    },
  );

  it.each(["invalid_blocks", "msg_blocks_too_long", "metadata_too_large", "a_new_code"])(
    "once with %s gets the alert as text without blocks",
    async (code) => {
      await open();
      const channel = bench.slack.channel("bad").id;
      bench.slack.faults.add({ method: "chat.postMessage", channel, times: 1, effect: { kind: "error", code } });
      await listNews();
      await bench.allDelivered();
      const [message, ...others] = bench.slack.messages("bad");
      expect(others).toEqual([]);
      expect(message?.blocks ?? []).toEqual([]);
      expect(message?.text).toMatch(/NEWS 1-for-20 reverse split.*\n(?:.*\n)*Ex date: /);
      expect(message?.text).not.toContain("http");
    },
  );

  it.each(["restricted_action_thread_locked", "restricted_action_non_threadable_channel"])(
    "with %s for a reply gets it outside the thread",
    async (code) => {
      await open();
      await listNews();
      await bench.allDelivered();
      const channel = bench.slack.channel("bad").id;
      bench.slack.faults.add({ method: "chat.postMessage", channel, times: 1, effect: { kind: "error", code } });
      await bench.list(ACME, BRAVO, aSplitRow({ ticker: "NEWS", ratio: "1:25" }));
      await bench.allDelivered();
      expect(bench.slack.messages("bad").map(({ threadTs }) => threadTs)).toEqual([null, null]);
      expect(await answerTo("status", "bad")).not.toMatch(/paused/i);
    },
  );

  it.each([403, 404, 405, 407, 413, 421, 451])("with status %i from a proxy gets the alert once", async (status) => {
    await open({ speed: 20 });
    const channel = bench.slack.channel("bad").id;
    bench.slack.faults.add({ method: "chat.postMessage", channel, times: 1, effect: { kind: "status", status } });
    await listNews();
    await bench.allDelivered();
    expect(bench.slack.messages("bad").map(({ blocks }) => blocks.length > 0)).toEqual([true]);
  });

  it("because of one alert gets the others, and that alert is given up with the reason", async () => {
    await open({ speed: 20 });
    const effect = { kind: "error", code: "invalid_blocks" } as const;
    bench.slack.faults.add({
      method: "chat.postMessage",
      channel: bench.slack.channel("bad").id,
      contains: /NEWS/,
      effect,
    });
    const others = ["MORA", "MORB", "MORC", "MORD"].map((ticker) => aSplitRow({ ticker }));
    // A list may grow in its first polls without alerts.
    for (let polls = 0; polls < 5; polls += 1) await bench.poll();
    bench.upstream.splits = [ACME, BRAVO, NEWS, ...others];
    await bench.run("poll-splits");
    await bench.until("the others are sent", () => {
      bench.clock.skip(500);
      const texts = bench.slack.messages("bad").map(shownText).join("\n");
      return others.every(({ ticker }) => texts.includes(`${String(ticker)} `));
    });
    expect(await answerTo("why NEWS", "bad")).toMatch(/Waiting to be sent: .*invalid_blocks.*; next try: /);
    await bench.until("it is given up", async () => {
      bench.clock.skip(60 * 60_000);
      await bench.run("poll-splits");
      return bench.log.count("message failed") === 1;
    });
    expect(await answerTo("why NEWS", "bad")).toContain("invalid_blocks");
    expect(bench.slack.messages("bad").filter((message) => shownText(message).includes("NEWS "))).toEqual([]);
  });

  it("with a rate limit waits as long as Slack says, and delays no other channel", async () => {
    await open({ speed: 20 });
    const channel = bench.slack.channel("bad").id;
    const limited = { kind: "rate-limited", retryAfter: 30 } as const;
    bench.slack.faults.add({ method: "chat.postMessage", channel, times: 1, effect: limited });
    await listNews();
    await bench.allDelivered();
    const posts = bench.slack.calls.filter(
      ({ method, args }) => method === "chat.postMessage" && args.channel === channel,
    );
    expect(posts.map(({ outcome }) => outcome)).toEqual(["429", "ok"]);
    expect((posts[1]?.at ?? 0) - (posts[0]?.at ?? 0)).toBeGreaterThanOrEqual(30_000);
  });

  it("with a rate limit without a duration waits a default time", async () => {
    await open({ speed: 20 });
    const channel = bench.slack.channel("bad").id;
    const limited = { kind: "rate-limited", retryAfter: null } as const;
    bench.slack.faults.add({ method: "chat.postMessage", channel, times: 3, effect: limited });
    await listNews();
    await bench.allDelivered();
    expect(bench.slack.messages("bad")).toHaveLength(1);
  });
});

/** What the channel's `why` and the operator's metrics say about messages that may appear twice. */
async function resendReports(): Promise<readonly [string, string]> {
  return [await answerTo("why NEWS", "bad"), await (await fetch(`${bench.address}/metrics`)).text()];
}

const COUNTED_RESEND = [
  expect.stringContaining("may appear twice"),
  expect.stringMatching(/splitwatch_deliveries_total\{[^}]*platform="slack"[^}]*outcome="sent_blind"[^}]*\} 1/),
];

describe("an unknown outcome", () => {
  it.each(["reset", "500", "fatal_error"] as const)(
    "of a stored message, followed by %s, is resolved by a search: the alert is sent once",
    async (end) => {
      await open({ speed: 20 });
      bench.slack.faults.add({ method: "chat.postMessage", times: 2, effect: { kind: "stored-then", end } });
      await listNews();
      await bench.allDelivered();
      expect(bench.slack.messages("bad")).toHaveLength(1);
      expect(bench.slack.messages("good")).toHaveLength(1);
    },
  );

  it.each([12, 20, 55])(
    "of a message that Slack stores %i s after its request is resolved by a second search: the alert is sent once",
    async (seconds) => {
      await open({ speed: 20 });
      const channel = bench.slack.channel("bad").id;
      const late = { kind: "stored-later", ms: seconds * 1_000 } as const;
      bench.slack.faults.add({ method: "chat.postMessage", channel, times: 1, effect: late });
      await listNews();
      await bench.allDelivered();
      bench.clock.skip(2 * 60_000);
      await bench.until("the message is stored", () => bench.slack.messages("bad").length > 0);
      expect(bench.slack.messages("bad")).toHaveLength(1);
    },
  );

  it("of a message that Slack stores minutes after its request leads to one more, which is counted and shown by why", async () => {
    await open({ speed: 20 });
    const channel = bench.slack.channel("bad").id;
    const late = { kind: "stored-later", ms: 90_000 } as const;
    bench.slack.faults.add({ method: "chat.postMessage", channel, times: 1, effect: late });
    await listNews();
    await bench.allDelivered();
    bench.clock.skip(2 * 60_000);
    await bench.until("the late message is stored", () => bench.slack.messages("bad").length === 2);
    expect(await resendReports()).toEqual(COUNTED_RESEND);
  });

  it("in a thread is resolved by a search of the thread", async () => {
    await open({ speed: 20 });
    await listNews();
    await bench.allDelivered();
    bench.slack.faults.add({ method: "chat.postMessage", times: 2, effect: { kind: "stored-then", end: "reset" } });
    await bench.list(ACME, BRAVO, { ...NEWS, ratio: "1:30" });
    for (const channel of ["bad", "good"]) {
      const [first, ...answers] = bench.slack.messages(channel);
      expect(answers.map(({ threadTs, broadcast }) => [threadTs, broadcast])).toEqual([[first?.ts, true]]);
    }
  });

  it("is resolved by a search after the bot was removed from a public channel, which it joins", async () => {
    await open({ speed: 20 });
    const channel = bench.slack.channel("bad");
    bench.slack.faults.add({
      method: "chat.postMessage",
      channel: channel.id,
      times: 1,
      effect: { kind: "stored-then", end: "reset" },
    });
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("the message is stored", () => bench.slack.messages("bad").length > 0);
    Object.assign(channel, { botIsMember: false });
    await bench.allDelivered();
    expect(channel.botIsMember).toBe(true);
    expect(bench.slack.messages("bad")).toHaveLength(1);
  });

  it("is resolved by a search once the conversation is visible again", async () => {
    await open({ speed: 20 });
    const channel = bench.slack.channel("bad").id;
    const lost = { kind: "stored-then", end: "reset" } as const;
    bench.slack.faults.add({ method: "chat.postMessage", channel, times: 1, effect: lost });
    const hidden = { kind: "error", code: "channel_not_found" } as const;
    bench.slack.faults.add({ method: "conversations.history", channel, times: 1, effect: hidden });
    await listNews();
    await bench.until("the channel is paused", () => bench.log.count("destination paused") === 1);
    bench.clock.skip(2 * 60 * 60_000);
    await bench.allDelivered();
    expect(bench.slack.messages("bad")).toHaveLength(1);
  });

  it.each(["missing_scope", "restricted_action"])(
    "leads to one resend that is counted and shown by why, if Slack answers the search with %s",
    async (code) => {
      await open({ speed: 20 });
      const channel = bench.slack.channel("bad").id;
      bench.slack.faults.add({ method: "conversations.history", effect: { kind: "error", code } });
      bench.slack.faults.add({
        method: "chat.postMessage",
        channel,
        times: 1,
        effect: { kind: "stored-then", end: "reset" },
      });
      await listNews();
      await bench.allDelivered();
      expect(bench.slack.messages("bad")).toHaveLength(2);
      expect(await resendReports()).toEqual(COUNTED_RESEND);
    },
  );

  it("posts the next alert outside a thread whose conversation isn't found, such as that of a replaced app", async () => {
    await open();
    await bench.slack.user("bob").slash("watch NEWS", { channel: "good" });
    await listNews();
    await bench.allDelivered();
    bench.slack.faults.add({
      method: "chat.postMessage",
      contains: /"channel":"D/,
      effect: { kind: "error", code: "channel_not_found" },
    });
    await bench.list(ACME, BRAVO, { ...NEWS, ratio: "1:30" });
    const [first, second] = bench.slack.directMessages("bob");
    expect(first?.text).toContain("1-for-20");
    expect(second).toMatchObject({ text: expect.stringContaining("1-for-30") as string, threadTs: null });
  });

  it("posts the next alert outside a thread whose first message was deleted", async () => {
    await open();
    await listNews();
    await bench.allDelivered();
    for (const message of bench.slack.messages("bad")) bench.slack.workspace.remove(message);
    await bench.list(ACME, BRAVO, { ...NEWS, ratio: "1:30" });
    expect(bench.slack.messages("bad").map(notificationText)).toEqual([expect.stringContaining("1-for-30")]);
  });
});

describe.each(["socket", "http"] as const)("a single workspace over %s", (via) => {
  it("stops Slack with one instructive log line after removing the app; the web chat keeps running", async () => {
    bench = await SlackBench.open({ now: MONDAY, splits: [ACME, BRAVO], via });
    await bench.slack.sendEvent(bench.slack, { type: "app_uninstalled" }, { via });
    await bench.until("the error is logged", () => bench.log.count("slack credentials rejected") === 1);
    const { ready, checks } = await bench.readiness();
    expect([ready, JSON.stringify(checks)]).toEqual([
      false,
      expect.stringContaining("splitwatch was removed from the Slack workspace: install the app again"),
    ]);
    const [card] = await bench.onWeb("ada", "list when:all");
    expect(card?.title).toMatch(/2 reverse splits/);
  });

  it("stays connected when a removal event of an earlier installation arrives late", async () => {
    bench = await SlackBench.open({ now: MONDAY, splits: [ACME, BRAVO], via, slack: { channels: ["good"] } });
    await bench.slack.user("ada").slash("subscribe", { channel: "good", via });
    await bench.slack.sendEvent(bench.slack, { type: "app_uninstalled" }, { via, at: Date.parse(MONDAY) - 60_000 });
    await bench.list(ACME, BRAVO, NEWS);
    expect(bench.slack.messages("good")).toHaveLength(1);
    expect((await bench.readiness()).checks).toMatchObject({ slack: { ok: true } });
  });
});

describe("wrong credentials", () => {
  it.each([
    ["a wrong bot token", { SLACK_BOT_TOKEN: "xoxb-wrong-token" }],
    ["a wrong app token", { SLACK_APP_TOKEN: "xapp-1-wrong-token" }],
  ])("(%s) are one clear log line; the web chat keeps running", async (_, env) => {
    bench = await SlackBench.open({ now: MONDAY, splits: [ACME], env });
    await bench.until("the error is logged", () => bench.log.lines.some(({ level }) => level === "error"));
    const errors = bench.log.lines.filter(({ level }) => level === "error");
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).toMatch(/slack/i);
    expect(bench.log.text()).not.toContain("wrong-token");
    const [card] = await bench.onWeb("ada", "list when:all");
    expect(card?.title).toMatch(/1 reverse split/);
    const { ready, checks } = await bench.readiness();
    expect(ready).toBe(false);
    expect(JSON.stringify(checks)).toMatch(/slack/i);
    expect(JSON.stringify(checks)).not.toContain("wrong-token");
  });

  it("(swapped tokens) are reported as swapped", async () => {
    bench = await SlackBench.open({ now: MONDAY, splits: [ACME] });
    const { botToken, appToken } = bench.slack;
    const output = await bench.restart({ SLACK_BOT_TOKEN: appToken, SLACK_APP_TOKEN: botToken }).then(
      () => bench.log.text(),
      (error: unknown) => String(error),
    );
    expect(output).toMatch(/SLACK_BOT_TOKEN|SLACK_APP_TOKEN/);
    expect(output).toMatch(/xoxb-|xapp-|swapped/);
    expect(output).not.toContain(botToken.slice(8));
    bench.clock.skip(3_600_000);
    const { slack } = (await bench.readiness()).checks;
    expect(slack?.detail).toMatch(/swapped.*; rejected since .*, no further try until a restart$/);
  });

  it.each(["token_revoked", "account_inactive", "invalid_auth", "token_expired"])(
    "(%s while it runs) stop Slack with one line; it resumes without a restart and loses nothing",
    async (code) => {
      await open();
      bench.slack.faults.add({ method: "chat.postMessage", effect: { kind: "error", code } });
      bench.upstream.splits = [ACME, BRAVO, NEWS];
      await bench.run("poll-splits");
      await bench.until("the error is logged", () => bench.log.count("slack credentials rejected") === 1);
      expect(JSON.stringify((await bench.readiness()).checks)).toMatch(/rejected since .*, next try /);
      bench.slack.faults.clear();
      bench.clock.skip(60_000);
      await bench.allDelivered();
      expect((await bench.readiness()).checks).toMatchObject({ slack: { ok: true } });
      expect(bench.slack.messages("bad")).toHaveLength(1);
      expect(bench.slack.messages("good")).toHaveLength(1);
    },
  );
});

/** Posts messages of a person, in the channel or a thread. */
function chat(channel: string, count: number, threadTs: string | null = null): void {
  const { id } = bench.slack.channel(channel);
  const parts = { channel: id, threadTs, broadcast: false, onlyFor: null, blocks: [], attachments: [], metadata: null };
  for (let n = 1; n <= count; n += 1) bench.slack.workspace.post({ ...parts, text: `Message ${n}` });
}

function searches(): readonly string[] {
  return bench.slack.calls.filter(({ method }) => method === "conversations.history").map(({ outcome }) => outcome);
}

describe("an app outside the Marketplace, which may read one page of 15 messages a minute", () => {
  it("goes on within 70 seconds after a lost request in a channel with many messages", async () => {
    await open({ speed: 20, slack: { channels: ["bad", "good"], readLimit: OUTSIDE_MARKETPLACE } });
    chat("bad", 40);
    bench.clock.skip(60 * 60_000);
    const channel = bench.slack.channel("bad").id;
    bench.slack.faults.add({ method: "chat.postMessage", channel, times: 1, effect: { kind: "reset" } });
    const startedAt = bench.clock.now();
    await listNews();
    await bench.allDelivered();
    expect(bench.clock.now() - startedAt).toBeLessThan(70_000);
    expect(
      bench.slack
        .messages("bad")
        .map(notificationText)
        .filter((text) => text.includes("NEWS")),
    ).toHaveLength(1);
    expect(searches()).toEqual(["ok"]);
  });

  it("continues a search that a rate limit interrupts, and finds the message", async () => {
    await open({ speed: 20, slack: { channels: ["bad", "good"], readLimit: OUTSIDE_MARKETPLACE } });
    const channel = bench.slack.channel("bad").id;
    const lost = { kind: "stored-then", end: "reset" } as const;
    bench.slack.faults.add({ method: "chat.postMessage", channel, times: 1, effect: lost });
    bench.slack.faults.add({ method: "conversations.history", channel, times: 1, effect: { kind: "reset" } });
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("the message is stored", () => bench.slack.messages("bad").length > 0);
    chat("bad", 40);
    await bench.allDelivered();
    expect(
      bench.slack
        .messages("bad")
        .map(notificationText)
        .filter((text) => text.includes("NEWS")),
    ).toHaveLength(1);
    expect(searches().filter((outcome) => outcome === "ok")).toHaveLength(3);
  });

  it("searches the newest replies of a long thread", async () => {
    await open({ speed: 20, slack: { channels: ["bad", "good"], readLimit: OUTSIDE_MARKETPLACE } });
    await listNews();
    await bench.allDelivered();
    const channel = bench.slack.channel("bad").id;
    const [first] = bench.slack.messages("bad");
    chat("bad", 40, first?.ts);
    bench.clock.skip(60 * 60_000);
    bench.slack.faults.add({
      method: "chat.postMessage",
      channel,
      times: 1,
      effect: { kind: "stored-then", end: "reset" },
    });
    await bench.list(ACME, BRAVO, { ...NEWS, ratio: "1:30" });
    const changes = bench.slack
      .messages("bad")
      .map(notificationText)
      .filter((text) => text.includes("1-for-30"));
    expect(changes).toHaveLength(1);
    const replies = bench.slack.calls.filter(
      ({ method, outcome }) => method === "conversations.replies" && outcome === "ok",
    );
    expect(replies.map(({ args }) => [Number(args.limit), args.oldest !== undefined])).toEqual([
      [200, false],
      [15, true],
    ]);
  });
});
