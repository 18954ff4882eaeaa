import type { SourceAnswer } from "./source-server.ts";

/** A halt as the feed shows it. */
export interface PublishedHalt {
  readonly symbol?: string;
  readonly name?: string;
  readonly market?: string;
  readonly date?: string;
  readonly time?: string;
  readonly reason?: string;
}

function itemOf(halt: PublishedHalt): string {
  const { symbol = "QLMR", name = "Quillmere Therap Cm St", market = "NASDAQ" } = halt;
  const { date = "03/09/2026", time = "19:50:00.000", reason = "T1" } = halt;
  return `<item><title>${symbol}</title><pubDate>Mon, 09 Mar 2026 04:00:00 GMT</pubDate><ndaq:HaltDate>${date}</ndaq:HaltDate>
    <ndaq:HaltTime>${time}</ndaq:HaltTime><ndaq:IssueSymbol>${symbol}</ndaq:IssueSymbol><ndaq:IssueName>${name}</ndaq:IssueName>
    <ndaq:Market>${market}</ndaq:Market><ndaq:ReasonCode>${reason}</ndaq:ReasonCode><ndaq:PauseThresholdPrice />
    <ndaq:ResumptionDate /><description><![CDATA[<table><tr><td>${symbol}</td></tr></table>]]></description></item>`;
}

/** Answer of the feed of trading halts. */
export function haltsFeed(halts: readonly PublishedHalt[], count = halts.length): SourceAnswer {
  return {
    type: "text/xml; charset=utf-8",
    body: `\uFEFF<rss version="2.0" xmlns:ndaq="http://www.nasdaqtrader.com/"><channel><title>NASDAQTrader.com</title>
      <ttl>1</ttl><ndaq:numItems>${count}</ndaq:numItems>${halts.map(itemOf).join("")}</channel></rss>`,
  };
}
