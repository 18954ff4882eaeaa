import { parseDay } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { instantAt } from "../../domain/time/wall-clock.ts";
import { decodeText } from "../web/decode-text.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web.ts";
import { type FilingDocument, type FilingIndex, isFileName } from "./filing.ts";

const MAX_ROWS = 300;

/** `<div class="infoHead">Accepted</div> <div class="info">2026-10-01 16:08:32</div>` */
const ACCEPTED =
  /infoHead"[^>]{0,100}>\s{0,20}Accepted\s{0,20}<\/div>\s{0,100}<div[^>]{0,100}>\s{0,20}(\d{4}-\d\d-\d\d) (\d\d):(\d\d):(\d\d)/i;

/** Parses the index page of a filing. Throws a FetchError for any other page. */
export function readFilingIndex(answer: WebAnswer): FilingIndex {
  const html = decodeText(answer.body, answer.header("content-type"));
  const [, date = "", hour, minute, second] = ACCEPTED.exec(html) ?? [];
  const day = parseDay(date);
  if (day === undefined) throw unreadable(answer, "expected the index of a filing with its time of acceptance");
  const acceptedAt = instantAt(day, Number(hour) * 60 + Number(minute), MARKET_ZONE) + Number(second) * 1_000;
  return { acceptedAt, documents: html.split(/<tr\b/i, MAX_ROWS).flatMap((row) => parseDocument(row) ?? []) };
}

/** Parses a row with the columns sequence, description, document, type and size. */
function parseDocument(row: string): FilingDocument | null {
  const cells = row.split(/<td\b[^>]{0,200}>/i).slice(1);
  const link = /\bhref\s*=\s*"([^"]{1,400})"/i.exec(cells[2] ?? "")?.[1] ?? "";
  const file = link.slice(link.lastIndexOf("/") + 1);
  const type = (cells[3] ?? "")
    .replace(/<[^>]{0,200}>|&nbsp;/g, "")
    .trim()
    .toUpperCase();
  return isFileName(file) && type !== "" ? { type, file } : null;
}
