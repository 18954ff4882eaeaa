import { PermissionFlagsBits } from "discord.js";
import { describe, expect, it } from "vitest";
import { checkRunning } from "../../../src/cli/doctor-running.ts";
import { readConfig } from "../../../src/config/index.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/domain/time/day.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { startStopwatch } from "../../support/process-time.ts";
import { SETTINGS_FILES } from "../../support/settings-files.ts";
import { anArticleRow, aSplitRow } from "../../support/upstream.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ask, readReadiness } from "../../support/web-chat-client.ts";
import { stage } from "./discord-app.ts";
import { type Fault, faults } from "./faults.ts";
import { textOf } from "./model.ts";
import { NO_LIMITS } from "./rate-limits.ts";
import { startTraders, type TradersApp, traders } from "./traders.ts";
import type { Where } from "./user.ts";
import type { Channel } from "./world.ts";

const POSTS = { method: "POST", path: /^\/channels\/\d+\/messages$/ } as const;

/** The channel has a rule, and Bird watches NEWS. */
async function openSubscribed(): Promise<TradersApp> {
  const opened = await startTraders();
  await opened.ada.slash("/splits subscribe", {}, opened.alerts);
  return opened;
}

function newsAt({ discord }: TradersApp, channel: Channel): number {
  return discord.messages(channel).filter((message) => textOf(message).includes("NEWS 1-for-20")).length;
}

function postsTo({ discord }: TradersApp, channel: Channel): number {
  return discord.requests.filter(({ method, path }) => method === "POST" && path.includes(channel.id)).length;
}

/** All texts about waiting deliveries: the status, and the history of the split. */
async function explained({ ada }: TradersApp, where: Where): Promise<string> {
  const status = await ada.slash("/splits status", {}, where);
  const why = await ada.slash("/splits why", { ticker: "NEWS" }, where);
  return `${status.text}\n${why.text}`.replace(/\\([^\w\s])/g, "$1");
}

describe("an alert that Discord refuses because of its destination", () => {
  it.each([
    ["the channel is deleted", (on: TradersApp) => on.discord.deleteChannel(on.alerts), /channel no longer exists/],
    [
      "the bot may not see the channel",
      (on: TradersApp) => void on.alerts.denied.set(on.discord.bot.id, PermissionFlagsBits.ViewChannel),
      /View Channel/,
    ],
    [
      "the bot may not send messages",
      (on: TradersApp) => void on.alerts.denied.set(on.discord.bot.id, PermissionFlagsBits.SendMessages),
      /Send Messages/,
    ],
    [
      "the bot may not send embeds",
      (on: TradersApp) => void on.alerts.denied.set(on.discord.bot.id, PermissionFlagsBits.EmbedLinks),
      /Embed Links/,
    ],
  ])(
    "waits with a reason, is tried with backoff, and is sent without a command once it is possible: %s",
    async (_, spoil, reason) => {
      const on = await openSubscribed();
      spoil(on);
      await on.app.announce({ ticker: "NEWS" });
      await waitUntil("it is paused", () => on.app.log.count("destination paused") === 1);
      // Each of the two commands tries it again.
      expect(await explained(on, on.alerts)).toMatch(reason);
      await waitUntil("the commands tried it", () => on.app.log.count("destination still paused") === 2);
      const tried = postsTo(on, on.alerts);
      on.clock.skip(4 * MINUTE_MS);
      expect((await on.ada.slash("/splits status", {}, on.discord.addChannel(on.guild, "elsewhere"))).text).toMatch(
        /paused/i,
      );
      expect([postsTo(on, on.alerts), await on.app.waiting()]).toEqual([tried, 1]);
      on.alerts.denied.clear();
      on.discord.world.channels.set(on.alerts.id, on.alerts);
      on.clock.skip(HOUR_MS);
      await on.app.delivered();
      expect([newsAt(on, on.alerts), postsTo(on, on.alerts)]).toEqual([1, tried + 1]);
      expect(on.discord.invalid.length).toBeLessThan(4);
    },
  );

  it("is sent when a permission is granted again, without a command", async () => {
    const on = await openSubscribed();
    on.discord.deny(on.alerts, PermissionFlagsBits.SendMessages);
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("the channel is paused", () => on.app.log.count("destination paused") === 1);
    on.discord.deny(on.alerts, 0n);
    await on.app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
  });

  it("stays uncertain while the bot may not see the channel, and is found when it may", async () => {
    const on = await openSubscribed();
    on.discord.faults.add(faults.storedThenReset, { ...POSTS, times: 1 });
    const hide = on.discord.faults.add(faults.refusal(403, 50_001, "Missing Access"), {
      method: "GET",
      path: POSTS.path,
    });
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("the channel is paused", () => on.app.log.count("destination paused") === 1);
    on.clock.skip(20 * MINUTE_MS);
    await waitUntil("it was tried again", () => on.app.log.count("destination still paused") > 0);
    hide();
    on.discord.deny(on.alerts, 0n);
    await on.app.delivered();
    expect([newsAt(on, on.alerts), on.discord.suppressed]).toEqual([1, 0]);
  });

  it("is sent after the cause is fixed and a test is requested", async () => {
    const on = await openSubscribed();
    on.alerts.denied.set(on.discord.bot.id, PermissionFlagsBits.SendMessages);
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("the channel is paused", () => on.app.log.count("destination paused") === 1);
    const refused = await on.ada.slash("/splits test", {}, on.alerts);
    expect(refused.text).toContain("Send Messages");
    on.alerts.denied.clear();
    await on.ada.slash("/splits test", {}, on.alerts);
    await on.app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
  });

  it("does not delay other destinations", async () => {
    const on = await openSubscribed();
    await on.bird.slash("/splits watch", { tickers: "NEWS" }, "dm");
    on.discord.deleteChannel(on.alerts);
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("Bird receives the alert", () => newsAt(on, on.bird.direct) > 0);
    // Discord has the message a moment before it is marked as sent.
    await waitUntil("only the channel's waits", async () => (await on.app.waiting()) === 1);
    expect([newsAt(on, on.bird.direct), await on.app.waiting()]).toEqual([1, 1]);
  });

  it("waits while the bot is not in the server and is sent after it returns", async () => {
    const on = await openSubscribed();
    on.discord.leave(on.guild, on.discord.bot);
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("it waits", async () => (await on.app.waiting()) === 1);
    on.clock.skip(HOUR_MS);
    await on.app.poll(2);
    expect(on.discord.requests.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(1);
    on.discord.join(on.guild, on.discord.bot);
    await on.app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
    expect((await on.ada.slash("/splits subscriptions", {}, on.alerts)).text).toContain("has 1 rule");
  });

  it("is sent if the bot returns to the server while a refusal is under way", async () => {
    const on = await openSubscribed();
    on.discord.faults.add(faults.refusal(403, 50_001, "Missing Access"), { ...POSTS, times: 1 });
    on.discord.faults.latencyMs = 500;
    const before = on.discord.requests.length;
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("it is being refused", () =>
      on.discord.requests.slice(before).some(({ path, status }) => POSTS.path.test(path) && status === null),
    );
    on.discord.leave(on.guild, on.discord.bot);
    on.discord.join(on.guild, on.discord.bot);
    await on.app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
  });

  it("is sent after the bot was removed and invited again while offline", async () => {
    const on = await openSubscribed();
    on.discord.leave(on.guild, on.discord.bot);
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("it waits", async () => (await on.app.waiting()) === 1);
    await on.app.stop();
    on.discord.join(on.guild, on.discord.bot);
    const again = await on.start();
    await again.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
  });
});

describe("an alert for a person that Discord refuses", () => {
  it.each([
    [
      "they accept no messages",
      (on: TradersApp) => Object.assign(on.bird.account, { dmsClosed: true }),
      /direct messages/,
    ],
    [
      "their account is deleted",
      (on: TradersApp) => on.discord.faults.add(faults.refusal(404, 10_013, "Unknown User"), POSTS),
      /account/,
    ],
  ])("waits with a reason that the person can read: %s", async (_, spoil, reason) => {
    const on = await openSubscribed();
    await on.bird.slash("/splits watch", { tickers: "NEWS" }, "dm");
    await on.ada.slash("/splits unsubscribe", { rule: "1" }, on.alerts);
    spoil(on);
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("it is paused", () => on.app.log.count("destination paused") === 1);
    expect((await on.bird.slash("/splits why", { ticker: "NEWS" }, on.alerts)).text).toMatch(reason);
    expect(on.discord.invalid.length).toBeLessThan(3);
  });

  it("is retried if the conversation is unavailable for a moment", async () => {
    const on = await openSubscribed();
    await on.bird.slash("/splits watch", { tickers: "NEWS" }, "dm");
    on.discord.faults.add(faults.refusal(403, 50_001, "Missing Access"), {
      ...POSTS,
      path: new RegExp(on.bird.direct.id),
      times: 1,
    });
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered();
    expect([newsAt(on, on.bird.direct), newsAt(on, on.alerts)]).toEqual([1, 1]);
  });

  it("is sent to a newly opened conversation if the old one is unknown", async () => {
    const on = await openSubscribed();
    await on.bird.slash("/splits watch", { tickers: "NEWS" }, "dm");
    on.discord.world.channels.delete(on.bird.direct.id);
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered();
    expect(newsAt(on, on.bird.direct)).toBe(1);
  });
});

/** Rate-limit responses and the minimum delay that follows. */
const LIMITS: readonly (readonly [string, Fault, number])[] = [
  ["with a retry time", tooMany({ "retry-after": "3" }, { retry_after: 3 }), 3_000],
  [
    "for the whole bot",
    tooMany({ "retry-after": "3", "x-ratelimit-global": "true" }, { retry_after: 3, global: true }),
    3_000,
  ],
  [
    "of a shared channel limit",
    tooMany({ "retry-after": "3", "x-ratelimit-scope": "shared" }, { retry_after: 3 }),
    3_000,
  ],
  ["without a retry time", tooMany({}, {}), 3_000],
  ["by a proxy in front of Discord", faults.answer({ status: 429, body: "error code: 1015" }), 3_000],
];

function tooMany(headers: Readonly<Record<string, string>>, body: Readonly<Record<string, unknown>>): Fault {
  const said = { message: "You are being rate limited.", global: false, ...body };
  return faults.answer({ status: 429, headers, body: said });
}

describe("a rate-limited alert", () => {
  it.each(LIMITS)("is delayed %s, then sent", async (_, fault, waitMs) => {
    const on = await openSubscribed();
    on.discord.faults.add(fault, { ...POSTS, times: 1 });
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered();
    const [refused, sent, ...others] = on.discord.requests.filter((each) => POSTS.path.test(each.path));
    expect([refused?.status, sent?.status, others]).toEqual([429, 200, []]);
    expect((sent?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(waitMs);
    expect(newsAt(on, on.alerts)).toBe(1);
  });

  it("does not retry in a tight loop if limits come without a duration", async () => {
    const on = await openSubscribed();
    on.discord.faults.add(tooMany({}, {}));
    await on.app.announce({ ticker: "NEWS" });
    for (let minute = 0; minute < 30; minute += 1) {
      on.clock.skip(MINUTE_MS);
      await on.app.poll();
    }
    expect(on.discord.invalid.length).toBeGreaterThan(0);
    expect(on.discord.invalid.length).toBeLessThan(100);
  });
});

describe("an alert with an unknown outcome", () => {
  it.each([
    ["the connection is reset", faults.storedThenReset],
    ["Discord answers with 502", faults.storedThen(502)],
  ])("is found in the history and not sent again if %s after it was stored", async (_, fault) => {
    const on = await openSubscribed();
    on.discord.faults.add(fault, { ...POSTS, times: 1 });
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered();
    on.discord.faults.add(fault, { ...POSTS, times: 1 });
    await on.app.announce({ ticker: "MORE" });
    await waitUntil("it is uncertain", () => on.app.log.count("delivery outcome unknown") === 2);
    on.clock.skip(20 * MINUTE_MS);
    await on.app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
    expect(on.discord.messages(on.alerts)).toHaveLength(2);
    expect(on.discord.suppressed).toBe(0);
  });

  it.each([
    ["sends are", { method: "POST", path: POSTS.path }],
    ["sends and searches are", { path: POSTS.path }],
  ])("appears once although %s then refused until its nonce has expired", async (_, scope) => {
    const on = await openSubscribed();
    on.discord.faults.add(faults.storedThenReset, { ...POSTS, times: 1 });
    const endRefusals = on.discord.faults.add(tooMany({ "retry-after": "1" }, { retry_after: 1 }), scope);
    await on.app.announce({ ticker: "NEWS" });
    const isFollowedUp = (): boolean =>
      on.discord.requests.some(({ status }) => status === 429) || on.app.log.count("delivery completed") > 0;
    await waitUntil("it was refused or found within the first minute", isFollowedUp);
    for (let minute = 0; minute < 10; minute += 1) {
      on.clock.skip(MINUTE_MS);
      await on.app.poll();
    }
    endRefusals();
    on.clock.skip(5 * MINUTE_MS);
    await on.app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
    expect(on.discord.suppressed).toBe(0);
  });

  it.each([12, 20, 55])("appears once if Discord posts it %i s after its request", async (seconds) => {
    const on = await openSubscribed();
    on.discord.faults.add(faults.storedLater(seconds * 1_000), { ...POSTS, times: 1 });
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered();
    on.clock.skip(MINUTE_MS);
    await waitUntil("the late request is recognized", () => on.discord.suppressed === 1);
    expect(newsAt(on, on.alerts)).toBe(1);
  });

  it("is found among many later messages", async () => {
    const on = await openSubscribed();
    on.discord.faults.add(faults.storedThenReset, { ...POSTS, times: 1 });
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("it is uncertain", () => on.app.log.count("delivery outcome unknown") === 1);
    const posting = { content: "chatter", embeds: [], components: [], flags: 0, replyTo: null, nonce: null, pings: [] };
    for (let number = 0; number < 450; number += 1) {
      const id = on.discord.world.nextId();
      on.alerts.messages.push({ ...posting, id, channelId: on.alerts.id, authorId: on.ada.id, at: on.clock.now() });
    }
    on.clock.skip(20 * MINUTE_MS);
    await on.app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
  });

  it("is sent again if it did not arrive", async () => {
    const on = await openSubscribed();
    on.discord.faults.add(faults.reset, { ...POSTS, times: 1 });
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("it is uncertain", () => on.app.log.count("delivery outcome unknown") === 1);
    on.clock.skip(20 * MINUTE_MS);
    await on.app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
  });
});

describe("an alert that Discord refuses because of its content", () => {
  it.each([
    [400, 50_035, "Invalid Form Body"],
    [400, 200_000, "Message was blocked by automatic moderation"],
    [400, 200_001, "Title was blocked by automatic moderation"],
    [403, 240_000, "Message blocked by harmful links filter"],
    [400, 99_999, "Something new"],
  ])("once with status %i and code %i is sent as text without embeds", async (status, code, message) => {
    const on = await openSubscribed();
    on.discord.faults.add(faults.refusal(status, code, message), { ...POSTS, times: 1 });
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered();
    const sent = on.discord.messages(on.alerts).filter((one) => textOf(one).includes("NEWS 1-for-20"));
    expect(sent.map(({ embeds, components }) => [embeds.length, components.length])).toEqual([[0, 0]]);
    expect(sent[0]?.content).toMatch(/Ex date: .*\n-# [\w-]+$/s);
    expect(sent[0]?.content).not.toContain("http");
  });

  it.each([400, 403, 404, 405, 407, 413, 421, 451])(
    "is sent again as it is after status %i of a proxy",
    async (status) => {
      const on = await openSubscribed();
      on.discord.faults.add(faults.status(status, "<html><title>Blocked</title></html>"), { ...POSTS, times: 1 });
      await on.app.announce({ ticker: "NEWS" });
      on.clock.skip(5_000);
      await on.app.delivered();
      const sent = on.discord.messages(on.alerts).filter((one) => textOf(one).includes("NEWS 1-for-20"));
      expect(sent.map(({ embeds }) => embeds.length)).toEqual([1]);
    },
  );

  it("is found if it was posted as text and the answer was lost", async () => {
    const on = await openSubscribed();
    on.discord.faults.add(faults.refusal(400, 50_035, "Invalid Form Body"), { ...POSTS, times: 1 });
    on.discord.faults.add(faults.storedThenReset, { ...POSTS, times: 1 });
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("it is uncertain", () => on.app.log.count("delivery outcome unknown") === 1);
    // The nonce isn't valid any more.
    on.clock.skip(20 * MINUTE_MS);
    await on.app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
  });

  it("doesn't keep the others of its message, is given up with the reason, and is counted", async () => {
    const on = await openSubscribed();
    on.discord.faults.add(faults.refusal(400, 200_000, "Message was blocked by automatic moderation"), {
      ...POSTS,
      body: /NEWS/,
    });
    const others = ["MORA", "MORB", "MORC", "MORD"];
    on.upstream.splits = [...on.upstream.splits, ...["NEWS", ...others].map((ticker) => aSplitRow({ ticker }))];
    await on.app.poll();
    const isSent = (ticker: string): boolean =>
      on.discord.messages(on.alerts).some((one) => textOf(one).includes(`${ticker} 1-for-20`));
    await waitUntil("the others are sent", async () => {
      on.clock.skip(1_000);
      return others.every(isSent);
    });
    await waitUntil("it says why", async () => /AutoMod blocked the message/.test(await explained(on, on.alerts)));
    await waitUntil("it is given up", async () => {
      on.clock.skip(HOUR_MS);
      await on.app.poll();
      return on.app.log.count("message failed") > 0;
    });
    expect(await explained(on, on.alerts)).toMatch(/AutoMod blocked the message/);
    expect(isSent("NEWS")).toBe(false);
  });
});

describe("a release at an address that isn't one of RFC 3986", () => {
  it.each(["50%-off.html", "a|b.html", "a[1].html", "größe und mehr.html"])("is sent: %s", async (page) => {
    const on = await openSubscribed();
    const release = anArticleRow({
      url: `https://wire.example/${page}`,
      heading: "NEWS Corp. announces a 1-for-20 reverse split",
      content: "NEWS Corp. (NASDAQ: NEWS) will combine every twenty shares into one.",
    });
    on.upstream.articles = [release];
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
    expect(on.discord.requests.filter(({ status }) => status === 400)).toEqual([]);
  });
});

describe("a refused registration of the commands", () => {
  const REGISTRATION = { method: "PUT", path: /\/commands$/ } as const;
  const LIMIT = faults.refusal(400, 30_034, "Max number of daily application command creates has been reached (200)");

  it("is named by /readyz, which stays 200, by doctor and by status, while alerts are sent, until it succeeds", async () => {
    const on = await openSubscribed();
    await on.app.stop();
    on.discord.faults.add(faults.answer({ status: 200, headers: { "content-type": "application/json" }, body: "[]" }), {
      ...REGISTRATION,
      method: "GET",
    });
    const end = on.discord.faults.add(LIMIT, REGISTRATION);
    const app = await on.start();
    const problemOf = async (): Promise<string | undefined> => {
      const { ready, checks } = await readReadiness(app.address);
      expect([ready, checks.discord?.ok]).toEqual([true, true]);
      return checks.discord?.problem;
    };
    await waitUntil("it is refused", async () => (await problemOf()) !== undefined);
    expect(await problemOf()).toMatch(/200 new commands a day \(30034\).*; since 2026-.*, next try 2026-/);
    expect((await fetch(`${app.address}/readyz`)).status).toBe(200);
    const [status] = await ask(app.address, "ada", "status");
    expect(JSON.stringify(status)).toMatch(/Discord works in part.*200 new commands a day \(30034\)/);
    const { port } = new URL(app.address);
    const config = readConfig({ env: { PORT: port }, folder: on.dataDir, isTerminal: false });
    const running = await checkRunning(config, systemClock);
    expect(running).toMatchObject({ status: "warn", text: expect.stringContaining("(30034)") });
    await app.announce({ ticker: "NEWS" });
    await app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);

    end();
    await waitUntil("the commands are registered", async () => {
      on.clock.skip(MINUTE_MS);
      return app.log.count("discord commands registered") === 1;
    });
    // The time that was skipped may have been longer than the polls took to follow.
    const isOver = async () => (await readReadiness(app.address)).checks.discord?.problem === undefined;
    await waitUntil("the problem is over", isOver);
    expect(JSON.stringify(await ask(app.address, "ada", "status"))).not.toContain("works in part");
  });
});

describe("a rejected token", () => {
  it("is logged in one line, and the web chat keeps running", async () => {
    const on = await stage();
    const app = await on.start({ DISCORD_TOKEN: "MTIz.wrong.token" });
    expect((await ask(app.address, "ada", "list"))[0]?.title).toContain("1 reverse split");
    const lines = app.log.lines.filter(({ level }) => level === "error" || level === "warn");
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).toContain("DISCORD_TOKEN");
    expect(app.log.text()).not.toContain("MTIz.wrong.token");
    const { ready, checks } = await readReadiness(app.address);
    expect([ready, JSON.stringify(checks).includes("DISCORD_TOKEN")]).toEqual([false, true]);
    on.clock.skip(6 * HOUR_MS);
    await app.poll(2);
    expect(on.discord.invalid.length).toBeLessThanOrEqual(6);
  });

  it("stops deliveries to Discord, which resume without a restart when it is accepted", async () => {
    const on = await openSubscribed();
    const end = on.discord.faults.add(faults.refusal(401, 0, "401: Unauthorized"), POSTS);
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("it stopped", () => on.app.log.count("discord credentials rejected") === 1);
    on.clock.skip(6 * HOUR_MS);
    await on.app.announce({ ticker: "MORE" });
    expect(on.discord.invalid.length).toBeLessThanOrEqual(3);
    const { checks } = await readReadiness(on.app.address);
    expect(JSON.stringify(checks)).toMatch(/DISCORD_TOKEN.*rejected since 2026-.*, next try 2026-/);
    const status = await on.ada.slash("/splits status", {}, on.alerts);
    expect(status.text).toMatch(/Discord rejects DISCORD.*next try/);
    expect((await on.ada.slash("/splits watch", { tickers: "NEWS" }, on.alerts)).text).toMatch(/fail at the moment/);
    end();
    on.clock.skip(10 * MINUTE_MS);
    await on.app.delivered();
    expect(newsAt(on, on.alerts)).toBe(1);
    expect((await readReadiness(on.app.address)).checks).toMatchObject({ discord: { ok: true } });
  });

  it("during the switch from sample to live data loses no later alert and repeats none", async () => {
    const on = await openSubscribed();
    const { discord, upstream, clock } = on;
    const listed = upstream.splits;
    upstream.sample = true;
    upstream.splits = [aSplitRow({ ticker: "SAMA" })];
    const isSample = async (): Promise<boolean> => {
      await on.app.poll().catch(() => undefined);
      return /sample data/i.test((await on.ada.slash("/splits status", {}, on.alerts)).text);
    };
    await waitUntil("sample data is shown", isSample);
    const accept = discord.faults.add(faults.refusal(401, 0, "401: Unauthorized"), { path: POSTS.path });
    upstream.sample = false;
    upstream.splits = listed;
    await waitUntil("live data is shown", async () => !(await isSample()));
    await on.app.poll(4);
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("it stopped", () => on.app.log.count("discord credentials rejected") === 1);
    accept();
    clock.skip(10 * MINUTE_MS);
    await on.app.delivered();
    expect([newsAt(on, on.alerts), discord.messages(on.alerts).length]).toEqual([1, 1]);
  });

  it("during a rate limit leaves an uncertain alert uncertain: it is found, not sent again", async () => {
    const on = await openSubscribed();
    on.discord.faults.add(faults.storedThenReset, { ...POSTS, times: 1 });
    const endLimit = on.discord.faults.add(tooMany({ "retry-after": "20" }, { retry_after: 20 }), { path: POSTS.path });
    await on.app.announce({ ticker: "NEWS" });
    await waitUntil("it is uncertain", () => on.app.log.count("delivery outcome unknown") > 0);
    on.clock.skip(MINUTE_MS);
    endLimit();
    const endRejection = on.discord.faults.add(faults.refusal(401, 0, "401: Unauthorized"), { path: POSTS.path });
    on.clock.skip(5 * MINUTE_MS);
    await waitUntil("it stopped", () => on.app.log.count("discord credentials rejected") === 1);
    on.clock.skip(10 * MINUTE_MS);
    endRejection();
    on.clock.skip(10 * MINUTE_MS);
    await on.app.delivered();
    expect([newsAt(on, on.alerts), on.discord.suppressed]).toEqual([1, 0]);
  });
});

describe("Discord's gateway", () => {
  it.each([
    ["is reset", (on: TradersApp) => on.discord.gateway.drop()],
    ["asks to reconnect", (on: TradersApp) => on.discord.gateway.askToReconnect()],
    ["invalidates the session", (on: TradersApp) => on.discord.gateway.invalidate()],
    ["is closed with an unknown error", (on: TradersApp) => on.discord.gateway.close(4_000)],
  ])("that %s recovers: commands are answered and alerts are sent", async (_, disturb) => {
    const on = await openSubscribed();
    const { gateway } = on.discord;
    const connections = gateway.resumes + gateway.identifications.length;
    disturb(on);
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered();
    await waitUntil("it is back", () => gateway.resumes + gateway.identifications.length > connections);
    expect((await on.ada.slash("/splits list", {}, on.alerts)).text).toContain("NEWS");
    await waitUntil("it is ready", async () => (await readReadiness(on.app.address)).ready);
  });

  it("does not prevent the start during an outage, and is connected afterwards", async () => {
    const on = await stage({ limits: NO_LIMITS });
    on.discord.gateway.refusing = true;
    const away = on.discord.faults.add(faults.status(503));
    const starting = on.start();
    await waitUntil("it asked", () => on.discord.requests.length > 0);
    away();
    on.discord.gateway.refusing = false;
    const connected = waitUntil("it is connected", () => {
      on.clock.skip(MINUTE_MS);
      return on.discord.gateway.connected === 1;
    });
    const [app] = await Promise.all([starting, connected]);
    expect((await readReadiness(app.address)).ready).toBe(true);
  });

  it("does not delay the stop if it does not answer", async () => {
    const on = await openSubscribed();
    on.discord.gateway.invalidate();
    await waitUntil("it reconnects", () => on.discord.gateway.connected === 0);
    const elapsedMs = startStopwatch();
    await on.app.stop();
    // The closing handshake would take half a minute.
    expect(elapsedMs()).toBeLessThan(15_000);
  });

  it("receives only the Guilds intent", async () => {
    const on = await openSubscribed();
    expect(on.discord.gateway.identifications.map(({ intents }) => intents)).toEqual([1]);
  });
});

describe("without a data source", () => {
  it("no sample data is sent to Discord, and the status says so", async () => {
    const on = await stage({ limits: NO_LIMITS });
    const { ada, alerts } = traders(on.discord);
    const app = await on.start({
      SPLITS_API_URL: "",
      SPLITS_API_KEY: "",
      SPLITWATCH_CONFIG: SETTINGS_FILES.noWireAnswers,
    });
    await waitUntil("it is connected", () => on.discord.gateway.connected === 1 && on.discord.commands.length > 0);
    expect((await ada.slash("/splits list", {}, alerts)).text).toContain("Splits can't be read now");
    expect((await ada.slash("/splits status", {}, alerts)).text).toMatch(/0 of \d+ split sources can be read/);
    expect(app.log.text()).not.toContain(on.discord.token);
  });
});

describe("a data service that serves sample data", () => {
  it("is named in the status, and no alert of it is sent to Discord", async () => {
    const on = await stage({ limits: NO_LIMITS });
    const { ada, alerts } = traders(on.discord);
    on.upstream.sample = true;
    const app = await on.start();
    await ada.slash("/splits subscribe", {}, alerts);
    await app.announce({ ticker: "NEWS" });
    expect(app.log.count("event detected")).toBe(1);
    expect(await app.waiting()).toBe(0);
    expect(on.discord.messages(alerts).filter((message) => textOf(message).includes("NEWS"))).toEqual([]);
    expect((await ada.slash("/splits status", {}, alerts)).text).toContain(
      "Sample data (invented companies), served by the data service",
    );
    expect((await ada.slash("/splits show", { ticker: "NEWS" }, alerts)).text).toContain("SAMPLE");
  });
});

describe("the log", () => {
  it("never contains the token, not even in errors", async () => {
    const on = await openSubscribed();
    on.discord.faults.add(faults.status(500), { times: 2 });
    await on.app.announce({ ticker: "NEWS" });
    await on.app.delivered();
    expect(on.app.log.text()).not.toContain(on.discord.token);
  });
});
