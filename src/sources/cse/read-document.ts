import { addDays, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { instantAt, MINUTES_PER_DAY } from "../../domain/time/wall-clock.ts";
import type { DocumentReading, ReadContext } from "../document-reading.ts";
import { WINDOW_DAYS } from "../official/bulletin-reader.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { announcesConsolidation, readBulletinList } from "./bulletin-list.ts";
import { bulletinTitleIn, readBulletinPage } from "./bulletin-page.ts";

const MAX_SCANNED_BYTES = 64;

/** Reads a document of the source: the list of bulletins, or the page of one. */
export function readBulletinDocument(document: WebAnswer, { now }: ReadContext): DocumentReading {
  const isJson = /^[^<{[]{0,20}[{[]/.test(document.body.toString("latin1", 0, MAX_SCANNED_BYTES));
  return isJson ? listReading(document, now) : pageReading(document);
}

function listReading(document: WebAnswer, now: number): DocumentReading {
  const bulletins = readBulletinList(document, addDays(dayInZone(now, MARKET_ZONE), -WINDOW_DAYS));
  return {
    document: "list of bulletins",
    entries: bulletins.map((bulletin) => ({
      id: `https://thecse.com/bulletin/${bulletin.id}/`,
      title: bulletin.title,
      publishedAt: instantAt(bulletin.date, MINUTES_PER_DAY - 1, MARKET_ZONE),
      isFollowed: bulletin.isFollowed,
    })),
  };
}

function pageReading(document: WebAnswer): DocumentReading {
  const title = bulletinTitleIn(document);
  const slug = /\/bulletin\/([\w.~%-]{1,300})/.exec(document.url.pathname)?.[1];
  if (title === "") throw unreadable(document, "expected a bulletin with a title, got a page without one");
  if (!announcesConsolidation(title))
    return { document: "bulletin", noSplitReason: `the bulletin is not about a consolidation: ${title}` };
  const id = slug ?? (title.toLowerCase().match(/[a-z0-9]+/g) ?? []).join("-");
  return { document: "bulletin", statements: [readBulletinPage(document, { id, title, date: null, symbols: [] })] };
}
