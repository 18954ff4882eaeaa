import { ChannelType, PermissionFlagsBits } from "discord.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { anArticleRow, aSplitRow } from "../../support/upstream.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { objectsIn, textOf } from "./model.ts";
import { startTraders, type TradersApp } from "./traders.ts";

const NOW_LISTED = [
  aSplitRow(),
  aSplitRow({ ticker: "BOLT", exchange: "NYSE", company: "Bolt Marine Corp.", ratio: "1:8", ex_date: "2026-03-17" }),
  ...Array.from({ length: 24 }, (_, index) => aSplitRow({ ticker: `ROW${index}`, ex_date: "2026-03-20" })),
];

const RELEASE = anArticleRow({
  content:
    "Acme Robotics Inc. (NASDAQ: ACME) will combine every twenty shares into one. No fractional shares will be issued; holders receive cash in lieu.",
});

/** Checks that Discord accepts every request and response, within its deadlines. */
async function open(): Promise<TradersApp> {
  const opened = await startTraders({ splits: NOW_LISTED, articles: [RELEASE] });
  onTestFinished(() => {
    expect(opened.discord.violations).toEqual([]);
    expect(Math.max(0, ...opened.discord.acknowledgedMs)).toBeLessThan(2_500);
    expect(opened.app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
  return opened;
}

describe("a subcommand on Discord", () => {
  it.each([
    ["list", {}, ["26 reverse splits", "ACME", "1-for-20", "10 Mar 2026"]],
    ["list", { exchange: "NYSE" }, ["1 reverse split", "BOLT", "1-for-8"]],
    ["list", { when: "week" }, ["No reverse split"]],
    [
      "show",
      { ticker: "ACME" },
      ["ACME 1-for-20 reverse split", "Acme Robotics Inc.", "cash in lieu", "Tue 10 Mar 2026"],
    ],
    ["articles", { ticker: "ACME" }, ["1 press release on ACME", "Acme Robotics Announces Reverse Stock Split"]],
    ["watch", { tickers: "ACME, bolt and $ROW1" }, ["You now watch", "ACME", "BOLT", "ROW1", "[Undo]"]],
    ["unwatch", { tickers: "ACME" }, ["ACME"]],
    ["watchlist", {}, ["Your watchlist is empty"]],
    [
      "subscribe",
      { exchange: "NASDAQ", minratio: "20", exclude: "OTC" },
      ["Rule 1 is set", "on Nasdaq", "1-for-20 or steeper", "except on OTC"],
    ],
    ["unsubscribe", {}, ["rule"]],
    ["subscriptions", {}, ["no rules"]],
    ["test", {}, ["The test card was delivered"]],
    [
      "calc",
      { shares: "150", ticker: "ACME" },
      ["150 ACME shares at 1-for-20", "7 new shares and cash for 0.5 of a share", "STATED", "cash in lieu"],
    ],
    ["calc", { shares: "1,234.5", ratio: "1-for-7.7" }, ["160 or 161 new shares", "about 160.3247"]],
    ["mute", { for: "2h" }, ["Your alerts are muted until Mon 2 Mar 2026, 11:", "[Undo]"]],
    [
      "mute",
      { for: "1 day 12 hours", scope: "channel" },
      ["This channel's alerts are muted until Tue 3 Mar 2026, 21:"],
    ],
    ["unmute", {}, ["Your alerts weren't muted"]],
    ["settings", {}, ["Your settings", "America/New_York (the default)", "Quiet hours", "[Digest on]"]],
    [
      "settings",
      { timezone: "Pacific/Auckland", reminders: "off", digest: "on", quiet: "10pm - 7am" },
      ["Your settings were changed", "Pacific/Auckland, now Tue 3 Mar 2026", "22:00-07:00", "[Undo]"],
    ],
    ["settings", { timezone: "New York", scope: "channel" }, ["This channel's settings were changed"]],
    ["calendar", {}, ["26 upcoming ex dates", "Tue 10 Mar 2026", "ACME 1-for-20 on Nasdaq", "PUBLIC_URL isn't set"]],
    ["export", {}, ["0 tickers, 0 rules and your settings"]],
    [
      "import",
      { text: "ACME, BOLT\nwhat-is-this" },
      ["Imported from your text: 2 tickers", 'got "what-is-this"', "[Undo]"],
    ],
    ["import", {}, ["What do you want to import?"]],
    ["forget", {}, ["Delete everything stored about you?", "[Delete it all]"]],
    ["why", { ticker: "ACME" }, ["ACME"]],
    ["status", {}, ["0.1.0"]],
    ["help", {}, ["/splits watch", "/splits subscribe"]],
  ])("answers /splits %s %o in time, privately, with the facts", async (name, options, facts) => {
    const { ada, alerts } = await open();
    const answer = await ada.slash(`/splits ${name}`, options, alerts);
    expect(answer.ephemeral).toBe(true);
    for (const fact of facts) expect(plain(answer.text)).toContain(fact);
  });

  it("exists for each command, with options that a client can show", async () => {
    const { discord, app, ada, alerts } = await open();
    const [splits, ...others] = discord.commands;
    expect(others).toEqual([]);
    const subcommands = objectsIn(splits?.options).map(({ name }) => String(name));
    const help = await ada.slash("/splits help", {}, alerts);
    for (const name of subcommands) expect(plain(help.text)).toContain(`/splits ${name}`);
    expect(splits?.default_member_permissions).toBeNull();
    expect(app.log.count("discord commands registered")).toBe(1);
  });

  it.each([
    ["show", { ticker: "not a ticker" }, "an example", /show/],
    ["show", { ticker: "ZZZZ" }, "that nothing is known", /No reverse split of ZZZZ is known/],
    ["articles", { ticker: "ACME", from: "yesterdayish" }, "the format of a day", /from/],
    ["subscribe", { minratio: "steep" }, "the format of a ratio", /minratio/],
    ["watch", { tickers: "????" }, "the format of a ticker", /ticker/i],
    ["calc", { shares: "150" }, "that a ticker or a ratio is needed", /ticker or ratio: missing/],
    ["calc", { shares: "many", ticker: "ACME" }, "the format of a number of shares", /shares: got "many"/],
    [
      "calc",
      { shares: "150", ticker: "ZZZZ" },
      "the form with a ratio",
      /No reverse split of ZZZZ is listed[\s\S]*ratio:1-for-20/,
    ],
    ["mute", { for: "forever" }, "the format of a duration", /for: got "forever", expected a duration/],
    ["settings", { timezone: "EST" }, "the intended time zone", /Did you mean America\/New_York\?/],
    ["settings", { timezone: "+12:00" }, "the format of a time zone", /expected a time zone such as/],
    ["settings", { quiet: "22:00" }, "the format of quiet hours", /expected hours such as 22:00-07:00/],
    ["unsubscribe", { rule: "99" }, "that the rule does not exist", /no rule/i],
    ["subscribe", { exchange: "mention:everyone @everyone <@&1>" }, "no mention", /exchange/],
    ["show", { ticker: `A${"x".repeat(3_999)}` }, "the problem in short", /show/],
    [
      "show",
      { ticker: `A${"x".repeat(5_999)}` },
      "both lengths",
      /"ticker" has 6,000 characters; the maximum is 4,000/,
    ],
  ])("that is invalid, /splits %s %o, is answered with %s", async (name, options, _, said) => {
    const { ada, alerts } = await open();
    const answer = await ada.slash(`/splits ${name}`, options, alerts);
    expect(answer.ephemeral).toBe(true);
    expect(plain(answer.text)).toMatch(said);
    expect(answer.message.pings).toEqual([]);
  });

  it("is registered again only after a change", async () => {
    const { start, app, discord } = await open();
    await app.stop();
    const second = await start();
    await waitUntil("it looked", () => discord.requests.filter(isCommands("GET")).length === 2);
    await second.stop();
    expect(discord.requests.filter(isCommands("PUT"))).toHaveLength(1);
  });
});

describe("autocompletion on Discord", () => {
  it("offers the person's watchlist and current splits first", async () => {
    const { ada, alerts } = await open();
    await ada.slash("/splits watch", { tickers: "ZEBRA" }, alerts);
    const values = (await ada.autocomplete("/splits show", { name: "ticker", typed: "" }, alerts)).map(
      ({ value }) => value,
    );
    expect(values[0]).toBe("ZEBRA");
    expect(values).toContain("ACME");
    const typed = await ada.autocomplete("/splits show", { name: "ticker", typed: "bo" }, alerts);
    expect(typed.map(({ value }) => value)).toEqual(["BOLT"]);
    const held = await ada.autocomplete("/splits calc", { name: "ticker", typed: "bo" }, alerts);
    expect(held.map(({ value }) => value)).toEqual(["BOLT"]);
  });

  it("offers time zones by name and city with their current time, and the values of a switch", async () => {
    const { ada, alerts, discord } = await open();
    const zones = await ada.autocomplete("/splits settings", { name: "timezone", typed: "" }, alerts);
    expect(zones[0]?.name).toMatch(/^America\/New_York · Mon 2 Mar 2026, 09:\d\d EST$/);
    const found = await ada.autocomplete("/splits settings", { name: "timezone", typed: "new yo" }, alerts);
    expect(found.map(({ value }) => value)).toEqual(["America/New_York"]);
    const cities = await ada.autocomplete("/splits settings", { name: "timezone", typed: "auck" }, alerts);
    expect(cities.map(({ value }) => value)).toEqual(["Pacific/Auckland"]);
    const settings = objectsIn(discord.commands[0]?.options).find(({ name }) => name === "settings");
    const digest = objectsIn(settings?.options).find(({ name }) => name === "digest");
    expect(objectsIn(digest?.choices).map(({ value }) => value)).toEqual(["on", "off"]);
  });

  it("continues lists and offers exchanges", async () => {
    const { ada, alerts } = await open();
    const exchanges = await ada.autocomplete("/splits subscribe", { name: "exchange", typed: "NY" }, alerts);
    expect(exchanges.map(({ value }) => value)).toContain("NYSE");
    const more = await ada.autocomplete("/splits subscribe", { name: "tickers", typed: "ACME,BO" }, alerts);
    expect(more.map(({ value }) => value)).toEqual(["ACME,BOLT"]);
    const nonsense = await ada.autocomplete("/splits show", { name: "ticker", typed: "\u0000@everyone" }, alerts);
    expect(nonsense).toEqual([]);
  });
});

describe("a button on Discord", () => {
  it("replaces a page of an answer", async () => {
    const { ada, alerts } = await open();
    const first = await ada.slash("/splits list", {}, alerts);
    const firstText = first.text;
    const next = await ada.press(first.message, "Next", alerts);
    expect(next.message.id).toBe(first.message.id);
    expect(next.text).not.toBe(firstText);
    const back = await ada.press(next.message, "Previous", alerts);
    expect(back.text).toBe(firstText);
  });

  it("undoes a command", async () => {
    const { ada, alerts } = await open();
    const watched = await ada.slash("/splits watch", { tickers: "ACME" }, alerts);
    const undone = await ada.press(watched.message, "Undo", alerts);
    expect(plain(undone.text)).toContain("ACME");
    expect((await ada.slash("/splits watchlist", {}, alerts)).text).toContain("Your watchlist is empty");
  });

  it("shares an answer with the channel and mentions nobody", async () => {
    const { ada, alerts, discord } = await open();
    const answer = await ada.slash("/splits show", { ticker: "ACME" }, alerts);
    const shared = await ada.press(answer.message, "Share", alerts);
    expect(shared.ephemeral).toBe(false);
    expect(discord.messages(alerts).map(textOf).join()).toContain("ACME 1-for-20 reverse split");
    expect(discord.messages(alerts).flatMap(({ pings }) => pings)).toEqual([]);
    expect(discord.messages(alerts).flatMap(({ nonce }) => nonce)).toEqual([null]);
  });

  it("on an alert answers each presser privately, also after a restart", async () => {
    const { start, app, ada, bird, alerts, discord } = await open();
    await ada.slash("/splits subscribe", {}, alerts);
    await app.announce({ ticker: "NEWS", ratio: "1:12" });
    await app.delivered();
    await app.stop();
    await start();
    const [alert] = discord.messages(alerts);
    if (!alert) throw new Error("no alert");
    const before = textOf(alert);
    const watched = await bird.press(alert, "Watch NEWS", alerts);
    expect([watched.ephemeral, watched.message.id === alert.id]).toEqual([true, false]);
    expect(plain(watched.text)).toContain("You now watch NEWS");
    expect(plain((await bird.press(alert, "Details", alerts)).text)).toContain("NEWS 1-for-12");
    expect(textOf(alert)).toBe(before);
  });

  it("with an unknown ID is answered with help", async () => {
    const { ada, alerts } = await open();
    const answer = await ada.slash("/splits list", {}, alerts);
    const [row] = answer.message.components as { components: { label: string; custom_id: string }[] }[];
    const [button] = row?.components ?? [];
    if (!button) throw new Error("no button");
    button.custom_id = "of an older version";
    expect((await ada.press(answer.message, button.label, alerts)).text).toMatch(/\w/);
  });
});

describe("permission to change a channel's rules", () => {
  it("is checked at each use", async () => {
    const { ada, bird, alerts, guild, discord } = await open();
    const refused = await bird.slash("/splits subscribe", {}, alerts);
    expect(plain(refused.text)).toContain("Manage Server");
    expect((await ada.slash("/splits subscribe", {}, alerts)).text).toContain("Rule 1 is set");
    guild.members.set(ada.id, new Set());
    expect(plain((await ada.slash("/splits unsubscribe", { rule: "1" }, alerts)).text)).toContain("Manage Server");
    const admins = discord.world.addRole(guild, "admins", { permissions: PermissionFlagsBits.Administrator });
    guild.members.set(bird.id, new Set([admins.id]));
    expect((await bird.slash("/splits unsubscribe", { rule: "1" }, alerts)).text).toContain("Rule 1 was removed");
  });

  it("covers settings and mute of the channel; personal ones need no permission", async () => {
    const { ada, bird, alerts } = await open();
    for (const [name, options] of [
      ["mute", { for: "2h", scope: "channel" }],
      ["unmute", { scope: "channel" }],
      ["settings", { digest: "on", scope: "channel" }],
    ] as const) {
      expect(plain((await bird.slash(`/splits ${name}`, options, alerts)).text)).toContain("Manage Server");
      expect(plain((await ada.slash(`/splits ${name}`, options, alerts)).text)).not.toContain("Manage Server");
    }
    expect(plain((await bird.slash("/splits settings", { scope: "channel" }, alerts)).text)).toContain("Digest:** on");
    expect((await bird.slash("/splits mute", { for: "2h" }, alerts)).text).toContain("Your alerts are muted");
    expect((await bird.slash("/splits mute", { for: "2h", scope: "channel" }, "dm")).text).toContain("no channel here");
  });

  it("covers test cards in the channel; in a direct message they need no permission", async () => {
    const { ada, bird, alerts } = await open();
    expect(plain((await bird.slash("/splits test", {}, alerts)).text)).toContain("Manage Server");
    expect((await bird.slash("/splits test", {}, "dm")).text).toContain("The test card was delivered");
    expect((await ada.slash("/splits test", {}, alerts)).text).toContain("The test card was delivered");
  });

  it("cannot be bypassed with another person's button", async () => {
    const { ada, bird, alerts } = await open();
    const set = await ada.slash("/splits subscribe", {}, alerts);
    for (const { label } of set.buttons) await bird.press(set.message, label, alerts);
    expect((await ada.slash("/splits subscriptions", {}, alerts)).text).toContain("has 1 rule");
  });

  it("is not required for public information", async () => {
    const { bird, alerts } = await open();
    for (const name of ["list", "watchlist", "subscriptions", "status", "help"]) {
      expect(plain((await bird.slash(`/splits ${name}`, {}, alerts)).text)).not.toContain("Manage Server");
    }
  });

  it.each([
    ["one that everyone may mention", { mentionable: true }, 0n, "rings"],
    ["one that may not be mentioned", { mentionable: false }, 0n, "silent"],
    [
      "one that requires the permission to mention everyone",
      { mentionable: false },
      PermissionFlagsBits.MentionEveryone,
      "rings",
    ],
  ])("decides whether a role can be mentioned: %s", async (_, role, more, result) => {
    const { ada, alerts, guild, discord, app } = await open();
    const called = discord.world.addRole(guild, "desk", role);
    const extra = discord.world.addRole(guild, "extra", { permissions: more });
    guild.members.get(ada.id)?.add(extra.id);
    const answer = await ada.slash("/splits subscribe", { mention: called.id }, alerts);
    await app.announce({ ticker: "NEWS" });
    await app.delivered();
    expect(discord.messages(alerts).flatMap(({ pings }) => pings)).toEqual(result === "rings" ? [called.id] : []);
    expect(answer.text.includes("Rule 1 is set")).toBe(result === "rings");
  });

  it("never allows mentioning everyone", async () => {
    const { ada, alerts, guild } = await open();
    const answer = await ada.slash("/splits subscribe", { mention: guild.everyone.id }, alerts);
    expect(plain(answer.text)).toContain("No rule was set");
  });
});

describe("destinations on Discord", () => {
  it("include a direct conversation with personal rules, watchlists and their alerts", async () => {
    const { ada, discord, app } = await open();
    expect((await ada.slash("/splits subscribe", { exchange: "NYSE" }, "dm")).text).toContain("Rule 1 is set");
    await ada.slash("/splits watch", { tickers: "NEWS" }, "dm");
    expect((await ada.slash("/splits test", {}, "dm")).text).toContain("The test card was delivered");
    await app.announce({ ticker: "NEWS" }, { ticker: "CORE", exchange: "NYSE" });
    await app.delivered();
    const received = discord.messages(ada.direct).map(textOf).join("\n");
    expect(received).toContain("NEWS 1-for-20");
    expect(received).toContain("CORE 1-for-20");
  });

  it("send watchlist alerts of people in a server through a direct channel that was opened in advance", async () => {
    const { bird, alerts, discord, app } = await open();
    await bird.slash("/splits watch", { tickers: "NEWS" }, alerts);
    const opened = (): number =>
      discord.requests.filter(({ path, status }) => path === "/users/@me/channels" && status === 200).length;
    await waitUntil("the conversation is open", () => opened() === 1);
    await app.announce({ ticker: "NEWS" });
    await app.delivered();
    expect(discord.messages(bird.direct).map(textOf).join()).toContain("NEWS 1-for-20");
    expect(discord.messages(alerts)).toEqual([]);
    expect(opened()).toBe(1);
  });

  it.each([
    ["a thread", ChannelType.PublicThread, ChannelType.GuildText],
    ["a forum post", ChannelType.PublicThread, ChannelType.GuildForum],
  ])("include %s, with rules and alerts", async (_, type, of) => {
    const { guild, ada, discord, app } = await open();
    const parent = discord.addChannel(guild, "parent", { type: of });
    const thread = discord.addChannel(guild, "thread", { type, parent });
    expect((await ada.slash("/splits subscribe", {}, thread)).text).toContain("Rule 1 is set");
    await app.announce({ ticker: "NEWS" });
    await app.delivered();
    expect(discord.messages(thread).map(textOf).join()).toContain("NEWS 1-for-20");
  });

  it("answer in a server without the bot for user installations, but cannot subscribe there", async () => {
    const { ada, discord, app } = await open();
    const elsewhere = discord.world.addGuild("Elsewhere");
    const channel = discord.addChannel(elsewhere, "general");
    elsewhere.members.set(ada.id, new Set());
    elsewhere.everyone.permissions |= PermissionFlagsBits.ManageGuild;
    await expect(ada.slash("/splits list", {}, channel)).rejects.toThrow("not installed here");
    ada.account.installedApp = true;
    expect((await ada.slash("/splits show", { ticker: "ACME" }, channel)).text).toContain("ACME");
    expect((await ada.slash("/splits subscribe", {}, channel)).text).not.toContain("Rule 1 is set");
    await ada.slash("/splits watch", { tickers: "NEWS" }, channel);
    await app.announce({ ticker: "NEWS" });
    await app.delivered();
    expect(discord.messages(ada.direct).map(textOf).join()).toContain("NEWS 1-for-20");
    expect(discord.messages(channel)).toEqual([]);
  });
});

function isCommands(wanted: string) {
  return ({ method, path }: { method: string; path: string }): boolean =>
    method === wanted && path.endsWith("/commands");
}

/** The text as clients display it, without escapes. */
function plain(text: string): string {
  return text.replace(/\\([^a-z\d\s])/gi, "$1").replaceAll("\u200B", "");
}
