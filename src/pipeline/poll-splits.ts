import { diffSplits, missingCandidates } from "../domain/diff/diff.ts";
import { remainingLoss } from "../domain/diff/shrink-guard.ts";
import type { PolledList } from "../domain/diff/snapshot.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import { dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { SourceError, type SplitList } from "../ports/split-source.ts";
import { commitChanges } from "./commit.ts";
import type { PollOutcome, PollParts } from "./poll-parts.ts";

/** Splits that one poll looks up before they count as missing; the others wait for the next poll. */
const MAX_LOOKUPS = 25;

/** Diffs a complete list against the snapshot and commits the result. Splits that it lacks are looked up one by one first. */
export async function applySplitList(parts: PollParts, list: SplitList): Promise<PollOutcome> {
  const polled = polledList(parts, list);
  // Lookups can be slow, so they run outside the exclusive section: only polls of splits change what they are about.
  const candidates = missingCandidates(await parts.store.snapshot.read(), polled, parts.settings);
  const lookedUp = await lookUpCandidates(parts, polled, candidates);
  return parts.exclusive(async () => {
    const diff = diffSplits(await parts.store.snapshot.read(), lookedUp, parts.settings);
    await commitChanges(parts, { patch: diff.patch, events: diff.events });
    const after = await parts.store.snapshot.read();
    const reason =
      diff.outcome === "suspicious" ? diff.reason : remainingLoss(after, polled, parts.settings.shrinkGuard);
    const records = list.records.length;
    return {
      outcome: reason === null ? "complete" : "suspicious",
      detail: reason === null ? `${records} splits` : `${records} splits: ${reason}`,
      records,
      events: diff.events.length,
      quarantined: list.quarantined.map((record) => record.reason),
    };
  });
}

function polledList(parts: PollParts, list: SplitList): PolledList {
  const { source, clock } = parts;
  const at = clock.now();
  return {
    source: source.id,
    sample: source.sample,
    records: list.records,
    unreadableTickers: new Set(list.quarantined.flatMap(({ ticker }) => ticker ?? [])),
    silentRows: parts.silentRows(),
    at,
    today: dayInZone(at, MARKET_ZONE),
  };
}

/** Adds splits that a lookup still finds. A split whose lookup gives no answer counts as neither listed nor missing. */
async function lookUpCandidates(
  { source, signal, log }: PollParts,
  polled: PolledList,
  candidates: readonly SplitRecord[],
): Promise<PolledList> {
  const unanswered = new Set(candidates.map(({ ticker }) => ticker));
  const found: SplitRecord[] = [];
  for (const ticker of [...unanswered].slice(0, MAX_LOOKUPS)) {
    try {
      const answer = await source.lookUp(ticker, signal);
      found.push(...answer.records);
      if (answer.quarantined.length === 0) unanswered.delete(ticker);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      log.warn("lookup failed", { ticker, problem: error.message });
      // The remaining lookups would fail as slowly.
      if (error.failure === "timeout" || error.failure === "unreachable") break;
    }
  }
  const unreadableTickers = new Set([...polled.unreadableTickers, ...unanswered]);
  return { ...polled, records: [...polled.records, ...found], unreadableTickers };
}
