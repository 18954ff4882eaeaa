import type { Wire } from "../../../src/domain/article/wire.ts";
import { announcementTexts } from "../../newswires/wire-shapes.ts";
import type { FiledDocument } from "../edgar-server.ts";
import type { IssuerParts } from "./releases.ts";
import { at, longDate, type Plan, type Publication, tradingDay } from "./story.ts";

export interface FilingTerms {
  /** Number of the trading day on which it is accepted. */
  readonly on: number;
  /** Minutes after midnight in New York. */
  readonly minute?: number;
  /** Counts the filings of a split. */
  readonly part?: number;
  readonly form?: string;
  readonly items?: readonly string[];
}

const BEFORE_OPEN = 8 * 60;

function filing(
  { plan, market }: IssuerParts,
  { on, minute = BEFORE_OPEN, part = 1, form = "8-K", items = ["3.03", "5.03", "9.01"] }: FilingTerms,
  documents: readonly FiledDocument[],
): Publication {
  const { ticker, company, number, draw } = plan;
  const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}:15`;
  const filed = {
    accession: `0009999999-26-${String(number * 10 + part).padStart(6, "0")}`,
    cik: String(1_000_000 + number),
    company,
    form,
    items: form === "6-K" ? [] : items,
    accepted: `${tradingDay(on)} ${time}`,
    filer: { name: company, tickers: [ticker], exchanges: [market.startsWith("NYSE") ? "NYSE" : market] },
    timeIn: draw(["all", "list"] as const),
    documents,
  };
  return { at: at(on, minute), publish: ({ sec }) => sec.file(filed) };
}

const DATELINES: Readonly<Record<Wire, (date: string) => string>> = {
  globenewswire: (date) => `LAKEFORD, Ohio, ${date} (GLOBE NEWSWIRE) -- `,
  prnewswire: (date) => `LAKEFORD, Ohio, ${date} /PRNewswire/ -- `,
  businesswire: () => "LAKEFORD, Ohio--(BUSINESS WIRE)--",
  accesswire: (date) => `LAKEFORD, OH / ACCESS Newswire / ${date} / `,
  newsfile: (date) => `Lakeford, Ohio--(Newsfile Corp. - ${date}) - `,
};

/** A filing whose exhibit is the release that announces the split. */
export function exhibit(
  issuer: IssuerParts,
  terms: FilingTerms & { readonly type?: string; readonly old?: number },
): Publication {
  const { plan, market } = issuer;
  const { on, form = "8-K", type = "EX-99.1", old = plan.old } = terms;
  const symbol = `${market}: ${plan.ticker}`;
  const { heading, teaser, body } = announcementTexts({
    company: plan.company,
    symbol,
    ratio: `1-for-${old}`,
    day: longDate(plan.ex),
  });
  const dateline = DATELINES[plan.wire](longDate(on));
  return filing(issuer, terms, [
    {
      type: form,
      file: "report.htm",
      html: "<p>Item 8.01 Other Events.</p><p>A release is attached as an exhibit.</p>",
    },
    { type, file: "ex99.htm", html: `<p>Exhibit 99.1</p><p>${heading}</p><p>${dateline}${teaser}</p>${body}` },
  ]);
}

/** A filing that reports the split itself, without an exhibit. */
export function report(issuer: IssuerParts, terms: FilingTerms): Publication {
  const { company, ticker, old, ex } = issuer.plan;
  return filing(issuer, terms, [
    {
      type: "8-K",
      file: "report.htm",
      html: `<p>FORM 8-K</p><p>${company}</p><p>Item 5.03 Amendments to Articles of Incorporation or Bylaws.</p>
        <p>On ${longDate(terms.on)}, ${company} (the “Company”) filed a certificate of amendment to effect a 1-for-${old} reverse
        stock split of its common stock. The common stock will begin trading on a split-adjusted basis under the symbol “${ticker}”
        on ${longDate(ex)}.</p><p>Item 9.01 Financial Statements and Exhibits.</p><p>SIGNATURES</p><p>An officer</p>`,
    },
  ]);
}

/** A report on a vote that approved a range of ratios. */
export function vote(issuer: IssuerParts, terms: FilingTerms): Publication {
  const { company } = issuer.plan;
  return filing(issuer, { items: ["5.07"], part: 2, ...terms }, [
    {
      type: "8-K",
      file: "vote.htm",
      html: `<p>Item 5.07 Submission of Matters to a Vote of Security Holders.</p><p>On ${longDate(terms.on)}, the stockholders of
        ${company} approved an amendment to effect a reverse stock split of the common stock at a ratio in the range of 1-for-5 to
        1-for-250, to be determined by the board of directors.</p><p>SIGNATURES</p>`,
    },
  ]);
}

/** A report on a listing rule that mentions an earlier reverse stock split. */
export function delistingNotice(issuer: IssuerParts, terms: FilingTerms): Publication {
  const { company } = issuer.plan;
  return filing(issuer, { items: ["3.01", "8.01"], part: 3, ...terms }, [
    {
      type: "8-K",
      file: "notice.htm",
      html: `<p>Item 3.01 Notice of Delisting or Failure to Satisfy a Continued Listing Rule.</p><p>On ${longDate(terms.on)}, ${company}
        received a letter that its bid price was below the minimum of $1.00 per share. If necessary, the company may effect a
        reverse stock split to regain compliance.</p><p>SIGNATURES</p>`,
    },
  ]);
}

/** A filing on another subject. */
export function earningsReport(plan: Plan, terms: FilingTerms): Publication {
  const documents = [{ type: "EX-99.1", file: "ex99.htm", html: `<p>${plan.company} reports its quarter.</p>` }];
  return filing({ plan, market: "Nasdaq" }, { items: ["2.02", "9.01"], ...terms }, documents);
}
