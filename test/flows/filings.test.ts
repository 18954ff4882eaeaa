import { afterEach, describe, expect, it } from "vitest";
import { splitRelease, WiresHarness } from "../newswires/wires-harness.ts";
import { type EdgarServer, startEdgarServer } from "../support/edgar-server.ts";
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
});
