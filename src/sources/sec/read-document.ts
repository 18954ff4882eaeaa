import { dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { instantAt } from "../../domain/time/wall-clock.ts";
import type { DocumentEntry, DocumentReading, ReadContext } from "../document-reading.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { readDocumentText } from "./document-text.ts";
import { readFiler } from "./filer.ts";
import {
  accessionOfFolder,
  accessionOfIndex,
  type Filing,
  folderUrl,
  isReleaseExhibit,
  mayReportSplit,
} from "./filing.ts";
import { readFilingIndex } from "./filing-index.ts";
import { readExhibit, readReport } from "./filing-release.ts";
import { readSearchPage } from "./full-text-search.ts";
import { readLatestFilings } from "./latest-filings.ts";

type Kind = "latest filings" | "full-text search" | "filing index" | "filer" | "document";

/** Reads a captured answer of EDGAR. Throws a FetchError for another document. */
export function readEdgarDocument(document: WebAnswer, context: ReadContext): DocumentReading {
  const kind = kindOf(document);
  switch (kind) {
    case "latest filings":
      return {
        document: kind,
        entries: readLatestFilings(document).map((filing) => entryOf(filing, document)),
      };
    case "full-text search":
      return { document: kind, entries: readSearchPage(document).filings.map((filing) => entryOf(filing, document)) };
    case "filer": {
      const { name, share } = readFiler(document);
      return {
        document: kind,
        entries: [{ id: share?.ticker ?? name, title: name, publishedAt: null, isFollowed: false }],
      };
    }
    case "filing index": {
      const { acceptedAt, documents } = readFilingIndex(document);
      return {
        document: kind,
        entries: documents.map((listed) => ({
          id: new URL(listed.file, document.url).href,
          title: listed.type,
          publishedAt: acceptedAt,
          isFollowed: isReleaseExhibit(listed),
        })),
      };
    }
    case "document":
      return { document: kind, ...readFiledDocument(document, context) };
  }
}

/** In characters; the start of a document shows its kind. */
const MAX_START_LENGTH = 4_000;

/** The address decides; without a known one, the content. */
function kindOf({ url, body }: WebAnswer): Kind {
  if (url.pathname.endsWith("/browse-edgar")) return "latest filings";
  if (url.pathname.endsWith("/search-index")) return "full-text search";
  if (/\/submissions\/CIK\d+\.json$/i.test(url.pathname)) return "filer";
  if (accessionOfIndex(url) !== null) return "filing index";
  if (accessionOfFolder(url.pathname) !== null) return "document";
  const start = body.toString("utf8", 0, MAX_START_LENGTH);
  if (/^[\s\uFEFF]{0,100}\{/.test(start)) return /"hits"\s{0,10}:/.test(start) ? "full-text search" : "filer";
  if (/<(?:feed|rss)[\s>]/i.test(start)) return "latest filings";
  return /Document Format Files|EDGAR Filing Documents/i.test(body.toString("latin1")) ? "filing index" : "document";
}

function entryOf(filing: Filing, { url }: WebAnswer): DocumentEntry {
  return {
    id: folderUrl(url.origin, filing),
    title: `${filing.company}: ${filing.form}${filing.items.length === 0 ? "" : `, ${filing.items.join(", ")}`}`,
    publishedAt: filing.filedAt,
    isFollowed: mayReportSplit(filing),
  };
}

/** Type in the header of a filed document: `<TYPE>EX-99.1` */
const TYPE = /<TYPE>\s{0,5}([\w./-]{1,20})/i;

function readFiledDocument(document: WebAnswer, { now }: ReadContext): Omit<DocumentReading, "document"> {
  const text = readDocumentText(document);
  const { href: url, pathname } = document.url;
  if (text === null) throw unreadable(document, "expected a document that names a reverse split, got none");
  const type = TYPE.exec(document.body.toString("latin1", 0, MAX_START_LENGTH))?.[1]?.toUpperCase();
  const filing: Filing = {
    accession: accessionOfFolder(pathname) ?? "",
    cik: /\/data\/(\d{1,10})\//.exec(pathname)?.[1] ?? "",
    company: "",
    form: type ?? "8-K",
    filedAt: instantAt(dayInZone(now, MARKET_ZONE), 0, MARKET_ZONE),
    items: [],
    hits: null,
  };
  const isReport = type === undefined ? /(?:8|6)-?k/i.test(pathname.split("/").at(-1) ?? "") : !type.startsWith("EX-");
  const read = isReport ? readReport : readExhibit;
  const parts = { filing, acceptedAt: now, filer: null, readAt: now };
  return { releases: [read({ url, heading: "", content: text }, parts, null)] };
}
