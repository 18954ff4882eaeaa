import { type Announced, revisionEventId, type SplitEvent } from "../alert/event.ts";
import { type ArticleIndex, releaseLink } from "../article/evidence.ts";
import { evidenceWithOtherRows } from "../split/quality.ts";
import { type PastSplit, serialOf } from "../split/serial.ts";
import { changedTerms, latestRecord, type Split, type SplitId, type SplitRecord } from "../split/split.ts";
import type { Instant } from "../time/day.ts";
import { followSilently } from "./first-run.ts";
import { isFlapping, withTransition } from "./flapping.ts";
import type { DiffSettings, PolledList } from "./snapshot.ts";
import { withdrawingRelease } from "./withdrawal.ts";
import { withdrawnBeforeListing } from "./withdrawal-event.ts";

export interface StepContext {
  readonly reading: PolledList;
  readonly settings: DiffSettings;
  readonly articles: ArticleIndex;
  /** When the snapshot began: what is older is no news. */
  readonly startedAt: Instant;
  readonly past: ReadonlyMap<SplitId, PastSplit>;
}

/** What one reading does to one split. */
export interface Step {
  readonly split: Split;
  /** At most one, but for a split that is called off as soon as it is announced. */
  readonly events: readonly SplitEvent[];
}

/** A split that upstream did not list before. */
export function announce(id: SplitId, record: SplitRecord, context: StepContext): Step {
  const { reading, articles, startedAt, past } = context;
  const split = { ...followSilently(id, record, reading), revision: 1 };
  const alreadyEffective = record.exDate < reading.today;
  const serial = serialOf(record, past.values(), reading.sample);
  const announced: Announced = { kind: "announced", ...eventBase(split, context), alreadyEffective, serial };
  const withdrawal = withdrawnBeforeListing(split, { ...reading, articles, startedAt });
  return withdrawal === null
    ? { split, events: [announced] }
    : { split: withdrawal.split, events: [announced, withdrawal.event] };
}

/** A split that upstream still lists, or lists again. */
export function followListed(split: Split, record: SplitRecord, context: StepContext): Step {
  if (isFlapping(split, context.reading.at)) return watch(split, record, context);
  if (split.status === "missing") return comeBack(split, record, context);
  const here = listedAgain(split);
  const settled = here.pendingRecord === null ? here : { ...here, pendingRecord: null };
  const same = changedTerms(settled.record, record).length === 0 && sameWords(settled.record, record);
  return same ? quiet(settled) : change(settled, record, context);
}

/** A split that is in no row. */
export function followGone(split: Split, context: StepContext): Step {
  const { reading, settings } = context;
  if (split.status === "closed") return quiet(split);
  // After its ex date every split leaves the list: that is no news.
  const record = latestRecord(split);
  if (record.exDate <= reading.today) {
    return quiet({ ...split, status: "closed", removedAt: split.removedAt ?? reading.at, record, pendingRecord: null });
  }
  const pollsMissed = Math.min(split.pollsMissed + 1, settings.missingPolls);
  const isGone = pollsMissed === settings.missingPolls;
  const held = isFlapping(split, reading.at);
  if (isGone && !held && split.status === "listed") return goMissing({ ...split, pollsMissed }, context);
  if (pollsMissed === split.pollsMissed) return quiet(split);
  return quiet({
    ...split,
    pollsMissed,
    transitionTimes: isGone && held ? withTransition(split, reading.at) : split.transitionTimes,
  });
}

/** A split that has a row is listed; that one that we told missing came back is for `comeBack` to tell. */
export function listedAgain(split: Split): Split {
  if (split.status === "missing" || (split.status === "listed" && split.pollsMissed === 0)) return split;
  return { ...split, status: "listed", removedAt: null, pollsMissed: 0 };
}

function change(split: Split, record: SplitRecord, context: StepContext): Step {
  const { at } = context.reading;
  const terms = changedTerms(split.record, record);
  const revised = { ...split, record, revision: split.revision + 1 };
  // Another name or announcement day is kept in the history; it is no flip.
  const changed: Split =
    terms.length === 0 ? revised : { ...revised, transitionTimes: withTransition(split, at), withdrawal: null };
  const flapping = terms.length > 0 && isFlapping(changed, at);
  return {
    split: changed,
    events: [{ kind: "changed", ...eventBase(changed, context), was: split.record, terms, flapping }],
  };
}

function comeBack(split: Split, record: SplitRecord, context: StepContext): Step {
  const { at } = context.reading;
  const terms = changedTerms(split.record, record);
  const back: Split = {
    ...split,
    status: "listed",
    removedAt: null,
    pollsMissed: 0,
    record,
    pendingRecord: null,
    transitionTimes: withTransition(split, at),
    revision: split.revision + 1,
    withdrawal: terms.length === 0 ? split.withdrawal : null,
  };
  const flapping = isFlapping(back, at);
  // Everybody waits for its new date: that it went in between is no more than the way there.
  if (split.withdrawal?.kind === "postponed" && terms.includes("exDate")) {
    return {
      split: back,
      events: [{ kind: "changed", ...eventBase(back, context), was: split.record, terms, flapping }],
    };
  }
  return { split: back, events: [{ kind: "returned", ...eventBase(back, context), was: split.record, flapping }] };
}

function goMissing(split: Split, context: StepContext): Step {
  const { at } = context.reading;
  const missing: Split = {
    ...split,
    status: "missing",
    removedAt: at,
    record: latestRecord(split),
    pendingRecord: null,
    transitionTimes: withTransition(split, at),
    revision: split.revision + 1,
  };
  const { pollsMissed } = missing;
  const flapping = isFlapping(missing, at);
  const release = withdrawingRelease(missing, context.articles);
  const withdrawnBy = release ? releaseLink(release) : null;
  return {
    split: missing,
    events: [{ kind: "missing", ...eventBase(missing, context), pollsMissed, flapping, withdrawnBy }],
  };
}

/** While a split is held it is only watched. What it has been for an hour is told then, if that is not what was told last. */
function watch(split: Split, record: SplitRecord, { reading, settings }: StepContext): Step {
  const isBack = split.pollsMissed >= settings.missingPolls;
  const flipped = isBack || changedTerms(latestRecord(split), record).length > 0;
  const here = split.status === "missing" && split.pollsMissed > 0 ? { ...split, pollsMissed: 0 } : listedAgain(split);
  if (!flipped) return quiet(here);
  const pendingRecord = changedTerms(split.record, record).length > 0 ? record : null;
  return quiet({ ...here, pendingRecord, transitionTimes: withTransition(split, reading.at) });
}

function quiet(split: Split): Step {
  return { split, events: [] };
}

type EventBase = Pick<
  SplitEvent,
  "id" | "at" | "sample" | "splitId" | "record" | "fraction" | "release" | "disagreements" | "otherRows"
>;

function eventBase({ id, revision, record }: Split, { reading, articles }: StepContext): EventBase {
  return {
    id: revisionEventId(id, revision),
    at: reading.at,
    sample: reading.sample,
    splitId: id,
    record,
    ...evidenceWithOtherRows(record, reading.records, articles),
  };
}

function sameWords(a: SplitRecord, b: SplitRecord): boolean {
  return a.company === b.company && a.dateAnnounced === b.dateAnnounced && a.ratioText === b.ratioText;
}
