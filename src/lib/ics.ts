import ICAL from "ical.js";
import { addDays } from "../domain/time/day.ts";
import type { WriteCalendar } from "../ports/calendar-writer.ts";

type CalendarText = Parameters<WriteCalendar>[0];
type CalendarEvent = CalendarText["events"][number];

/** A property in jCal (RFC 7265): name, parameters, value type, value. */
type Property = readonly [string, Readonly<Record<string, string>>, string, string | number];

const TEXT = { defaultType: "text" };
const DURATION = { defaultType: "duration" };

/** Property types of the library, RFC 7986 and common apps. A property of unknown type is written with a VALUE parameter. */
const DESIGN_SET = {
  ...ICAL.design.icalendar,
  property: {
    ...ICAL.design.icalendar.property,
    name: TEXT,
    "x-wr-calname": TEXT,
    "x-wr-caldesc": TEXT,
    "x-published-ttl": DURATION,
    "x-microsoft-cdo-busystatus": TEXT,
  },
};

/** Refresh interval suggested to calendar apps. Large providers refresh at most once an hour. */
const REFRESH_INTERVAL = "PT1H";

/**
 * Writes an iCalendar file of all-day events, which need no time zone. Without a METHOD, DTSTAMP is the time of an event's
 * last change (RFC 5545, 3.8.7.2), so the same events always give the same bytes.
 */
export const writeCalendarFile: WriteCalendar = ({ name, description, events }) => {
  const properties = [
    text("version", "2.0"),
    text("calscale", "GREGORIAN"),
    text("prodid", "-//splitwatch//Reverse splits//EN"),
    text("name", name),
    text("x-wr-calname", name),
    text("description", description),
    text("x-wr-caldesc", description),
    property("refresh-interval", "duration", REFRESH_INTERVAL),
    property("x-published-ttl", "duration", REFRESH_INTERVAL),
  ];
  return `${ICAL.stringify.component(["vcalendar", properties, events.map(toComponent)], DESIGN_SET)}\r\n`;
};

function toComponent(event: CalendarEvent): readonly unknown[] {
  const changedAt = `${new Date(event.changedAt).toISOString().slice(0, 19)}Z`;
  const dayAfter = addDays(event.day, 1);
  const properties = [
    text("uid", event.uid),
    property("dtstamp", "date-time", changedAt),
    property("last-modified", "date-time", changedAt),
    property("sequence", "integer", event.sequence),
    property("dtstart", "date", event.day),
    // Optional for an all-day event, and omitted for 9999-12-31, the last day that a `Day` can name.
    ...(dayAfter === event.day ? [] : [property("dtend", "date", dayAfter)]),
    text("summary", event.summary),
    text("description", event.description),
    text("status", event.status.toUpperCase()),
    text("transp", "TRANSPARENT"),
    text("x-microsoft-cdo-busystatus", "FREE"),
  ];
  return ["vevent", properties, []];
}

function property(name: string, type: string, value: string | number): Property {
  return [name, {}, type, value];
}

function text(name: string, value: string): Property {
  return property(name, "text", value);
}
