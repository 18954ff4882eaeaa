import type { Event } from "../alert/event.ts";
import { indexArticles } from "../article/evidence.ts";
import { pastPatch } from "../split/serial.ts";
import { rowKey, type Split, type SplitRecord } from "../split/split.ts";
import { DAY_MS, type Instant } from "../time/day.ts";
import { firstRun, followAllSilently, newSplitId, rowsToAnnounce } from "./first-run.ts";
import { identify } from "./identify.ts";
import { suspicionOf } from "./shrink-guard.ts";
import type { DiffSettings, PolledList } from "./snapshot.ts";
import { headerOf, headerPatch, type Snapshot, type SnapshotPatch } from "./snapshot.ts";
import { announce, followGone, followListed, listedAgain, type StepContext } from "./split-step.ts";

/** How long a split that left the list is remembered, so that its coming back is not news. */
const CLOSED_KEPT_MS = 90 * DAY_MS;

export type Diff =
  | { readonly outcome: "complete"; readonly patch: SnapshotPatch | null; readonly events: readonly Event[] }
  | {
      readonly outcome: "suspicious";
      readonly patch: SnapshotPatch;
      readonly events: readonly Event[];
      readonly reason: string;
    };

/** What a complete list changes, and what of it is worth telling. Pure: the same list on the same snapshot gives the same ids. */
export function diffSplits(before: Snapshot, reading: PolledList, settings: DiffSettings): Diff {
  if (before.source !== reading.source || !before.splitsKnown) {
    return { outcome: "complete", ...firstRun(before, reading, settings) };
  }
  const { listed, fresh, absent } = identify([...before.splits.values()], reading.records, reading.today);
  const gone = absent.filter((split) => !reading.unreadableTickers.has(split.record.ticker));
  const changed = (splits: readonly Split[]): Split[] =>
    splits.filter((split) => split !== before.splits.get(split.id));
  const suspicion = suspicionOf(before, gone, reading, settings.shrinkGuard);
  if (suspicion && suspicion.seen < settings.missingPolls) {
    // What a doubted list lacks may be there all the same; what it shows is there for sure.
    const shown = changed(listed.map(({ split }) => listedAgain(split)));
    const patch = { ...headerPatch({ ...headerOf(before), suspicion }), splits: shown };
    return { outcome: "suspicious", reason: suspicion.reason, patch, events: [] };
  }

  const articles = indexArticles(before.articles.values());
  const context: StepContext = { reading, settings, articles, startedAt: before.startedAt, past: before.past };
  const rows = fresh.map((record, index) => ({ id: newSplitId(before, record, before.nextSplit + index), record }));
  const told = fresh.filter((record) => !reading.silentRows.has(rowKey(record)));
  const news = rowsToAnnounce(told, before, reading.today);
  const steps = [
    ...listed.map(({ split, record }) => followListed(split, record, context)),
    ...gone.map((split) => followGone(split, context)),
    ...rows.filter(({ record }) => news.has(record)).map(({ id, record }) => announce(id, record, context)),
  ];
  const silent = rows.filter(({ record }) => !news.has(record));
  const adopted = followAllSilently(silent, [...before.articles.values()], reading);
  const patch: SnapshotPatch = {
    ...headerPatch({
      ...headerOf(before),
      nextSplit: before.nextSplit + fresh.length,
      settlingPolls: Math.max(0, before.settlingPolls - 1),
      suspicion: null,
    }),
    splits: [...changed(steps.map(({ split }) => split)), ...adopted],
    removedSplits: gone.filter((split) => isExpired(split, reading.at)).map(({ id }) => id),
    ...pastPatch([...steps.map(({ split }) => split), ...adopted], before.past, reading),
  };
  const events = steps.flatMap((step) => step.events);
  return { outcome: "complete", patch: changesNothing(patch, before) ? null : patch, events };
}

/** Splits that this list would make missing: the source is asked for each of them before that is believed. */
export function missingCandidates(
  before: Snapshot,
  reading: PolledList,
  settings: DiffSettings,
): readonly SplitRecord[] {
  return diffSplits(before, reading, settings)
    .events.filter((event) => event.kind === "missing")
    .map((event) => event.record);
}

function isExpired(split: Split, at: Instant): boolean {
  return split.status === "closed" && split.removedAt !== null && at - split.removedAt > CLOSED_KEPT_MS;
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
