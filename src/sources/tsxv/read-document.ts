import { addDays, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { DocumentReading, ReadContext } from "../document-reading.ts";
import { WINDOW_DAYS } from "../official/bulletin-reader.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { readBulletinList } from "./bulletin-list.ts";
import { noticeIdOf, parameter, readBulletinPage } from "./bulletin-page.ts";
import { statementsOf } from "./bulletin-statements.ts";

/** Reads a captured list or page. Throws a FetchError for another document. */
export function readBulletinDocument(document: WebAnswer, { now }: ReadContext): DocumentReading {
  const id = noticeIdOf(document.url);
  const getPage = parameter(document.url.searchParams, "GetPage").toLowerCase();
  const isPage =
    getPage === "noticescontents" || (getPage === "" && BULLETIN_TYPE.test(document.body.toString("latin1")));
  if (isPage) {
    const bulletin = { id: id ?? "bulletin", title: "", date: null };
    const blocks = readBulletinPage(document, bulletin);
    return {
      document: "bulletin",
      statements: statementsOf(blocks, { page: document, bulletin, earlierOf: () => [] }),
    };
  }
  const bulletins = readBulletinList(document, addDays(dayInZone(now, MARKET_ZONE), -WINDOW_DAYS));
  return {
    document: "list of bulletins",
    entries: bulletins.map((bulletin) => ({
      id: bulletin.id,
      title: bulletin.title,
      publishedAt: null,
      isFollowed: bulletin.isFollowed,
    })),
  };
}

const BULLETIN_TYPE = /\bBULLETIN\s{1,5}TYPE\s{0,5}:/i;
