import { announcementTexts, SHAPES } from "../../newswires/wire-shapes.ts";
import { bulletinPage } from "../bulletins.ts";
import { FakeNotices } from "../nasdaqtrader.ts";
import { OCC_HEADINGS } from "../occ-memos.ts";
import type { SourceRequest } from "../source-server.ts";
import { TRADED } from "../symbol-directories.ts";
import { haltsFeed } from "../trade-halts.ts";
import { ventureBlock, ventureHtml, ventureList } from "../venture-bulletins.ts";

/** Stands in a template for a text of any length. */
export const FIELD = "\uE000";

/** How one reader is called, and a document that it accepts. */
export interface ReaderExample {
  /** Format of the document, if the reader reads several. */
  readonly format?: string;
  /** Size limit of its documents. */
  readonly maxBytes: number;
  /** Content type of the answers that it reads; null: it reads texts. */
  readonly type: string | null;
  /** Arguments after the document. */
  readonly args: readonly unknown[];
  /** A document with one or more fields. */
  readonly template: string;
  /** Escapes the text of a field. Default: it is written as it is. */
  readonly escape?: (text: string) => string;
}

const MEGABYTE = 1024 * 1024;
const [FEED_BYTES, PAGE_BYTES, DOCUMENT_BYTES] = [5 * MEGABYTE, 10 * MEGABYTE, 2 * MEGABYTE];
/** The largest lists. */
const LIST_BYTES = 32 * MEGABYTE;
const [HTML, XML, JSON_TYPE] = ["text/html; charset=utf-8", "text/xml; charset=utf-8", "application/json"];
const NOW = Date.UTC(2026, 2, 2, 14);
const TODAY = "2026-03-02";

const texts = announcementTexts({
  company: "Acme Robotics, Inc.",
  symbol: "Nasdaq: ACME",
  ratio: "1-for-20",
  day: "March 9, 2026",
});
const RELEASE = {
  id: "1001",
  company: "Acme Robotics, Inc.",
  tag: "Nasdaq:ACME",
  published: new Date(NOW),
  heading: texts.heading,
  teaser: texts.teaser,
  body: `${texts.body}<p>${FIELD}</p>`,
};
const FILING = { accession: "0009999999-26-000001", cik: "9999901", company: "Acme", form: "8-K", filedAt: NOW };

function request(path: string): SourceRequest {
  return { method: "GET", path, headers: {}, body: "" };
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inCsv(text: string): string {
  return text.replace(/"/g, '""');
}

function jsonReader(template: unknown, maxBytes = FEED_BYTES, args: readonly unknown[] = []): ReaderExample {
  return { maxBytes, type: JSON_TYPE, args, template: JSON.stringify(template), escape: inJson };
}

function htmlReader(template: unknown, maxBytes = PAGE_BYTES, args: readonly unknown[] = []): ReaderExample {
  return { maxBytes, type: HTML, args, template: String(template) };
}

function textReader(maxBytes: number, args: readonly unknown[]): ReaderExample {
  return { maxBytes, type: null, args, template: `${texts.teaser}\n\n${FIELD}\n\n${texts.body}` };
}

const DAILY_LIST_ROW = {
  OTCDailyListID: 1,
  calendarDay: TODAY,
  dailyListDatetime: `${TODAY} 08:45:00.0`,
  oldSymbolCode: "OLDA",
  newSymbolCode: "OLDAD",
  newSecurityDescription: FIELD,
  reverseSplitRate: "1:20",
  exDate: "2026-03-12 00:00:00.0",
  commentText: FIELD,
};

const notices = new FakeNotices();
notices.publish({ number: "2026-901", title: texts.heading, body: RELEASE.body, description: FIELD });
const NOTICE_FEED = String(notices.answer(request("/rss.aspx?feed=currentheadlines&categorylist=105")).body);
const NOTICE_TABLE = `<table><tr><td>Feb 27, 2026</td><td>The Nasdaq Stock Market</td><td>#2026-901</td>
  <td><a href="TraderNews.aspx?id=ECA2026-901">${texts.heading} ${FIELD}</a></td></tr></table>`;

const filed = { filing: { ...FILING, items: ["5.03"], hits: null }, acceptedAt: NOW, filer: null, readAt: NOW };

/** By module and function. */
export const READER_EXAMPLES: Readonly<Record<string, ReaderExample | readonly ReaderExample[]>> = {
  "shared.readRobotsRule": {
    maxBytes: 500 * 1024,
    type: "text/plain",
    args: [`https://source.example/${"a".repeat(1_900)}`, "splitwatch"],
    template: `User-agent: *\nCrawl-delay: ${FIELD}\nDisallow: /${FIELD}\nAllow: /b`,
  },
  "shared.readArticle": textReader(200_000, [new Map(), NOW]),
  "shared.readText": textReader(500_000, [TODAY, null]),
  "shared.readFeedItem": textReader(4_000, [TODAY, null]),
  "newswires.readFeed": [
    {
      format: "RSS",
      maxBytes: FEED_BYTES,
      type: XML,
      args: [],
      template: `<?xml version="1.0"?><rss version="2.0"><channel><title>Wire</title><item><title>${texts.heading}</title>
        <link>https://source.example/1</link><description>${FIELD}</description></item></channel></rss>`,
    },
    {
      format: "Atom",
      maxBytes: FEED_BYTES,
      type: XML,
      args: [],
      template: `<feed xmlns="http://www.w3.org/2005/Atom"><title>Wire</title><entry><title>${texts.heading}</title>
        <link href="https://source.example/1"/><summary type="html">${FIELD}</summary></entry></feed>`,
    },
    {
      format: "JSON",
      ...jsonReader({
        version: "https://jsonfeed.org/version/1.1",
        title: "Wire",
        items: [{ id: "1", url: "https://source.example/1", title: texts.heading, content_html: FIELD }],
      }),
    },
  ],
  "newswires.readNewsroomToken": htmlReader(
    `<body><p>${FIELD}</p><input name="AntiforgeryFieldname" value="${"a".repeat(80)}"></body>`,
  ),
  "newswires.readNewsroomAnswer": jsonReader({
    data: { articles: [{ title: texts.heading, releaseurl: "https://source.example/1", body: FIELD, adate: TODAY }] },
  }),
  "newswires.readPage": htmlReader(SHAPES.prnewswire.page(RELEASE), PAGE_BYTES, [
    texts.heading,
    ["section.release-body", '[itemprop="articleBody"]', "#main-body-container"],
  ]),
  "newswires.readReleaseList": htmlReader(SHAPES.prnewswire.list?.page([{ ...RELEASE, teaser: FIELD }]), PAGE_BYTES, [
    NOW,
  ]),
  "halts.readHalts": {
    maxBytes: FEED_BYTES,
    type: XML,
    args: [],
    template: String(haltsFeed([{ name: FIELD, market: "NASDAQ" }, {}]).body),
  },
  "nasdaq.readNoticeFeed": { maxBytes: FEED_BYTES, type: XML, args: [NOW], template: NOTICE_FEED },
  "nasdaq.readRpcAnswer": jsonReader({ id: 2, result: NOTICE_TABLE }),
  "nasdaq.readArchiveRows": htmlReader(`<html><body>${NOTICE_TABLE}</body></html>`),
  "nasdaq.readNotice": htmlReader(notices.answer(request("/TraderNews.aspx?id=ECA2026-901")).body, 2_000_000, [
    { origin: "https://source.example", id: "ECA2026-901", title: texts.heading, publishedAt: NOW },
  ]),
  "nyse.readActionsPage": jsonReader(
    {
      next: null,
      results: [
        { market_event: "1", action_type: "Reverse Split", action_date: TODAY, issue_symbol: "A", issuer_name: FIELD },
      ],
    },
    DOCUMENT_BYTES,
  ),
  "finra.readDailyListPage": [
    { format: "JSON", ...jsonReader([DAILY_LIST_ROW]) },
    {
      format: "CSV",
      maxBytes: FEED_BYTES,
      type: "text/csv",
      args: [],
      template: [Object.keys(DAILY_LIST_ROW), Object.values(DAILY_LIST_ROW).map((cell) => `"${cell}"`)].join("\n"),
      escape: inCsv,
    },
  ],
  "occ.readMemoList": {
    maxBytes: LIST_BYTES,
    type: "text/csv",
    args: [TODAY],
    template: `${OCC_HEADINGS}\r\n59001,03/02/2026,03/06/2026,"Acme - 1 For 20 Reverse Split ${FIELD}",Contract Adjustments`,
    escape: inCsv,
  },
  "cse.readBulletinList": jsonReader(
    { list: [{ slug: "2026-0301", title: `2026-0301 - Consolidation ${FIELD}`, date: TODAY, symbol: "ACME" }] },
    LIST_BYTES,
    [TODAY],
  ),
  "cse.readBulletinPage": htmlReader(
    bulletinPage(`${texts.teaser}${texts.body}<p>${FIELD}</p>`, "2026-0301 - Consolidation - Acme").body,
    DOCUMENT_BYTES,
    [{ id: "2026-0301", title: "2026-0301 - Consolidation - Acme", date: TODAY, symbols: ["ACME"] }],
  ),
  "tsxv.readBulletinList": htmlReader(
    ventureList([`<tr><td>${FIELD}</td><td><a href="?GetPage=NoticesContents&amp;NOTICE_ID=1">View</a></td></tr>`])
      .body,
    FEED_BYTES,
    [TODAY],
  ),
  "tsxv.readBulletinPage": htmlReader(
    `<body><div>${ventureHtml(ventureBlock())}<br>\n${FIELD}</div></body>`,
    DOCUMENT_BYTES,
    [{ id: "1", title: "Harrow Lithium" }],
  ),
  "sec.readLatestFilings": {
    maxBytes: FEED_BYTES,
    type: "application/atom+xml",
    args: [],
    template: `<feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings</title><entry><title>8-K - Acme (9999901) (Filer)</title>
      <link rel="alternate" href="https://source.example/Archives/edgar/data/9999901/000999999926000001/0009999999-26-000001-index.htm"/>
      <updated>2026-03-02T08:30:00-05:00</updated><summary type="html">${FIELD}</summary></entry></feed>`,
  },
  "sec.readSearchPage": jsonReader({
    hits: {
      hits: [
        {
          _id: "0009999999-26-000001:ex99.htm",
          _source: { ciks: ["9999901"], form: "8-K", display_names: [FIELD], file_date: TODAY },
        },
      ],
    },
  }),
  "sec.readFiler": jsonReader({ name: FIELD, tickers: ["ACME"], exchanges: ["Nasdaq"] }, DOCUMENT_BYTES),
  "sec.readFilingIndex": htmlReader(
    `<html><body><div>Accepted</div> <div>2026-03-02 16:08:32</div><table><tr><td>1</td><td>${FIELD}</td>
      <td><a href="/Archives/ex99.htm">ex99.htm</a></td><td>EX-99.1</td><td>9</td></tr></table></body></html>`,
    MEGABYTE,
  ),
  "sec.readDocumentText": htmlReader(`<body><p>${texts.teaser}</p><p>${FIELD}</p>${texts.body}</body>`, DOCUMENT_BYTES),
  "sec.readExhibit": textReader(MEGABYTE, [filed, null]),
  "sec.readReport": textReader(MEGABYTE, [filed, null]),
  "symbols.readSymbolFile": {
    maxBytes: 8 * MEGABYTE,
    type: "text/plain",
    args: [],
    template: TRADED.replace("Quillmere Therapeutics, Inc.", FIELD),
  },
  "symbols.readCompanyTickers": jsonReader(
    { fields: ["cik", "name", "ticker", "exchange"], data: [[9_999_901, FIELD, "QLMR", "Nasdaq"]] },
    8 * MEGABYTE,
  ),
};
