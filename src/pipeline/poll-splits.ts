import { diffSplits, missingCandidates } from "../domain/diff/diff.ts";
import { remainingLoss } from "../domain/diff/shrink-guard.ts";
import type { PolledList } from "../domain/diff/snapshot.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { type QuarantinedRecord, SourceError, type SplitList } from "../ports/split-source.ts";
import { commitChanges } from "./commit.ts";
import type { PollOutcome } from "./poll-outcome.ts";
import type { PollParts } from "./poll-parts.ts";

/** How many splits are asked for one by one before they count as missing; the others wait for the next poll. */
const MAX_LOOK_UPS = 25;

/** Makes news of a whole list. Splits that it lacks are looked up one by one before they count as missing. */
export async function applySplitList(parts: PollParts, list: SplitList): Promise<PollOutcome> {
  const read = readingOf(parts, list);
  // Asking may take long, so it does not hold up the turn; what it is about changes with these polls alone.
  const suspected = missingCandidates(await parts.store.snapshot.read(), read, parts.settings);
  const reading = await askForSuspects(parts, read, suspected);
  return parts.exclusive(async () => {
    const before = await parts.store.snapshot.read();
    const diff = diffSplits(before, reading, parts.settings);
    await commitChanges(parts, diff);
    const quarantined = list.quarantined.map(({ reason }) => reason);
    const counts = { records: list.records.length, events: diff.events.length };
    const after = await parts.store.snapshot.read();
    const reason = diff.outcome === "suspicious" ? diff.reason : remainingLoss(after, read, parts.settings.shrinkGuard);
    return reason === null
      ? { outcome: "complete", detail: `${counts.records} splits`, ...counts, quarantined }
      : { outcome: "suspicious", detail: `${counts.records} splits: ${reason}`, ...counts, quarantined };
  });
}

function readingOf(parts: PollParts, list: SplitList): PolledList {
  const { source, clock } = parts;
  const at = clock.now();
  return {
    source: source.id,
    sample: source.sample,
    records: list.records,
    unreadableTickers: tickersOf(list.quarantined),
    silentRows: parts.knownRows(),
    at,
    today: dayInZone(at, MARKET_ZONE),
  };
}

function tickersOf(quarantined: readonly QuarantinedRecord[]): Set<Ticker> {
  return new Set(quarantined.map(({ ticker }) => ticker).filter((ticker) => ticker !== null));
}

/** A split that the look-up still shows is listed; one that the look-up cannot answer for is neither listed nor gone. */
async function askForSuspects(
  { source, signal, log }: PollParts,
  reading: PolledList,
  suspected: readonly SplitRecord[],
): Promise<PolledList> {
  const unanswered = new Set(suspected.map(({ ticker }) => ticker));
  const shown: SplitRecord[] = [];
  for (const ticker of [...unanswered].slice(0, MAX_LOOK_UPS)) {
    try {
      const answer = await source.lookUp(ticker, signal);
      shown.push(...answer.records);
      if (answer.quarantined.length === 0) unanswered.delete(ticker);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      log.warn("lookup failed", { ticker, problem: error.message });
      // The others would fail as slowly.
      if (error.failure === "timeout" || error.failure === "unreachable") break;
    }
  }
  const unreadableTickers = new Set([...reading.unreadableTickers, ...unanswered]);
  return { ...reading, records: [...reading.records, ...shown], unreadableTickers };
}
