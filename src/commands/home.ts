import type { DestinationSettings } from "../domain/settings/destination-settings.ts";
import type { Rule } from "../domain/settings/rule.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { settingsCard } from "../messages/answers/settings-answer.ts";
import { statusCard } from "../messages/answers/status-answer.ts";
import { calendarRow } from "../messages/calendar/calendar-answer.ts";
import type { Card, Row } from "../messages/message.ts";
import { PUBLIC_CALENDAR_PATH, upcomingEntries } from "./calendar-feed.ts";
import type { Call } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { type CurrentData, readCurrentData, tickerRow } from "./current-data.ts";
import { readersTimezone } from "./destination-state.ts";
import { readSettingsView } from "./settings.ts";
import { readStatus } from "./status.ts";

/** What is somebody's own, in the words of the commands that show and change it. */
export interface Home {
  /** As `status` says it. */
  readonly status: Pick<Card, "tone" | "title" | "lines">;
  /** The source's data is invented: a platform that does not show the sample shows nothing of it here. */
  readonly sample: boolean;
  /** As `watchlist` says it, the first of them. */
  readonly watchlist: { readonly total: number; readonly rows: readonly TickerRow[] };
  /** As `calendar` says it, the next ones; null: no list has been read yet. */
  readonly upcoming: { readonly total: number; readonly rows: readonly UpcomingRow[] } | null;
  /** As `settings` says it. `place`: what is set; `isMuted`: now. */
  readonly settings: Pick<Card, "facts"> & {
    readonly now: string;
    readonly zone: string;
    readonly place: DestinationSettings;
    readonly isMuted: boolean;
  };
  readonly rules: readonly Rule[];
  /** Why nothing is sent to them at the moment; null: it is. */
  readonly paused: string | null;
  /** Where a calendar can follow all ex dates; null: nowhere. */
  readonly calendar: string | null;
}

export type TickerRow = Row & { readonly ticker: Ticker };

export type UpcomingRow = TickerRow & { readonly isWatched: boolean };

/** What is further down is asked for by its command. */
const MAX_TICKERS = 15;
const MAX_UPCOMING = 8;

/** `call` asks in a place of its own: a direct message. */
export async function readHome(call: Call, given: CommandContext): Promise<Home> {
  const context = { ...given, timezone: await readersTimezone(call, given) };
  const { store, source, publicUrl } = context;
  const knowledge = await readCurrentData(context);
  const [report, tickers, view, rules, paused] = await Promise.all([
    readStatus(knowledge, call, context),
    store.watchlists.of(call.person),
    readSettingsView(call.person, context),
    store.rules.at(call.person),
    store.outbox.pauseReason(call.person),
  ]);
  const { tone, title, lines } = statusCard(report, knowledge.at);
  const settings = settingsCard(view);
  return {
    status: { tone, title, lines },
    sample: source.sample,
    watchlist: {
      total: tickers.length,
      rows: tickers.slice(0, MAX_TICKERS).map((ticker) => ({ ...tickerRow(knowledge, ticker), ticker })),
    },
    upcoming: knowledge.snapshot.splitsKnown ? comingIn(knowledge, tickers) : null,
    settings: {
      facts: settings.facts,
      now: settings.lines[0] ?? "",
      zone: view.zone,
      place: view.settings,
      isMuted: view.settings.mutedUntil !== null && view.settings.mutedUntil > view.now,
    },
    rules,
    paused,
    calendar: publicUrl === null ? null : `${publicUrl}${PUBLIC_CALENDAR_PATH}`,
  };
}

function comingIn(knowledge: CurrentData, watched: readonly Ticker[]): NonNullable<Home["upcoming"]> {
  const entries = upcomingEntries(knowledge);
  const rows = entries.slice(0, MAX_UPCOMING).map((entry) => {
    const { ticker } = entry.record;
    return { ...calendarRow(entry, knowledge.at), ticker, isWatched: watched.includes(ticker) };
  });
  return { total: entries.length, rows };
}
