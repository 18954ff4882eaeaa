import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Card } from "../../src/messages/message.ts";
import { missingFrom } from "./card-facts.ts";
import { textOf } from "./discord/model.ts";
import { type FakeDiscord, startDiscord } from "./discord/server.ts";
import { traders } from "./discord/traders.ts";
import { SlackBench } from "./slack/bench.ts";
import { shownText } from "./slack/message-text.ts";
import { ACME, ACME_LATER, ACME_RELEASE, BRAVO, MANY, MONDAY, SOON } from "./slack/rows.ts";

/** One app on Slack, on Discord and on the web page at once: what one of them says, the others say too. */
let discord: FakeDiscord;
let bench: SlackBench;
let onDiscord: ReturnType<typeof traders>;

beforeEach(async () => {
  discord = await startDiscord();
  onDiscord = traders(discord);
  bench = await SlackBench.open({
    now: MONDAY,
    splits: [BRAVO, ...MANY],
    env: { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl },
  });
  await bench.until("Discord is connected", () => discord.gateway.connected > 0 && discord.commands.length > 0);
});

afterEach(async () => {
  const { violations } = discord;
  await bench.close();
  await discord.stop();
  if (violations.length > 0) throw new Error(`posted against Discord's rules:\n${violations.join("\n")}`);
});

type Options = Readonly<Record<string, unknown>>;

/** A line, and the same as Discord's typed options. */
const LINES: readonly (readonly [string, string, Options])[] = [
  ["list when:all", "list", { when: "all" }],
  ["list exchange:NYSE when:all", "list", { exchange: "NYSE", when: "all" }],
  ["show ACME", "show", { ticker: "ACME" }],
  ["show NONE", "show", { ticker: "NONE" }],
  ["articles ticker:ACME", "articles", { ticker: "ACME" }],
  ["watch ACME BRVO", "watch", { tickers: "ACME BRVO" }],
  ["watchlist", "watchlist", {}],
  ["unwatch ACME", "unwatch", { tickers: "ACME" }],
  ["subscribe exchange:NASDAQ minratio:20", "subscribe", { exchange: "NASDAQ", minratio: "20" }],
  ["subscriptions", "subscriptions", {}],
  ["unsubscribe all", "unsubscribe", { rule: "all" }],
  ["help", "help", {}],
  ["list exchange:MARS", "list", { exchange: "MARS" }],
];

/** What of the cards somebody on the other platforms does not get to read. */
function lacking(cards: readonly Card[], shown: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(shown).flatMap(([platform, text]) =>
    cards.flatMap((card) => missingFrom(text, card).map((fact) => `${platform}: ${fact}`)),
  );
}

describe("Slack, Discord and the web page", () => {
  it("answer the same lines with the same facts", async () => {
    await bench.list(ACME, BRAVO, ...MANY);
    bench.upstream.articles = [ACME_RELEASE];
    await bench.poll();
    const missing: Record<string, readonly string[]> = {};
    for (const [line, name, options] of LINES) {
      const cards = await bench.onWeb("ada", line, "alerts");
      const { messages } = await bench.slack.user("ada").slash(line, { channel: "general" });
      const answer = await onDiscord.ada.slash(`/splits ${name}`, options, onDiscord.alerts);
      const discordText = [answer.message, ...answer.followUps].map(textOf).join("\n");
      const found = lacking(cards, { slack: messages.map(shownText).join("\n"), discord: discordText });
      if (found.length > 0) missing[line] = found;
    }
    expect(missing).toEqual({});
  }, 30_000);

  it("tell the same of what happens", async () => {
    await bench.onWeb("ada", "subscribe events:all", "alerts");
    await bench.slack.user("ada").slash("subscribe events:all", { channel: "general" });
    await onDiscord.ada.slash("/splits subscribe", { events: "all" }, onDiscord.alerts);
    await bench.list(BRAVO, ACME, SOON, ...MANY);
    bench.upstream.articles = [ACME_RELEASE];
    await bench.poll();
    await bench.list(BRAVO, ACME_LATER, SOON, ...MANY);
    bench.clock.setTo("2026-03-03T15:00:00Z");
    await bench.run("remind");
    await bench.allOut();
    for (let polls = 0; polls < 4; polls += 1) await bench.list(ACME_LATER, SOON, ...MANY);
    const cards = await bench.cardsOnWeb("alerts");
    expect(cards.length).toBeGreaterThanOrEqual(6);
    const shown = {
      slack: bench.slack.messages("general").map(shownText).join("\n"),
      discord: discord.messages(onDiscord.alerts).map(textOf).join("\n"),
    };
    expect(lacking(cards, shown)).toEqual([]);
    // As many alerts, not only the same.
    expect(bench.slack.messages("general").length).toBe(discord.messages(onDiscord.alerts).length);
  }, 30_000);
});
