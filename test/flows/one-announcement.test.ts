import { afterEach, describe, expect, it } from "vitest";
import { splitRelease, WiresHarness } from "../newswires/wires-harness.ts";
import { FakeDailyList } from "../support/daily-list.ts";
import { FakeNotices } from "../support/nasdaqtrader.ts";
import { type SourceServer, startSourceServer } from "../support/source-server.ts";
import { sourcesOff } from "../support/sources-off.ts";

/** The whole app reads servers of Nasdaq, FINRA and a wire over real sockets. */
let app: WiresHarness;
const servers: SourceServer[] = [];
const nasdaq = new FakeNotices();
const finra = new FakeDailyList();

afterEach(async () => {
  await app.close();
  for (const server of servers.splice(0)) await server.close();
});

async function start(): Promise<void> {
  app = await WiresHarness.open("wires");
  const sections: string[] = [];
  for (const [name, fake] of Object.entries({ nasdaq, finra })) {
    const server = await startSourceServer((request) => fake.answer(request));
    servers.push(server);
    sections.push(`  ${name}: { every: 10s, url: "${server.origin}" }\n`);
  }
  app.otherSources = sourcesOff("nasdaq", "finra") + sections.join("");
  app.wires.globenewswire.publish(splitRelease("OLDA", { id: "1000" }));
  nasdaq.publish(notice("90", "OLDB"));
  await app.start();
  await app.until("the splits from before are listed", async () => (await tickers()).join(" ") === "OLDA OLDB");
  await app.waitForPoll();
  await app.runCommand("subscribe");
}

const tickers = async (): Promise<readonly string[]> => {
  const answer = await app.request("/v1/splits");
  return answer.status === 200 ? (await app.splits()).map(({ ticker }) => ticker).toSorted() : [];
};

function notice(number: string, ticker: string) {
  const company = `${ticker[0]}${ticker.slice(1).toLowerCase()} Robotics, Inc.`;
  return {
    number: `2026-${number}`,
    title: `Information Regarding the Reverse Stock Split and CUSIP Number Change for ${company} (${ticker})`,
    body: `<p>${company} (${ticker}) will effect a one-for-twenty (1-20) reverse split of its common stock. The reverse stock
      split will become effective on Thursday, March 12, 2026.</p>`,
    date: "Monday, March 2, 2026",
    pubDate: "Mon, 02 Mar 2026 13:05:00 GMT",
  };
}

const ROW = {
  OTCDailyListID: 999_901,
  calendarDay: "2026-03-02",
  dailyListDatetime: "2026-03-02 08:11:20.0",
  oldSymbolCode: "ENRC",
  newSymbolCode: "ENRCD",
  oldSecurityDescription: "Enrc Robotics, Inc. Common Stock",
  reverseSplitRate: "1:20",
  exDate: "2026-03-12 00:00:00.0",
};

/** Text of the split's card. */
async function shown(): Promise<string> {
  return JSON.stringify(await app.runCommand("show ENRC"));
}

describe("a split that Nasdaq announces first, then its issuer, then FINRA", () => {
  it("is announced once; release and list enrich the record without another alert", async () => {
    await start();
    nasdaq.publish(notice("101", "ENRC"));
    const card = await app.waitForAlert(/ENRC 1-for-20/);
    expect(JSON.stringify(card)).not.toContain("rounded up");

    app.wires.globenewswire.publish(splitRelease("ENRC", { id: "2000" }));
    await app.until("the record has the fractions of the release", async () => (await shown()).includes("rounded up"));

    finra.publish(ROW);
    await app.until("the daily list is read", () => app.log.text().includes("otce.finra.org/otce/dailyList#999901"));
    const rows = (await app.splits()).filter(({ ticker }) => ticker === "ENRC");
    expect(rows).toMatchObject([{ exchange: "NASDAQ", ratio: "1:20", ex_date: "2026-03-12" }]);
    // A later split shows that everything before it has been processed.
    nasdaq.publish(notice("102", "LATR"));
    await app.waitForAlert(/LATR 1-for-20/);
    expect((await app.alertTitles()).filter((title) => title.includes("ENRC"))).toHaveLength(1);
  });
});
