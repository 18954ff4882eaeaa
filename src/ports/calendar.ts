import type { CalendarText } from "../messages/calendar/calendar-events.ts";

/** Makes an iCalendar file (RFC 5545) of a calendar's words. */
export type WriteCalendar = (calendar: CalendarText) => string;
