import type { DocumentEntry, DocumentReading, ReadContext } from "../document-reading.ts";
import { decodeText } from "../web/decode-text.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { noticeUrl } from "./notice-id.ts";
import { type ListedNotice, noticeIdIn, readArchiveRows, readNoticeFeed, readRpcAnswer } from "./read-lists.ts";
import { readNotice } from "./read-notice.ts";

const ORIGIN = "https://www.nasdaqtrader.com";
const MAX_SCANNED_BYTES = 512;
/** A page with fewer rows of notices is a notice that refers to another one. */
const MIN_ARCHIVE_ROWS = 2;

/** Reads a document of the source: the feed, the archive as JSON or as a page, or the page of a notice. */
export function readNoticeDocument(document: WebAnswer, { now }: ReadContext): DocumentReading {
  const start = decodeText(document.body.subarray(0, MAX_SCANNED_BYTES), null).trimStart();
  if (start.startsWith("{")) return archiveReading(readRpcAnswer(document));
  if (/^<(?:\?xml|rss)\b/i.test(start)) return feedReading(document, now);
  const id = noticeIdIn(document.url.href);
  if (/\barchiveheadlines\b/i.test(document.url.href)) return archiveReading(readArchiveRows(document));
  const rows = id === null && /<table\b/i.test(decodeText(document.body, null)) ? readArchiveRows(document) : [];
  return rows.length >= MIN_ARCHIVE_ROWS ? archiveReading(rows) : noticeReading(document, id);
}

function feedReading(document: WebAnswer, now: number): DocumentReading {
  const { notices, problem } = readNoticeFeed(document, now);
  return { document: "feed", entries: notices.map(entryOf), refusals: problem === null ? [] : [problem] };
}

function archiveReading(notices: readonly ListedNotice[]): DocumentReading {
  return { document: "archive", entries: notices.map(entryOf) };
}

function entryOf({ id, title, publishedAt, isFollowed }: ListedNotice): DocumentEntry {
  return { id: noticeUrl(ORIGIN, id), title, publishedAt, isFollowed };
}

function noticeReading(document: WebAnswer, id: string | null): DocumentReading {
  const notice = readNotice(document, { origin: ORIGIN, id, title: "", publishedAt: null });
  const { statements } = notice;
  return {
    document: "notice",
    statements,
    noSplitReason: `${notice.id} is not about a reverse split: ${notice.title}`,
  };
}
