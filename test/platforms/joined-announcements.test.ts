import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../src/domain/time/day.ts";
import { anArticleRow, aSplitRow } from "../support/upstream.ts";
import { type BothPlatforms, openBothPlatforms } from "./both-platforms.ts";
import { faults } from "./discord/faults.ts";
import { type Message, textOf } from "./discord/model.ts";
import { ACME, ACME_RELEASE, BRAVO, MONDAY } from "./slack/rows.ts";
import type { SlackMessage } from "./slack/server/workspace.ts";
import { shownText } from "./slack/users/message-text.ts";

let both: BothPlatforms;

const NEWS = aSplitRow({ ticker: "NEWS" });
const QUOTE = "each fractional share will be rounded up to the next whole share.";
const SUPPRESS_NOTIFICATIONS = 4_096;

beforeEach(async () => {
  both = await openBothPlatforms({ now: MONDAY, splits: [BRAVO] });
  const { bench, onDiscord } = both;
  // In the first polls, new rows and releases are adopted as part of the first lists.
  for (let polls = 0; polls < 4; polls += 1) await bench.poll();
  await bench.slack.user("ada").slash("subscribe events:all", { channel: "general" });
  await onDiscord.ada.slash("/splits subscribe", { events: "all" }, onDiscord.alerts);
  await bench.slack.user("bob").slash("watch ACME", { channel: "general" });
  await onDiscord.bird.slash("/splits watch", { tickers: "ACME" }, onDiscord.alerts);
  await bench.onWeb("ada", "subscribe events:all", "alerts");
});

afterEach(() => both.close());

function slackMessages(): { readonly channel: readonly SlackMessage[]; readonly person: readonly SlackMessage[] } {
  const { slack } = both.bench;
  return { channel: slack.messages("general"), person: slack.directMessages("bob") };
}

function discordMessages(): { readonly channel: readonly Message[]; readonly person: readonly Message[] } {
  const { discord, onDiscord } = both;
  return { channel: discord.messages(onDiscord.alerts), person: discord.messages(onDiscord.bird.direct) };
}

/** The texts of all messages, by destination. */
function texts(): Readonly<Record<"slack" | "slackPerson" | "discord" | "discordPerson", readonly string[]>> {
  const [slack, discord] = [slackMessages(), discordMessages()];
  return {
    slack: slack.channel.map(shownText),
    slackPerson: slack.person.map(shownText),
    discord: discord.channel.map(textOf),
    discordPerson: discord.person.map(textOf),
  };
}

async function publish(...articles: readonly unknown[]): Promise<void> {
  both.bench.upstream.articles = articles;
  await both.bench.poll();
}

/** Discord answers so to edits of messages older than an hour. */
function limitEdits(retryAfter: number, times?: number): void {
  const scope = times === undefined ? {} : { times };
  both.bench.slack.faults.add({ method: "chat.update", ...scope, effect: { kind: "rate-limited", retryAfter } });
  const body = { code: 30_046, message: "Maximum number of edits to messages older than 1 hour reached." };
  const answer = { status: 429, headers: { "retry-after": String(retryAfter) }, body };
  both.discord.faults.add(faults.answer(answer), { method: "PATCH", path: /messages/, ...scope });
}

const list = (...rows: readonly unknown[]): Promise<void> => both.bench.list(BRAVO, ...rows);
const restart = (): Promise<void> => both.bench.restart();

type Texts = ReturnType<typeof texts>;

/** The same messages at each destination. */
function everywhere(...messages: readonly string[]): Texts {
  return { slack: messages, slackPerson: messages, discord: messages, discordPerson: messages };
}

const containing = (text: string): string => expect.stringContaining(text);

/** One message with the listing, and the link and the quote of the release. */
const ONE_ANNOUNCEMENT = expect.stringMatching(
  /ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026.*rounded up.*Release:.*each fractional share will be rounded up to the next whole share\./s,
) as string;

describe("the release and the listing of one split", () => {
  it.each<[string, readonly (() => Promise<void>)[]]>([
    ["the listing first", [() => list(ACME), () => publish(ACME_RELEASE)]],
    ["the release first", [() => publish(ACME_RELEASE), () => list(ACME)]],
    ["the listing first, with a restart in between", [() => list(ACME), restart, () => publish(ACME_RELEASE)]],
    ["the release first, with a restart in between", [() => publish(ACME_RELEASE), restart, () => list(ACME)]],
    [
      "both in one poll",
      [
        () => {
          both.bench.upstream.articles = [ACME_RELEASE];
          return list(ACME);
        },
      ],
    ],
  ])("are one message at each destination: %s", async (_case, steps) => {
    for (const step of steps) await step();
    expect(texts()).toEqual(everywhere(ONE_ANNOUNCEMENT));
    for (const { threadTs } of Object.values(slackMessages()).flat()) expect(threadTs).toBeNull();
    await restart();
    await both.bench.poll();
    expect(texts()).toEqual(everywhere(ONE_ANNOUNCEMENT));
  });

  it("is followed by replies to the message that both share", async () => {
    await publish(ACME_RELEASE);
    await list(ACME);
    await list(aSplitRow({ ex_date: "2026-03-12" }));
    const [slack, discord] = [slackMessages(), discordMessages()];
    for (const [first, second] of [slack.channel, slack.person]) expect(second?.threadTs).toBe(first?.ts);
    for (const [first, second] of [discord.channel, discord.person]) expect(second?.replyTo).toBe(first?.id);
  });

  it("are one message even if the answer to the edit is lost", async () => {
    const { bench, discord } = both;
    await list(ACME);
    bench.slack.faults.add({ method: "chat.update", times: 2, effect: { kind: "stored-then", end: "reset" } });
    discord.faults.add(faults.storedThenReset, { method: "PATCH", path: /messages/, times: 2 });
    await publish(ACME_RELEASE);
    expect(texts()).toEqual(everywhere(ONE_ANNOUNCEMENT));
  });

  it("are two messages if the first one can't be edited; the second one notifies nobody", async () => {
    const { bench, discord } = both;
    await list(ACME);
    bench.slack.faults.add({ method: "chat.update", effect: { kind: "error", code: "edit_window_closed" } });
    discord.faults.add(faults.refusal(404, 10_008, "Unknown Message"), { method: "PATCH", path: /messages/ });
    await publish(ACME_RELEASE);
    const [slack, onDiscord] = [slackMessages(), discordMessages()];
    expect(texts()).toEqual(everywhere(containing("ex date"), containing(QUOTE)));
    for (const [first, second] of [slack.channel, slack.person])
      expect(second).toMatchObject({ threadTs: first?.ts, broadcast: false });
    for (const [first, second] of [onDiscord.channel, onDiscord.person])
      expect(second).toMatchObject({ replyTo: first?.id, flags: SUPPRESS_NOTIFICATIONS, pings: [] });
  });

  it("are two messages if edits are limited for long; the second one notifies nobody, and the next alert follows immediately", async () => {
    const { bench, discord } = both;
    await list(ACME);
    limitEdits(1_200);
    await publish(ACME_RELEASE);
    await list(ACME, NEWS);
    expect(texts()).toMatchObject({
      slack: [containing("ex date"), containing(QUOTE), containing("NEWS")],
      discord: [containing("ex date"), containing(QUOTE), containing("NEWS")],
    });
    expect(discordMessages().channel[1]).toMatchObject({ flags: SUPPRESS_NOTIFICATIONS, pings: [] });
    expect(discord.messages(both.onDiscord.bird.direct)).toHaveLength(2);
    expect(bench.slack.messages("general")[1]).toMatchObject({ broadcast: false });
  });

  it("are one message that counts as sent once if the edit times out", async () => {
    const { bench } = both;
    await list(ACME);
    bench.slack.faults.add({ method: "chat.update", times: 2, effect: { kind: "stored-later", ms: 0 } });
    await publish(ACME_RELEASE);
    expect(texts()).toEqual(everywhere(ONE_ANNOUNCEMENT));
    expect(bench.slack.calls.filter(({ method }) => method === "conversations.history")).toEqual([]);
    const page = await (await fetch(`${bench.address}/metrics`)).text();
    expect(page).toMatch(/splitwatch_deliveries_total\{[^}]*platform="slack"[^}]*outcome="sent_blind"[^}]*\} 0/);
  });

  it("are one message after a short limit of edits", async () => {
    const { bench, discord, onDiscord } = both;
    await list(ACME);
    limitEdits(2, 1);
    bench.upstream.articles = [ACME_RELEASE];
    bench.clock.skip(2 * MINUTE_MS);
    await bench.run("poll-articles");
    await bench.until("the edits are limited", () => bench.log.count("delivery delayed") === 2);
    await bench.allDelivered();
    expect([bench.slack.messages("general").length, discord.messages(onDiscord.alerts).length]).toEqual([1, 1]);
  });

  it("are two messages that notify if they contradict each other", async () => {
    await list(aSplitRow({ ratio: "1:25" }));
    await publish(ACME_RELEASE);
    const conflict = "The release says 1-for-20; the list says 1-for-25.";
    expect(texts()).toEqual(everywhere(containing("ex date"), containing(conflict)));
    expect(discordMessages().person.map(({ flags }) => flags)).toEqual([0, 0]);
  });

  it("are followed by a second release, which is a message of its own", async () => {
    await list(ACME);
    await publish(ACME_RELEASE);
    await publish(
      ACME_RELEASE,
      anArticleRow({ ...ACME_RELEASE, url: "https://wire.example/acme-2", source: "businesswire" }),
    );
    expect(texts()).toEqual(everywhere(ONE_ANNOUNCEMENT, containing("Business Wire")));
  });

  it("keep their messages on the web page, which notifies nobody", async () => {
    await list(ACME);
    await publish(ACME_RELEASE);
    const titles = (await both.bench.cardsOnWeb("alerts")).map(({ title }) => title);
    expect(titles.filter((title) => title.startsWith("ACME"))).toEqual([
      expect.stringContaining("ex date"),
      expect.stringContaining("Acme Robotics Announces"),
    ]);
  });
});
