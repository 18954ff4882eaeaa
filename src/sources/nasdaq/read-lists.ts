import { dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { checkItemCount } from "../nasdaqtrader-feed.ts";
import { parseFieldDay } from "../notations.ts";
import { textVersion } from "../official/text-version.ts";
import { isNewsDay } from "../publishing-hours.ts";
import { decodeText } from "../web/decode-text.ts";
import { toFetchError, unreadable } from "../web/fetch-error.ts";
import { htmlToText } from "../web/page-text.ts";
import { readFeed } from "../web/read-feed.ts";
import { readJson } from "../web/read-json.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { isMarkedUpdated, titleNamesReverseSplit } from "./notice-title.ts";

/** A notice as the feed or the archive lists it. */
export interface ListedNotice {
  /** `ECA2026-901`. Notices are numbered by year. */
  readonly id: string;
  readonly title: string;
  readonly publishedAt: Instant | null;
  /** Whether the title may be that of a notice about the reverse split of a security. */
  readonly isFollowed: boolean;
  /** Whether the title marks the notice as changed after its publication. */
  readonly isMarkedUpdated: boolean;
  /** Changes when the feed shows the notice as updated. Null in the archive, which has no times. */
  readonly version: string | null;
}

export interface NoticeFeed {
  readonly notices: readonly ListedNotice[];
  /** Why the feed is incomplete; null if it is complete. */
  readonly problem: string | null;
}

const NOTICE_ID = /\bECA(?:\s|%20|\+)?(\d{4})(?:\s|%20|\+)?-(?:\s|%20|\+)?0{0,4}(\d{1,5})\b/i;
const ID_BEFORE_TITLE = /^\s*ECA\s?(\d{4})\s?-\s?0{0,4}(\d{1,5})\b/i;
/** The archive's column `Alert #`. */
const ALERT_NUMBER = /#\s?(\d{4})\s?[-\u2010-\u2015]\s?0{0,4}(\d{1,5})\b/;
/** A year has about 550 notices. */
const MAX_ROWS = 1_500;
const MAX_CELLS = 12;
const MAX_ROW_LENGTH = 4_000;

/** Reads the feed. Throws a FetchError for any other answer, and for an empty feed on a working day. */
export function readNoticeFeed(answer: WebAnswer, now: Instant): NoticeFeed {
  const { items } = readFeed(answer);
  if (items.length === 0 && isNewsDay(dayInZone(now, MARKET_ZONE)))
    throw unreadable(answer, "the feed is empty, although it is a working day");
  const notices = items.flatMap(({ url, heading, teaser, publishedAt, version }) => {
    const id = idIn(url, NOTICE_ID) ?? idIn(heading, ID_BEFORE_TITLE);
    // A notice that is changed in place may change only the description.
    return id === null
      ? []
      : [toListed({ id, title: heading, publishedAt, version: textVersion(`${version}\n${teaser}`) })];
  });
  if (items.length > 0 && notices.length === 0)
    throw unreadable(answer, "expected links to notices such as ECA2026-901, got none");
  return { notices, problem: problemOf(() => checkItemCount(answer, items.length)) };
}

function problemOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return toFetchError(error).message;
  }
}

/** Reads the archive's answer in JSON. Throws a FetchError for any other answer. */
export function readRpcAnswer(answer: WebAnswer): readonly ListedNotice[] {
  const parsed = readJson(answer);
  const table = typeof parsed === "object" && parsed !== null && "result" in parsed ? parsed.result : null;
  if (typeof table !== "string") throw unreadable(answer, "expected JSON with a table as `result`, got another shape");
  return rowsIn(table, answer);
}

/** Reads the archive's page. Throws a FetchError for a page without a table. */
export function readArchiveRows(answer: WebAnswer): readonly ListedNotice[] {
  return rowsIn(decodeText(answer.body, answer.header("content-type")), answer);
}

/** An archive always has a table, which is empty in the first days of a year. */
function rowsIn(html: string, answer: WebAnswer): readonly ListedNotice[] {
  if (!/<table\b/i.test(html)) throw unreadable(answer, "expected a table of notices, got none");
  const rows = html.split(/<tr\b/i, MAX_ROWS + 1).slice(1);
  return rows.flatMap((row) => listedNotice(row.slice(0, MAX_ROW_LENGTH)) ?? []);
}

/** Columns: date (`Sep 25, 2026`), market, number, heading with its link. */
function listedNotice(row: string): ListedNotice | null {
  const cells = row
    .split(/<t[dh]\b[^>]{0,500}>/i, MAX_CELLS + 1)
    .slice(1)
    .map((cell) => htmlToText(cell).replace(/\s+/g, " ").trim());
  const id = idIn(row, NOTICE_ID) ?? idIn(cells.join(" "), ALERT_NUMBER);
  const title = cells.findLast((cell) => cell !== "");
  if (id === null || title === undefined) return null;
  const day = cells.map(parseFieldDay).find((date) => date !== null);
  // The archive states only the day. 16:00 UTC is on the same day in New York.
  return toListed({ id, title, publishedAt: day === undefined ? null : Date.parse(`${day}T16:00:00Z`), version: null });
}

function toListed(notice: Omit<ListedNotice, "isFollowed" | "isMarkedUpdated">): ListedNotice {
  const { title } = notice;
  return { ...notice, isFollowed: titleNamesReverseSplit(title), isMarkedUpdated: isMarkedUpdated(title) };
}

/** Id of the notice in an address; null: none. */
export function noticeIdIn(url: string): string | null {
  return idIn(url, NOTICE_ID);
}

function idIn(text: string, pattern: RegExp): string | null {
  const [, year, number] = pattern.exec(text) ?? [];
  return year === undefined || number === undefined ? null : `ECA${year}-${number}`;
}
