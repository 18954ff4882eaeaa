import type { Person } from "../domain/alert/destination.ts";
import { type CalendarEntry, calendarEntries } from "../domain/split/calendar-entries.ts";
import { nextTurn } from "../lib/slices.ts";
import { calendarText } from "../messages/calendar/calendar-events.ts";
import { calendarAltText, calendarSvg } from "../messages/calendar/calendar-picture.ts";
import type { Picture } from "../messages/message.ts";
import { type CommandContext, forAnyReader } from "./context.ts";
import { type CurrentData, readCurrentData } from "./current-data.ts";

/** Path of the public calendar of all ex dates. */
export const PUBLIC_CALENDAR_PATH = "/calendar/all.ics";

/** Files under `/calendar/`. */
export interface CalendarFeed {
  /** iCalendar file of all ex dates. */
  allSplits(): Promise<string>;
  /** iCalendar file of the token owner's watchlist; null if the token is unknown. */
  watchlist(token: string): Promise<string | null>;
  /** SVG of the upcoming ex dates. */
  picture(): Promise<string>;
}

export function createCalendarFeed(commandContext: CommandContext): CalendarFeed {
  const context = forAnyReader(commandContext);
  return {
    async allSplits() {
      await nextTurn();
      return publicCalendar(await readCurrentData(context), context);
    },
    async watchlist(token) {
      await nextTurn();
      const person = await context.store.calendars.personOf(token);
      return person === null ? null : personalCalendar(person, await readCurrentData(context), context);
    },
    async picture() {
      await nextTurn();
      return (await calendarPicture(await readCurrentData(context), context)).svg;
    },
  };
}

export function publicCalendar(data: CurrentData, { writeCalendar, source }: CommandContext): string {
  return writeCalendar(calendarText(entriesIn(data), { selection: "all", sample: source.sample }));
}

export async function personalCalendar(person: Person, data: CurrentData, context: CommandContext): Promise<string> {
  const { store, source, writeCalendar } = context;
  const watched = await store.watchlists.of(person);
  const watchedEntries = entriesIn(data).filter(({ record }) => watched.includes(record.ticker));
  return writeCalendar(calendarText(watchedEntries, { selection: "watchlist", sample: source.sample }));
}

/** Ex dates from today on. */
export function upcomingEntries(data: CurrentData): readonly CalendarEntry[] {
  return entriesIn(data).filter(({ day }) => day >= data.at.today);
}

function entriesIn({ snapshot, articles, at }: CurrentData): readonly CalendarEntry[] {
  return calendarEntries(snapshot.splits.values(), articles, at.today);
}

/** Picture of the upcoming ex dates. `link` is null without an external address. */
export async function calendarPicture(data: CurrentData, context: CommandContext): Promise<Picture> {
  const { store, source, publicUrl } = context;
  const board = {
    entries: upcomingEntries(data),
    sample: source.sample,
    source: source.name,
    hasList: data.snapshot.splitsKnown,
    readAt: (await store.polls.read()).splits?.lastCompleteAt ?? null,
  };
  return {
    name: "upcoming-splits",
    svg: calendarSvg(board, data.at),
    alt: calendarAltText(board, data.at),
    // Chat clients cache pictures by address, so the address changes with each poll.
    link: publicUrl === null ? null : `${publicUrl}/calendar/upcoming.png?at=${board.readAt ?? 0}`,
  };
}
