import { afterAll, beforeAll, expect, it } from "vitest";
import { WIRES } from "../../src/domain/article/wire.ts";
import { type FakeWire, startFakeWire } from "../newswires/fake-wire.ts";
import { announcementTexts } from "../newswires/wire-shapes.ts";
import { type BothPlatforms, openBothPlatforms } from "../platforms/both-platforms.ts";
import { FakeDailyList } from "../support/daily-list.ts";
import { type SourceServer, startSourceServer } from "../support/source-server.ts";
import { sourcesOff } from "../support/sources-off.ts";

/** One app on Slack, Discord and the web page, whose sources send mentions, markup and scripts in place of names. */
let both: BothPlatforms;
let wire: FakeWire;
let server: SourceServer;
const finra = new FakeDailyList();

const SPEED = 20;
const START_TIMEOUT_MS = 60_000;

const HOSTILE =
  "<!channel> <!everyone> <@U01ADA> @everyone @here <@&1> <#C1> [x](javascript:alert(1)) <https://evil.example|x> \u202Eevil\u2066\u200B *b* `c`";

const HTML_HOSTILE = HOSTILE.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function row(ticker: string, id: number, description: string) {
  return {
    OTCDailyListID: id,
    calendarDay: "2026-03-02",
    dailyListDatetime: "2026-03-02 08:45:00.0",
    oldSymbolCode: ticker,
    newSymbolCode: `${ticker}D`,
    oldSecurityDescription: description,
    newSecurityDescription: description,
    reverseSplitRate: "1:20",
    exDate: "2026-03-12 00:00:00.0",
    commentText: `${HOSTILE} <script>alert(1)</script>`,
  };
}

beforeAll(async () => {
  finra.publish(row("OLDA", 1, "Olda Robotics, Inc. Common Stock"));
  server = await startSourceServer((request) => finra.answer(request));
  wire = await startFakeWire("globenewswire");
  const feeds = WIRES.map(
    (name) => `  ${name}: { every: 10s, feeds: ${name === wire.wire ? `["${wire.feed}"]` : "[]"} }\n`,
  );
  const settings = `service: { source: wires }\nnewswires:\n${feeds.join("")}${sourcesOff("finra")}  finra: { every: 10s, url: "${server.origin}" }\n`;
  both = await openBothPlatforms({ settings, speed: SPEED, env: { SPLITS_API_URL: "", SPLITS_API_KEY: "" } });
  const { bench, onDiscord } = both;
  await bench.until("the row from before is listed", async () =>
    JSON.stringify(await bench.onWeb("ada", "list when:all", "alerts")).includes("OLDA"),
  );
  for (let polls = 0; polls < 4; polls += 1) await bench.poll();
  const line = "subscribe events:announced,article,changed";
  await bench.onWeb("ada", line, "alerts");
  await bench.slack.user("ada").slash(line, { channel: "general" });
  await onDiscord.ada.slash("/splits subscribe", { events: "announced,article,changed" }, onDiscord.alerts);
}, START_TIMEOUT_MS);

afterAll(async () => {
  await both.close();
  await wire.close();
  await server.close();
});

it("shows mentions, links and markup in names and headings as text on every platform", async () => {
  const { bench, discord, onDiscord } = both;
  finra.publish(row("EVIL", 2, `${HOSTILE} Evil Robotics, Inc. Common Stock`));
  const company = "Vile Robotics, Inc.";
  const texts = announcementTexts({ company, symbol: "Nasdaq: VILE", ratio: "1-for-20", day: "March 12, 2026" });
  wire.publish({
    id: "1001",
    company,
    tag: "Nasdaq:VILE",
    published: new Date("2026-03-02T13:30:00Z"),
    ...texts,
    heading: `${HTML_HOSTILE} ${texts.heading}`,
    body: `<p>${HTML_HOSTILE}</p>${texts.body}`,
  });
  await bench.until("both are announced everywhere", async () => {
    await bench.poll();
    await bench.allDelivered();
    const shown = [
      JSON.stringify(await bench.cardsOnWeb("alerts")),
      JSON.stringify(bench.slack.messages("general")),
      JSON.stringify(discord.messages(onDiscord.alerts)),
    ];
    return shown.every((text) => text.includes("EVIL") && text.includes("VILE"));
  });
  const onSlack = JSON.stringify(bench.slack.messages("general"));
  const messages = discord.messages(onDiscord.alerts);
  const posted = JSON.stringify(messages);
  expect(onSlack).not.toMatch(/<!(?:channel|everyone|here)|<@U01ADA>|<@&|<#C1>/);
  for (const [, text] of onSlack.matchAll(/"type":"mrkdwn","text":"((?:[^"\\]|\\.)*)"/g))
    expect(text).not.toContain("<https://evil.example");
  expect(messages.flatMap(({ pings }) => pings)).toEqual([]);
  expect(posted).not.toMatch(/@everyone|@here|<@|<#|[^\\]\]\(javascript/);
  expect(onSlack + posted).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
});
