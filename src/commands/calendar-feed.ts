import type { Person } from "../domain/alert/destination.ts";
import { type CalendarEntry, calendarEntries } from "../domain/split/calendar.ts";
import { calendarText } from "../messages/calendar/calendar-events.ts";
import { calendarAltText, calendarSvg } from "../messages/calendar/calendar-picture.ts";
import type { Picture } from "../messages/message.ts";
import type { CommandContext } from "./context.ts";
import { type CurrentData, readCurrentData } from "./current-data.ts";

/** Where everybody reads all ex dates. */
export const PUBLIC_CALENDAR_PATH = "/calendar/all.ics";

/** What is read under `/calendar/`. */
export interface CalendarFeed {
  /** An iCalendar file of all ex dates. */
  all(): Promise<string>;
  /** One of those on the watchlist of whoever has this token; null: nobody has. */
  personal(token: string): Promise<string | null>;
  /** The coming ex dates as an SVG. */
  picture(): Promise<string>;
}

export function createCalendarFeed(context: CommandContext): CalendarFeed {
  return {
    all: async () => publicCalendar(await readCurrentData(context), context),
    async personal(token) {
      const person = await context.store.calendars.personOf(token);
      return person === null ? null : personalCalendar(person, await readCurrentData(context), context);
    },
    picture: async () => (await calendarPicture(await readCurrentData(context), context)).svg,
  };
}

export function publicCalendar(knowledge: CurrentData, { writeCalendar, source }: CommandContext): string {
  return writeCalendar(calendarText(entriesIn(knowledge), { of: "all", sample: source.sample }));
}

export async function personalCalendar(
  person: Person,
  knowledge: CurrentData,
  context: CommandContext,
): Promise<string> {
  const { store, source, writeCalendar } = context;
  const watched = await store.watchlists.of(person);
  const own = entriesIn(knowledge).filter(({ record }) => watched.includes(record.ticker));
  return writeCalendar(calendarText(own, { of: "watchlist", sample: source.sample }));
}

/** The ex dates from today on. */
export function upcomingEntries(knowledge: CurrentData): readonly CalendarEntry[] {
  return entriesIn(knowledge).filter(({ day }) => day >= knowledge.at.today);
}

function entriesIn({ snapshot, articles, at }: CurrentData): readonly CalendarEntry[] {
  return calendarEntries(snapshot.splits.values(), articles, at.today);
}

/** `link` is missing where others cannot reach us. */
export async function calendarPicture(knowledge: CurrentData, context: CommandContext): Promise<Picture> {
  const { store, source, publicUrl } = context;
  const board = {
    entries: upcomingEntries(knowledge),
    sample: source.sample,
    source: source.name,
    hasList: knowledge.snapshot.splitsKnown,
    readAt: (await store.polls.read()).splits?.lastCompleteAt ?? null,
  };
  return {
    name: "upcoming-splits",
    svg: calendarSvg(board, knowledge.at),
    alt: calendarAltText(board, knowledge.at),
    // Chats keep a picture by its address: one of another reading has another.
    link: publicUrl === null ? null : `${publicUrl}/calendar/upcoming.png?at=${board.readAt ?? 0}`,
  };
}
