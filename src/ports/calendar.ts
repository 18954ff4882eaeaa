import type { CalendarText } from "../messages/calendar-file.ts";

/** Makes an iCalendar file (RFC 5545) of a calendar's words. */
export type WriteCalendar = (calendar: CalendarText) => string;
