import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Card } from "../../src/messages/message.ts";
import { type AppStart, cardsOf, type RunningApp, startApp, temporaryFolder, titlesOf } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import { CommandTraffic } from "../support/command-traffic.ts";
import { aDataFolder, type DataFolder } from "../support/data-folder.ts";
import { createRandom } from "../support/random.ts";
import { anArticleRow, aSplitRow } from "../support/upstream.ts";
import { waitUntil } from "../support/wait-until.ts";

const ACME = aSplitRow({ ex_date: "2026-03-10" });
const BETA = aSplitRow({
  ticker: "BETA",
  exchange: "NYSE",
  company: "Beta Mills Inc.",
  ratio: "1:5",
  ex_date: "2026-03-20",
});
const GAMMA = aSplitRow({ ticker: "GAMM", company: "Gamma Rail Corp.", ratio: "1:50", ex_date: "2026-03-27" });
const ACME_RELEASE = anArticleRow({
  content:
    "Acme Robotics Inc. (NASDAQ: ACME) announced a 1-for-20 reverse stock split. Fractional shares will be rounded up to the next whole share.",
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: DataFolder;
let app: RunningApp;

async function setUp(): Promise<void> {
  folder = await temporaryFolder();
  data = await aDataFolder(folder.path);
  await data.write({ splits: [ACME, BETA], articles: [ACME_RELEASE] });
}

async function tearDown(): Promise<void> {
  await app.stop();
  await folder.remove();
}

async function start(env: NonNullable<AppStart["env"]>): Promise<void> {
  app = await startApp({ dataDir: join(folder.path, "state"), env });
  await app.poll(3);
}

async function answerTo(line: string, where: { name?: string; channel?: string } = {}): Promise<string> {
  const { name = "alice", ...destination } = where;
  return (await app.run(name, line, destination)).map(cardText).join("\n");
}

/** Command of the button with this label. */
function commandOf(cards: readonly Card[], label: string): string {
  const found = cards.flatMap(({ buttons }) => buttons).find((button) => button.label === label);
  if (!found) throw new Error(`no button ${label} in ${JSON.stringify(cards)}`);
  return found.command;
}

async function show(splits: readonly Record<string, unknown>[]): Promise<void> {
  await data.write({ splits, articles: [ACME_RELEASE] });
  await app.followFolder();
}

const GOOD_LINES: readonly (readonly [line: string, answer: RegExp])[] = [
  ["list", /2 .*splits[\s\S]*ACME 1-for-20[\s\S]*BETA 1-for-5/],
  ["list exchange:nyse", /^1 (?!.*ACME)[\s\S]*BETA 1-for-5/],
  ["/splits list when:all", /ACME 1-for-20/],
  ["list today", /No .*split/],
  ["show acme", /ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026[\s\S]*rounded up to the next whole share/],
  ["show $BETA", /BETA 1-for-5 reverse split[\s\S]*Fractional shares: not stated/],
  ["show ticker:ZZZZ", /No reverse split of ZZZZ is known/],
  [
    "calc acme 150",
    /150 ACME shares at 1-for-20: 8 new shares, 7\.5 rounded up[\s\S]*\[STATED\] Rounded up[^\n]*8 whole/,
  ],
  ["calc 12.5 1:5", /12\.5 shares at 1-for-5: 2 or 3 new shares, depending/],
  ["articles", /^1 press release[\s\S]*Acme Robotics Announces/],
  ["articles ticker:ACME source:globenewswire from:2026-03-01 to:2026-03-02", /^1 press release on ACME/],
  ["articles source:newsfile", /^No press releases from Newsfile/],
  ["watch ACME", /^You now watch ACME[\s\S]*ACME \| 1-for-20 on Nasdaq/],
  ["watch acme,$beta; BRK.B", /^You now watch ACME, BETA and BRK\.B/],
  ["unwatch ACME", /^You don't watch ACME/],
  ["watchlist", /^Your watchlist is empty/],
  ["subscribe", /^Rule 1 is set for this channel/],
  ["subscribe exchange:NASDAQ minratio:20 exclude:OTC events:announced,changed", /^Rule 1 is set for this channel/],
  ["subscribe fractional:round_up sources:globenewswire events:article", /^Rule 1 is set/],
  ["unsubscribe all", /^(This channel has|You have) no rules/],
  ["subscriptions", /^(This channel has|You have) no rules/],
  ["test", /^The test card was delivered/],
  ["mute 2h", /^Your alerts are muted until Mon 2 Mar 2026, 11:06 EST/],
  ["mute 1 day 12 hours channel", /^This channel's alerts are muted until Tue 3 Mar 2026, 21:06 EST/],
  ["unmute", /^Your alerts weren't muted/],
  ["settings", /^Your settings\nAlerts are sent immediately[\s\S]*Quiet hours: off/],
  ["settings pacific/auckland 10pm to 7am", /^Your settings were changed[\s\S]*GMT\+13[\s\S]*22:00-07:00/],
  ["settings scope:channel digest on", /^This channel's settings were changed[\s\S]*held until .+ \(digest\)/],
  ["export", /^Your export: 0 tickers, 0 rules and your settings/],
  [
    "import ACME, $BETA; BRK.B",
    /^Imported from your text: 3 tickers[\s\S]*Added to your watchlist: ACME, BETA and BRK\.B\./,
  ],
  ["forget", /^Delete everything stored about you\?/],
  ["why ACME", /^No event about ACME in the last 90 days/],
  ["status", /^Up to date[\s\S]*Splits: complete[\s\S]*2 listed splits, 1 press release/],
  ["help", /^splitwatch alerts you/],
  ["help subscribe", /^\/splits subscribe/],
  ["", /^splitwatch alerts you/],
];

const BAD_LINES: readonly (readonly [line: string, problem: RegExp])[] = [
  ["lst", /Unknown command "lst"[\s\S]*Did you mean list/],
  ["<script>alert(1)</script>", /Unknown command/],
  ["list when:someday", /when: got "someday", expected/],
  ["list exchange:", /exchange/],
  ["list page:0", /page: got "0"/],
  ["list page:-1", /page/],
  ["list color:red", /Unknown option "color"/],
  ["show", /ticker/],
  ["show THISISNOTATICKER", /Got "THISISNOTATICKER", expected a ticker/],
  ["articles from:2026-02-30", /from: got "2026-02-30"/],
  ["articles from:2026-03-02 to:2026-03-01", /from|to/],
  ["articles source:reuters", /source: got "reuters"/],
  ["watch", /tickers/],
  ["watch !!!", /tickers/],
  ["unwatch", /tickers/],
  ["subscribe minratio:cheap", /minratio: got "cheap"/],
  ["subscribe events:birthday", /events: got "birthday"/],
  ["subscribe tickers:ACME exclude:ACME", /exclude/],
  ["unsubscribe first", /Got "first", expected rule numbers/],
  ["why", /ticker/],
  ["why ACME page:two", /page: got "two"/],
  ["help dance", /dance/],
];

describe("a command on the web chat", () => {
  let asked = 0;

  /** A new person in a new channel. */
  function newCaller(): { readonly name: string; readonly channel: string } {
    asked += 1;
    return { name: `person-${asked}`, channel: `channel-${asked}` };
  }

  beforeAll(async () => {
    await setUp();
    await start(data.env);
  });

  afterAll(tearDown);

  it.each(GOOD_LINES)("answers %j", async (line, answer) => {
    expect(await answerTo(line, newCaller())).toMatch(answer);
  });

  it.each(BAD_LINES)(
    "answers %j with the problem and a working example, and changes nothing",
    async (line, problem) => {
      const requester = newCaller();
      const answer = await answerTo(line, requester);
      expect(answer).toMatch(problem);
      expect(await answerTo("watchlist", requester)).toMatch(/^Your watchlist is empty/);
      expect(await answerTo("subscriptions", requester)).toMatch(/^(This channel has|You have) no rules/);
      const example = /Example: \/splits (.*)/.exec(answer)?.[1];
      expect(example).toBeDefined();
      expect(await answerTo(example ?? "", requester)).not.toMatch(/Couldn't run|Unknown command/);
    },
  );

  it("is rejected if it is too long", async () => {
    expect(await answerTo(`watch ${"A ".repeat(1_990)}`, newCaller())).toMatch(/^You now watch A\n/);
    expect(await answerTo(`watch ${"A ".repeat(7_000)}`, newCaller())).toContain(
      "It has 14,005 characters; the maximum is 4,000 characters.",
    );
    await expect(app.run("alice", `watch ${"ACME ".repeat(10_000)}`)).rejects.toThrow("413");
  });
});

describe("a watchlist", () => {
  beforeEach(async () => {
    await setUp();
    await start(data.env);
  });

  afterEach(tearDown);

  it("sends alerts to its owner only", async () => {
    await app.run("alice", "watch GAMM");
    await show([ACME, BETA, GAMMA]);
    expect(titlesOf(await app.messages("alice"))).toEqual([expect.stringMatching(/^GAMM 1-for-50 reverse split/)]);
    expect(await app.messages("bob")).toEqual([]);
    expect(await app.messages("alice", "general")).toEqual([]);
  });

  it("is visible to its owner only, as are its alerts", async () => {
    await app.run("alice", "watch GAMM ACME");
    await app.run("bob", "watch BETA");
    expect(cardText((await app.run("alice", "watchlist"))[0] as Card)).toMatch(/^You watch 2 tickers(?![\s\S]*BETA)/);
    expect(cardText((await app.run("bob", "watchlist"))[0] as Card)).toMatch(/^You watch 1 ticker\n(?![\s\S]*ACME)/);
    await show([ACME, BETA, GAMMA]);
    const [message] = await app.messages("alice");
    expect((await app.get(`/api/messages/${message?.messageId}?name=alice`)).status).toBe(200);
    expect((await app.get(`/api/messages/${message?.messageId}?name=bob`)).status).toBe(404);
  });

  it("is restored by an undo", async () => {
    await app.run("alice", "watch ACME");
    const added = await app.run("alice", "watch BETA GAMM");
    await app.run("alice", commandOf(added, "Undo"));
    expect(await answerTo("watchlist")).toMatch(/^You watch 1 ticker\n/);
    const removed = await app.run("alice", "unwatch ACME");
    await app.run("alice", commandOf(removed, "Undo"));
    expect(await answerTo("watchlist")).toMatch(/^You watch 1 ticker\n.*ACME/);
  });
});

describe("a rule", () => {
  beforeEach(async () => {
    await setUp();
    await start(data.env);
  });

  afterEach(tearDown);

  it.each([
    ["subscribe", true],
    ["subscribe exchange:NASDAQ", true],
    ["subscribe exchange:NYSE", false],
    ["subscribe exclude:NASDAQ", false],
    ["subscribe tickers:GAMM", true],
    ["subscribe tickers:ACME,BETA", false],
    ["subscribe exclude:GAMM", false],
    ["subscribe minratio:50", true],
    ["subscribe minratio:51", false],
    ["subscribe events:announced", true],
    ["subscribe events:changed,missing", false],
    ["subscribe fractional:round_up", false],
  ])("added by %j matches a 1-for-50 split of GAMM on Nasdaq: %j", async (line, hears) => {
    await app.run("alice", line, { channel: "trading" });
    await show([ACME, BETA, GAMMA]);
    expect(await app.messages("bob", "trading")).toHaveLength(hears ? 1 : 0);
    expect(await app.messages("bob", "general")).toEqual([]);
  });

  it("in a direct message is for the caller", async () => {
    await app.run("alice", "subscribe exchange:NASDAQ", { direct: true });
    await show([ACME, BETA, GAMMA]);
    expect(await app.messages("alice")).toHaveLength(1);
    expect(await app.messages("bob")).toEqual([]);
  });

  it("that is one of several matching rules causes one alert, and why names all of them", async () => {
    await app.run("alice", "subscribe");
    await app.run("alice", "subscribe exchange:NASDAQ");
    await show([ACME, BETA, GAMMA]);
    expect(await app.messages("alice", "general")).toHaveLength(1);
    const why = await answerTo("why GAMM");
    expect(why).toMatch(/^1 event about GAMM in the last 90 days/);
    expect(why).toMatch(/sent [\s\S]*matched: rule 1 and rule 2/i);
    expect(await answerTo("why GAMM", { channel: "lobby" })).toMatch(/not sent: there are no rules here/i);
  });

  it("sends nothing after its removal and again after an undo", async () => {
    await app.run("alice", "subscribe exchange:NASDAQ");
    const removed = await app.run("alice", "unsubscribe 1");
    await show([ACME, BETA, GAMMA]);
    expect(await app.messages("alice", "general")).toEqual([]);
    await app.run("alice", commandOf(removed, "Undo"));
    expect(await answerTo("subscriptions")).toMatch(/1 rule[\s\S]*Nasdaq/i);
    await show([{ ...ACME, ratio: "1:25" }, BETA, GAMMA]);
    expect(titlesOf(await app.messages("alice", "general"))).toEqual([expect.stringMatching(/^ACME .*changed/)]);
    const added = await app.run("alice", "subscribe tickers:ACME");
    await app.run("alice", commandOf(added, "Undo"));
    expect(await answerTo("subscriptions")).toMatch(/1 rule/);
  });

  it("is named by why with the reason if it doesn't match", async () => {
    await app.run("alice", "subscribe minratio:100");
    await show([ACME, BETA, GAMMA]);
    expect(await answerTo("why GAMM")).toMatch(/not sent: .*the ratio is less steep than 1-for-100/i);
  });
});

describe("a test alert", () => {
  beforeEach(async () => {
    await setUp();
    await start(data.env);
  });

  afterEach(tearDown);

  it("arrives at its destination like every alert", async () => {
    const [answer] = await app.run("alice", "test", { channel: "trading" });
    const messages = await app.messages("bob", "trading");
    expect(cardsOf(messages).map(({ badges, title }) => ({ badges, title }))).toEqual([
      { badges: ["TEST"], title: "Test: splitwatch can post here" },
    ]);
    expect(answer?.link).toContain(messages[0]?.messageId ?? "?");
    await app.run("alice", "test", { direct: true });
    expect(await app.messages("alice")).toHaveLength(1);
    expect(await app.metric("splitwatch_deliveries_total", 'platform="web",outcome="sent"')).toBe(2);
  });
});

describe("test cards in large numbers", () => {
  beforeEach(async () => {
    await setUp();
    await start(data.env);
  });

  afterEach(tearDown);

  it("don't push an alert out of the page, and the answer names the maximum", async () => {
    await app.run("alice", "subscribe exchange:NASDAQ");
    await show([ACME, BETA, GAMMA]);
    const answers: string[] = [];
    for (let n = 0; n < 40; n += 1) answers.push(await answerTo("test", { name: `person-${n % 20}` }));
    const messages = await app.messages("bob", "general");
    expect(titlesOf(messages)[0]).toMatch(/^GAMM 1-for-50 reverse split/);
    expect(messages.length).toBe(1 + 20);
    expect(answers.at(-1)).toMatch(/20 test cards and shared answers were requested here within an hour/);
  });
});

describe("the built-in sample data", () => {
  beforeEach(setUp);

  afterEach(tearDown);

  it("is labeled on every card of answers and alerts", async () => {
    await start({});
    const [list] = await app.run("alice", "list when:all");
    const ticker = /^(\S+)/.exec(list?.rows[0]?.title ?? "")?.[1] ?? "";
    await app.run("alice", "subscribe events:all");
    for (const line of [
      "list",
      `show ${ticker}`,
      "articles",
      `watch ${ticker}`,
      "watchlist",
      "status",
      `why ${ticker}`,
    ]) {
      const [card] = await app.run("alice", line);
      expect({ line, badges: card?.badges }).toEqual({ line, badges: expect.arrayContaining(["SAMPLE"]) });
    }
    await app.clock.advance(60_000);
    await waitUntil("the first alert of the sample is sent", async () => {
      // With several processes, nothing is sent before the next heartbeat.
      await app.clock.advance(2_000);
      return (await app.messages("alice", "general")).length > 0;
    });
    for (const card of cardsOf(await app.messages("alice", "general"))) expect(card.badges).toContain("SAMPLE");
  });
});

describe("the commands that the crash tests send at random", () => {
  /** Several of every kind. */
  const COMMAND_COUNT = 60;

  beforeEach(async () => {
    await setUp();
    await start(data.env);
  });

  afterEach(tearDown);

  it("are answered as the crash tests expect", async () => {
    const traffic = new CommandTraffic(createRandom(1));
    let isSending = true;
    const sending = traffic.sendCommands(app.address, COMMAND_COUNT).finally(() => {
      isSending = false;
    });
    const advancing = waitUntil("all commands are answered", async () => {
      await app.clock.advance(50);
      return !isSending;
    });
    await Promise.all([sending, advancing]);
    expect((await traffic.checkSettings(app.address)).wrong).toEqual([]);
  });
});
