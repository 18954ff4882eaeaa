import * as fc from "fast-check";
import { expect, it } from "vitest";
import { extractFacts } from "../../src/extraction/extract.ts";
import { readBulletinPage } from "../../src/sources/cse/bulletin-page.ts";
import { createBulletinReader } from "../../src/sources/cse/bulletin-reader.ts";
import { createDailyListReader } from "../../src/sources/finra/daily-list.ts";
import { createHaltsReader } from "../../src/sources/halts/trade-halts.ts";
import { readNoticePage } from "../../src/sources/nasdaq/notice-page.ts";
import { createNoticesReader } from "../../src/sources/nasdaq/notice-reader.ts";
import { readNewsroomAnswer } from "../../src/sources/newswires/newsroom-answer.ts";
import { readReleaseList } from "../../src/sources/newswires/read-release-list.ts";
import { WIRE_RULES } from "../../src/sources/newswires/wires.ts";
import { createCorporateActionsReader } from "../../src/sources/nyse/corporate-actions.ts";
import type { StatementReader } from "../../src/sources/official/follow-statements.ts";
import { readFiler } from "../../src/sources/sec/filer.ts";
import { readFilingIndex } from "../../src/sources/sec/filing-index.ts";
import { readSearchPage } from "../../src/sources/sec/full-text-search.ts";
import { readCompanyTickers } from "../../src/sources/symbols/company-tickers.ts";
import { readSymbolFile } from "../../src/sources/symbols/symbol-file.ts";
import { FetchError } from "../../src/sources/web/fetch-error.ts";
import { createPageReader, documentText } from "../../src/sources/web/page-text.ts";
import { readFeed } from "../../src/sources/web/read-feed.ts";
import type { Web } from "../../src/sources/web/web.ts";
import type { WebAnswer } from "../../src/sources/web/web-answer.ts";
import { announcementTexts, type FakeRelease, SHAPES } from "../newswires/wire-shapes.ts";
import { day } from "../support/builders.ts";
import { bulletinPage, FakeBulletins } from "../support/bulletins.ts";
import { FakeCorporateActions } from "../support/corporate-actions.ts";
import { FakeDailyList } from "../support/daily-list.ts";
import { directReader } from "../support/direct-reader.ts";
import { fuzz, mutated } from "../support/fuzz.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { FakeNotices } from "../support/nasdaqtrader.ts";
import type { SourceAnswer, SourceRequest } from "../support/source-server.ts";
import { COMPANY_TICKERS, OTHER, TRADED } from "../support/symbol-directories.ts";
import { haltsFeed } from "../support/trade-halts.ts";

/** Reads a document as one source does. */
interface Reading {
  readonly name: string;
  readonly body: string;
  readonly type: string;
  read(answer: WebAnswer): unknown;
}

const ORIGIN = "https://source.example";
const HTML = "text/html; charset=utf-8";
const JSON_TYPE = "application/json";
const clock = new ManualClock();

function answerOf(body: Buffer, type: string, path = "/feed"): WebAnswer {
  const header = (name: string): string | null => (name.toLowerCase() === "content-type" && type !== "" ? type : null);
  return { status: 200, url: new URL(path, ORIGIN), header, headers: () => [], body };
}

const terms = { company: "Acme Robotics, Inc.", symbol: "Nasdaq: ACME", ratio: "1-for-20", day: "March 9, 2026" };
const texts = announcementTexts(terms);
const release: FakeRelease = {
  id: "1001",
  company: terms.company,
  tag: "Nasdaq:ACME",
  ...texts,
  published: new Date("2026-03-02T13:30:00Z"),
};

function readRelease(content: string): unknown {
  return extractFacts({ heading: texts.heading, content });
}

/** Feeds and pages of the wires. */
const wires: readonly Reading[] = Object.entries(SHAPES).flatMap(([wire, shape]) => {
  const { containers = [] } = WIRE_RULES[wire as keyof typeof SHAPES] as { readonly containers?: readonly string[] };
  const readPage = createPageReader(containers);
  const body = shape.feed([release, { ...release, id: "1002" }], ORIGIN);
  return [
    { name: `${wire} feed`, body, type: shape.feedType, read: wire === "accesswire" ? readNewsroomAnswer : readFeed },
    {
      name: `${wire} page`,
      body: shape.page(release),
      type: HTML,
      read: (answer: WebAnswer) => readRelease(readPage(answer, texts.heading)),
    },
  ];
});

/** Sources whose reader requests several documents; each of them is replaced by the mutated one. */
function statementReading(
  name: string,
  create: (tools: Parameters<typeof createDailyListReader>[1]) => StatementReader,
  { body = "", type = JSON_TYPE }: SourceAnswer,
): Reading {
  const read = async (answer: WebAnswer): Promise<unknown> => {
    const respond: Web["request"] = async (url) => ({ ...answer, url: new URL(url) });
    const web: Web = { request: respond, requestCount: 0, close: async () => undefined };
    const tools = {
      web,
      clock,
      everyMs: 60_000,
      lastReadAt: null,
      reader: directReader,
      recordedObservations: () => [],
    };
    return create(tools).read(new AbortController().signal);
  };
  return { name, body: String(body), type, read };
}

function request(path: string, parts: Partial<SourceRequest> = {}): SourceRequest {
  return { method: "GET", path, headers: {}, body: "", ...parts };
}

const notices = new FakeNotices();
notices.publish({
  number: "2026-901",
  title: "Acme Robotics, Inc. to Implement a 1-for-20 Reverse Stock Split",
  body: `<p>${texts.teaser}</p>${texts.body}`,
});
const dailyList = new FakeDailyList([
  {
    OTCDailyListID: 1,
    calendarDay: "2026-03-02",
    dailyListDatetime: "2026-03-02 08:45:00.0",
    oldSymbolCode: "OLDA",
    newSymbolCode: "OLDAD",
    newSecurityDescription: "Olda Robotics, Inc. Common Stock",
    reverseSplitRate: "1:20",
    exDate: "2026-03-12 00:00:00.0",
    commentText: "",
  },
]);
const dailyListBody = JSON.stringify({ limit: 9, offset: 0, dateRangeFilters: [] });
const actions = new FakeCorporateActions([
  {
    market_event: "abc-1",
    action_type: "Reverse Split",
    action_date: "2026-03-12",
    action_status: "Confirmed",
    issue_symbol: "ACME",
    issuer_name: terms.company,
    updated_at: "2026-03-02T12:00:00Z",
  },
]);
const bulletins = new FakeBulletins();
const bulletin = { slug: "2026-0301", title: "2026-0301 - Consolidation - Acme Robotics", date: "2026-03-02" };
bulletins.publish({ ...bulletin, symbols: ["ACME"], body: texts.body });

const statements: readonly Reading[] = [
  statementReading(
    "Nasdaq notices",
    (tools) => createNoticesReader(ORIGIN, tools),
    notices.answer(request("/rss.aspx?feed=currentheadlines&categorylist=105")),
  ),
  statementReading("halts", (tools) => createHaltsReader(ORIGIN, tools), haltsFeed([{}, { symbol: "ACME" }])),
  statementReading(
    "FINRA list",
    (tools) => createDailyListReader(ORIGIN, tools),
    dailyList.answer(
      request("/data/group/otcMarket/name/otcDailyList", {
        method: "POST",
        headers: { accept: JSON_TYPE },
        body: dailyListBody,
      }),
    ),
  ),
  statementReading("NYSE actions", (tools) => createCorporateActionsReader(ORIGIN, tools), {
    body: JSON.stringify({ next: null, results: actions.rows }),
  }),
  statementReading(
    "CSE bulletins",
    (tools) => createBulletinReader({ url: ORIGIN, pageUrl: ORIGIN }, tools),
    bulletins.answer(request("/api/bulletins?locale=en", { headers: { accept: JSON_TYPE, origin: ORIGIN } })),
  ),
];

const SEARCH_PAGE = JSON.stringify({
  hits: {
    total: { value: 1 },
    hits: [
      {
        _id: "0009999999-26-000001:ex99.htm",
        _source: { ciks: ["0009999901"], adsh: "0009999999-26-000001", form: "8-K", file_date: "2026-03-02" },
      },
    ],
  },
});
const FILER = JSON.stringify({ name: "Acme Robotics, Inc.", tickers: ["ACME"], exchanges: ["Nasdaq"], filings: {} });
const INDEX = `<html><body><div class="infoHead">Accepted</div> <div class="info">2026-03-02 16:08:32</div><table>
  <tr><td>1</td><td>Release</td><td><a href="/Archives/ex99.htm">ex99.htm</a></td><td>EX-99.1</td><td>9</td></tr></table></body></html>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${ORIGIN}/"><title>Filings</title><entry><title>8-K - Acme</title>
  <link rel="alternate" href="a.htm"/><updated>2026-03-02T08:30:00-05:00</updated><summary type="html">&lt;b&gt;Filed&lt;/b&gt;</summary></entry></feed>`;
const JSON_FEED = JSON.stringify({
  version: "https://jsonfeed.org/version/1.1",
  title: "Wire",
  items: [
    { id: "1", url: `${ORIGIN}/1`, title: texts.heading, content_html: texts.body, date_published: "2026-03-02" },
  ],
});

const noticePage = notices.answer(request("/TraderNews.aspx?id=ECA2026-901"));

const documents: readonly Reading[] = [
  {
    name: "Nasdaq notice page",
    body: String(noticePage.body),
    type: HTML,
    read: async (answer) => readNoticePage(answer, { id: "ECA2026-901", title: "Reverse Split" }),
  },
  {
    name: "CSE bulletin page",
    body: String(bulletinPage(`${texts.teaser}${texts.body}`, bulletin.title).body),
    type: HTML,
    read: async (answer) =>
      readBulletinPage(answer, { ...bulletin, id: bulletin.slug, symbols: [], date: day("2026-03-02") }),
  },
  { name: "Atom feed", body: ATOM, type: "application/atom+xml", read: readFeed },
  { name: "JSON feed", body: JSON_FEED, type: "application/feed+json", read: readFeed },
  {
    name: "release list",
    body: SHAPES.prnewswire.list?.page([release]) ?? "",
    type: HTML,
    read: async (answer) => readReleaseList(answer, clock.now()),
  },
  {
    name: "document",
    body: `<body>${texts.body}</body>`,
    type: HTML,
    read: (answer) => readRelease(documentText(answer)),
  },
  { name: "symbols", body: TRADED, type: "text/plain", read: readSymbolFile },
  { name: "other symbols", body: OTHER, type: "text/plain", read: readSymbolFile },
  { name: "company tickers", body: COMPANY_TICKERS, type: JSON_TYPE, read: readCompanyTickers },
  { name: "search page", body: SEARCH_PAGE, type: JSON_TYPE, read: async (answer) => readSearchPage(answer) },
  { name: "filer", body: FILER, type: JSON_TYPE, read: async (answer) => readFiler(answer) },
  { name: "filing index", body: INDEX, type: HTML, read: async (answer) => readFilingIndex(answer) },
];

const readings = [...wires, ...statements, ...documents];

it.each(readings)("reads the $name without mutations", async (reading) => {
  const { body, type } = reading;
  expect(await reading.read(answerOf(Buffer.from(body), type))).toBeTruthy();
});

it("any document of a source is read, or fails with the reason", async () => {
  const inputs = fc.record({
    changed: mutated(fc.constantFrom(...readings), ({ body }) => Buffer.from(body)),
    type: fc.option(fc.constantFrom("", "text/plain", HTML, "text/xml; charset=utf-16", "application/octet-stream"), {
      freq: 5,
    }),
  });
  await fuzz("documents of sources", inputs, { short: 250, full: 10_000 }, async ({ changed, type }) => {
    const reading = changed.document;
    const failure: unknown = await (async () => reading.read(answerOf(changed.bytes, type ?? reading.type)))().then(
      () => null,
      (error: unknown) => error,
    );
    if (failure === null) return;
    expect(failure).toBeInstanceOf(FetchError);
    expect((failure as FetchError).message.length).toBeLessThan(1_000);
  });
});
