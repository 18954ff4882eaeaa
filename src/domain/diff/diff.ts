import type { Event } from "../alert/event.ts";
import { indexArticles } from "../article/evidence.ts";
import { pastPatch } from "../split/serial.ts";
import { rowKey, type Split, type SplitRecord } from "../split/split.ts";
import { DAY_MS, type Instant } from "../time/day.ts";
import { firstRun, followAllSilently, newSplitId, rowsToAnnounce } from "./first-run.ts";
import { identify } from "./identify.ts";
import { suspicionOf } from "./shrink-guard.ts";
import {
  type DiffSettings,
  headerOf,
  headerPatch,
  type PolledList,
  type Snapshot,
  type SnapshotPatch,
} from "./snapshot.ts";
import { announce, followAbsent, followListed, listedAgain, type StepContext } from "./split-step.ts";

/** How long a split that left the list is kept, so that its return triggers no alert. */
const CLOSED_RETENTION_MS = 90 * DAY_MS;

export type Diff =
  | { readonly outcome: "complete"; readonly patch: SnapshotPatch | null; readonly events: readonly Event[] }
  | {
      readonly outcome: "suspicious";
      readonly patch: SnapshotPatch;
      readonly events: readonly Event[];
      readonly reason: string;
    };

/** Compares a complete list with the snapshot. Pure: the same input gives the same patch and event ids. */
export function diffSplits(before: Snapshot, list: PolledList, settings: DiffSettings): Diff {
  if (before.source !== list.source || !before.splitsKnown) {
    return { outcome: "complete", ...firstRun(before, list, settings) };
  }
  const { listed, fresh, absent } = identify([...before.splits.values()], list.records, list.today);
  const gone = absent.filter((split) => !list.unreadableTickers.has(split.record.ticker));
  const changed = (splits: readonly Split[]): Split[] =>
    splits.filter((split) => split !== before.splits.get(split.id));
  const suspicion = suspicionOf(before, gone, list, settings.shrinkGuard);
  if (suspicion && suspicion.seen < settings.missingPolls) {
    // Absent splits of a suspicious list may still exist; listed ones certainly do.
    const shown = changed(listed.map(({ split }) => listedAgain(split)));
    const patch = { ...headerPatch({ ...headerOf(before), suspicion }), splits: shown };
    return { outcome: "suspicious", reason: suspicion.reason, patch, events: [] };
  }

  const articles = indexArticles(before.articles.values());
  const context: StepContext = { list, settings, articles, startedAt: before.startedAt, past: before.past };
  const rows = fresh.map((record, index) => ({ id: newSplitId(before, record, before.nextSplit + index), record }));
  const candidates = fresh.filter((record) => !list.silentRows.has(rowKey(record)));
  const announced = rowsToAnnounce(candidates, before, list.today);
  const steps = [
    ...listed.map(({ split, record }) => followListed(split, record, context)),
    ...gone.map((split) => followAbsent(split, context)),
    ...rows.filter(({ record }) => announced.has(record)).map(({ id, record }) => announce(id, record, context)),
  ];
  const silentRows = rows.filter(({ record }) => !announced.has(record));
  const silent = followAllSilently(silentRows, [...before.articles.values()], list);
  const patch: SnapshotPatch = {
    ...headerPatch({
      ...headerOf(before),
      nextSplit: before.nextSplit + fresh.length,
      settlingPolls: Math.max(0, before.settlingPolls - 1),
      suspicion: null,
    }),
    splits: [...changed(steps.map(({ split }) => split)), ...silent],
    removedSplits: gone.filter((split) => isExpired(split, list.at)).map(({ id }) => id),
    ...pastPatch([...steps.map(({ split }) => split), ...silent], before.past, list),
  };
  const events = steps.flatMap((step) => step.events);
  return { outcome: "complete", patch: changesNothing(patch, before) ? null : patch, events };
}

/** The splits that this list would make missing. The poll looks each of them up before it accepts the list. */
export function missingCandidates(before: Snapshot, list: PolledList, settings: DiffSettings): readonly SplitRecord[] {
  return diffSplits(before, list, settings)
    .events.filter((event) => event.kind === "missing")
    .map((event) => event.record);
}

function isExpired(split: Split, at: Instant): boolean {
  return split.status === "closed" && split.removedAt !== null && at - split.removedAt > CLOSED_RETENTION_MS;
}

function changesNothing(patch: SnapshotPatch, before: Snapshot): boolean {
  const { header, splits, removedSplits, past } = patch;
  return (
    splits.length + removedSplits.length === 0 &&
    past === undefined &&
    header.settlingPolls === before.settlingPolls &&
    before.suspicion === null
  );
}
