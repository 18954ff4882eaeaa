import type { SourceAnswer, SourceRequest } from "./source-server.ts";

const CONTROLLER = "/TSXVenture/TSXVentureHttpController";

/** A bulletin as the TSX Venture Exchange publishes it. */
export interface PublishedVentureBulletin {
  readonly id: string;
  /** Text of its row in the list: date, company and type. */
  readonly row: string;
  /** HTML of the bulletin below the navigation of the page. */
  readonly body: string;
}

/** Behaves like the bulletins of the TSX Venture Exchange: one list of the latest, and a page for each `NOTICE_ID`. */
export class FakeVentureBulletins {
  /** HTML rows of the list, newest first. */
  rows: readonly string[] = [];
  /** By `NOTICE_ID`. */
  readonly pages = new Map<string, SourceAnswer>();

  /** Adds a bulletin, or replaces the one with the same id. */
  publish({ id, row, body }: PublishedVentureBulletin): void {
    const others = this.rows.filter((one) => !one.includes(`NOTICE_ID=${id}&`));
    this.rows = [listRow(id, row), ...others];
    this.pages.set(id, bulletinPage(body));
  }

  answer({ path }: SourceRequest): SourceAnswer {
    const { pathname, searchParams } = new URL(path, "http://venture.example");
    if (pathname !== CONTROLLER) return { status: 404 };
    if (searchParams.get("GetPage") === "LatestCompanyDocuments") return ventureList(this.rows);
    return this.pages.get(searchParams.get("NOTICE_ID") ?? "") ?? { status: 404 };
  }
}

function listRow(id: string, text: string): string {
  const link = `TSXVentureHttpController?GetPage=NoticesContents&amp;PO_ID=77&amp;NOTICE_ID=${id}&amp;CORRECTION_FLG=N`;
  return `<tr class="row"><td>${text}</td><td><a href="${link}">View</a></td></tr>`;
}

export function ventureList(rows: readonly string[]): SourceAnswer {
  const body = `<html><head><title>Latest company documents</title></head><body><a href="/TSXVenture/TSXVentureHttpController?GetPage=LatestCompanyDocuments">Bulletins</a>
<table><tr><th>Date</th><th>Bulletin</th><th></th></tr>${rows.join("\n")}</table></body></html>`;
  return { type: "text/html; charset=ISO-8859-1", body };
}

function bulletinPage(body: string): SourceAnswer {
  const html = `<html><head><title>TMX</title><script>var page = "list";</script></head><body><ul><li><a href="/">Home</a></li><li>Search</li></ul>
<h2>Bulletin Contents</h2><div>${body}</div><p>Terms of use</p></body></html>`;
  return { type: "text/html", body: html };
}

export interface VentureTerms {
  readonly symbol?: string;
  readonly company?: string;
  /** `[formerly Wenmoor Gold Inc. ("WMG")]`; null: none. */
  readonly formerly?: string | null;
  readonly type?: string;
  readonly date?: string;
  readonly sentences?: readonly string[];
  /** Lines below the sentences. */
  readonly labels?: readonly string[];
}

export const VENTURE_SENTENCES = [
  "Pursuant to a resolution passed by directors on February 10, 2026, the Company has consolidated its capital on a ten (10) old for one (1) new basis. The name of the Company has also been changed as follows.",
  "Effective at the opening on Friday, March 6, 2026, the common shares of Harrow Lithium Corp. will commence trading on TSX Venture Exchange, and the common shares of Wenmoor Gold Inc. will be delisted. The Company is classified as a 'Mineral Exploration' company.",
];

const LABELS = ["Transfer Agent: Odell Trust Company", "Trading Symbol: HRWL (new)", "CUSIP Number: 41550X 10 4 (new)"];

/** Lines of a bulletin; by default on a change of name with a consolidation of ten shares into one on March 6, 2026. */
export function ventureBlock(terms: VentureTerms = {}): readonly string[] {
  const {
    symbol = "HRWL",
    company = "HARROW LITHIUM CORP.",
    formerly = '[formerly Wenmoor Gold Inc. ("WMG")]',
    type = "Name Change and Consolidation",
    date = "March 2, 2026",
    sentences = VENTURE_SENTENCES,
    labels = LABELS,
  } = terms;
  return [
    `${company} ("${symbol}")`,
    ...(formerly === null ? [] : [formerly]),
    `BULLETIN TYPE:  ${type}`,
    `BULLETIN DATE:  ${date}`,
    "TSX Venture Tier 2 Company",
    ...sentences.flatMap((sentence) => ["", sentence]),
    "",
    ...labels,
  ];
}

/** The lines as HTML. */
export function ventureHtml(lines: readonly string[]): string {
  return lines.map((line) => line.replaceAll('"', "&quot;")).join("<br>\n");
}
