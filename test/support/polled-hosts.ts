import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { HOUR_MS, type Instant, MINUTE_MS } from "../../src/domain/time/day.ts";
import { day } from "./builders.ts";
import { FakeCorporateActions } from "./corporate-actions.ts";
import { FakeDailyList } from "./daily-list.ts";
import { KEEP_IDLE_CONNECTIONS } from "./idle-connections.ts";
import { FakeNotices } from "./nasdaqtrader.ts";
import type { SourceAnswer, SourceRequest } from "./source-server.ts";
import { COMPANY_TICKERS, OTHER, TRADED } from "./symbol-directories.ts";
import { haltsFeed } from "./trade-halts.ts";
import { FakeVentureBulletins, ventureBlock, ventureHtml } from "./venture-bulletins.ts";

/** A request that a host received. */
interface Received {
  readonly host: string;
  readonly at: Instant;
}

/** Servers on loopback in place of the hosts of the default settings, which count requests on a clock. */
export class PolledHosts {
  readonly received: Received[] = [];
  readonly #now: () => Instant;
  readonly #servers: Server[] = [];
  readonly #origins = new Map<string, string>();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** The settings with every public origin replaced by that of a server. */
  async replaceOrigins<T>(settings: T): Promise<T> {
    const written = JSON.stringify(settings);
    const origins = new Set([...written.matchAll(/"(https:\/\/[^/"]+)/g)].map(([, origin]) => origin ?? ""));
    for (const origin of origins) if (!this.#origins.has(origin)) this.#origins.set(origin, await this.#start(origin));
    return JSON.parse(written.replace(/"(https:\/\/[^/"]+)/g, (_, origin) => `"${this.#origins.get(origin)}`)) as T;
  }

  /** Number of requests by host and hour of the day, from the given time. */
  perHour(from: Instant): ReadonlyMap<string, readonly number[]> {
    const hours = new Map<string, number[]>();
    for (const { host, at } of this.received) {
      const counts = hours.get(host) ?? [];
      const hour = Math.floor((at - from) / HOUR_MS);
      counts[hour] = (counts[hour] ?? 0) + 1;
      hours.set(host, counts);
    }
    return hours;
  }

  /** Maximum number of requests that any of the hosts received together within a time. */
  maxWithin(hosts: readonly string[], withinMs: number): number {
    const times = this.received.filter(({ host }) => hosts.includes(host)).map(({ at }) => at);
    let [first, max] = [0, 0];
    for (const [index, at] of times.entries()) {
      while (at - (times[first] ?? at) >= withinMs) first += 1;
      max = Math.max(max, index - first + 1);
    }
    return max;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #start(origin: string): Promise<string> {
    const { host } = new URL(origin);
    const answer = answerOf(host, this.#now);
    const respond = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
      this.received.push({ host, at: this.#now() });
      const { method = "", url: path = "", headers } = message;
      const request = { method, path, headers, body: await text(message) };
      const { status = 200, type = "application/json", headers: more = {}, body = "" } = answer(request);
      response.writeHead(status, { "content-type": type, ...more }).end(body);
    };
    const server = createServer(KEEP_IDLE_CONNECTIONS, (message, response) => void respond(message, response));
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}

type Answer = (request: SourceRequest) => SourceAnswer;

function answerOf(host: string, now: () => Instant): Answer {
  const known = KNOWN_HOSTS[host]?.(now);
  return (request) => {
    if (request.path === "/robots.txt") return { status: 404 };
    return known?.(request) ?? feedOrPage(request, now());
  };
}

const KNOWN_HOSTS: Readonly<Record<string, (now: () => Instant) => Answer>> = {
  "api.finra.org": () => {
    const list = new FakeDailyList(
      Array.from({ length: 45 }, (_, n) => ({
        OTCDailyListID: n,
        calendarDay: day("2026-03-02"),
        oldSymbolCode: "BVLX",
      })),
    );
    return (request) => list.answer(request);
  },
  "www.nyse.com": () => {
    const rows = Array.from({ length: 300 }, (_, n) => ({
      action_type: "Change Symbol",
      action_date: "2026-03-10",
      market_event: `event-${n}`,
    }));
    const actions = new FakeCorporateActions(rows);
    return (request) => actions.answer(request);
  },
  "www.nasdaqtrader.com": () => {
    const notices = new FakeNotices();
    for (let number = 101; number < 120; number += 1) {
      const title = `Information Regarding the Reverse Stock Split and CUSIP Number Change for Quillmere Inc. (QLMR)`;
      const body =
        "<p>Quillmere Inc. (QLMR) will effect a (1-40) reverse split effective on Tuesday, March 10, 2026.</p>";
      notices.publish({ number: `2026-${number}`, title, body });
    }
    return (request) => {
      if (request.path.startsWith("/rss.aspx?feed=tradehalts")) return haltsFeed([{}]);
      const directory = { "/dynamic/SymDir/nasdaqtraded.txt": TRADED, "/dynamic/SymDir/otherlisted.txt": OTHER }[
        request.path
      ];
      return directory === undefined ? notices.answer(request) : { type: "text/plain", body: directory };
    };
  },
  "website-data-api-v2.thecse.com": () => () => ({
    body: JSON.stringify({
      list: [
        {
          title: "2026-1 - Consolidation - Brandvale Corp. (BVLX)",
          date: "2026-03-02",
          slug: "2026-1",
          symbols: ["BVLX"],
        },
      ],
    }),
  }),
  "thecse.com": () => () => ({
    type: "text/html",
    body: "<html><body><main><h1>2026-1 - Consolidation - Brandvale Corp. (BVLX)</h1><p>Brandvale Corp. will consolidate its shares on the basis of 1 new share for 10 old shares, effective March 10, 2026.</p></main></body></html>",
  }),
  "infoventure.tsx.com": () => {
    const bulletins = new FakeVentureBulletins();
    const body = ventureHtml(ventureBlock());
    bulletins.publish({ id: "319314", row: "2/Mar/2026 HARROW LITHIUM CORP. Name Change and Consolidation", body });
    return (request) => bulletins.answer(request);
  },
  "www.sec.gov":
    (now) =>
    ({ path }) =>
      edgarAnswer(path, now()),
  "data.sec.gov": () => () => ({
    body: JSON.stringify({ name: "Quillmere Therapeutics, Inc.", tickers: ["QLMR"], exchanges: ["Nasdaq"] }),
  }),
  "efts.sec.gov": () => () => ({ body: JSON.stringify({ hits: { total: { value: 0 }, hits: [] } }) }),
  "www.accessnewswire.com": () => () => ({ status: 403, headers: { "cf-mitigated": "challenge" } }),
};

/** Time between two 8-Ks, each with an exhibit that announces a split. */
const FILING_EVERY_MS = 20 * MINUTE_MS;
const LISTED_FILINGS = 6;

/** EDGAR's latest filings, and the index and the exhibit of each. */
function edgarAnswer(path: string, now: Instant): SourceAnswer {
  if (path === "/files/company_tickers_exchange.json") return { body: COMPANY_TICKERS };
  if (path.startsWith("/cgi-bin/browse-edgar")) return { type: "application/atom+xml", body: latestFilings(now) };
  if (path.endsWith("-index.htm"))
    return { type: "text/html", body: filingIndex(path.slice(0, path.lastIndexOf("/"))) };
  if (!path.endsWith("/ex991.htm")) return { status: 404 };
  const release = "Quillmere Therapeutics, Inc. announces a 1-for-25 reverse stock split.";
  return { type: "text/html", body: `<html><body><p>${release}</p></body></html>` };
}

function filingIndex(folder: string): string {
  return `<html><body><div class="infoHead">Accepted</div><div class="info">2026-03-02 08:30:15</div>
    <table><tr><td>1</td><td></td><td><a href="${folder}/ex991.htm">ex991.htm</a></td><td>EX-99.1</td></tr></table></body></html>`;
}

function latestFilings(now: Instant): string {
  const last = Math.floor(now / FILING_EVERY_MS) % 1_000_000;
  const entries = Array.from({ length: LISTED_FILINGS }, (_, n) => {
    const serial = String(last - n).padStart(6, "0");
    return `<entry><title>8-K - QUILLMERE ${serial} (9${serial}) (Filer)</title>
      <link rel="alternate" type="text/html" href="https://www.sec.gov/Archives/edgar/data/9${serial}/000999999926${serial}/0009999999-26-${serial}-index.htm"/>
      <summary type="html">Item 8.01: Other Events</summary><updated>2026-03-02T08:30:15-05:00</updated><id>urn:tag:${serial}</id></entry>`;
  });
  return `<?xml version="1.0" encoding="ISO-8859-1" ?><feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings</title>${entries.join("")}</feed>`;
}

/** Time between two releases of a feed; every twentieth one announces a split. */
const RELEASE_EVERY_MS = 3 * MINUTE_MS;
const FEED_SIZE = 20;

/** A feed with the latest releases, which is answered with 304 while it is unchanged, or the page of one. */
function feedOrPage({ path, headers }: SourceRequest, now: Instant): SourceAnswer {
  const page = /\/news-releases\/release-(\d+)\.html$/.exec(path)?.[1];
  if (page !== undefined)
    return {
      type: "text/html",
      body: `<html><body><div class="release-body bw-release-story mw-100" itemprop="articleBody"><article id="release">${releaseText(Number(page))}</article></div></body></html>`,
    };
  const latest = Math.floor(now / RELEASE_EVERY_MS);
  const etag = `"${latest}"`;
  if (headers["if-none-match"] === etag) return { status: 304 };
  const items = Array.from({ length: FEED_SIZE }, (_, n) => itemOf(latest - n, headers.host ?? ""));
  const body = `<?xml version="1.0"?><rss version="2.0"><channel><title>All news</title>${items.join("")}</channel></rss>`;
  return { type: "text/xml", headers: { etag }, body };
}

function itemOf(number: number, host: string): string {
  return `<item><title>${number % 20 === 0 ? "Quillmere Announces 1-for-20 Reverse Stock Split" : "Quillmere opens an office"}</title>
    <link>http://${host}/news-releases/release-${number}.html</link><description>News</description>
    <pubDate>${new Date(number * RELEASE_EVERY_MS).toUTCString()}</pubDate></item>`;
}

function releaseText(number: number): string {
  return `<p>Quillmere ${number} Inc. (Nasdaq: QLMR) today announced a 1-for-20 reverse stock split of its common stock, which will begin
    trading on a split-adjusted basis on March 10, 2026.</p>`;
}
