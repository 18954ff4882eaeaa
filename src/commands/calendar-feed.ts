import type { Person } from "../domain/alert/destination.ts";
import type { CalendarEntry } from "../domain/split/calendar-entries.ts";
import { selectorsOfRecord } from "../domain/split/split.ts";
import { memoize } from "../lib/collections.ts";
import { nextEventLoopTurn } from "../lib/slices.ts";
import { calendarText } from "../messages/calendar/calendar-events.ts";
import { calendarAltText, calendarSvg } from "../messages/calendar/calendar-picture.ts";
import type { Picture } from "../messages/message.ts";
import { type CommandContext, forAnyReader } from "./context.ts";
import { type CurrentData, entriesIn, readCurrentData } from "./current-data.ts";

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
      await nextEventLoopTurn();
      return publicCalendar(entriesIn(await readCurrentData(context)), context);
    },
    async watchlist(token) {
      await nextEventLoopTurn();
      const person = await context.store.calendars.personOf(token);
      return person === null ? null : personalCalendar(person, entriesIn(await readCurrentData(context)), context);
    },
    async picture() {
      await nextEventLoopTurn();
      const data = await readCurrentData(context);
      return (await calendarPicture(upcomingEntries(data), data, context)).svg;
    },
  };
}

export function publicCalendar(entries: readonly CalendarEntry[], { writeCalendar, source }: CommandContext): string {
  return publicCalendarBy(writeCalendar)(entries, source.sample);
}

const publicCalendarBy = memoize((writeCalendar: CommandContext["writeCalendar"]) =>
  memoize((entries: readonly CalendarEntry[], sample: boolean) =>
    writeCalendar(calendarText(entries, { selection: "all", sample })),
  ),
);

export async function personalCalendar(
  person: Person,
  entries: readonly CalendarEntry[],
  context: CommandContext,
): Promise<string> {
  const { store, source, writeCalendar } = context;
  const watched = new Set(await store.watchlists.of(person));
  const watchedEntries = entries.filter(({ record }) =>
    selectorsOfRecord(record).some((selector) => watched.has(selector)),
  );
  return writeCalendar(calendarText(watchedEntries, { selection: "watchlist", sample: source.sample }));
}

/** Ex dates from today on. */
export function upcomingEntries(data: CurrentData): readonly CalendarEntry[] {
  return upcomingOf(entriesIn(data), data);
}

/** The entries from today on. */
export function upcomingOf(entries: readonly CalendarEntry[], { time }: CurrentData): readonly CalendarEntry[] {
  return entries.filter(({ day }) => day >= time.today);
}

/** Picture of the upcoming ex dates. Its `link` is null if `publicUrl` is null. */
export async function calendarPicture(
  upcoming: readonly CalendarEntry[],
  data: CurrentData,
  context: CommandContext,
): Promise<Picture> {
  const { store, source, publicUrl } = context;
  const content = {
    entries: upcoming,
    sample: source.sample,
    source: source.name,
    hasList: data.snapshot.splitsKnown,
    readAt: (await store.polls.read()).splits?.lastCompleteAt ?? null,
  };
  return {
    name: "upcoming-splits",
    svg: calendarSvg(content, data.time),
    alt: calendarAltText(content, data.time),
    // Chat clients cache pictures by address, so the address changes with each poll.
    link: publicUrl === null ? null : `${publicUrl}/calendar/upcoming.png?at=${content.readAt ?? 0}`,
  };
}
