import { afterEach, describe, expect, it } from "vitest";
import type { ArticleRow } from "../../src/data-service/schema.ts";
import { splitRelease, WiresHarness } from "../newswires/wires-harness.ts";
import { type EdgarServer, startEdgarServer } from "../support/edgar-server.ts";
import { faults } from "../support/http-faults.ts";
import { sourcesOff } from "../support/sources-off.ts";

/** Between two searches. */
const SEARCH_INTERVAL_MS = 10 * 60_000;

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Starts the app with a wire that has an older release, and EDGAR. */
async function startWithEdgar(): Promise<{ readonly app: WiresHarness; readonly edgar: EdgarServer }> {
  const edgar = await startEdgarServer();
  closers.push(() => edgar.close());
  const app = await WiresHarness.open();
  closers.push(() => app.close());
  const { origin } = edgar;
  app.otherSources = `${sourcesOff("sec")}  sec: { every: 10s, url: "${origin}", searchUrl: "${origin}", dataUrl: "${origin}" }\n`;
  app.wires.globenewswire.publish(splitRelease("OLDA", { id: "1000" }));
  await app.start({ SPLITWATCH_CONTACT: "ops@example.com" });
  await app.waitForPoll();
  return { app, edgar };
}

const APPROVAL = `<p>Item 5.07 Submission of Matters to a Vote of Security Holders.</p>
<p>On March 2, 2026, the stockholders of Quillmere Therapeutics, Inc. approved an amendment to effect a reverse stock split of the
common stock at a ratio in the range of 1-for-5 to 1-for-25, to be determined by the board of directors.</p><p>SIGNATURES</p>`;

const EXHIBIT = `<p>Exhibit 99.1</p><p>Quillmere Therapeutics Announces 1-for-15 Reverse Stock Split</p>
<p>LAKEFORD, Ohio, March 2, 2026 (BUSINESS WIRE) -- Quillmere Therapeutics, Inc. (Nasdaq: QLMR) today announced a 1-for-15 reverse stock
split of its common stock, which will begin trading on a split-adjusted basis on March 5, 2026.</p>`;

/** An exhibit whose dateline names no wire, and the feed item of the same release on Business Wire, whose pages are refused. */
const UNNAMED_EXHIBIT = `<p>Exhibit 99.1</p><p>QUILLMERE THERAPEUTICS ANNOUNCES 1-FOR-15 REVERSE STOCK SPLIT</p>
<p>LAKEFORD, Ohio, March 2, 2026 – Quillmere Therapeutics, Inc. (Nasdaq: QLMR) today announced a 1-for-15 reverse stock
split of its common stock, which will begin trading on a split-adjusted basis on March 5, 2026.</p>
<p>No fractional shares will be issued. Stockholders will receive cash in lieu of fractional shares.</p>`;

const ON_WIRE = {
  id: "20260302005501",
  company: "Quillmere Therapeutics, Inc.",
  heading: "Quillmere Therapeutics Announces 1-for-15 Reverse Stock Split",
  teaser:
    "LAKEFORD, Ohio--(BUSINESS WIRE)--Quillmere Therapeutics, Inc. (Nasdaq: QLMR) today announced a 1-for-15 reverse",
  published: new Date("2026-03-02T13:30:00Z"),
};

const FILED = {
  accession: "0009999999-26-000125",
  items: ["8.01"],
  accepted: "2026-03-02 09:00:00",
  documents: [{ type: "EX-99.1", file: "ex99-1.htm", html: UNNAMED_EXHIBIT }],
};

function isOnWire({ source, heading }: ArticleRow): boolean {
  return source === "businesswire" && heading === ON_WIRE.heading;
}

describe("a filing", () => {
  it("of an approval is an early alert for rules without sources, and no article of the data service", async () => {
    const { app, edgar } = await startWithEdgar();
    await app.runCommand("subscribe events:early");
    edgar.searched.push({
      accession: "0009999999-26-000123",
      items: ["5.07"],
      accepted: "2026-03-02 09:00:00",
      documents: [{ type: "8-K", file: "qlmr-8k.htm", html: APPROVAL }],
    });
    app.clock.skip(SEARCH_INTERVAL_MS);
    const card = JSON.stringify(await app.waitForAlert(/QLMR/));
    expect(card).toContain("SEC EDGAR");
    expect(card).toContain("1-for-5 to 1-for-25");
    expect((await app.articles()).map(({ source }) => source)).toEqual(["globenewswire"]);
  });

  it("with the release of a wire is an alert and an article of that wire, which itself shows nothing", async () => {
    const { app, edgar } = await startWithEdgar();
    await app.runCommand("subscribe");
    edgar.filings.push({
      accession: "0009999999-26-000124",
      items: ["8.01"],
      accepted: "2026-03-02 09:00:00",
      documents: [{ type: "EX-99.1", file: "ex99-1.htm", html: EXHIBIT }],
    });
    await app.waitForAlert(/QLMR 1-for-15/);
    expect(await app.articles()).toContainEqual(
      expect.objectContaining({
        source: "businesswire",
        heading: "Quillmere Therapeutics Announces 1-for-15 Reverse Stock Split",
        url: expect.stringContaining("/Archives/edgar/data/9999901/000999999926000124/ex99-1.htm"),
      }),
    );
  });

  it.each(["the wire", "the filing"])("supplies the text of a refused page, if %s comes first", async (first) => {
    const { app, edgar } = await startWithEdgar();
    const wire = app.wires.businesswire;
    wire.break("page", faults.status(403));
    await app.runCommand("subscribe");
    const publish = [() => wire.publish(ON_WIRE), () => edgar.file(FILED)];
    const [publishFirst, publishSecond] = first === "the wire" ? publish : publish.toReversed();
    publishFirst?.();
    // The wire's summary ends before the terms of the split.
    if (first === "the filing") await app.waitForAlert(/QLMR/);
    else await app.until("the article has the summary", async () => (await app.articles()).some(isOnWire));
    publishSecond?.();
    await app.waitForAlert(/QLMR 1-for-15/);
    await app.until("the article has the exhibit's text", async () =>
      (await app.articles()).some((article) => isOnWire(article) && article.content.includes("cash in lieu")),
    );
    const aboutSplit = (await app.articles()).filter(({ content }) => /Quillmere/i.test(content));
    expect(aboutSplit.map(({ url }) => url)).toEqual([expect.stringContaining("/news/home/20260302005501/en/")]);
    await app.until("show states the treatment of fractions", async () =>
      /cash/i.test(JSON.stringify(await app.runCommandForCards("show QLMR"))),
    );
    expect((await app.alertTitles()).filter((title) => title.includes("QLMR"))).toHaveLength(1);
  });
});
