import type { SourceAnswer, SourceRequest } from "./source-server.ts";

/** A halt as the feed shows it. */
export interface PublishedHalt {
  readonly symbol?: string;
  readonly name?: string;
  readonly market?: string;
  readonly date?: string;
  readonly time?: string;
  readonly reason?: string;
  /** Shows the times of the resumption. */
  readonly isResumed?: boolean;
  /** Shown until it is resumed, which may take months. */
  readonly isUnresumed?: boolean;
}

const RESUMPTION = `<ndaq:ResumptionDate>03/10/2026</ndaq:ResumptionDate><ndaq:ResumptionQuoteTime>09:00:00</ndaq:ResumptionQuoteTime>
    <ndaq:ResumptionTradeTime>09:30:00</ndaq:ResumptionTradeTime>`;

function itemOf(halt: PublishedHalt): string {
  const { symbol = "QLMR", name = "Quillmere Therap Cm St", market = "NASDAQ" } = halt;
  const { date = "03/09/2026", time = "19:50:00.000", reason = "T1" } = halt;
  return `<item><title>${symbol}</title><pubDate>Mon, 09 Mar 2026 04:00:00 GMT</pubDate><ndaq:HaltDate>${date}</ndaq:HaltDate>
    <ndaq:HaltTime>${time}</ndaq:HaltTime><ndaq:IssueSymbol>${symbol}</ndaq:IssueSymbol><ndaq:IssueName>${name}</ndaq:IssueName>
    <ndaq:Market>${market}</ndaq:Market><ndaq:ReasonCode>${reason}</ndaq:ReasonCode><ndaq:PauseThresholdPrice />
    ${halt.isResumed ? RESUMPTION : "<ndaq:ResumptionDate /><ndaq:ResumptionQuoteTime /><ndaq:ResumptionTradeTime />"}<description><![CDATA[<table><tr><td>${symbol}</td></tr></table>]]></description></item>`;
}

/** Answer of the feed of trading halts. */
export function haltsFeed(halts: readonly PublishedHalt[], count = halts.length): SourceAnswer {
  return {
    type: "text/xml; charset=utf-8",
    body: `\uFEFF<rss version="2.0" xmlns:ndaq="http://www.nasdaqtrader.com/"><channel><title>NASDAQTrader.com</title>
      <ttl>1</ttl><ndaq:numItems>${count}</ndaq:numItems>${halts.map(itemOf).join("")}</channel></rss>`,
  };
}

/** Behaves like the feed of trading halts: those of today and unresumed ones, or those of one day. */
export class FakeHalts {
  halts: readonly PublishedHalt[] = [];
  readonly #today: () => string;

  /** @param today Day in New York, `2026-03-09`. */
  constructor(today: () => string) {
    this.#today = today;
  }

  publish(halt: PublishedHalt): void {
    this.halts = [...this.halts, halt];
  }

  answer({ path }: SourceRequest): SourceAnswer {
    const query = /^\/rss\.aspx\?feed=tradehalts(?:&haltdate=(\d\d)(\d\d)(\d{4}))?$/.exec(path);
    if (query === null) return { status: 404 };
    const [, month, day, year] = query;
    const date = month === undefined ? slashed(this.#today()) : `${month}/${day}/${year}`;
    return haltsFeed(this.halts.filter((halt) => halt.date === date || (halt.isUnresumed && month === undefined)));
  }
}

/** `03/09/2026` */
function slashed(day: string): string {
  const [year, month, dayOfMonth] = day.split("-");
  return `${month}/${dayOfMonth}/${year}`;
}
