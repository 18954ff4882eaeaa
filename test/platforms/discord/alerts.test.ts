import { describe, expect, it } from "vitest";
import { anArticleRow } from "../../support/upstream.ts";
import { embedTexts, type Message, textOf } from "./model.ts";
import { startTraders, type TradersApp } from "./traders.ts";

/** A channel and a person with rules for all alerts. */
async function openSubscribed(): Promise<TradersApp> {
  const opened = await startTraders();
  await opened.ada.slash("/splits subscribe", { events: "all" }, opened.alerts);
  return opened;
}

async function deliveredMessages({ app, discord, alerts }: TradersApp): Promise<readonly Message[]> {
  await app.delivered();
  expect(discord.violations).toEqual([]);
  expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  expect(discord.messages(alerts).flatMap(({ pings }) => pings)).toEqual([]);
  return discord.messages(alerts);
}

describe("an alert on Discord", () => {
  it("has the essential facts in the notification and the terms in its card", async () => {
    const on = await openSubscribed();
    await on.app.announce({ ticker: "NEWS", company: "News Holdings", ratio: "1:12", ex_date: "2026-03-19" });
    const [message, ...others] = await deliveredMessages(on);
    expect(others).toEqual([]);
    expect(message?.content).toMatch(/^NEWS 1-for-12 reverse split, ex date Thu 19 Mar 2026 \(in \d+ trading days\)$/);
    const card = textOf({ content: "", embeds: message?.embeds ?? [], components: message?.components ?? [] });
    for (const fact of [
      "News Holdings",
      "Nasdaq",
      "12 old shares become 1 new",
      "Thu 19 Mar 2026",
      "Wed 18 Mar 2026",
      "not stated",
      "[Watch NEWS]",
    ]) {
      expect(card).toContain(fact);
    }
    expect(message?.embeds).toHaveLength(1);
  });

  it("has its message ID in the footer and the nonce", async () => {
    const on = await openSubscribed();
    await on.app.announce({ ticker: "NEWS" });
    const [message] = await deliveredMessages(on);
    if (!message?.nonce) throw new Error("no nonce");
    expect(message.nonce.length).toBeLessThanOrEqual(25);
    expect(embedTexts(message.embeds[0] ?? {}).at(-1)).toContain(message.nonce);
  });

  it("of a change replies to the first message and shows the old and the new value", async () => {
    const on = await openSubscribed();
    await on.app.announce({ ticker: "NEWS", ratio: "1:12" });
    const [first] = await deliveredMessages(on);
    const rows = on.upstream.splits as readonly Record<string, unknown>[];
    on.upstream.splits = rows.map((row) => (row.ticker === "NEWS" ? { ...row, ratio: "1:15" } : row));
    await on.app.poll();
    const [, change] = await deliveredMessages(on);
    expect(change?.replyTo).toBe(first?.id);
    expect(change?.content).toContain("1-for-12 → 1-for-15");
    expect(textOf(change ?? { content: "", embeds: [], components: [] })).toContain("~~1-for-12~~ → **1-for-15**");
  });

  it("of a change is posted without a reply if the first message was deleted", async () => {
    const on = await openSubscribed();
    await on.app.announce({ ticker: "NEWS", ratio: "1:12" });
    await deliveredMessages(on);
    on.alerts.messages.length = 0;
    const rows = on.upstream.splits as readonly Record<string, unknown>[];
    on.upstream.splits = rows.map((row) => (row.ticker === "NEWS" ? { ...row, ratio: "1:15" } : row));
    await on.app.poll();
    expect((await deliveredMessages(on)).map(({ replyTo }) => replyTo)).toEqual([null]);
  });

  it("of a press release links to it and quotes its sentence on fractions", async () => {
    const on = await openSubscribed();
    on.upstream.articles = [
      anArticleRow({
        content:
          "Acme Robotics Inc. (NASDAQ: ACME) will effect a 1-for-20 reverse stock split. No fractional shares will be issued; stockholders will receive cash in lieu of any fractional share.",
      }),
    ];
    await on.app.poll();
    const [message] = await deliveredMessages(on);
    expect(textOf(message ?? { content: "", embeds: [], components: [] })).toContain("cash in lieu");
    expect(JSON.stringify(message?.embeds)).toContain("https://wire.example/acme-1");
  });

  it.each([25, 60])(
    "of %i simultaneous splits is one message that names each of them once, in order",
    async (count) => {
      const on = await openSubscribed();
      const tickers = Array.from({ length: count }, (_, number) => `N${String(number).padStart(3, "0")}`);
      await on.app.announce(...tickers.map((ticker) => ({ ticker, company: `${ticker} ${"Holdings ".repeat(12)}` })));
      const messages = await deliveredMessages(on);
      expect(messages).toHaveLength(1);
      expect(
        messages
          .map(textOf)
          .join("\n")
          .match(/\bN\d{3}(?= 1-for-20)/g),
      ).toEqual(tickers);
    },
  );
});

const LONG = 5_000;

const HOSTILE: readonly (readonly [string, string])[] = [
  ["5,000 characters", "Very Long Holdings ".repeat(LONG / 19)],
  ["5,000 characters without a blank", "x".repeat(LONG)],
  ["5,000 characters that must be escaped", "*_`~|[](\\>".repeat(LONG / 10)],
  ["5,000 emoji", "👩‍👩‍👧‍👦".repeat(LONG / 11)],
  ["Hebrew and Arabic", "חברת אקמה בע״מ شركة أكمي"],
  ["reversed text direction", "Acme \u202Etxt.exe \u2066Inc"],
  ["backticks", "`Acme` ```Inc``` ``"],
  ["mentions of everyone", "@everyone @here <@&1> <@123> @everyone"],
  ["null bytes and other controls", "Acme\u0000 Inc\u0007\u001B[31m\u0085"],
  ["lone surrogates", "Acme\uD800 Inc\uDC00"],
  ["a link with another text", "[Acme](https://evil.example) <https://evil.example>"],
  ["line breaks and headings", "Acme\n# Inc\n> quoted\n- listed\r\n||hidden||"],
  ["nothing", ""],
];

describe("an alert about a company named", () => {
  it.each(HOSTILE)("%s is valid and escaped", async (_, company) => {
    const on = await openSubscribed();
    await on.ada.slash("/splits watch", { tickers: "NEWS" }, "dm");
    await on.app.announce({ ticker: "NEWS", company });
    const messages = [...(await deliveredMessages(on)), ...on.discord.messages(on.ada.direct)];
    expect(messages).toHaveLength(2);
    for (const message of messages) {
      const text = textOf(message);
      expect(message.content).toMatch(/^NEWS 1-for-20 reverse split/);
      expect(message.pings).toEqual([]);
      expect(text).not.toMatch(/(?<!\\)\]\(https:\/\/evil/);
      expect(text).not.toMatch(/<https:\/\/evil/);
      expect(text).not.toMatch(/@(everyone|here)|<@/);
      expect((text.match(/(?<!\\)`/g) ?? []).length % 2).toBe(0);
      expect(text).not.toMatch(/^(# Inc|> quoted|- listed)/m);
      expect(text).not.toMatch(/(?<!\\)\|\|/);
    }
    const shown = await on.ada.slash("/splits show", { ticker: "NEWS" }, on.alerts);
    expect(shown.text).toContain("NEWS 1-for-20");
    expect(on.discord.violations).toEqual([]);
  });

  it("with markup, in releases and all other cards, is valid and escaped", async () => {
    const on = await openSubscribed();
    const odd = HOSTILE.map(([, text]) => text).join(" ");
    on.upstream.articles = [
      anArticleRow({
        heading: odd,
        content: `Acme Robotics Inc. (NASDAQ: ACME) ${odd}`,
        url: `https://wire.example/${"a".repeat(3_000)}`,
      }),
    ];
    await on.app.announce({ ticker: "NEWS", ratio: `1:${"9".repeat(300)}`, exchange: "SOMEWHERE-ODD" });
    const messages = await deliveredMessages(on);
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) expect(textOf(message)).not.toMatch(/(?<!\\)\]\(https:\/\/evil/);
    for (const [name, options] of [
      ["list", {}],
      ["articles", {}],
      ["why", { ticker: "ACME" }],
      ["show", { ticker: "ACME" }],
      ["status", {}],
    ] as const) {
      expect((await on.ada.slash(`/splits ${name}`, options, on.alerts)).text).toMatch(/\w/);
    }
    expect(on.discord.violations).toEqual([]);
  });
});
