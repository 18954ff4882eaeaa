import type { Day } from "../../domain/time/day.ts";
import { BoundedMap } from "../../lib/collections.ts";
import { SEC_PACE_MS } from "../sec-hosts.ts";
import { FetchError } from "../web/fetch-error.ts";
import { documentText } from "../web/page-text.ts";
import type { Web } from "../web/web.ts";
import { type Filer, filerUrl, readFiler } from "./filer.ts";
import { type Filing, type FilingDocument, type FilingIndex, folderUrl, indexUrl } from "./filing.ts";
import { readFilingIndex } from "./filing-index.ts";
import { mergeHits, readSearchPage, SEARCH_PAGE_SIZE, searchUrl } from "./full-text-search.ts";
import { LATEST_PAGE_SIZE, latestFilingsUrl, readLatestFilings } from "./latest-filings.ts";

export type EdgarOrigins = Readonly<Record<"url" | "searchUrl" | "dataUrl", string>>;

const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;
const MAX_INDEX_BYTES = 1024 * 1024;
/** At peak times, about 300 filings of one form are made per hour. */
const MAX_LATEST_PAGES = 5;
const MAX_SEARCH_PAGES = 20;
const MAX_CACHED = 500;

export interface LatestFilings {
  readonly filings: readonly Filing[];
  /** Whether filings may be missing between these and the known ones. */
  readonly isGap: boolean;
}

export interface FoundFilings {
  readonly filings: readonly Filing[];
  /** Why further filings were not read; null if there are none. */
  readonly failure: FetchError | null;
}

/** Requests to EDGAR. Each throws a FetchError. */
export interface Edgar {
  /**
   * The latest filings of a form, back to a known one.
   * @param isKnown Null: nothing was read before, so one page suffices.
   */
  latest(form: string, isKnown: ((filing: Filing) => boolean) | null, signal: AbortSignal): Promise<LatestFilings>;
  /** Filings from `from` to `to` that name a reverse split. */
  search(from: Day, to: Day, signal: AbortSignal): Promise<FoundFilings>;
  index(filing: Filing, signal: AbortSignal): Promise<FilingIndex>;
  documentUrl(filing: Filing, document: FilingDocument): string;
  text(url: string, signal: AbortSignal): Promise<string>;
  filer(cik: string, signal: AbortSignal): Promise<Filer>;
  readonly requestCount: number;
}

export function createEdgar(origins: EdgarOrigins, web: Web): Edgar {
  const indexes = new BoundedMap<string, FilingIndex>(MAX_CACHED);
  const filers = new BoundedMap<string, Filer>(MAX_CACHED);
  const { url: origin } = origins;

  async function latest(form: string, isKnown: ((filing: Filing) => boolean) | null, signal: AbortSignal) {
    const filings: Filing[] = [];
    for (let page = 0; page < MAX_LATEST_PAGES; page += 1) {
      const address = latestFilingsUrl(origin, form, page * LATEST_PAGE_SIZE);
      const read = await readLatestFilings(await web.request(address, { kind: "feed", paceMs: SEC_PACE_MS, signal }));
      filings.push(...read);
      // A filing has several entries, so a page may hold much fewer filings than entries.
      if (isKnown === null || read.length === 0 || read.some(isKnown)) return { filings, isGap: false };
    }
    return { filings, isGap: true };
  }

  async function search(from: Day, to: Day, signal: AbortSignal): Promise<FoundFilings> {
    const filings: Filing[] = [];
    for (let page = 0; page < MAX_SEARCH_PAGES; page += 1) {
      const address = searchUrl(origins.searchUrl, { from, to, start: page * SEARCH_PAGE_SIZE });
      const headers = { accept: "application/json" };
      const read = readSearchPage(await web.request(address, { kind: "feed", headers, paceMs: SEC_PACE_MS, signal }));
      filings.push(...read.filings);
      if (read.documents < SEARCH_PAGE_SIZE) return { filings: mergeHits(filings), failure: null };
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
      const read = readFilingIndex(await web.request(indexUrl(origin, filing), request));
      indexes.set(filing.accession, read);
      return read;
    },
    documentUrl: (filing, { file }) => folderUrl(origin, filing) + file,
    async text(url, signal) {
      const request = { kind: "page", maxBytes: MAX_DOCUMENT_BYTES, paceMs: SEC_PACE_MS, signal } as const;
      return documentText(await web.request(url, request));
    },
    async filer(cik, signal) {
      const known = filers.get(cik);
      if (known) return known;
      const headers = { accept: "application/json" };
      const request = { kind: "feed", headers, maxBytes: MAX_DOCUMENT_BYTES, paceMs: SEC_PACE_MS, signal } as const;
      const read = readFiler(await web.request(filerUrl(origins.dataUrl, cik), request));
      filers.set(cik, read);
      return read;
    },
    get requestCount() {
      return web.requestCount;
    },
  };
}
