import { discoverySource } from "../../catalog/release.ts";
import { US_MARKET } from "../../domain/split/exchange.ts";
import { DAY_MS, type Day, dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE, tradingDayBefore, tradingDaysUntil } from "../../domain/time/trading-day.ts";
import type { Log } from "../../ports/log.ts";
import { type LiveState, statusesOf } from "./live-state.ts";

/** Splits that sources bring per trading day, until their own history shows it. */
const USUAL_PER_DAY: Readonly<Partial<Record<string, number>>> = {
  // 380 notices about reverse splits from January to July 2026, about 54 a month.
  nasdaq: 54 / 21,
};

/** History that is considered, and the part of it that must exist to replace the known figure. */
const HISTORY_DAYS = 60;
const MIN_HISTORY_TRADING_DAYS = 20;
/** A source that brings less is never missed. */
const MIN_PER_DAY = 0.1;
/** Number of usual gaps without anything new after which a source is reported. A gap is at least one trading day. */
const MAX_GAPS = 3;

/** What one source brought, and since when it has been read. */
export interface SourceYield {
  /** Times at which its notices or releases about splits were published. */
  readonly times: readonly Instant[];
  readonly firstReadAt: Instant;
  /** Number per trading day that is known of the source; null: unknown. */
  readonly knownPerDay: number | null;
}

/** `no split notice for 4 trading days, usually 2.6 a day`; null while the source brings what it usually does. */
export function missingYield({ times, firstReadAt, knownPerDay }: SourceYield, now: Instant): string | null {
  const past = times.filter((time) => time <= now);
  const perDay = ownPerDay(past, firstReadAt) ?? knownPerDay;
  if (perDay === null || perDay < MIN_PER_DAY) return null;
  const since = dayOf(Math.max(firstReadAt, ...past));
  const quietDays = tradingDaysUntil(US_MARKET, since, tradingDayBefore(US_MARKET, dayOf(now), 1));
  if (quietDays < MAX_GAPS * Math.max(1, 1 / perDay)) return null;
  return `no split notice for ${quietDays} trading days, usually ${frequencyText(perDay)}`;
}

/** Number per trading day in the source's own history up to its newest item; null if the history is too short. */
function ownPerDay(times: readonly Instant[], firstReadAt: Instant): number | null {
  const last = Math.max(...times);
  const from = Math.max(firstReadAt, last - HISTORY_DAYS * DAY_MS);
  const days = times.length === 0 ? 0 : tradingDaysUntil(US_MARKET, dayOf(from), dayOf(last));
  return days < MIN_HISTORY_TRADING_DAYS ? null : times.filter((time) => time > from).length / days;
}

function frequencyText(perDay: number): string {
  return perDay >= 0.95 ? `${perDay.toFixed(1)} a day` : `one in ${Math.round(1 / perDay)} trading days`;
}

function dayOf(at: Instant): Day {
  return dayInZone(at, MARKET_ZONE);
}

/** A sentence for each readable source of splits that brings less than usual: `Nasdaq corporate actions: no split notice …`. */
export function yieldWarnings(state: LiveState, now: Instant): readonly string[] {
  const times = timesBySource(state);
  return statusesOf(state).flatMap(({ name, label, verdict, lastOkAt, confirmsOnly }) => {
    const reads = state.sourceReads.get(name);
    if (confirmsOnly || verdict === "down" || lastOkAt === null || reads === undefined) return [];
    const knownPerDay = USUAL_PER_DAY[name] ?? null;
    const source = { times: times.get(name) ?? [], firstReadAt: reads.firstReadAt, knownPerDay };
    const missing = missingYield(source, now);
    return missing === null ? [] : `${label}: ${missing}`;
  });
}

/** Publication times of the notices and releases about splits. A revision doesn't count again. */
function timesBySource({ releases, observations }: LiveState): ReadonlyMap<string, readonly Instant[]> {
  const times = new Map<string, Map<string, Instant>>();
  const add = (source: string, id: string, at: Instant): void => {
    const ofSource = times.get(source) ?? new Map<string, Instant>();
    times.set(source, ofSource.set(id, Math.min(at, ofSource.get(id) ?? at)));
  };
  for (const { source, id, publishedAt } of observations.all()) add(source, id, publishedAt);
  for (const release of releases.all())
    if (release.facts !== null && release.facts.kind !== "other")
      add(discoverySource(release), release.url, release.publishedAt ?? release.foundAt);
  return new Map([...times].map(([source, byId]) => [source, [...byId.values()]]));
}

const CHECK_INTERVAL_MS = DAY_MS / 24;

/** Logs each source that brings less than usual, once until it changes. Resolves after the signal aborts. */
export async function watchYield(state: LiveState, log: Log, signal: AbortSignal): Promise<void> {
  let logged: ReadonlySet<string> = new Set();
  for (;;) {
    await state.clock.sleep(CHECK_INTERVAL_MS, signal);
    if (signal.aborted) return;
    const warnings = yieldWarnings(state, state.clock.now());
    for (const warning of warnings) if (!logged.has(warning)) log.warn("source yield low", { warning });
    logged = new Set(warnings);
  }
}
