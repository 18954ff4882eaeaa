import { createEvents, type EventAttributes } from "ics";
import type { WriteCalendar } from "../ports/calendar.ts";

type CalendarText = Parameters<WriteCalendar>[0];
type CalendarEvent = CalendarText["events"][number];

const PRODUCT = "-//splitwatch//Reverse splits//EN";

/** How often a calendar that follows the file may read it again: every hour is what the large ones do at most. */
const REFRESH = "PT1H";

/** Writing an event takes the package about a millisecond: of one that is as it was, what was written is kept. */
const MOST_KEPT = 5_000;
const kept = new Map<string, string>();

/**
 * The file that calendars read: whole days without a time zone, so that an ex date is the same day in Auckland and in Honolulu.
 * It has no METHOD: it is no invitation, and DTSTAMP then says when an entry was last changed (RFC 5545, 3.8.7.2), not when the
 * file was made. So the same content is the same file, byte for byte.
 */
export const writeCalendarFile: WriteCalendar = (calendar) => {
  const [end = "", ...lines] = linesOf([], calendar.name).toReversed();
  return [...withHeader(lines.toReversed(), calendar).map(folded), ...calendar.events.map(writtenEvent), end, ""].join(
    "\r\n",
  );
};

function writtenEvent(event: CalendarEvent): string {
  const key = JSON.stringify(event);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const lines = linesOf([event], "");
  const written = lines.slice(lines.indexOf("BEGIN:VEVENT"), -1).map(folded).join("\r\n");
  kept.set(key, written);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return written;
}

/** As the package writes them, but unfolded. */
function linesOf(events: readonly CalendarEvent[], name: string): readonly string[] {
  const header = { productId: PRODUCT, method: "", calName: escaped(name) };
  const { value, error } = createEvents(events.map(attributesOf), header);
  if (typeof value !== "string") throw new Error("the calendar could not be written", { cause: error });
  return value.replaceAll("\r\n\t", "").trimEnd().split("\r\n");
}

function attributesOf(event: CalendarEvent): EventAttributes {
  const attributes: EventAttributes & { readonly timestamp: number } = {
    uid: event.uid,
    start: dateOf(event.day),
    end: dateOf(dayAfter(event.day)),
    timestamp: event.changedAt,
    lastModified: event.changedAt,
    sequence: event.sequence,
    status: STATUSES[event.status],
    title: event.summary,
    description: event.description,
    busyStatus: "FREE",
    transp: "TRANSPARENT",
  };
  return attributes;
}

const STATUSES = { confirmed: "CONFIRMED", tentative: "TENTATIVE", cancelled: "CANCELLED" } as const;

function dateOf(day: string): [number, number, number] {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split("-").map(Number);
  return [year, month, dayOfMonth];
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** The package knows none of these. */
function withHeader(lines: readonly string[], { name, description }: CalendarText): readonly string[] {
  const at = lines.findIndex((line) => line.startsWith("X-PUBLISHED-TTL:"));
  return [
    ...lines.slice(0, at),
    `NAME:${escaped(name)}`,
    `X-WR-CALDESC:${escaped(description)}`,
    `DESCRIPTION:${escaped(description)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...lines.slice(at + 1),
  ];
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n");
}

const MOST_OCTETS = 75;

/** The package counts characters where the standard counts octets. No character is torn. */
function folded(line: string): string {
  const parts: string[] = [];
  let part = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MOST_OCTETS) {
      parts.push(part);
      part = " ";
      octets = 1;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join("\r\n");
}
