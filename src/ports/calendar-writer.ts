import type { CalendarText } from "../messages/calendar/calendar-events.ts";

/** Formats a calendar as an iCalendar file (RFC 5545). */
export type WriteCalendar = (calendar: CalendarText) => string;
