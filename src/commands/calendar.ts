import type { CalendarEntry } from "../domain/split/calendar-entries.ts";
import { nextEventLoopTurn } from "../lib/slices.ts";
import { noCompleteListCard, unreadableListCard } from "../messages/answers/list-answer.ts";
import {
  ADDRESS_ACTIONS,
  type CalendarAccess,
  calendarAccessCard,
  calendarCard,
  confirmAddressCard,
  renewedAddressCard,
  revokedAddressCard,
} from "../messages/calendar/calendar-answer.ts";
import type { Card } from "../messages/message.ts";
import {
  calendarPicture,
  PUBLIC_CALENDAR_PATH,
  personalCalendar,
  publicCalendar,
  upcomingOf,
} from "./calendar-feed.ts";
import { type Call, type Command, defineCommand, noRoomFor } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { entriesIn, readCurrentData, sampleBadges } from "./current-data.ts";
import { PAGE_OPTION, paginate } from "./paging.ts";

const PAGE_SIZE = 12;

export const calendar: Command = defineCommand({
  name: "calendar",
  aboutSplits: true,
  summary: "Upcoming ex dates by day, and how to add them to your own calendar",
  example: "calendar",
  options: {
    address: {
      kind: "choice",
      choices: ADDRESS_ACTIONS,
      aliases: { new: "renew", off: "revoke", none: "revoke" },
      summary: "Renew or revoke the address of your personal calendar",
    },
    sure: { kind: "choice", choices: ["yes"], summary: "Skips the confirmation", hidden: true },
    page: PAGE_OPTION,
  },
  shareable: true,
  stores: true,
  storesWhen: ({ address, sure }) => address === "renew" && sure !== undefined,
  isPrivate: ({ address }) => address !== undefined,
  async run({ address, sure, page: requestedPage }, call, context) {
    if (address === "renew" || address === "revoke") {
      if (sure === undefined) return [confirmAddressCard(address)];
      return [await (address === "renew" ? renew : revoke)(call, context)];
    }
    const data = await readCurrentData(context);
    const badges = sampleBadges(context);
    if (data.list === "unreadable" && data.snapshot.splits.size === 0) return [{ ...unreadableListCard(), badges }];
    if (!data.snapshot.splitsKnown) return [{ ...noCompleteListCard(), badges }];
    const entries = entriesIn(data);
    const upcoming = upcomingOf(entries, data);
    const page = paginate(upcoming, PAGE_SIZE, calendar, { page: requestedPage });
    const card = calendarCard(
      {
        entries: page.rows,
        total: upcoming.length,
        pageLine: page.pageLine,
        buttons: page.buttons,
        picture: page.number === 1 ? await calendarPicture(upcoming, data, context) : null,
      },
      data.time,
    );
    const accessCards = page.number === 1 ? [calendarAccessCard(await accessOf(entries, call, context))] : [];
    return [{ ...card, badges }, ...accessCards];
  },
});

/** Returns the addresses of the calendars or, if `publicUrl` is null, the calendars as files. */
async function accessOf(
  entries: readonly CalendarEntry[],
  call: Call,
  context: CommandContext,
): Promise<CalendarAccess> {
  const { publicUrl } = context;
  const token = await personalToken(call, context);
  if (publicUrl !== null) {
    return {
      kind: "addresses",
      all: `${publicUrl}${PUBLIC_CALENDAR_PATH}`,
      watchlist: token && `${publicUrl}${pathOf(token)}`,
    };
  }
  await nextEventLoopTurn();
  const all = calendarFile("reverse-splits.ics", PUBLIC_CALENDAR_PATH, publicCalendar(entries, context));
  if (token === null) return { kind: "files", files: [all] };
  const personalFile = calendarFile(
    "my-watchlist.ics",
    pathOf(token),
    await personalCalendar(call.person, entries, context),
  );
  return { kind: "files", files: [all, personalFile] };
}

/** Returns the person's calendar token, and creates it if necessary. Null for public answers, and if it can't be stored. */
async function personalToken(call: Call, { store }: CommandContext): Promise<string | null> {
  if (call.isPublic === true || (await noRoomFor(calendar.name, call)) !== null) return null;
  return store.calendars.tokenOf(call.person);
}

function pathOf(token: string): string {
  return `/calendar/${token}.ics`;
}

function calendarFile(name: string, path: string, text: string): NonNullable<Card["files"]>[number] {
  return { name, path, mediaType: "text/calendar", text };
}

async function renew({ person }: Call, { store, publicUrl }: CommandContext): Promise<Card> {
  await store.calendars.revoke(person);
  const token = await store.calendars.tokenOf(person);
  return renewedAddressCard(publicUrl === null ? null : `${publicUrl}${pathOf(token)}`);
}

async function revoke({ person }: Call, { store }: CommandContext): Promise<Card> {
  return revokedAddressCard(await store.calendars.revoke(person));
}
