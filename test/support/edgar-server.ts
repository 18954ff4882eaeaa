import type { Day } from "../../src/domain/time/day.ts";
import { nextTradingDay } from "../../src/domain/time/trading-day.ts";
import { day, exchange } from "./builders.ts";
import { type SourceAnswer, type SourceRequest, type SourceServer, startSourceServer } from "./source-server.ts";

export interface FiledDocument {
  readonly type: string;
  readonly file: string;
  /** HTML of its body. */
  readonly html: string;
}

export interface FiledReport {
  readonly accession: string;
  /** Default: 8-K. */
  readonly form?: string;
  readonly items?: readonly string[];
  /** New York time; default: `2026-03-02 08:30:15`. */
  readonly accepted?: string;
  /** Where the time of acceptance is stated: in the list and on the index page, in the list alone, or nowhere. Default: all. */
  readonly timeIn?: "all" | "list" | "none";
  readonly documents: readonly FiledDocument[];
  /** Default: Quillmere Therapeutics, Inc. */
  readonly company?: string;
  /** Number of the filer, without leading zeros; default: that of Quillmere. */
  readonly cik?: string;
  readonly filer?: FakeFiler;
}

/** Name, symbols and exchanges of a company, as EDGAR states them. */
export interface FakeFiler {
  readonly name: string;
  readonly tickers: readonly string[];
  readonly exchanges: readonly string[];
}

const CIK = "9999901";
const ACCEPTED = "2026-03-02 08:30:15";
const COMPANY = "Quillmere Therapeutics, Inc.";

/** Behaves like the four interfaces of EDGAR that splitwatch reads. */
export class FakeEdgar {
  /** The latest filings, newest first. */
  readonly filings: FiledReport[] = [];
  /** Filings that the full-text search knows, too. */
  readonly searched: FiledReport[] = [];
  /** Filer of the reports that name none. */
  filer: FakeFiler = { name: COMPANY, tickers: ["QLMR"], exchanges: ["Nasdaq"] };
  /** Status of the answers about filers; default: 200. */
  filerStatus = 200;

  /** Adds a filing to the latest ones and to the search. */
  file(report: FiledReport): void {
    this.filings.unshift(report);
    this.searched.push(report);
  }

  answer({ path }: SourceRequest): SourceAnswer {
    const { pathname, searchParams } = new URL(path, "http://edgar.example");
    if (pathname === "/cgi-bin/browse-edgar") return latest(this.filings, searchParams);
    if (pathname === "/LATEST/search-index") return search(this.searched, searchParams);
    const cik = /^\/submissions\/CIK0*(\d+)\.json$/.exec(pathname)?.[1];
    if (cik !== undefined) return this.#filerAnswer(cik);
    const filed = [...this.filings, ...this.searched].find((report) => pathname.startsWith(folderOfReport(report)));
    const file = pathname.slice(pathname.lastIndexOf("/") + 1);
    if (filed && file === `${filed.accession}-index.htm`) return { type: "text/html", body: indexPage(filed) };
    const document = filed?.documents.find((one) => one.file === file);
    if (document) return { type: "text/html", body: documentPage(document) };
    return { status: 404 };
  }

  #filerAnswer(cik: string): SourceAnswer {
    const known = [...this.filings, ...this.searched].find((report) => report.cik === cik);
    const filer = known?.filer ?? (cik === CIK ? this.filer : undefined);
    return filer === undefined ? { status: 404 } : { status: this.filerStatus, body: JSON.stringify(filer) };
  }
}

export interface EdgarServer extends FakeEdgar, SourceServer {
  /** Paths of the requests so far, without queries. */
  paths(): readonly string[];
}

export async function startEdgarServer(): Promise<EdgarServer> {
  const edgar = new FakeEdgar();
  const server = await startSourceServer((request) => edgar.answer(request));
  return Object.assign(edgar, server, {
    paths: () => server.received.map(({ path }) => path.split("?")[0] ?? ""),
  });
}

export function folderOf(accession: string, cik = CIK): string {
  return `/Archives/edgar/data/${cik}/${accession.replaceAll("-", "")}/`;
}

function folderOfReport({ accession, cik }: FiledReport): string {
  return folderOf(accession, cik);
}

function latest(filings: readonly FiledReport[], query: URLSearchParams) {
  const form = query.get("type") ?? "";
  const start = Number(query.get("start"));
  // Each filing is listed for its filer and for a subject.
  const entries = filings
    .filter((filed) => (filed.form ?? "8-K").startsWith(form))
    .flatMap((filed) => [entryOf(filed, "Filer"), entryOf(filed, "Subject")]);
  const feed = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Latest Filings - Mon, 02 Mar 2026 09:00:00 EST</title>
<link rel="self" href="/cgi-bin/browse-edgar?action=getcurrent"/>
<id>https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent</id>
<author><name>Webmaster</name><email>webmaster@sec.gov</email></author>
<updated>2026-03-02T09:00:00-05:00</updated>
${entries.slice(start, start + Number(query.get("count"))).join("\n")}
</feed>`;
  return { type: "application/atom+xml", body: Buffer.from(feed, "latin1") };
}

function entryOf(filed: FiledReport, role: string): string {
  const { accession, form = "8-K", items = [], company = COMPANY, cik = CIK, accepted = ACCEPTED } = filed;
  const listed = items.map((item) => `&lt;br&gt;Item ${item}: Title of the item`).join("");
  return `<entry>
<title>${form} - ${company.toUpperCase()} (${cik.padStart(10, "0")}) (${role})</title>
<link rel="alternate" type="text/html" href="https://www.sec.gov${folderOfReport(filed)}${accession}-index.htm"/>
<summary type="html">
 &lt;b&gt;Filed:&lt;/b&gt; ${filingDateOf(filed)} &lt;b&gt;AccNo:&lt;/b&gt; ${accession} &lt;b&gt;Size:&lt;/b&gt; 300 KB${listed}
</summary>
${filed.timeIn === "none" ? "" : `<updated>${accepted.replace(" ", "T")}-05:00</updated>`}
<category scheme="https://www.sec.gov/" label="form type" term="${form}"/>
<id>urn:tag:sec.gov,2008:accession-number=${accession}</id>
</entry>`;
}

/** Minutes after midnight; what is accepted later bears the date of the next working day. */
const FILING_DAY_ENDS = 17 * 60 + 30;

function filingDateOf({ accepted = ACCEPTED }: FiledReport): string {
  const [date = "", time = ""] = accepted.split(" ");
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute < FILING_DAY_ENDS ? date : (nextTradingDay(exchange("NASDAQ"), day(date)) as Day);
}

const PHRASES = /reverse\s+(?:stock\s+)?split|share\s+consolidation/i;

function search(searched: readonly FiledReport[], query: URLSearchParams) {
  const [from, to] = [query.get("startdt") ?? "", query.get("enddt") ?? ""];
  const filed = searched.map((report) => ({ ...report, date: filingDateOf(report) }));
  const hits = filed
    .filter(({ date }) => from <= date && date <= to)
    .flatMap(({ accession, form = "8-K", items = [], documents, cik = CIK, company = COMPANY, filer, date }) =>
      documents
        .filter(({ html }) => PHRASES.test(html))
        .map(({ type, file }) => ({
          _id: `${accession}:${file}`,
          _source: {
            ciks: [cik.padStart(10, "0")],
            display_names: [
              `${company}  (${filer?.tickers.join(", ") ?? "QLMR, QLMRW"})  (CIK ${cik.padStart(10, "0")})`,
            ],
            adsh: accession,
            form,
            root_forms: [form],
            file_type: type,
            file_date: date,
            items,
          },
        })),
    );
  const start = Number(query.get("from"));
  const page = { total: { value: hits.length, relation: "eq" }, hits: hits.slice(start, start + 100) };
  return { body: JSON.stringify({ hits: page }) };
}

function indexPage(filed: FiledReport): string {
  const { accession, form = "8-K", accepted = ACCEPTED, documents, timeIn = "all" } = filed;
  const acceptance = `<div class="infoHead">Accepted</div>\n<div class="info">${accepted}</div>`;
  const folder = folderOfReport(filed);
  const rows = documents.map(({ type, file }, n) => {
    const viewer = type === form ? "/ix?doc=" : "";
    return `<tr><td scope="row">${n + 1}</td><td scope="row">DOCUMENT</td>
<td scope="row"><a href="${viewer}${folder}${file}">${file}</a></td><td scope="row">${type}</td><td>100</td></tr>`;
  });
  return `<!DOCTYPE html><html><head><title>EDGAR Filing Documents for ${accession}</title></head><body>
<div class="formGrouping"><div class="infoHead">Filing Date</div><div class="info">${filingDateOf(filed)}</div>
${timeIn === "all" ? acceptance : ""}</div>
<table class="tableFile" summary="Document Format Files">
<tr><th>Seq</th><th>Description</th><th>Document</th><th>Type</th><th>Size</th></tr>
${rows.join("\n")}
<tr><td>&nbsp;</td><td>Complete submission text file</td><td><a href="${folder}${accession}.txt">${accession}.txt</a></td><td>&nbsp;</td><td>900</td></tr>
</table></body></html>`;
}

function documentPage({ type, file, html }: FiledDocument): string {
  return `<DOCUMENT>
<TYPE>${type}
<SEQUENCE>2
<FILENAME>${file}
<DESCRIPTION>DOCUMENT
<TEXT>
<HTML><HEAD><TITLE></TITLE></HEAD><BODY>
${html}
</BODY></HTML></TEXT></DOCUMENT>`;
}
