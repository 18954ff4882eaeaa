import { US_MARKET } from "../../domain/split/exchange.ts";
import { type Day, HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE, tradingDayBefore } from "../../domain/time/trading-day.ts";
import { instantAt, wallClockAt } from "../../domain/time/wall-clock.ts";
import { PACE_MS } from "../nasdaqtrader.ts";
import type { StatementPollResult, StatementReader } from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import { isNewsDay } from "../publishing-hours.ts";
import { type FetchError, toFetchError } from "../web/fetch-error.ts";
import { currentUrl, haltStatements, retractions, urlOfDay } from "./halt-statements.ts";
import type { Halt } from "./read-halts.ts";
import { HALTS_READERS } from "./readers.ts";

/** Number of trading days before today whose halts are read at startup. */
const CATCH_UP_DAYS = 3;

/** Reads the current halts at each poll, and the halts of each recent trading day once, in case they were missed. */
export function createHaltsReader(
  origin: string,
  { web, reader, clock, everyMs, recordedObservations }: StatementReaderTools,
): StatementReader {
  /** Days whose halts were read after the last evening halts of the day were published. */
  const completeDays = new Set<Day>();

  async function readHalts(day: Day | null, signal: AbortSignal): Promise<readonly Halt[]> {
    const url = day === null ? currentUrl(origin) : urlOfDay(origin, day);
    return reader.read(HALTS_READERS, "readHalts", await web.request(url, { kind: "feed", paceMs: PACE_MS, signal }));
  }

  /** Adds the halts of the days that are not complete yet to `pastHalts`. Returns the errors. */
  async function catchUp(days: readonly Day[], pastHalts: Halt[], signal: AbortSignal): Promise<readonly FetchError[]> {
    const failures: FetchError[] = [];
    for (const day of days.filter((past) => !completeDays.has(past))) {
      try {
        pastHalts.push(...(await readHalts(day, signal)));
        completeDays.add(day);
      } catch (error) {
        failures.push(toFetchError(error));
      }
    }
    return failures;
  }

  return {
    name: "halts",
    intervalMs: (now) => intervalAt(now, everyMs),
    async read(signal): Promise<StatementPollResult> {
      const { day: today, minute } = wallClockAt(clock.now(), MARKET_ZONE);
      const days = tradingDaysBefore(today);
      const current = await readHalts(null, signal);
      if (minute >= EVENING_END_MINUTE) completeDays.add(today);
      const pastHalts: Halt[] = [];
      const failures = await catchUp(days, pastHalts, signal);
      for (const day of completeDays) if (day !== today && !days.includes(day)) completeDays.delete(day);
      const halts = [...current, ...pastHalts];
      const confirmations = haltStatements(halts, origin);
      const statements = [
        ...confirmations,
        ...retractions(halts, origin, { confirmations, recorded: recordedObservations() }),
      ];
      return { items: current, statements, failures };
    },
  };
}

/** The last CATCH_UP_DAYS trading days before a day, newest first. All US exchanges have the same trading days. */
function tradingDaysBefore(day: Day): readonly Day[] {
  return Array.from({ length: CATCH_UP_DAYS }, (_, n) => tradingDayBefore(US_MARKET, day, n + 1));
}

/** Minutes of the day at which halts are read: shortly before trading resumes, and while the evening halts are published. */
const READING_MINUTES = [9 * 60 + 5, 19 * 60 + 51, 19 * 60 + 56, 20 * 60 + 1, 20 * 60 + 5] as const;
const EVENING_END_MINUTE = 20 * 60 + 5;

/** The configured interval, shortened if it would miss the next of READING_MINUTES; at least an hour on days without trading. */
function intervalAt(now: Instant, everyMs: number): number {
  const { day } = wallClockAt(now, MARKET_ZONE);
  if (!isNewsDay(day)) return Math.max(everyMs, HOUR_MS);
  const next = READING_MINUTES.map((minute) => instantAt(day, minute, MARKET_ZONE)).find((instant) => instant > now);
  const untilNext = next === undefined ? Number.POSITIVE_INFINITY : next - now;
  return Math.max(Math.min(everyMs, untilNext), Math.min(everyMs, MINUTE_MS));
}
