import type { Instant } from "../../domain/time/day.ts";

/** `2026-03-02T08:30:00`, `2026-03-02` */
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?/;
const ISO_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i;
/** `Mon, 02 Mar 2026 13:30 GMT`: the weekday is often wrong, the seconds are often missing. */
const MAIL =
  /^(?:[A-Za-z]{3,9},?\s+)?(\d{1,2}\s+[A-Za-z]{3,9}\s+\d{2,4}\s+\d{1,2}:\d{2}(?::\d{2})?)(?:\s+([A-Za-z]{1,5}|[+-]\d{2}:?\d{2}))?/;

/** No wire has put releases on the web before. */
const EARLIEST = Date.UTC(1990, 0, 1);

/** A feed's date; one without a zone is read as UTC. Null where there is none that makes sense. */
export function parseFeedDate(text: string | undefined): Instant | null {
  const written = text?.trim() ?? "";
  const at = ISO.test(written) ? parseIso(written) : parseMail(written);
  return at >= EARLIEST ? at : null;
}

function parseIso(written: string): number {
  const comparable = written.replace(" ", "T").replace(",", ".");
  return Date.parse(ISO_ZONE.test(comparable) || !comparable.includes("T") ? comparable : `${comparable}Z`);
}

function parseMail(written: string): number {
  const [, time = "", zone = "GMT"] = MAIL.exec(written) ?? [];
  return Date.parse(`${time} ${zone.toUpperCase() === "UT" ? "GMT" : zone}`);
}
