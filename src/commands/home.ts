import type { DestinationSettings, SettingName } from "../domain/settings/destination-settings.ts";
import type { Rule } from "../domain/settings/rule.ts";
import { selectorsOfRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { settingsCard } from "../messages/answers/settings-answer.ts";
import { statusCard } from "../messages/answers/status-answer.ts";
import { calendarRow } from "../messages/calendar/calendar-answer.ts";
import type { Card, Fact, Row } from "../messages/message.ts";
import { isMutedAt, settingFacts } from "../messages/setting-text.ts";
import { PUBLIC_CALENDAR_PATH, upcomingEntries } from "./calendar-feed.ts";
import type { Call } from "./command.ts";
import { type CommandContext, forAnyReader } from "./context.ts";
import { type CurrentData, readCurrentData, tickerRow } from "./current-data.ts";
import { readersTimezone } from "./destination-state.ts";
import { readSettingsView } from "./settings.ts";
import { readStatus } from "./status.ts";

/** Contents of a person's home page, worded like the answers of the matching commands. */
export interface Home {
  /** Answer of `status`. */
  readonly status: Pick<Card, "tone" | "title" | "lines">;
  /** True for sample data. Platforms that never show sample data hide the splits. */
  readonly sample: boolean;
  /** First rows of `watchlist`. */
  readonly watchlist: { readonly total: number; readonly rows: readonly TickerRow[] };
  /** First rows of `calendar`; null if no list has been read yet. */
  readonly upcoming: { readonly total: number; readonly rows: readonly UpcomingRow[] } | null;
  /** Answer of `settings`, and its values. */
  readonly settings: {
    readonly summary: string;
    readonly zone: string;
    readonly values: DestinationSettings;
    readonly facts: Readonly<Record<SettingName, Fact>>;
    readonly isMuted: boolean;
  };
  readonly rules: readonly Rule[];
  /** Reason why deliveries to the person are paused; null if they aren't. */
  readonly pauseReason: string | null;
  /** Address of the public calendar; null if there is none. */
  readonly calendar: string | null;
}

export type TickerRow = Row & { readonly ticker: Ticker };

type UpcomingRow = TickerRow & { readonly isWatched: boolean };

/** Maximum number of rows; the commands show further rows. */
const MAX_TICKERS = 15;
const MAX_UPCOMING = 8;

/** `call` must come from a direct message. Rejects with a StoreError. */
export async function readHome(call: Call, commandContext: CommandContext): Promise<Home> {
  const context = { ...forAnyReader(commandContext), readersTimezone: await readersTimezone(call, commandContext) };
  const { store, source, publicUrl } = context;
  const data = await readCurrentData(context);
  const [report, tickers, view, rules, pause] = await Promise.all([
    readStatus(data, call, context),
    store.watchlists.of(call.person),
    readSettingsView(call.person, context),
    store.rules.at(call.person),
    store.pauses.of(call.person),
  ]);
  const { tone, title, lines } = statusCard(report, data.time);
  const settings = settingsCard(view);
  return {
    status: { tone, title, lines },
    sample: source.sample,
    watchlist: {
      total: tickers.length,
      rows: tickers.slice(0, MAX_TICKERS).map((ticker) => tickerRow(data, ticker)),
    },
    upcoming: data.snapshot.splitsKnown ? upcomingRows(data, tickers) : null,
    settings: {
      facts: settingFacts(view),
      summary: settings.lines[0] ?? "",
      zone: view.zone,
      values: view.settings,
      isMuted: isMutedAt(view.settings.mutedUntil, view.now),
    },
    rules,
    pauseReason: pause?.reason ?? null,
    calendar: publicUrl === null ? null : `${publicUrl}${PUBLIC_CALENDAR_PATH}`,
  };
}

function upcomingRows(data: CurrentData, watchedTickers: readonly Ticker[]): NonNullable<Home["upcoming"]> {
  const entries = upcomingEntries(data);
  const rows = entries.slice(0, MAX_UPCOMING).map((entry) => {
    const isWatched = selectorsOfRecord(entry.record).some((ticker) => watchedTickers.includes(ticker));
    return { ...calendarRow(entry, data.time), ticker: entry.record.ticker, isWatched };
  });
  return { total: entries.length, rows };
}
