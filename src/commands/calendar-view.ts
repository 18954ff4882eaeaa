import type { Person } from "../domain/alert/destination.ts";
import { type CalendarEntry, calendarEntries } from "../domain/split/calendar.ts";
import { calendarText } from "../messages/calendar/calendar-events.ts";
import { boardSvg, boardWords } from "../messages/calendar/calendar-picture.ts";
import type { Picture } from "../messages/message.ts";
import type { CommandContext } from "./context.ts";
import { type Knowledge, readKnowledge } from "./knowledge.ts";

/** Where everybody reads all ex dates. */
export const ALL_PATH = "/calendar/all.ics";

/** What is read under `/calendar/`. */
export interface CalendarView {
  /** An iCalendar file of all ex dates. */
  all(): Promise<string>;
  /** One of those on the watchlist of whoever has this token; null: nobody has. */
  personal(token: string): Promise<string | null>;
  /** The coming ex dates as an SVG. */
  picture(): Promise<string>;
}

export function createCalendarView(context: CommandContext): CalendarView {
  return {
    all: async () => allFile(await readKnowledge(context), context),
    async personal(token) {
      const person = await context.store.calendars.personOf(token);
      return person === null ? null : ownFile(person, await readKnowledge(context), context);
    },
    picture: async () => (await pictureOf(await readKnowledge(context), context)).svg,
  };
}

export function allFile(knowledge: Knowledge, { writeCalendar, source }: CommandContext): string {
  return writeCalendar(calendarText(entriesIn(knowledge), { of: "all", sample: source.sample }));
}

export async function ownFile(person: Person, knowledge: Knowledge, context: CommandContext): Promise<string> {
  const { store, source, writeCalendar } = context;
  const watched = await store.watchlists.of(person);
  const own = entriesIn(knowledge).filter(({ record }) => watched.includes(record.ticker));
  return writeCalendar(calendarText(own, { of: "watchlist", sample: source.sample }));
}

/** The ex dates from today on. */
export function comingEntries(knowledge: Knowledge): readonly CalendarEntry[] {
  return entriesIn(knowledge).filter(({ day }) => day >= knowledge.at.today);
}

function entriesIn({ snapshot, articles, at }: Knowledge): readonly CalendarEntry[] {
  return calendarEntries(snapshot.splits.values(), articles, at.today);
}

/** `link` is missing where others cannot reach us. */
export async function pictureOf(knowledge: Knowledge, context: CommandContext): Promise<Picture> {
  const { store, source, publicUrl } = context;
  const board = {
    entries: comingEntries(knowledge),
    sample: source.sample,
    source: source.name,
    known: knowledge.snapshot.splitsKnown,
    readAt: (await store.polls.read()).splits?.lastCompleteAt ?? null,
  };
  return {
    name: "upcoming-splits",
    svg: boardSvg(board, knowledge.at),
    alt: boardWords(board, knowledge.at),
    // Chats keep a picture by its address: one of another reading has another.
    link: publicUrl === null ? null : `${publicUrl}/calendar/upcoming.png?at=${board.readAt ?? 0}`,
  };
}
