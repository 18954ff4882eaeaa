import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WIRES } from "../../src/domain/article/wire.ts";
import { type FakeWire, startFakeWire } from "../newswires/fake-wire.ts";
import { announcementTexts } from "../newswires/wire-shapes.ts";
import { type BothPlatforms, openBothPlatforms } from "../platforms/both-platforms.ts";
import { textOf } from "../platforms/discord/model.ts";
import { shownText } from "../platforms/slack/users/message-text.ts";
import { FakeBulletins } from "../support/bulletins.ts";
import { FakeCorporateActions } from "../support/corporate-actions.ts";
import { FakeDailyList } from "../support/daily-list.ts";
import { FakeEdgar } from "../support/edgar-server.ts";
import { FakeNotices } from "../support/nasdaqtrader.ts";
import { type SourceServer, startSourceServer } from "../support/source-server.ts";
import { sourcesOff } from "../support/sources-off.ts";

/** One app on Slack, Discord and the web page, which reads servers of six sources over real sockets. */
let both: BothPlatforms;
let wire: FakeWire;
const servers: SourceServer[] = [];
const nasdaq = new FakeNotices();
const finra = new FakeDailyList();
const nyse = new FakeCorporateActions();
const sec = new FakeEdgar();
const cse = new FakeBulletins();

const EVENTS = "announced,changed,postponed,cancelled,missing,returned,early";

/** Ten seconds, the shortest interval of a source, take half a second. */
const SPEED = 20;
const START_TIMEOUT_MS = 60_000;

async function settings(): Promise<string> {
  const fakes = { nasdaq, finra, nyse, sec, cse };
  const origins: Readonly<Record<string, readonly string[]>> = { sec: ["searchUrl", "dataUrl"], cse: ["pageUrl"] };
  const sections: string[] = [];
  for (const [name, fake] of Object.entries(fakes)) {
    const server = await startSourceServer((request) => fake.answer(request));
    servers.push(server);
    const urls = ["url", ...(origins[name] ?? [])].map((key) => `${key}: "${server.origin}"`);
    sections.push(`  ${name}: { every: 10s, ${urls.join(", ")} }\n`);
  }
  wire = await startFakeWire("globenewswire");
  const feeds = WIRES.map(
    (name) => `  ${name}: { every: 10s, feeds: ${name === wire.wire ? `["${wire.feed}"]` : "[]"} }\n`,
  );
  return `service: { source: wires }\nnewswires:\n${feeds.join("")}${sourcesOff(...Object.keys(fakes))}${sections.join("")}`;
}

beforeAll(async () => {
  const yaml = await settings();
  publishRelease("OLDA", "1000");
  both = await openBothPlatforms({
    settings: yaml,
    speed: SPEED,
    env: { SPLITS_API_URL: "", SPLITS_API_KEY: "", SPLITWATCH_CONTACT: "ops@example.com" },
  });
  const { bench, onDiscord } = both;
  await bench.until("the release from before is listed", async () =>
    JSON.stringify(await bench.onWeb("ada", "list when:all", "alerts")).includes("OLDA"),
  );
  // In the first polls, many new rows are adopted as part of the first list.
  for (let polls = 0; polls < 4; polls += 1) await bench.poll();
  await bench.onWeb("ada", `subscribe events:${EVENTS}`, "alerts");
  await bench.slack.user("ada").slash(`subscribe events:${EVENTS}`, { channel: "general" });
  await onDiscord.ada.slash("/splits subscribe", { events: EVENTS }, onDiscord.alerts);
}, START_TIMEOUT_MS);

afterAll(async () => {
  await both.close();
  await wire.close();
  for (const server of servers) await server.close();
});

const companyOf = (ticker: string): string => `${ticker[0]}${ticker.slice(1).toLowerCase()} Robotics, Inc.`;

function publishRelease(ticker: string, id: string, market = "Nasdaq"): void {
  const company = companyOf(ticker);
  const texts = announcementTexts({
    company,
    symbol: `${market}: ${ticker}`,
    ratio: "1-for-20",
    day: "March 12, 2026",
  });
  wire.publish({ id, company, tag: `${market}:${ticker}`, published: new Date("2026-03-02T13:30:00Z"), ...texts });
}

function publishNotice(ticker: string, number: string, { old = 20, isUpdate = false } = {}): void {
  const company = companyOf(ticker);
  const title = `Information Regarding the Reverse Stock Split and CUSIP Number Change for ${company} (${ticker})`;
  nasdaq.publish({
    number: `2026-${number}`,
    title: isUpdate ? `(UPDATED) ${title}` : title,
    body: `<p>${company} (${ticker}) will effect a (1-${old}) reverse split of its common stock. The reverse stock split will become
      effective on Thursday, March 12, 2026.</p>`,
    date: "Monday, March 2, 2026",
    pubDate: "Mon, 02 Mar 2026 13:05:00 GMT",
  });
}

const CSE_TERMS = `<p>Bull Robotics, Inc. has announced a consolidation of its common shares on the basis of one (1) post-consolidated
  common share for every twenty (20) pre-consolidated common shares.</p><p>Trading on a consolidated basis: March 12, 2026</p>`;

function publishBulletin(number: string, topic: string, body: string): void {
  const title = `2026-${number} - ${topic} - Bull Robotics, Inc. (BULL)`;
  cse.publish({ slug: `2026-${number}`, title, date: "2026-03-02", symbols: ["BULL"], body });
}

/** A filing of Vote Robotics. */
function file(number: string, items: readonly string[], type: string, html: string): void {
  sec.file({
    accession: `0009999999-26-${number}`,
    cik: "1000001",
    company: companyOf("VOTE"),
    filer: { name: companyOf("VOTE"), tickers: ["VOTE"], exchanges: ["NYSE"] },
    items,
    accepted: "2026-03-02 08:45:00",
    documents: [{ type, file: "document.htm", html }],
  });
}

/** Titles of the alerts on the web page that name the ticker, and the number of messages with it on the other platforms. */
async function alertsOf(ticker: string): Promise<{ web: readonly string[]; slack: number; discord: number }> {
  const { bench, discord, onDiscord } = both;
  await bench.allDelivered();
  const titles = (await bench.cardsOnWeb("alerts")).map(({ title }) => title);
  return {
    web: titles.filter((title) => title.startsWith(ticker)),
    slack: bench.slack.messages("general").filter((message) => shownText(message).includes(ticker)).length,
    discord: discord.messages(onDiscord.alerts).filter((message) => textOf(message).includes(ticker)).length,
  };
}

/** The alerts of the ticker when there are as many as expected, and after one more poll. */
async function settledAlerts(ticker: string, count: number): ReturnType<typeof alertsOf> {
  await both.bench.until(`${ticker} has ${count} alerts`, async () => {
    await both.bench.poll();
    return (await alertsOf(ticker)).web.length >= count;
  });
  await both.bench.poll();
  return alertsOf(ticker);
}

/** Alerts with these titles, one message each on every platform. */
function alerts(...titles: readonly RegExp[]): Awaited<ReturnType<typeof alertsOf>> {
  return { web: titles.map((title) => expect.stringMatching(title)), slack: titles.length, discord: titles.length };
}

/** Waits until the answer to `show` contains the text. */
async function untilShown(ticker: string, text: string): Promise<void> {
  await both.bench.until(`show ${ticker} has "${text}"`, async () =>
    JSON.stringify(await both.bench.onWeb("ada", `show ${ticker}`, "alerts")).includes(text),
  );
}

describe("a split that several sources state is announced once on each platform", () => {
  it("by Nasdaq, then its issuer, then FINRA; a notice that is updated in place is one change", async () => {
    publishNotice("ENRC", "101");
    expect(await settledAlerts("ENRC", 1)).toEqual(alerts(/^ENRC 1-for-20 reverse split/));
    const [card] = (await both.bench.cardsOnWeb("alerts")).filter(({ title }) => title.startsWith("ENRC"));
    expect(card?.facts.at(-1)).toMatchObject({
      label: "Source",
      value: "Nasdaq corporate actions",
      link: expect.stringMatching(/^http:.*\?id=ECA2026-101$/),
    });
    publishRelease("ENRC", "2000");
    await untilShown("ENRC", "rounded up");
    finra.publish({
      OTCDailyListID: 999_901,
      calendarDay: "2026-03-02",
      dailyListDatetime: "2026-03-02 08:11:20.0",
      oldSymbolCode: "ENRC",
      newSymbolCode: "ENRCD",
      oldSecurityDescription: "Enrc Robotics, Inc. Common Stock",
      reverseSplitRate: "1:20",
      exDate: "2026-03-12 00:00:00.0",
    });
    await untilShown("ENRC", "FINRA");
    expect(await settledAlerts("ENRC", 1)).toEqual(alerts(/^ENRC 1-for-20 reverse split/));
    publishNotice("ENRC", "101", { old: 25, isUpdate: true });
    expect(await settledAlerts("ENRC", 2)).toEqual(
      alerts(/^ENRC 1-for-20 reverse split/, /^ENRC.* changed: .*1-for-25/),
    );
  });

  it("by the SEC after a vote, then NYSE, then a wire", async () => {
    file(
      "000001",
      ["5.07"],
      "8-K",
      `<p>Item 5.07 Submission of Matters to a Vote of Security Holders.</p><p>On March 2, 2026, the stockholders of Vote Robotics, Inc.
        approved an amendment to effect a reverse stock split of the common stock at a ratio in the range of 1-for-5 to 1-for-25, to be
        determined by the board of directors.</p><p>SIGNATURES</p>`,
    );
    expect(await settledAlerts("VOTE", 1)).toEqual(alerts(/^VOTE: .*range/));
    const { heading, teaser, body } = announcementTexts({
      company: companyOf("VOTE"),
      symbol: "NYSE: VOTE",
      ratio: "1-for-20",
      day: "March 12, 2026",
    });
    file("000002", ["8.01"], "EX-99.1", `<p>${heading}</p><p>LAKEFORD, Ohio--(BUSINESS WIRE)--${teaser}</p>${body}`);
    expect(await settledAlerts("VOTE", 2)).toEqual(alerts(/^VOTE: .*range/, /^VOTE 1-for-20 reverse split/));
    nyse.publish({
      action_date: "2026-03-12",
      action_status: "Effective before the Open",
      action_type: "Reverse Stock Split",
      issue_symbol: "VOTE",
      issuer_name: "VOTE ROBOTICS INC",
      updated_at: "2026-03-02T08:50:00-05:00",
      market_event: "00000000-0000-4000-8000-000000000001",
    } as { readonly market_event: string });
    publishRelease("VOTE", "2001", "NYSE");
    await untilShown("VOTE", "NYSE corporate actions");
    expect(await settledAlerts("VOTE", 2)).toEqual(alerts(/^VOTE: .*range/, /^VOTE 1-for-20 reverse split/));
  });

  it("by one release about several funds: a row and an alert for each, in one message", async () => {
    const rows = [
      ["Ridgeway Copper Bear 2X ETF", "RCPB", "Reverse", "10:1", "March 12, 2026"],
      ["Ridgeway Gold Bull 2X ETF", "RGLB", "Forward", "4:1", "March 12, 2026"],
      ["Ridgeway Tin Bear 2X ETF", "RTNB", "Reverse", "5:1", "March 17, 2026"],
      ["Ridgeway Zinc Bear 2X ETF", "RZNB", "Reverse", "25:1", "March 12, 2026"],
    ];
    const html = [["Fund", "Ticker", "Split Type", "Ratio", "Ex Date"], ...rows]
      .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
      .join("");
    const lead = "Ridgeway Funds announced forward and reverse share splits of four ETFs listed on NYSE Arca.";
    const { discord, onDiscord } = both;
    const messages = (): number => discord.messages(onDiscord.alerts).length;
    const before = messages();
    wire.publish({
      id: "2003",
      company: "Ridgeway Funds",
      tag: "",
      published: new Date("2026-03-02T13:30:00Z"),
      heading: "Ridgeway Funds Announces Reverse and Forward Share Splits of ETFs",
      teaser: lead,
      body: `<p>NEW YORK, March 2, 2026 (GLOBE NEWSWIRE) -- ${lead}</p><table>${html}</table>`,
    });
    await untilShown("RZNB", "1-for-25");
    await settledAlerts("RZNB", 1);
    const titles = (await both.bench.cardsOnWeb("alerts"))
      .map(({ title }) => title)
      .filter((title) => /^R...\b/.test(title));
    expect(titles.toSorted()).toEqual([
      expect.stringMatching(/^RCPB 1-for-10 reverse split, ex date Thu 12 Mar 2026/),
      expect.stringMatching(/^RTNB 1-for-5 reverse split, ex date Tue 17 Mar 2026/),
      expect.stringMatching(/^RZNB 1-for-25 reverse split, ex date Thu 12 Mar 2026/),
    ]);
    expect(messages() - before).toBe(1);
  });

  it("by the CSE, then its issuer; a cancellation by the CSE alone is one message", async () => {
    publishBulletin("0001", "Consolidation", CSE_TERMS);
    expect(await settledAlerts("BULL", 1)).toEqual(alerts(/^BULL 1-for-20 reverse split/));
    publishRelease("BULL", "2002", "CSE");
    await untilShown("BULL", "rounded up");
    expect(await settledAlerts("BULL", 1)).toEqual(alerts(/^BULL 1-for-20 reverse split/));
    publishBulletin(
      "0002",
      "Cancellation of Consolidation",
      "<p>The consolidation of Bull Robotics, Inc. will not be proceeding.</p>",
    );
    expect(await settledAlerts("BULL", 2)).toEqual(alerts(/^BULL 1-for-20 reverse split/, /^BULL .*no longer listed/));
  });
});
