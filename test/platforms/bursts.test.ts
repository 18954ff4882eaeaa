import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aSplitRow } from "../support/upstream.ts";
import { type BothPlatforms, openBothPlatforms } from "./both-platforms.ts";
import { textOf } from "./discord/model.ts";
import { BRAVO, MONDAY } from "./slack/rows.ts";
import { shownText } from "./slack/users/message-text.ts";

/** The limit for one change of the upstream data. */
const MAX_MESSAGES = 10;

let both: BothPlatforms;

afterEach(() => both.close());

function tickersFrom(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `Q${String(index).padStart(3, "0")}`);
}

function rowsOf(tickers: readonly string[]): readonly unknown[] {
  return tickers.map((ticker, index) =>
    aSplitRow({
      ticker,
      company: `${ticker} Holdings, Inc.`,
      ratio: `1:${(index % 40) + 2}`,
      ex_date: `2026-03-${String((index % 14) + 10)}`,
    }),
  );
}

/** Channels by rules, and people by rules and watchlists. */
async function subscribeEverywhere(watched: readonly string[]): Promise<void> {
  const { bench, onDiscord } = both;
  const tickers = watched.join(" ");
  await bench.onWeb("ada", "subscribe", "alerts");
  await bench.onWeb("ada", "subscribe minratio:10", "alerts");
  const onSlack = bench.slack.user("ada");
  await onSlack.slash("subscribe", { channel: "general" });
  await onSlack.slash("subscribe minratio:10", { channel: "general" });
  await onSlack.slash(`watch ${tickers}`);
  await onDiscord.ada.slash("/splits subscribe", {}, onDiscord.alerts);
  await onDiscord.ada.slash("/splits subscribe", { minratio: "10" }, onDiscord.alerts);
  await onDiscord.ada.slash("/splits watch", { tickers }, "dm");
}

type Texts = Readonly<Record<string, readonly string[]>>;

/** Texts of all messages of each destination. */
async function messageTexts(): Promise<Texts> {
  const { bench, discord, onDiscord } = both;
  const onWeb = await bench.messagesOnWeb("alerts");
  const direct = bench.slack.user("ada").visibleMessages();
  return {
    web: onWeb.map(({ body }) => JSON.stringify(body)),
    "slack channel": bench.slack.messages("general").map(shownText),
    "slack person": direct.filter(({ onlyFor }) => onlyFor === null).map(shownText),
    "discord channel": discord.messages(onDiscord.alerts).map(textOf),
    "discord person": discord.messages(onDiscord.ada.direct).map(textOf),
  };
}

/** Texts of the messages that are new since `before`. */
async function newTexts(before: Texts): Promise<Texts> {
  const all = await messageTexts();
  return Object.fromEntries(Object.entries(all).map(([name, texts]) => [name, texts.slice(before[name]?.length ?? 0)]));
}

/** Destinations with more than the allowed messages, or whose messages don't name a ticker exactly once. */
function discrepancies(sent: Texts, tickers: readonly string[]): readonly string[] {
  return Object.entries(sent).flatMap(([name, texts]) => {
    const named = new Map<string, number>();
    for (const [ticker] of texts.join("\n").matchAll(/\bQ\d{3}\b/g)) named.set(ticker, (named.get(ticker) ?? 0) + 1);
    const wrong = tickers
      .filter((ticker) => named.get(ticker) !== 1)
      .map((ticker) => `${name}: ${ticker} ${named.get(ticker) ?? 0} times`);
    return texts.length > MAX_MESSAGES || texts.length === 0 ? [...wrong, `${name}: ${texts.length} messages`] : wrong;
  });
}

describe.each([60, 400])("%i splits", (count) => {
  const tickers = tickersFrom(count);

  beforeEach(async () => {
    both = await openBothPlatforms({ now: MONDAY, splits: [BRAVO] });
  });

  it("that appear, vanish for 15 polls and return make at most ten messages per destination each time", async () => {
    const { bench } = both;
    for (let polls = 0; polls < 3; polls += 1) await bench.poll();
    await subscribeEverywhere(tickers);

    const start = await messageTexts();
    await bench.list(BRAVO, ...rowsOf(tickers));
    const announced = await newTexts(start);
    expect(discrepancies(announced, tickers)).toEqual([]);

    const listed = await messageTexts();
    for (let polls = 0; polls < 15; polls += 1) await bench.list(BRAVO);
    const vanished = await newTexts(listed);
    expect(discrepancies(vanished, tickers)).toEqual([]);

    const missing = await messageTexts();
    await bench.list(BRAVO, ...rowsOf(tickers));
    await bench.poll();
    const returned = await newTexts(missing);
    expect(discrepancies(returned, tickers)).toEqual([]);
    for (const [name, texts] of Object.entries(returned))
      expect([name, texts.join("\n")]).toEqual([name, expect.stringContaining("isted again")]);
  });
});
