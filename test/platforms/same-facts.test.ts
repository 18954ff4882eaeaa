import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Card } from "../../src/chat/web/page/protocol.ts";
import { EVENT_KINDS } from "../../src/domain/alert/event.ts";
import { anArticleRow, aSplitRow, lies } from "../support/upstream.ts";
import { type BothPlatforms, openBothPlatforms } from "./both-platforms.ts";
import { missingFrom } from "./card-facts.ts";
import { textOf } from "./discord/model.ts";
import type { FakeDiscord } from "./discord/server.ts";
import type { Traders } from "./discord/traders.ts";
import type { SlackBench } from "./slack/bench.ts";
import { ACME, ACME_LATER, ACME_RELEASE, BRAVO, MANY, MONDAY, SOON } from "./slack/rows.ts";
import { shownText } from "./slack/users/message-text.ts";

const NEWC_RELEASE = anArticleRow({
  url: "https://wire.example/newc",
  heading: "Newcomer Announces 1-for-30 Reverse Stock Split",
  content: "Newcomer Inc. (NASDAQ: NEWC) today announced that it will effect a 1-for-30 reverse stock split.",
});

const BRAVO_VOTES = anArticleRow({
  url: "https://wire.example/bravo-votes",
  heading: "Bravo Stockholders Approve Proposals",
  content: `The stockholders of Bravo & Sons (NASDAQ: BRVO) approved a reverse stock split at a ratio between 1-for-5 and 1-for-40, to be chosen by the board.`,
});

const BRAVO_CANCELS = anArticleRow({
  url: "https://wire.example/bravo-cancels",
  heading: "Bravo Cancels Reverse Stock Split",
  content: `Bravo & Sons (NASDAQ: BRVO) announced today that it has cancelled its previously announced reverse stock split.`,
  date_published: "2026-03-03",
});

/** A split of ACME ten days ago, followed by another one and by invalid rows. */
const ACME_BEFORE = aSplitRow({ ratio: "1:120", ex_date: "2026-02-20", date_announced: "2026-02-10" });
const SECOND_AND_INVALID = [
  aSplitRow({ ex_date: "2026-03-06" }),
  aSplitRow({ ticker: "TWIN", company: "Twin Corp.", ratio: "1:5", ex_date: "2026-03-04" }),
  aSplitRow({ ticker: "TWIN", company: "Twin Corp.", ratio: "1:6", ex_date: "2026-03-05" }),
  aSplitRow({ ticker: "ODDR", company: "Odd Ratio Inc.", ratio: "10:77", ex_date: "2026-03-07" }),
];

/** One app on Slack, Discord and the web page. */
let both: BothPlatforms;
let discord: FakeDiscord;
let bench: SlackBench;
let onDiscord: Traders;

beforeEach(async () => {
  both = await openBothPlatforms({ now: MONDAY, splits: [BRAVO, ...MANY] });
  ({ discord, bench, onDiscord } = both);
});

afterEach(() => both.close());

type Options = Readonly<Record<string, unknown>>;

/** A command line, and the same command with Discord's typed options. */
const LINES: readonly (readonly [string, string, Options])[] = [
  ["list when:all", "list", { when: "all" }],
  ["list exchange:NYSE when:all", "list", { exchange: "NYSE", when: "all" }],
  ["show ACME", "show", { ticker: "ACME" }],
  ["show NONE", "show", { ticker: "NONE" }],
  ["show NEWC", "show", { ticker: "NEWC" }],
  ["articles ticker:ACME", "articles", { ticker: "ACME" }],
  ["watch ACME BRVO", "watch", { tickers: "ACME BRVO" }],
  ["watchlist", "watchlist", {}],
  ["unwatch ACME", "unwatch", { tickers: "ACME" }],
  ["subscribe exchange:NASDAQ minratio:20", "subscribe", { exchange: "NASDAQ", minratio: "20" }],
  ["subscriptions", "subscriptions", {}],
  ["unsubscribe all", "unsubscribe", { rule: "all" }],
  ["calc ACME 150", "calc", { shares: "150", ticker: "ACME" }],
  ["calc 1-for-7.7 1,234.5", "calc", { shares: "1,234.5", ratio: "1-for-7.7" }],
  ["calc NONE 10", "calc", { shares: "10", ticker: "NONE" }],
  ["calc 150", "calc", { shares: "150" }],
  ["calendar", "calendar", {}],
  ["calendar address:revoke", "calendar", { address: "revoke" }],
  ["mute for:2h", "mute", { for: "2h" }],
  ["settings", "settings", {}],
  ["unmute", "unmute", {}],
  [
    "settings timezone:Asia/Tokyo digest:on quiet:22:00-07:00 scope:channel",
    "settings",
    { timezone: "Asia/Tokyo", digest: "on", quiet: "22:00-07:00", scope: "channel" },
  ],
  ["settings timezone:EST", "settings", { timezone: "EST" }],
  ["export", "export", {}],
  ["import ACME, ZZZZ 12", "import", { text: "ACME, ZZZZ 12" }],
  ["forget", "forget", {}],
  ["help", "help", {}],
  ["list exchange:MARS", "list", { exchange: "MARS" }],
  ["list exchange:LSE", "list", { exchange: "LSE" }],
  ["show Bravo", "show", { ticker: "Bravo" }],
  ["watch apple computer", "watch", { tickers: "apple computer" }],
];

/** Facts of the cards that are missing on the other platforms. */
function lacking(cards: readonly Card[], shown: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(shown).flatMap(([platform, text]) =>
    cards.flatMap((card) => missingFrom(text, card).map((fact) => `${platform}: ${fact}`)),
  );
}

describe("Slack, Discord and the web page", () => {
  it("answer the same lines with the same facts", async () => {
    await bench.list(ACME, BRAVO, ...MANY);
    bench.upstream.articles = [ACME_RELEASE, NEWC_RELEASE];
    await bench.poll();
    const missing: Record<string, readonly string[]> = {};
    for (const [line, name, options] of LINES) {
      const cards = await bench.onWeb("ada", line, "alerts");
      const { messages } = await bench.slack.user("ada").slash(line, { channel: "general" });
      const answer = await onDiscord.ada.slash(`/splits ${name}`, options, onDiscord.alerts);
      const onDiscordText = [answer.message, ...answer.followUps].map(textOf).join("\n");
      const found = lacking(cards, { slack: messages.map(shownText).join("\n"), discord: onDiscordText });
      if (found.length > 0) missing[line] = found;
    }
    expect(missing).toEqual({});
  });

  it("differ in the hint how a file is attached", async () => {
    const [onWeb] = await bench.onWeb("ada", "import", "alerts");
    const { messages } = await bench.slack.user("ada").slash("import", { channel: "general" });
    const { text } = await onDiscord.ada.slash("/splits import", {}, onDiscord.alerts);
    const onSlack = messages.map(shownText).join("\n");
    const hints = ["Select Import, or paste", "Paste", "Use the file option, or paste"];
    expect([onWeb?.lines[0], onSlack, text]).toEqual(
      hints.map((hint) => expect.stringContaining(`${hint} the text after the command.`)),
    );
    if (onWeb === undefined) throw new Error("no answer on the web page");
    expect(lacking([{ ...onWeb, lines: onWeb.lines.slice(1) }], { slack: onSlack, discord: text })).toEqual([]);
  });

  it("send a test card of each kind of event, marked as a test", async () => {
    for (const kind of EVENT_KINDS) {
      await bench.onWeb("ada", `test kind:${kind}`, "alerts");
      await bench.slack.user("ada").slash(`test ${kind}`, { channel: "general" });
      await onDiscord.ada.slash("/splits test", { kind }, onDiscord.alerts);
      await bench.allDelivered();
      bench.clock.skip(1_000);
    }
    const cards = await bench.cardsOnWeb("alerts");
    expect(cards.map(({ badges }) => badges[0])).toEqual(EVENT_KINDS.map(() => "TEST"));
    expect(new Set(cards.map(({ title }) => title)).size).toBe(EVENT_KINDS.length);
    const slack = bench.slack.messages("general").map(shownText);
    const onDiscordTexts = discord.messages(onDiscord.alerts).map(textOf);
    for (const texts of [slack, onDiscordTexts]) {
      expect(texts).toHaveLength(EVENT_KINDS.length);
      for (const text of texts) expect(text).toContain("TEST");
    }
    // The requester is a different person on each platform.
    const facts = cards.map((card) => ({ ...card, facts: card.facts.filter(({ label }) => label !== "Requested by") }));
    expect(lacking(facts, { slack: slack.join("\n"), discord: onDiscordTexts.join("\n") })).toEqual([]);
  });

  it("send the same alerts", async () => {
    await bench.onWeb("ada", "subscribe events:all", "alerts");
    await bench.slack.user("ada").slash("subscribe events:all", { channel: "general" });
    await onDiscord.ada.slash("/splits subscribe", { events: "all" }, onDiscord.alerts);
    await bench.list(BRAVO, ACME, SOON, ...MANY);
    bench.upstream.articles = [ACME_RELEASE, NEWC_RELEASE, BRAVO_VOTES];
    await bench.poll();
    await bench.list(BRAVO, ACME_LATER, SOON, ...MANY);
    bench.clock.setTo("2026-03-03T15:00:00Z");
    await bench.run("remind");
    await bench.allDelivered();
    for (let polls = 0; polls < 4; polls += 1) await bench.list(ACME_LATER, SOON, ...MANY);
    bench.upstream.articles = [BRAVO_CANCELS];
    await bench.poll();
    // On Slack and Discord, the release of ACME joined the message with its listing.
    const cards = (await bench.cardsOnWeb("alerts")).filter(({ title }) => !title.startsWith("ACME: Acme Robotics"));
    expect(cards.length).toBeGreaterThanOrEqual(8);
    const alertText = JSON.stringify(cards);
    for (const words of ["NOT YET A SPLIT", "not listed yet", "This explains why"]) expect(alertText).toContain(words);
    const shown = {
      slack: bench.slack
        .messages("general")
        .map((message) => shownText({ ...message, ...message.original }))
        .join("\n"),
      discord: discord
        .messages(onDiscord.alerts)
        .map((message) => textOf(message.original ?? message))
        .join("\n"),
    };
    expect(lacking(cards, shown)).toEqual([]);
    // The number of alerts is the same, not only their content.
    expect(bench.slack.messages("general").length).toBe(discord.messages(onDiscord.alerts).length);
  });

  it("show the same facts about inconsistent rows, an issuer that splits again, and outdated data", async () => {
    await bench.onWeb("ada", "subscribe events:announced,stale", "alerts");
    await bench.slack.user("ada").slash("subscribe events:announced,stale", { channel: "general" });
    await onDiscord.ada.slash("/splits subscribe", { events: "announced,stale" }, onDiscord.alerts);
    // In the first polls, many new rows are adopted as part of the first list.
    for (let polls = 0; polls < 3; polls += 1) await bench.list(ACME_BEFORE, BRAVO, ...MANY);
    await bench.list(...SECOND_AND_INVALID, BRAVO, ...MANY);
    const show = await bench.onWeb("ada", "show ACME", "alerts");
    const list = await bench.onWeb("ada", "list when:week", "alerts");
    const shown = {
      slack: await slackText(["show ACME", "list when:week"]),
      discord: await discordText([
        ["show", { ticker: "ACME" }],
        ["list", { when: "week" }],
      ]),
    };
    expect(lacking([...show, ...list], shown)).toEqual([]);
    const answers = JSON.stringify([...show, ...list]);
    expect(answers).toContain("Second reverse split in 24 months: 1-for-2,400 in total.");
    for (const badge of ["2 SPLITS IN 24 MONTHS", "CHECK"]) expect(answers).toContain(badge);

    bench.upstream.injectFault(lies.status(500));
    bench.clock.skip(40 * 60_000);
    await bench.poll();
    bench.upstream.clearFault();
    await bench.poll();
    const cards = await bench.cardsOnWeb("alerts");
    const alertText = JSON.stringify(cards);
    const expected = [
      "1-for-2,400 in total",
      "The list has another row for TWIN: 1-for-6",
      "The data is outdated",
      "The data is up to date again",
    ];
    for (const words of expected) expect(alertText).toContain(words);
    const alerts = {
      slack: bench.slack.messages("general").map(shownText).join("\n"),
      discord: discord.messages(onDiscord.alerts).map(textOf).join("\n"),
    };
    expect(lacking(cards, alerts)).toEqual([]);
  });
});

async function slackText(lines: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const line of lines) {
    const { messages } = await bench.slack.user("ada").slash(line, { channel: "general" });
    texts.push(...messages.map(shownText));
  }
  return texts.join("\n");
}

async function discordText(asked: readonly (readonly [string, Options])[]): Promise<string> {
  const texts: string[] = [];
  for (const [name, options] of asked) {
    const answer = await onDiscord.ada.slash(`/splits ${name}`, options, onDiscord.alerts);
    texts.push(...[answer.message, ...answer.followUps].map(textOf));
  }
  return texts.join("\n");
}
