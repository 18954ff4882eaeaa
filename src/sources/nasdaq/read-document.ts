import type { DocumentEntry, DocumentReading, ReadContext } from "../document-reading.ts";
import { decodeText } from "../web/decode-text.ts";
import type { WebAnswer } from "../web/web.ts";
import {
  type ListedNotice,
  noticeIdIn,
  noticeUrl,
  readArchiveRows,
  readNoticeFeed,
  readRpcAnswer,
} from "./notice-lists.ts";
import { titleNamesReverseSplit } from "./notice-title.ts";
import { readNotice } from "./read-notice.ts";

const ORIGIN = "https://www.nasdaqtrader.com";
const MAX_SCANNED_BYTES = 512;
/** A page with fewer rows of notices is a notice that refers to another one. */
const MIN_ARCHIVE_ROWS = 2;

/** Reads a document of the source: the feed, the archive as JSON or as a page, or the page of a notice. */
export async function readNoticeDocument(document: WebAnswer, { now }: ReadContext): Promise<DocumentReading> {
  const start = decodeText(document.body.subarray(0, MAX_SCANNED_BYTES), null).trimStart();
  if (start.startsWith("{")) return archiveReading(await readRpcAnswer(document));
  if (/^<(?:\?xml|rss)\b/i.test(start)) return feedReading(document, now);
  const id = noticeIdIn(document.url.href);
  if (/\barchiveheadlines\b/i.test(document.url.href)) return archiveReading(await readArchiveRows(document));
  const rows = id === null && /<table\b/i.test(decodeText(document.body, null)) ? await readArchiveRows(document) : [];
  return rows.length >= MIN_ARCHIVE_ROWS ? archiveReading(rows) : noticeReading(document, id);
}

async function feedReading(document: WebAnswer, now: number): Promise<DocumentReading> {
  const { notices, failure } = await readNoticeFeed(document, now);
  const refusals = failure === null ? [] : [failure.message];
  return { document: "feed", entries: notices.map(entryOf), refusals };
}

function archiveReading(notices: readonly ListedNotice[]): DocumentReading {
  return { document: "archive", entries: notices.map(entryOf) };
}

function entryOf({ id, title, publishedAt }: ListedNotice): DocumentEntry {
  return { id: noticeUrl(ORIGIN, id), title, publishedAt, isFollowed: titleNamesReverseSplit(title) };
}

async function noticeReading(document: WebAnswer, id: string | null): Promise<DocumentReading> {
  const { page, statements } = await readNotice(document, { origin: ORIGIN, id, title: "", publishedAt: null });
  return { document: "notice", statements, noSplitReason: `${page.id} is not about a reverse split: ${page.title}` };
}
