import type { CalendarEntry } from "../../domain/split/calendar-entries.ts";
import { exchangeName } from "../../domain/split/exchange.ts";
import { ratioLabel, shownSymbol } from "../../domain/split/split.ts";
import type { Day } from "../../domain/time/day.ts";
import { groupBy } from "../../lib/collections.ts";
import { cutText } from "../../lib/external-text.ts";
import { formatCount, formatDay, formatDistance, type TimeContext, treatmentText } from "../format.ts";
import { type Button, button, type Card, type CardFile, card, type Fact, type Picture, type Row } from "../message.ts";
import { hasRecordWarning } from "../split-text.ts";
import { stateLabel } from "./calendar-events.ts";

/** One page of upcoming ex dates. */
export interface CalendarPage {
  readonly entries: readonly CalendarEntry[];
  /** Number of entries on all pages. */
  readonly total: number;
  readonly pageLine: string | null;
  readonly buttons: readonly Button[];
  readonly picture: Picture | null;
}

export function calendarCard(page: CalendarPage, context: TimeContext): Card {
  const { entries, total, pageLine, buttons, picture } = page;
  return card({
    title: total === 0 ? "No upcoming ex dates" : formatCount(total, "upcoming ex date"),
    lines: [
      ...(total === 0 ? ["The source lists no reverse splits with an ex date from today on."] : []),
      ...(pageLine === null ? [] : [pageLine]),
    ],
    rows: dayRows(entries, context),
    buttons,
    ...(picture === null ? {} : { picture }),
  });
}

/** Platforms truncate long rows, so a day with more splits gets several rows. */
const MAX_IN_ROW = 4;
const MAX_COMPANY_LENGTH = 40;

function dayRows(entries: readonly CalendarEntry[], context: TimeContext): readonly Row[] {
  return [...groupBy(entries, ({ day }) => day)].flatMap(([day, dayEntries]) => {
    const rows: Row[] = [];
    for (let start = 0; start < dayEntries.length; start += MAX_IN_ROW)
      rows.push(dayRow(day, dayEntries.slice(start, start + MAX_IN_ROW), context));
    return rows;
  });
}

/** Row of a single ex date. */
export function calendarRow(entry: CalendarEntry, context: TimeContext): Row {
  return dayRow(entry.day, [entry], context);
}

function dayRow(day: Day, entries: readonly CalendarEntry[], context: TimeContext): Row {
  const [first] = entries;
  const distance = first === undefined ? "" : `, ${formatDistance(first.record.exchange, context.today, day)}`;
  return {
    title: `${formatDay(day)}${distance}`,
    detail: entries.map(entryText).join("; "),
    ...(entries.some(({ record }) => hasRecordWarning(record)) ? { badges: ["CHECK"] } : {}),
  };
}

/** `ACME 1-for-20 on Nasdaq · Acme Robotics Inc. · fractions rounded up to a whole share` */
function entryText({ record, state, evidence }: CalendarEntry): string {
  const label = stateLabel(state);
  const fraction = evidence.fraction === null ? "not stated" : treatmentText(evidence.fraction.treatment);
  const company = record.company === "" ? [] : [cutText(record.company, MAX_COMPANY_LENGTH)];
  const split = `${shownSymbol(record)} ${cutText(ratioLabel(record), 24)} on ${exchangeName(record.exchange)}`;
  return [split, ...company, label === null ? `fractions ${fraction}` : label.toUpperCase()].join(" · ");
}

/** Addresses to subscribe to if PUBLIC_URL is set, otherwise files. */
export type CalendarAccess =
  | { readonly kind: "addresses"; readonly all: string; readonly watchlist: string | null }
  | { readonly kind: "files"; readonly files: readonly CardFile[] };

const RENEW_COMMAND = "calendar address:renew";
const REVOKE_COMMAND = "calendar address:revoke";

const INSTRUCTIONS = [
  "Google Calendar, on a computer: Other calendars, +, From URL, paste the address, Add calendar.",
  "Apple Calendar: File, New Calendar Subscription; on an iPhone: Calendars, Add Calendar, Add Subscription Calendar.",
  "Outlook: Add calendar, Subscribe from web, paste the address.",
] as const;

/** Explains how to add the ex dates to a calendar. */
export function calendarAccessCard(access: CalendarAccess): Card {
  const title = "Add ex dates to your calendar";
  if (access.kind === "files") {
    return card({
      title,
      lines: [
        "splitwatch has no public address (PUBLIC_URL isn't set), so calendars can't subscribe to it. Import a calendar file with the current ex dates instead, and again after changes.",
      ],
      files: access.files,
    });
  }
  return card({
    title,
    lines: [
      "Subscribe to an address, and your calendar updates automatically within hours.",
      ...INSTRUCTIONS,
      ...(access.watchlist === null
        ? []
        : ["Keep the address of your watchlist private: anyone who has it can see which tickers you watch."]),
    ],
    facts: [
      addressFact("All splits", access.all),
      ...(access.watchlist === null ? [] : [addressFact("Your watchlist", access.watchlist)]),
    ],
    buttons: access.watchlist === null ? [] : addressButtons(),
  });
}

function addressButtons(): readonly Button[] {
  return [button("New private address", RENEW_COMMAND), button("Turn off private address", REVOKE_COMMAND)];
}

function addressFact(label: string, address: string): Fact {
  return { label, value: address, link: address };
}

/** Actions on a person's private calendar address. */
export const ADDRESS_ACTIONS = ["renew", "revoke"] as const;

export type AddressAction = (typeof ADDRESS_ACTIONS)[number];

const QUESTIONS: Readonly<Record<AddressAction, { readonly title: string; readonly confirmLabel: string }>> = {
  renew: { title: "Create a new calendar address?", confirmLabel: "Yes, create it" },
  revoke: { title: "Turn off your calendar address?", confirmLabel: "Yes, turn it off" },
};

/** Asks for confirmation, because existing subscriptions stop working. */
export function confirmAddressCard(action: AddressAction): Card {
  const { title, confirmLabel } = QUESTIONS[action];
  const command = action === "renew" ? RENEW_COMMAND : REVOKE_COMMAND;
  return card({
    tone: "warning",
    title,
    lines: [
      "Your current address stops working immediately. Calendars that use it won't update anymore, and some will remove its entries.",
      "Your watchlist doesn't change.",
    ],
    buttons: [button(confirmLabel, `${command} sure:yes`, "danger"), button("Cancel", "calendar")],
  });
}

/** `address` is null if PUBLIC_URL isn't set. */
export function renewedAddressCard(address: string | null): Card {
  return card({
    tone: "good",
    title: "Your calendar has a new address",
    lines: [
      "The old address no longer works.",
      ...(address === null
        ? [
            "The new address can't be used yet: splitwatch has no public address (PUBLIC_URL isn't set). /splits calendar shows it after PUBLIC_URL is set.",
          ]
        : []),
    ],
    facts: address === null ? [] : [addressFact("Your watchlist", address)],
    buttons: [button("Calendar", "calendar")],
  });
}

export function revokedAddressCard(hadAddress: boolean): Card {
  return card({
    tone: hadAddress ? "good" : "plain",
    title: hadAddress ? "Your calendar address is turned off" : "You have no calendar address",
    lines: ["To create a new one: /splits calendar"],
  });
}

/** Text shown instead of calendar files in messages that can't contain files; null if `files` is empty. */
export function filesOnRequestText(files: readonly CardFile[]): string | null {
  return files.length === 0 ? null : "To get the calendar file in your direct messages, run /splits calendar.";
}
