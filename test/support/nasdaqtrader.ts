import type { SourceAnswer, SourceRequest } from "./source-server.ts";

const BOM = "\uFEFF";

/** A notice as the exchange publishes it. */
export interface PublishedNotice {
  /** `2026-901` */
  readonly number: string;
  readonly title: string;
  /** HTML of the body. */
  readonly body: string;
  /** Heading of the page, of the number. Default: another form for each number. */
  readonly heading?: (number: string) => string;
  /** `Friday, February 27, 2026` */
  readonly date?: string;
  /** Text in the feed. */
  readonly description?: string;
  /** Time in the feed. */
  readonly pubDate?: string;
  /** Only the archive shows it. */
  readonly isOld?: boolean;
}

/** Behaves like the corporate action notices of nasdaqtrader.com: feed, archive and pages, updated in place. */
export class FakeNotices {
  /** Newest first. */
  notices: readonly PublishedNotice[] = [];
  /** Differs from the number of items while the feed is incomplete. */
  statedItems: number | null = null;
  /** Faults of single paths. */
  readonly broken = new Map<string, SourceAnswer>();

  publish(notice: PublishedNotice): void {
    this.notices = [notice, ...this.notices.filter(({ number }) => number !== notice.number)].toSorted((a, b) =>
      b.number.localeCompare(a.number, "en", { numeric: true }),
    );
  }

  answer({ method, path, headers, body }: SourceRequest): SourceAnswer {
    const broken = [...this.broken].find(([part]) => path.includes(part))?.[1];
    if (broken !== undefined) return broken;
    if (path === "/rss.aspx?feed=currentheadlines&categorylist=105") return this.#feed();
    if (path === "/RPCHandler.axd") {
      const isValid = method === "POST" && headers["content-type"] === "application/json" && headers.origin;
      const [, year] = JSON.parse((JSON.parse(body) as { params: string }).params) as [string, number, number];
      return isValid ? { body: JSON.stringify({ id: 2, result: this.#table(String(year)) }) } : { status: 500 };
    }
    const year = /^\/Trader\.aspx\?id=archiveheadlines&cat_id=105&year=(\d+)$/.exec(path)?.[1];
    if (year !== undefined) return { type: "text/html", body: `<html><body>${this.#table(year)}</body></html>` };
    const number = /^\/TraderNews\.aspx\?id=ECA(\d+-\d+)$/.exec(path)?.[1];
    const notice = this.notices.find((one) => one.number === number);
    return notice ? { type: "text/html; charset=utf-8", body: pageOf(notice) } : { status: 404 };
  }

  #feed(): SourceAnswer {
    const shown = this.notices.filter(({ isOld }) => isOld !== true);
    const items = shown.map(({ number, title, description = "", pubDate = "Fri, 27 Feb 2026 21:05:00 GMT" }) => {
      const link = `http://www.nasdaqtrader.com/TraderNews.aspx?id=ECA${number}`;
      return `<item><title>ECA${number} - ${title}</title><pubDate>${pubDate}</pubDate><link>${link}</link>
        <ndaq:NewsCategory>Equity Corporate Actions Alert</ndaq:NewsCategory><ndaq:Alert>#${number}</ndaq:Alert>
        <ndaq:WhatYouNeedToKnow /><description>${description}</description></item>`;
    });
    const count = this.statedItems ?? items.length;
    return {
      type: "text/xml; charset=utf-8",
      body: `${BOM}<rss version="2.0" xmlns:ndaq="http://www.nasdaqtrader.com/"><channel><title>Nasdaq Equity Corporate
        Action Alerts</title><ndaq:numItems>${count}</ndaq:numItems>${items.join("")}</channel></rss>`,
    };
  }

  #table(year: string): string {
    const rows = this.notices
      .filter(({ number }) => number.startsWith(year))
      .map(({ number, title, date = "Friday, February 27, 2026" }) => {
        const short = date.replace(/^\w+, (\w{3})\w*/, "$1");
        return `<tr><td>${short}</td><td>The Nasdaq Stock Market</td><td>#${number}</td>
          <td><a href="TraderNews.aspx?id=ECA${number}">${title}</a></td></tr>`;
      });
    return `<table><tr><th>Date</th><th>Market</th><th>Alert #</th><th>Headline</th></tr>${rows.join("")}</table>`;
  }
}

/** Forms of a heading, one of which each notice has. */
type Heading = (number: string) => string;

/** Known forms of a page's heading. */
export const HEADINGS: readonly [Heading, ...Heading[]] = [
  (number) => `<h2>Equity Corporate Actions Alert #${number.replace("-", " - ")}</h2>`,
  (number) => `<h2>Equity Corporate Actions Alert #${number}</h2>`,
  (number) => `<h2>Equity&nbsp;Corporate Actions Alert #${number.replace("-", "&nbsp;&ndash;&nbsp;")}</h2>`,
  (number) => `<h2>ECA${number}</h2>`,
  (number) => `<h2>#${number} (UPDATED 2/27/2026)</h2>`,
  () => "",
];

function defaultHeading(number: string): string {
  const form = HEADINGS[Number(number.split("-")[1]) % HEADINGS.length];
  return form?.(number) ?? "";
}

function pageOf(notice: PublishedNotice): string {
  const { number, title, body, date = "Friday, February 27, 2026", heading = defaultHeading } = notice;
  return `<!DOCTYPE html><html><head><title>NASDAQ Trader</title></head><body><div id="leftCOL"><p>Monday, June 1, 2026</p></div>
    <div id="rightWideCOL"><p>${date}</p>${heading(number)}<h3>${title}</h3>
    <div class="newscontentbox2">${body}<div class="footnote2"><p>Please follow Nasdaq. A one-for-two (1-2) reverse split
    is effective on Friday, May 1, 2026.</p></div></div></div></body></html>`;
}

export interface NoticeTerms {
  readonly ticker?: string;
  readonly ratio?: string;
  /** Sentence on the effective date. */
  readonly effective?: string;
}

/** Body of a usual notice. */
export function splitBody({
  ticker = "QLMR",
  ratio = "one-for-forty (1-40)",
  effective = "The reverse stock split will become effective on Tuesday, March 10, 2026.",
}: NoticeTerms = {}): string {
  return `<p>Quillmere Therapeutics, Inc. (${ticker}) will effect a ${ratio} reverse split of its common stock. ${effective}</p>
    <p>In conjunction with the reverse split, the CUSIP number will change to 74876A200. The symbol will not change.</p>`;
}

export const SPLIT_TITLE =
  "Information Regarding the Reverse Stock Split and CUSIP Number Change for Quillmere Therapeutics, Inc. (QLMR)";
