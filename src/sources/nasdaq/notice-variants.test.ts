import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentOf } from "../../../test/support/documents.ts";
import { ratioCode } from "../../domain/split/ratio.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { readNoticeDocument } from "./read-document.ts";

const ADDRESS = "https://www.nasdaqtrader.com/TraderNews.aspx?id=ECA2026-682";
const UNKNOWN_ADDRESS = "https://unknown.invalid/notice.html";
const NOW = Date.parse("2026-10-01T12:00:00Z");

function answerOf(body: string, { url = ADDRESS, type = "text/html" } = {}): WebAnswer {
  return documentOf(body, { url, type });
}

interface NoticeParts {
  readonly heading?: string;
  readonly date?: string;
  readonly title?: string;
  readonly body?: string;
}

const TITLE = "Information Regarding the Reverse Stock Split and CUSIP Number Change for Orvane Labs Inc. (ORVN)";
const BODY = `<p>Orvane Labs Inc. (ORVN) will effect a one-for-twenty (1-20) reverse split of its Class A Ordinary Shares. The reverse
  stock split will become effective on Tuesday, September 29, 2026.</p>
  <p>In conjunction with the reverse split, the CUSIP number will change to 68401A119.</p>`;

function noticePage({
  heading = "<h2>Equity Corporate Actions Alert #2026 - 682</h2>",
  date = "<p>Friday, September 25, 2026</p>",
  title = TITLE,
  body = BODY,
}: NoticeParts = {}): string {
  return `<!DOCTYPE html><html><head><title>Nasdaq Trader</title></head><body><div id="leftCOL"><ul><li>News</li></ul></div>
    <div id="rightWideCOL">${date}${heading}<h3>${title}</h3><div class="newscontentbox2">${body}</div>
    <div class="footnote2"><p>Contact</p></div></div></body></html>`;
}

/** The terms of each split in a document. */
async function termsIn(body: string, options?: Parameters<typeof answerOf>[1]) {
  const { statements = [] } = readNoticeDocument(answerOf(body, options), { now: NOW });
  return statements.map(({ id, kind, listings, ratio, exDate, newCusip }) => ({
    id,
    kind,
    ticker: listings[0]?.ticker,
    ratio: ratio && ratioCode(ratio),
    exDate,
    newCusip,
  }));
}

const TERMS = {
  id: "ECA2026-682",
  kind: "announced",
  ticker: "ORVN",
  ratio: "1:20",
  exDate: "2026-09-29",
  newCusip: "68401A119",
};

describe("a notice is read", () => {
  it.each([
    ["with spaces in its heading", "<h2>Equity Corporate Actions Alert #2026 - 682</h2>"],
    ["without spaces in its heading", "<h2>Equity Corporate Actions Alert #2026-682</h2>"],
    ["with no-break spaces and a dash", "<h2>Equity&nbsp;Corporate Actions Alert #2026&nbsp;&ndash;&nbsp;682</h2>"],
    ["with its id as heading", "<h2>ECA2026-682</h2>"],
    ["with its number as heading", "<h2>#2026-682</h2>"],
    ["with an updated number", "<h2>#2026-682 (UPDATED 9/25/2026)</h2>"],
    ["with an updated heading", "<h2>Equity Corporate Actions Alert #2026 - 682 (UPDATED)</h2>"],
    ["with another name of the alert", "<h2>EQUITY CORPORATE ACTION ALERT: ECA2026-682</h2>"],
    ["with leading zeros", "<h2>Equity Corporate Actions Alert #2026-0682</h2>"],
    ["with its heading in a table", "<table><tr><td>Alert</td><td>#2026 - 682</td></tr></table>"],
    ["without a heading", ""],
  ])("%s", async (_, heading) => {
    expect(await termsIn(noticePage({ heading }))).toEqual([TERMS]);
  });

  it.each([
    ["without a date", { date: "" }],
    ["with a date in figures", { date: "<p>9/25/2026</p>" }],
    ["with the mark of an update before the title", { title: `(UPDATED) ${TITLE}` }],
    ["with the mark of an update after the ticker", { title: `${TITLE} (UPDATED 9/25/2026)` }],
    ["with the market before the ticker", { title: TITLE.replace("(ORVN)", "(Nasdaq: ORVN)") }],
    ["with the symbols of warrants", { title: TITLE.replace("(ORVN)", "(ORVN, ORVNW)") }],
    ["with a full stop after the title", { title: `${TITLE}.` }],
    ["with a former name in brackets", { title: TITLE.replace(" (ORVN)", " (f/k/a Old Orvane Inc.) (ORVN)") }],
    ["without a ticker in its title", { title: "Information Regarding a Reverse Stock Split" }],
    ["with hyphens in its title", { title: TITLE.replace("Reverse Stock Split", "Reverse-Stock-Split") }],
    [
      "with dashes in its ratio",
      { body: BODY.replace("one-for-twenty (1-20)", "one&#8211;for&#8211;twenty (1&#8211;20)") },
    ],
    ["with a colon in its ratio", { body: BODY.replace("one-for-twenty (1-20)", "1-for-20 (1:20)") }],
    ["with divisions for paragraphs", { body: BODY.replaceAll("<p>", "<div>").replaceAll("</p>", "</div>") }],
    ["with line breaks for paragraphs", { body: BODY.replaceAll("</p>", "<br><br>").replaceAll("<p>", "") }],
    ["with a reference to another notice", { body: `${BODY}<p>See Equity Corporate Actions Alert #2026-650.</p>` }],
  ] satisfies readonly (readonly [string, NoticeParts])[])("%s", async (_, parts) => {
    expect(await termsIn(noticePage(parts))).toEqual([TERMS]);
  });

  it.each([
    ["(UPDATED 3/6/2026) ", "(Nasdaq: ORVN)", ""],
    ["(UPDATED) ", "(ORVN)", ""],
    ["UPDATED: ", "(ORVN)", ""],
    ["Updated 3/6/2026: ", "(Nasdaq: ORVN)", ""],
    ["CORRECTION: ", "(NASDAQ: ORVN, ORVNW)", ""],
    ["", "(Nasdaq: ORVN)", " (UPDATED 3/6/2026)"],
    ["", "(Nasdaq Capital Market: ORVN)", " (REVISED)"],
  ])("with the company in a title that is not listed: %s… %s%s", async (before, symbols, after) => {
    const title = `${before}Information Regarding the Reverse Stock Split for Orvane Labs Inc. ${symbols}${after}`;
    const body = "<p>A one-for-twenty (1-20) reverse split becomes effective on Tuesday, September 29, 2026.</p>";
    for (const heading of ["<h2>Equity Corporate Actions Alert #2026 - 682</h2>", ""]) {
      const { statements } = readNoticeDocument(answerOf(noticePage({ heading, title, body })), { now: NOW });
      expect(statements).toMatchObject([
        { company: "Orvane Labs Inc.", listings: [{ ticker: "ORVN" }], ratio: { newShares: 1, oldShares: 20 } },
      ]);
    }
  });

  it.each(["Market: Nasdaq Capital Market", "Symbol: ORVN", "Action: 1-for-20 Reverse Split"])(
    "with the title below a labeled value: %s",
    async (field) => {
      const page = noticePage({ title: "", body: `<p>${field}</p><h3>${TITLE}</h3>${BODY}` });
      const { statements } = readNoticeDocument(answerOf(page), { now: NOW });
      expect(statements).toMatchObject([{ company: "Orvane Labs Inc.", evidence: { ticker: TITLE } }]);
    },
  );

  it.each([
    "http://www.nasdaqtrader.com/TraderNews.aspx?id=eca2026-682",
    "https://m.nasdaqtrader.com/TraderNews.aspx?id=ECA2026-682",
    "https://beta.nasdaqtrader.com/tradernews.aspx?id=ECA2026-0682&lang=en",
    UNKNOWN_ADDRESS,
  ])("from %s", async (url) => {
    expect(await termsIn(noticePage(), { url })).toEqual([TERMS]);
  });

  it("with the day of its publication, not that of an update in its heading", async () => {
    const page = noticePage({ heading: "<h2>#2026-682 (UPDATED 9/27/2026)</h2>" });
    const { statements = [] } = readNoticeDocument(answerOf(page), { now: NOW });
    expect(statements[0]?.publishedAt).toBe(Date.parse("2026-09-25T04:00:00Z"));
  });

  it("without the element around it", async () => {
    const page = noticePage({ title: TITLE }).replace('id="rightWideCOL"', 'class="main"');
    expect(await termsIn(page)).toEqual([TERMS]);
  });

  it("with the same terms if incidental parts are removed, reordered or reformatted", async () => {
    const heading = fc.constantFrom(
      "",
      "<h2>Equity Corporate Actions Alert #2026 - 682</h2>",
      "<h2>ECA2026-682</h2>",
      "<p><b>#2026-682 (UPDATED 9/25/2026)</b></p>",
    );
    const date = fc.constantFrom("", "<p>Friday, September 25, 2026</p>", "<span>09/25/2026</span><br>");
    const title = fc.constantFrom(`<h3>${TITLE}</h3>`, `<p>${TITLE}  (UPDATED)</p>`, `<h1>${TITLE.toUpperCase()}</h1>`);
    const space = fc.constantFrom(" ", "\n", "&nbsp;", "  \n\t");
    const element = fc.constantFrom("p", "div", "td");
    const parts = fc.record({
      heading,
      date,
      title,
      space,
      element,
      isTitleFirst: fc.boolean(),
      isDateLast: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        parts,
        async ({ heading: h, date: d, title: t, space: s, element: e, isTitleFirst, isDateLast }) => {
          const head = isTitleFirst && h !== "" ? [t, h] : [h, t];
          const body = BODY.replaceAll(/(?<=\w) (?=\w)/g, s)
            .replaceAll("<p>", `<${e}>`)
            .replaceAll("</p>", `</${e}>`);
          const dated = isDateLast ? [...head, d] : [d, ...head];
          const page = `<html><body><div id="rightWideCOL">${dated.join("\n")}<div>${body}</div></div></body></html>`;
          expect(await termsIn(page)).toEqual([TERMS]);
        },
      ),
      { seed: 25, numRuns: 150 },
    );
  });
});

function securityTable(name: string, cusip: string, symbol: string): string {
  return `<table><tr><td>Company Name/Issue:</td><td>${name}</td></tr><tr><td>CUSIP#:</td><td>${cusip}</td></tr>
    <tr><td>Symbol:</td><td>${symbol}</td></tr></table>`;
}

describe("the terms of a notice", () => {
  it("are those of the depositary shares, not of the shares that one represents", async () => {
    const body = `<p>Orvane Labs Inc. (ORVN) will effect a change of the ratio of its American Depositary Shares from one ADS to four (1-4)
      ordinary shares to one ADS to one hundred eighty (1-180) ordinary shares. The ratio change has the same effect as a
      one-for-forty-five (1-45) reverse split of its American Depositary Shares, which becomes effective on Tuesday, September
      29, 2026.</p><p>The CUSIP number will change to 68401A119.</p>`;
    const title =
      "Information Regarding the Reverse Stock Split, Ratio Change and CUSIP Number Change for Orvane Labs Inc. (ORVN)";
    expect(await termsIn(noticePage({ title, body }))).toEqual([{ ...TERMS, ratio: "1:45" }]);
    const contradictory = body.replace("one-for-forty-five (1-45)", "one-for-forty (1-40)");
    expect(await termsIn(noticePage({ title, body: contradictory }))).toEqual([{ ...TERMS, ratio: null }]);
  });

  it("are those of the share if the table of a second security follows", async () => {
    const share = securityTable("Orvane Labs Inc. - Class A Ordinary Shares", "68401A119", "ORVN");
    const preferred = securityTable("Orvane Labs Inc. - Preferred Shares", "68401A226", "ORVNP");
    const [text = ""] = BODY.split("</p>", 1);
    expect(await termsIn(noticePage({ body: `${text}</p>${share}${preferred}` }))).toEqual([TERMS]);
    expect(await termsIn(noticePage({ body: `${text}</p>${preferred}${share}` }))).toEqual([TERMS]);
  });

  const FUNDS = [
    { ticker: "ZZA", name: "Orvane Daily Bull 2X ETF", ratio: "1-5", oldCusip: "68401B101", newCusip: "68401B200" },
    { ticker: "ZZB", name: "Orvane Daily Bear 2X ETF", ratio: "1-10", oldCusip: "68401C109", newCusip: "68401C208" },
    { ticker: "ZZC", name: "Orvane Gold Strategy ETF", ratio: "1-20", oldCusip: "68401D107", newCusip: "68401D206" },
  ] as const;
  const COLUMNS = [
    ["Ticker", "ticker"],
    ["Fund Name", "name"],
    ["Split Ratio", "ratio"],
    ["Current CUSIP", "oldCusip"],
    ["New CUSIP", "newCusip"],
  ] as const;

  function fundNotice(
    columns: readonly (typeof COLUMNS)[number][],
    funds: readonly Readonly<Record<string, string>>[],
  ) {
    const rows = [columns.map(([label]) => label), ...funds.map((fund) => columns.map(([, key]) => fund[key] ?? ""))];
    const table = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("");
    return noticePage({
      title: "Information Regarding the Reverse Stock Splits for Certain Orvane ETFs",
      body: `<p>Orvane Funds will effect reverse splits of the shares of the following funds. The reverse splits will become effective on
        Tuesday, September 29, 2026.</p><table>${table}</table>`,
    });
  }

  it("are one split per fund, whatever the order of the columns and the notation of the ratio", async () => {
    const separator = fc.constantFrom("-", " - ", ":", " : ", "&#8211;", "&nbsp;-&nbsp;", "-for-", " for ", "/");
    const order = fc.shuffledSubarray([...COLUMNS], { minLength: COLUMNS.length });
    const funds = fc.shuffledSubarray([...FUNDS], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(separator, order, funds, async (sign, columns, listed) => {
        const written = listed.map((fund) => ({ ...fund, ratio: fund.ratio.replace("-", sign) }));
        expect((await termsIn(fundNotice(columns, written))).map((terms) => ({ ...terms, id: "ECA2026-682" }))).toEqual(
          listed.map(({ ticker, ratio, newCusip }) => ({
            id: "ECA2026-682",
            kind: "announced",
            ticker,
            ratio: ratio.replace("-", ":"),
            exDate: "2026-09-29",
            newCusip,
          })),
        );
      }),
      { seed: 25, numRuns: 100 },
    );
  });

  it("are read for eight funds", async () => {
    const funds = Array.from({ length: 8 }, (_, n) => ({
      ...FUNDS[0],
      ticker: `ZZ${"ABCDEFGH"[n]}`,
      ratio: `1-${n + 2}`,
    }));
    expect((await termsIn(fundNotice(COLUMNS, funds))).map(({ ticker, ratio }) => `${ticker} ${ratio}`)).toEqual(
      funds.map(({ ticker, ratio }) => `${ticker} ${ratio.replace("-", ":")}`),
    );
  });
});

const ROWS = [680, 681, 682].map(
  (number) => `<tr><td>Sep 25, 2026</td><td>The Nasdaq Stock Market</td><td>#2026-${number}</td>
    <td><a href="TraderNews.aspx?id=eca2026-${number}">${TITLE}</a></td></tr>`,
);
const TABLE = `<table><tr><th>Date</th><th>Market</th><th>Alert #</th><th>Headline</th></tr>${ROWS.join("")}</table>`;

describe("a page is refused", () => {
  it.each<[string, string, RegExp]>([
    [
      "that names another notice",
      noticePage({ heading: "<h2>Equity Corporate Actions Alert #2026 - 683</h2>" }),
      /expected ECA2026-682, got ECA2026-683/,
    ],
    ["that names another notice by its id alone", noticePage({ heading: "<h2>ECA2025-682</h2>" }), /got ECA2025-682/],
    [
      "that is a list of notices",
      `<html><body><div id="rightWideCOL"><h2>Equity Corporate Actions Alerts</h2>${TABLE}</div></body></html>`,
      /got a list of 3 notices/,
    ],
    [
      "that is an error page",
      `<html><body><div id="rightWideCOL"><h2>Server Error</h2><p>${"We are sorry, an unexpected error occurred. ".repeat(4)}</p></div></body></html>`,
      /no notice about a reverse split/,
    ],
    [
      "that is a sign-in page",
      `<html><body><form><h1>Sign in</h1><p>${"Enter your user name and your password to continue to this page. ".repeat(4)}</p></form></body></html>`,
      /no release was found|no notice/,
    ],
    [
      "that states a split and names no security",
      noticePage({
        title: "Information Regarding a Reverse Stock Split",
        body: "<p>A one-for-ten (1-10) reverse stock split will become effective on Tuesday, September 29, 2026.</p>",
      }),
      /ECA2026-682 names no security: Information Regarding a Reverse Stock Split/,
    ],
    ["that has no text yet", noticePage({ body: "" }), /ECA2026-682 has no text yet/],
    ["that is empty", "", /no release was found/],
  ])("%s", async (_, page, message) => {
    await expect(termsIn(page)).rejects.toThrow(message);
  });

  it("without its number at an unknown address", async () => {
    await expect(termsIn(noticePage({ heading: "" }), { url: UNKNOWN_ADDRESS })).rejects.toThrow(
      /a page without its number/,
    );
  });
});

describe("a notice states nothing", () => {
  it.each([
    "Nasdaq Amends Rule 5810 to Modify Reverse Stock Split Notification Requirements",
    "Nasdaq Announces Changes to the Processing of Reverse Stock Splits",
    "Information Regarding Proposed Rule Change on Reverse Stock Splits",
    "Information Regarding the Stock Split for Orvane Labs Inc. (ORVN)",
    "Information Regarding the Name Change for Orvane Labs Inc. (ORVN)",
  ])("with the title %j", async (title) => {
    const body = `<p>Orvane Labs Inc. will change its name on Tuesday, September 29, 2026. ${/Rule|Processing/.test(title) ? "A company must notify Nasdaq of a reverse stock split at least ten days before, as of Tuesday, September 29, 2026." : ""}</p>`;
    expect(readNoticeDocument(answerOf(noticePage({ title, body })), { now: NOW })).toEqual({
      document: "notice",
      statements: [],
      noSplitReason: `ECA2026-682 is not about a reverse split: ${title}`,
    });
  });
});

describe("a list of notices", () => {
  const items = `<item><title>ECA2026-682 - ${TITLE}</title><link>http://www.nasdaqtrader.com/TraderNews.aspx?id=eca2026-682</link>
    <pubDate>Fri, 25 Sep 2026 16:05:00 GMT</pubDate><description></description></item>
    <item><title>ECA2026-681 - Nasdaq to Modify Reverse Stock Split Notification Requirements</title>
    <link>http://m.nasdaqtrader.com/TraderNews.aspx?id=ECA2026-681</link><pubDate>Fri, 25 Sep 2026 15:05:00 GMT</pubDate></item>`;
  const feed = `\uFEFF<rss version="2.0" xmlns:ndaq="http://www.nasdaqtrader.com/"><channel><title>Alerts</title>
    <ndaq:numItems>2</ndaq:numItems>${items}</channel></rss>`;

  it("is read from the feed; a notice about a rule isn't followed", async () => {
    const reading = readNoticeDocument(answerOf(feed, { url: UNKNOWN_ADDRESS, type: "text/xml" }), { now: NOW });
    expect(reading).toEqual({
      document: "feed",
      entries: [
        {
          id: ADDRESS,
          title: `ECA2026-682 - ${TITLE}`,
          publishedAt: Date.parse("2026-09-25T16:05:00Z"),
          isFollowed: true,
        },
        expect.objectContaining({ id: ADDRESS.replace("682", "681"), isFollowed: false }),
      ],
      refusals: [],
    });
  });

  it.each([
    ["JSON", JSON.stringify({ id: 2, result: TABLE }), { url: UNKNOWN_ADDRESS, type: "application/json" }],
    [
      "a page",
      `<html><body>${TABLE}</body></html>`,
      { url: "https://www.nasdaqtrader.com/Trader.aspx?id=archiveheadlines&cat_id=105" },
    ],
    ["a page at an unknown address", `<html><body>${TABLE}</body></html>`, { url: UNKNOWN_ADDRESS }],
    [
      "a page whose numbers have spaces",
      `<html><body>${TABLE.replaceAll(/#2026-|eca2026-/g, "#2026 - ")}</body></html>`,
      { url: UNKNOWN_ADDRESS },
    ],
  ])("is read from the archive in %s", async (_, body, options) => {
    const { document, entries = [] } = readNoticeDocument(answerOf(body, options), { now: NOW });
    expect(document).toBe("archive");
    expect(entries.map(({ id, isFollowed }) => ({ id, isFollowed }))).toEqual(
      [680, 681, 682].map((number) => ({ id: ADDRESS.replace("682", String(number)), isFollowed: true })),
    );
  });

  it.each([
    ["a page instead of the feed", "<html><body>Not found</body></html>", "text/html"],
    ["JSON of another shape", '{"error":"busy"}', "application/json"],
  ])("is refused as %s", (_, body, type) => {
    const document = answerOf(body, { url: UNKNOWN_ADDRESS, type });
    expect(() => readNoticeDocument(document, { now: NOW })).toThrow(
      expect.objectContaining({ failure: "unreadable" }),
    );
  });
});
