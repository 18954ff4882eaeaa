import type { RowKey, SplitRecord } from "../split/split.ts";
import type { Ticker } from "../split/ticker.ts";
import type { Day, Instant } from "../time/day.ts";

export interface DiffSettings {
  /** Complete polls in a row without a split before it counts as missing. */
  readonly missingPolls: number;
  /** A list that loses more than this share at once is doubted. */
  readonly shrinkGuard: number;
  readonly firstRun: "silent" | "digest";
}

/** One complete list, read from one source. */
export interface PolledList {
  readonly source: string;
  readonly sample: boolean;
  readonly records: readonly SplitRecord[];
  /** Tickers that upstream lists, but in rows that cannot be read: their splits are neither seen nor gone. */
  readonly unreadableTickers: ReadonlySet<Ticker>;
  /** Rows that the source knows to be no news: they are followed without a word. */
  readonly silentRows: ReadonlySet<RowKey>;
  readonly at: Instant;
  /** New York's day: ex dates are days of the US market. */
  readonly today: Day;
}
