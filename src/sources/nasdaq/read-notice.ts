import { type Day, dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { instantAt } from "../../domain/time/wall-clock.ts";
import type { Statement } from "../official/statement.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { noticeUrl } from "./notice-id.ts";
import { readNoticePage } from "./notice-page.ts";
import { noticeStatements } from "./notice-terms.ts";

/** What is known of a notice before its page is read. */
export interface KnownNotice {
  /** Origin of the address of its statements. */
  readonly origin: string;
  /** Null: the page names it. */
  readonly id: string | null;
  /** Listed title; empty if unknown. */
  readonly title: string;
  /** Listed time. */
  readonly publishedAt: Instant | null;
}

/** A notice with its statements, none if it isn't about a reverse split. */
export interface ReadNotice {
  readonly id: string;
  readonly title: string;
  readonly statements: readonly Statement[];
}

/** Reads the page of a notice. Throws a FetchError for any other page, and for a notice about a split that names no security. */
export function readNotice(answer: WebAnswer, known: KnownNotice): ReadNotice {
  const page = readNoticePage(answer, known);
  const { id, day } = page;
  const source = { id, url: noticeUrl(known.origin, id), publishedAt: publicationTimeOf(day, known.publishedAt) };
  const statements = noticeStatements(page, source);
  if (statements.some(({ company, listings }) => company === null && listings.length === 0))
    throw unreadable(answer, `${id} names no security: ${page.title}`);
  return { id, title: page.title, statements };
}

/** Listed time if it is on the page's day, else the start of that day: a revision changes the listed time, not the page's day. */
function publicationTimeOf(day: Day | null, listedAt: Instant | null): Instant | null {
  if (day === null || (listedAt !== null && dayInZone(listedAt, MARKET_ZONE) === day)) return listedAt;
  return instantAt(day, 0, MARKET_ZONE);
}
