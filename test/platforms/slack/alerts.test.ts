import { afterEach, describe, expect, it } from "vitest";
import { anArticleRow, aSplitRow } from "../../support/upstream.ts";
import { missingFrom } from "../card-facts.ts";
import { SlackBench } from "./bench.ts";
import { ACME, ACME_LATER, ACME_RELEASE, BRAVO, MONDAY, SOON } from "./rows.ts";
import { linksIn, mentionsIn, notificationText, shownText } from "./users/message-text.ts";

let bench: SlackBench;

afterEach(() => bench.close());

describe("an alert", () => {
  it("shows the same facts as the web page, for each event kind", async () => {
    bench = await SlackBench.open({ now: MONDAY, splits: [BRAVO] });
    await bench.onWeb("ada", "subscribe events:all", "general");
    await bench.slack.user("ada").slash("subscribe events:all", { channel: "general" });
    await bench.list(BRAVO, ACME, SOON);
    bench.upstream.articles = [ACME_RELEASE];
    await bench.poll();
    await bench.list(BRAVO, ACME_LATER, SOON);
    bench.clock.setTo("2026-03-03T15:00:00Z");
    await bench.run("remind");
    await bench.allDelivered();
    for (let polls = 0; polls < 4; polls += 1) await bench.list(ACME_LATER, SOON);
    bench.clock.setTo("2026-03-04T15:00:00Z");
    await bench.run("remind");
    await bench.allDelivered();

    // On Slack, the release of ACME joined the message with its listing.
    const cards = (await bench.cardsOnWeb("general")).filter(({ title }) => !title.startsWith("ACME: Acme Robotics"));
    expect(cards.length).toBeGreaterThanOrEqual(6);
    const onSlack = bench.slack.messages("general").map((message) => ({ ...message, ...message.original }));
    const lacking = cards.map((card) => {
      const alert = onSlack.find((message) => notificationText(message).includes(card.title));
      return { title: card.title, lacks: alert && missingFrom(shownText(alert), card) };
    });
    expect(lacking).toEqual(cards.map(({ title }) => ({ title, lacks: [] })));
    expect(onSlack.every((message) => mentionsIn(message).length === 0)).toBe(true);
  });

  it("is in the thread of the split's first alert; changes are also shown in the channel, reminders are not", async () => {
    bench = await SlackBench.open({ now: MONDAY, splits: [BRAVO] });
    await bench.slack.user("ada").slash("subscribe events:all", { channel: "general" });
    await bench.list(BRAVO, SOON);
    await bench.list(BRAVO, { ...SOON, ratio: "1:15" });
    bench.clock.setTo("2026-03-03T15:00:00Z");
    await bench.run("remind");
    await bench.allDelivered();
    await bench.restart();
    bench.clock.setTo("2026-03-04T15:00:00Z");
    await bench.run("remind");
    await bench.allDelivered();
    const [first, ...answers] = bench.slack.messages("general");
    expect(first?.threadTs).toBeNull();
    expect(answers.map(({ threadTs }) => threadTs)).toEqual(answers.map(() => first?.ts));
    const alert = answers.map((message) => [notificationText(message), message.broadcast]);
    expect(alert).toEqual([
      [expect.stringContaining("ratio 1-for-12 → 1-for-15"), true],
      [expect.stringContaining("Reminder: SOON"), false],
      [expect.stringContaining("in effect today"), expect.any(Boolean)],
    ]);
  });

  it("is sent to the ticker's watchers as a direct message, and to nobody else", async () => {
    bench = await SlackBench.open({ now: MONDAY, splits: [BRAVO] });
    await bench.slack.user("ada").slash("watch ACME", { channel: "general" });
    await bench.list(BRAVO, ACME);
    expect(bench.slack.directMessages("ada").map(notificationText)).toEqual([expect.stringMatching(/^ACME 1-for-20/)]);
    expect(bench.slack.directMessages("bob")).toEqual([]);
    expect(bench.slack.messages("general")).toEqual([]);
  });

  it("has a unique message id in its metadata", async () => {
    bench = await SlackBench.open({ now: MONDAY, splits: [BRAVO] });
    await bench.slack.user("ada").slash("subscribe", { channel: "general" });
    await bench.list(BRAVO, ACME);
    await bench.list(BRAVO, ACME_LATER);
    const ids = bench.slack.messages("general").map(({ metadata }) => JSON.stringify(metadata));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
    expect(ids.join()).toMatch(/"event_payload":\{"\w+":"[\w-]{1,25}"/);
  });
});

const HOSTILE = [
  "<!channel> <!here> <!everyone> <@U0001Q> <!subteam^S0001Q> @channel @everyone",
  "<https://evil.example|Click here> https://evil.example/a [x](https://evil.example)",
  "*bold* _italics_ ~gone~ `code` ```block``` > quote :skull:",
  "&lt;!channel&gt; &amp;lt;!here&amp;gt; <<!channel>> <!chan<!here>nel>",
  "A\u202Etxt.exe\u2066B\u0000C\u0007D\u200FE",
  "שלום עולם مرحبا بالعالم",
  "👩‍👩‍👧‍👦🏳️‍🌈".repeat(20),
] as const;

describe("external texts", () => {
  it.each(HOSTILE)("mention nobody and link nowhere: %j", async (text) => {
    bench = await SlackBench.open({ now: MONDAY, splits: [BRAVO] });
    const { slack } = bench;
    await slack.user("ada").slash("subscribe events:all", { channel: "general" });
    bench.upstream.articles = [
      anArticleRow({ heading: text, content: `${text} Hostile Corp. (NASDAQ: HSTL) ${text}` }),
    ];
    await bench.list(BRAVO, aSplitRow({ ticker: "HSTL", company: text }));
    await slack.user("ada").slash("show HSTL", { channel: "general" });
    await slack.user("ada").slash("list when:all", { channel: "general" });
    await slack.user("ada").slash("articles HSTL", { channel: "general" });
    const seen = slack.user("ada").visibleMessages("general");
    expect(seen.length).toBeGreaterThanOrEqual(5);
    expect(seen.flatMap(mentionsIn)).toEqual([]);
    const hosts = seen.flatMap(linksIn).map((link) => new URL(link).hostname);
    expect(hosts.filter((host) => host !== "wire.example" && host !== "splits-test.slack.com")).toEqual([]);
    expect(seen.map(notificationText)).not.toContain("");
    expect(JSON.stringify(seen)).not.toMatch(/[\u202E\u2066\u200F]|\\u0000|\\u0007/);
  });

  it.each([1, 60, 140, 151, 700, 2_900, 5_000, 50_000])(
    "of %i characters are truncated to Slack's limits",
    async (length) => {
      bench = await SlackBench.open({ now: MONDAY, splits: [BRAVO] });
      const { slack } = bench;
      await slack.user("ada").slash("subscribe events:all", { channel: "general" });
      const company = "&<_*".repeat(Math.ceil(length / 4)).slice(0, length);
      bench.upstream.articles = [
        anArticleRow({
          heading: `Long Corp. Announces Reverse Stock Split ${company}`,
          content: `Long Corp. (NASDAQ: LONG) announced a reverse stock split. Fractional shares ${company} will be rounded up.`,
          url: `https://wire.example/${"x".repeat(Math.min(length, 3_000))}`,
        }),
      ];
      await bench.list(BRAVO, aSplitRow({ ticker: "LONG", company }));
      await slack.user("ada").slash("show LONG", { channel: "general" });
      const alert = slack.messages("general").map(shownText).join("\n");
      // The essential facts are never truncated.
      expect(alert).toContain("LONG 1-for-20 reverse split");
      expect(alert).toContain("Tue 10 Mar 2026");
    },
  );

  it("are shortened in a list of 30 splits, which names each of them once", async () => {
    bench = await SlackBench.open({ now: MONDAY, splits: [BRAVO] });
    await bench.slack.user("ada").slash("subscribe", { channel: "general" });
    const rows = Array.from({ length: 30 }, (_, index) =>
      aSplitRow({ ticker: `T${index + 1}X`, company: `Company ${"&".repeat(200)}`, date_announced: "2026-03-02" }),
    );
    bench.upstream.splits = [BRAVO, ...rows];
    await bench.poll();
    const alert = bench.slack.messages("general").map(shownText).join("\n");
    for (const ticker of rows.map((row) => String(row.ticker)))
      expect(alert.split(`${ticker} 1-for-20`)).toHaveLength(2);
    expect(bench.slack.messages("general")).toHaveLength(1);
  });
});
