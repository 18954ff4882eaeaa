import type { Release } from "../../catalog/release.ts";
import type { Instant } from "../../domain/time/day.ts";
import type { DocumentReader } from "../reading/document-reader.ts";
import type { SymbolTable } from "../symbol-table.ts";
import { FetchError, isHostFailure } from "../web/fetch-error.ts";
import type { Edgar } from "./edgar.ts";
import type { Filer } from "./filer.ts";
import {
  type Filing,
  type FilingDocument,
  isReleaseExhibit,
  mayReportSplit,
  reportsCorporateAction,
} from "./filing.ts";
import { FILING_READERS } from "./readers.ts";

/** Whether the document itself is missing or unreadable, while the host works. Such a read is retried for a shorter time. */
export function isDocumentFailure(error: unknown): boolean {
  return error instanceof FetchError && !isHostFailure(error);
}

export interface ReadFilingParts {
  readonly edgar: Edgar;
  /** Whether the document at the address was read before. */
  readonly isRead: (url: string) => boolean;
  /** Whether the document at the address was read and reports a split. */
  readonly isReport: (url: string) => boolean;
  readonly reader: DocumentReader;
  readonly directory: SymbolTable;
  /** Whether a failure of the host while the filer's symbol is read is an error; if false, the symbol is omitted. */
  readonly needsFiler: boolean;
  readonly now: () => Instant;
  readonly signal: AbortSignal;
}

/** A document after it was read. `release` is null if the document names no reverse split. */
export interface ReadDocument {
  readonly url: string;
  readonly release: Release | null;
}

/**
 * Reads the exhibits of a filing that contain releases. If none of them reports a reverse split, also reads the main document.
 * Throws a FetchError.
 */
export async function* readFiling(filing: Filing, parts: ReadFilingParts): AsyncGenerator<ReadDocument> {
  const { edgar, isRead, isReport, signal } = parts;
  const index = await edgar.index(filing, signal);
  const acceptedAt = index.acceptedAt ?? filing.filedAt ?? parts.now();
  let isReported = false;
  for (const document of exhibitsToRead(filing, index.documents)) {
    const url = edgar.documentUrl(filing, document);
    if (!isRead(url)) yield await readDocument({ filing, document, acceptedAt }, parts);
    isReported ||= isReport(url);
  }
  const report = index.documents.find(({ type, file }) => type === filing.form && isText(file));
  if (isReported || report === undefined || !mayBeReport(filing, report)) return;
  const url = edgar.documentUrl(filing, report);
  if (!isRead(url)) yield await readDocument({ filing, document: report, acceptedAt }, parts);
}

/** Exhibits that the search found; if none, EX-99.1, which is usually the press release. */
function exhibitsToRead({ hits }: Filing, documents: readonly FilingDocument[]): readonly FilingDocument[] {
  const exhibits = documents.filter((document) => isReleaseExhibit(document) && isText(document.file));
  const hitExhibits = exhibits.filter(({ file }) => hits?.some((hit) => hit.file === file));
  return hitExhibits.length > 0 ? hitExhibits : exhibits.filter(({ type }) => type === "EX-99.1" || type === "EX-99");
}

/** Whether the main document itself may report the split. */
function mayBeReport(filing: Filing, report: FilingDocument): boolean {
  const { hits } = filing;
  return hits === null
    ? reportsCorporateAction(filing)
    : hits.some(({ file }) => file === report.file) && mayReportSplit(filing);
}

function isText(file: string): boolean {
  return /\.(?:html?|txt)$/i.test(file);
}

interface DocumentToRead {
  readonly filing: Filing;
  readonly document: FilingDocument;
  readonly acceptedAt: Instant;
}

async function readDocument(
  { filing, document, acceptedAt }: DocumentToRead,
  { edgar, reader, directory, needsFiler, now, signal }: ReadFilingParts,
): Promise<ReadDocument> {
  const url = edgar.documentUrl(filing, document);
  const text = await edgar.text(url, signal);
  if (text === null) return { url, release: null };
  const filer = await edgar.filer(filing.cik, signal).catch((error: unknown): Filer | null => {
    if (needsFiler && !isDocumentFailure(error)) throw error;
    return null; // Without the filer's symbol, only the text is used.
  });
  const name = isReleaseExhibit(document) ? "readExhibit" : "readReport";
  const parts = { filing, acceptedAt, filer, readAt: now() };
  const content = { url, heading: "", content: text };
  return { url, release: await reader.read(FILING_READERS, name, content, parts, directory) };
}
