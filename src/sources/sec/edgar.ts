import type { Day } from "../../domain/time/day.ts";
import { BoundedMap } from "../../lib/collections.ts";
import type { DocumentReader } from "../reading/document-reader.ts";
import { SEC_PACE_MS } from "../sec-hosts.ts";
import { FetchError } from "../web/fetch-error.ts";
import type { Web } from "../web/web.ts";
import { filerUrl, LATEST_PAGE_SIZE, latestFilingsUrl, SEARCH_PAGE_SIZE, searchUrl } from "./edgar-addresses.ts";
import type { Filer } from "./filer.ts";
import { type Filing, type FilingDocument, type FilingIndex, folderUrl, indexUrl, mergeHits } from "./filing.ts";
import { FILING_READERS } from "./readers.ts";

export type EdgarOrigins = Readonly<Record<"url" | "searchUrl" | "dataUrl", string>>;

const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;
const MAX_INDEX_BYTES = 1024 * 1024;
/** At peak times, companies submit about 300 filings of one form per hour. */
const MAX_LATEST_PAGES = 5;
const MAX_SEARCH_PAGES = 20;
const MAX_CACHED = 500;

export interface LatestFilings {
  readonly filings: readonly Filing[];
  /** True if filings may be missing between these and the known ones. */
  readonly hasGap: boolean;
}

export interface FoundFilings {
  readonly filings: readonly Filing[];
  /** Set if there are more filings than were read; else null. */
  readonly failure: FetchError | null;
}

/** EDGAR client. Each request rejects with a FetchError if it fails. */
export interface Edgar {
  /**
   * Reads the latest filings of a form, page by page, until a page contains a known filing.
   * @param isKnown Null if no filing is known; then only one page is read.
   */
  latest(form: string, isKnown: ((filing: Filing) => boolean) | null, signal: AbortSignal): Promise<LatestFilings>;
  /** Filings of the days `from` to `to` that mention a reverse split. */
  search(from: Day, to: Day, signal: AbortSignal): Promise<FoundFilings>;
  index(filing: Filing, signal: AbortSignal): Promise<FilingIndex>;
  documentUrl(filing: Filing, document: FilingDocument): string;
  /** Text of a document; null if it names no reverse split. */
  text(url: string, signal: AbortSignal): Promise<string | null>;
  filer(cik: string, signal: AbortSignal): Promise<Filer>;
  readonly requestCount: number;
}

export interface EdgarParts {
  readonly web: Web;
  readonly reader: DocumentReader;
}

export function createEdgar(origins: EdgarOrigins, { web, reader }: EdgarParts): Edgar {
  const indexes = new BoundedMap<string, FilingIndex>(MAX_CACHED);
  const filers = new BoundedMap<string, Filer>(MAX_CACHED);
  const { url: origin } = origins;

  async function latest(form: string, isKnown: ((filing: Filing) => boolean) | null, signal: AbortSignal) {
    const filings: Filing[] = [];
    for (let page = 0; page < MAX_LATEST_PAGES; page += 1) {
      const address = latestFilingsUrl(origin, form, page * LATEST_PAGE_SIZE);
      const answer = await web.request(address, { kind: "feed", paceMs: SEC_PACE_MS, signal });
      const read = await reader.read(FILING_READERS, "readLatestFilings", answer);
      filings.push(...read);
      // A page can hold far fewer filings than entries, so a short page isn't the last one.
      if (isKnown === null || read.length === 0 || read.some(isKnown)) return { filings, hasGap: false };
    }
    return { filings, hasGap: true };
  }

  async function search(from: Day, to: Day, signal: AbortSignal): Promise<FoundFilings> {
    const filings: Filing[] = [];
    for (let page = 0; page < MAX_SEARCH_PAGES; page += 1) {
      const address = searchUrl(origins.searchUrl, { from, to, start: page * SEARCH_PAGE_SIZE });
      const headers = { accept: "application/json" };
      const answer = await web.request(address, { kind: "feed", headers, paceMs: SEC_PACE_MS, signal });
      const read = await reader.read(FILING_READERS, "readSearchPage", answer);
      filings.push(...read.filings);
      if (read.documentCount < SEARCH_PAGE_SIZE) return { filings: mergeHits(filings), failure: null };
    }
    const problem = `full-text search: ${MAX_SEARCH_PAGES} pages of ${SEARCH_PAGE_SIZE} documents since ${from}, further ones were not read`;
    return { filings: mergeHits(filings), failure: new FetchError("too-large", problem) };
  }

  return {
    latest,
    search,
    async index(filing, signal) {
      const known = indexes.get(filing.accession);
      if (known) return known;
      const request = { kind: "page", maxBytes: MAX_INDEX_BYTES, paceMs: SEC_PACE_MS, signal } as const;
      const answer = await web.request(indexUrl(origin, filing), request);
      const read = await reader.read(FILING_READERS, "readFilingIndex", answer);
      indexes.set(filing.accession, read);
      return read;
    },
    documentUrl: (filing, { file }) => folderUrl(origin, filing) + file,
    async text(url, signal) {
      const request = { kind: "page", maxBytes: MAX_DOCUMENT_BYTES, paceMs: SEC_PACE_MS, signal } as const;
      return reader.read(FILING_READERS, "readDocumentText", await web.request(url, request));
    },
    async filer(cik, signal) {
      const known = filers.get(cik);
      if (known) return known;
      const headers = { accept: "application/json" };
      const request = { kind: "feed", headers, maxBytes: MAX_DOCUMENT_BYTES, paceMs: SEC_PACE_MS, signal } as const;
      const answer = await web.request(filerUrl(origins.dataUrl, cik), request);
      const read = await reader.read(FILING_READERS, "readFiler", answer);
      filers.set(cik, read);
      return read;
    },
    get requestCount() {
      return web.requestCount;
    },
  };
}
