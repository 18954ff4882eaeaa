import { type SourceServer, startSourceServer } from "./source-server.ts";

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
  readonly documents: readonly FiledDocument[];
  /** Default: Quillmere Therapeutics, Inc. */
  readonly company?: string;
}

export interface EdgarServer extends SourceServer {
  /** The latest filings, newest first. */
  readonly filings: FiledReport[];
  /** Filings that the full-text search knows, too. */
  readonly searched: FiledReport[];
  /** Name, symbols and exchanges of every filer. */
  filer: { readonly name: string; readonly tickers: readonly string[]; readonly exchanges: readonly string[] };
  /** Status of the answers about filers; default: 200. */
  filerStatus: number;
  /** Paths of the requests so far, without queries. */
  paths(): readonly string[];
}

const CIK = "9999901";
const ACCEPTED = "2026-03-02 08:30:15";
const COMPANY = "Quillmere Therapeutics, Inc.";

/** A server with the four interfaces of EDGAR that splitwatch reads. */
export async function startEdgarServer(): Promise<EdgarServer> {
  const filings: FiledReport[] = [];
  const searched: FiledReport[] = [];
  const state: Pick<EdgarServer, "filer" | "filerStatus"> = {
    filer: { name: COMPANY, tickers: ["QLMR"], exchanges: ["Nasdaq"] },
    filerStatus: 200,
  };
  const server = await startSourceServer(({ path }) => {
    const { pathname, searchParams } = new URL(path, "http://edgar.example");
    if (pathname === "/cgi-bin/browse-edgar") return latest(filings, searchParams);
    if (pathname === "/LATEST/search-index") return search(searched, searchParams);
    if (pathname === `/submissions/CIK${CIK.padStart(10, "0")}.json`)
      return { status: state.filerStatus, body: JSON.stringify(state.filer) };
    const filed = [...filings, ...searched].find(({ accession }) => pathname.startsWith(folderOf(accession)));
    const file = pathname.slice(pathname.lastIndexOf("/") + 1);
    if (filed && file === `${filed.accession}-index.htm`) return { type: "text/html", body: indexPage(filed) };
    const document = filed?.documents.find((one) => one.file === file);
    if (document) return { type: "text/html", body: documentPage(document) };
    return { status: 404 };
  });
  return {
    ...server,
    filings,
    searched,
    get filer() {
      return state.filer;
    },
    set filer(filer) {
      state.filer = filer;
    },
    get filerStatus() {
      return state.filerStatus;
    },
    set filerStatus(status) {
      state.filerStatus = status;
    },
    paths: () => server.received.map(({ path }) => path.split("?")[0] ?? ""),
  };
}

export function folderOf(accession: string): string {
  return `/Archives/edgar/data/${CIK}/${accession.replaceAll("-", "")}/`;
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
  const { accession, form = "8-K", items = [], company = COMPANY, accepted = ACCEPTED } = filed;
  const listed = items.map((item) => `&lt;br&gt;Item ${item}: Title of the item`).join("");
  return `<entry><title>${form} - ${company.toUpperCase()} (000${CIK}) (${role})</title>
<link rel="alternate" type="text/html" href="https://www.sec.gov${folderOf(accession)}${accession}-index.htm"/>
<summary type="html"> &lt;b&gt;Filed:&lt;/b&gt; 2026-03-02 &lt;b&gt;AccNo:&lt;/b&gt; ${accession} &lt;b&gt;Size:&lt;/b&gt; 300 KB${listed}</summary>
<updated>${accepted.replace(" ", "T")}-05:00</updated><category scheme="https://www.sec.gov/" label="form type" term="${form}"/>
<id>urn:tag:sec.gov,2008:accession-number=${accession}</id></entry>`;
}

function search(searched: readonly FiledReport[], query: URLSearchParams) {
  const hits = searched.flatMap(({ accession, form = "8-K", items = [], documents }) =>
    documents.map(({ type, file }) => ({
      _id: `${accession}:${file}`,
      _source: {
        ciks: [`000${CIK}`],
        display_names: [`${COMPANY}  (QLMR, QLMRW)  (CIK 000${CIK})`],
        adsh: accession,
        form,
        root_forms: [form],
        file_type: type,
        file_date: "2026-03-02",
        items,
      },
    })),
  );
  const from = Number(query.get("from"));
  const page = { total: { value: hits.length, relation: "eq" }, hits: hits.slice(from, from + 100) };
  return { body: JSON.stringify({ hits: page }) };
}

function indexPage({ accession, form = "8-K", accepted = ACCEPTED, documents }: FiledReport): string {
  const rows = documents.map(({ type, file }, n) => {
    const viewer = type === form ? "/ix?doc=" : "";
    return `<tr><td scope="row">${n + 1}</td><td scope="row">DOCUMENT</td>
<td scope="row"><a href="${viewer}${folderOf(accession)}${file}">${file}</a></td><td scope="row">${type}</td><td>100</td></tr>`;
  });
  return `<!DOCTYPE html><html><head><title>EDGAR Filing Documents for ${accession}</title></head><body>
<div class="formGrouping"><div class="infoHead">Filing Date</div><div class="info">2026-03-02</div>
<div class="infoHead">Accepted</div>
<div class="info">${accepted}</div></div>
<table class="tableFile" summary="Document Format Files">
<tr><th>Seq</th><th>Description</th><th>Document</th><th>Type</th><th>Size</th></tr>
${rows.join("\n")}
<tr><td>&nbsp;</td><td>Complete submission text file</td><td><a href="${folderOf(accession)}${accession}.txt">${accession}.txt</a></td><td>&nbsp;</td><td>900</td></tr>
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
