import { type Announced, eventIds, type SplitEvent } from "../alert/event.ts";
import { type ArticleIndex, releaseLink } from "../article/evidence.ts";
import { evidenceWithOtherRows } from "../split/quality.ts";
import { type PastSplit, repeatSplitsOf } from "../split/repeat-splits.ts";
import {
  changedTerms,
  latestRecord,
  type Split,
  type SplitId,
  type SplitRecord,
  type Term,
  withFormerNames,
} from "../split/split.ts";
import type { Instant } from "../time/day.ts";
import { rowOfSameTerms } from "./identify.ts";
import type { DiffSettings, PolledList } from "./snapshot.ts";
import { reportStatements, statedChanges, statedPart, withAlertedStatements } from "./statements.ts";
import { isFlapping, withoutFutureTransitions, withTransition } from "./transitions.ts";
import { withdrawingRelease, withdrawnBeforeListing } from "./withdrawal.ts";

export interface StepContext {
  readonly list: PolledList;
  readonly settings: DiffSettings;
  readonly articles: ArticleIndex;
  /** Creation time of the snapshot; older releases trigger no events. */
  readonly startedAt: Instant;
  readonly past: ReadonlyMap<SplitId, PastSplit>;
}

/** The result of one poll for one split. */
export interface Step {
  readonly split: Split;
  /** At most one; two for a split whose withdrawal is known when it is announced. */
  readonly events: readonly SplitEvent[];
}

/** Follows a newly listed split without announcing it. */
export function followWithoutEvent(
  id: SplitId,
  record: SplitRecord,
  { at, today }: Pick<PolledList, "at" | "today">,
): Split {
  return {
    id,
    status: "listed",
    record,
    revision: 0,
    firstSeenAt: at,
    removedAt: null,
    pollsMissed: 0,
    transitionTimes: [],
    pendingRecord: null,
    withdrawal: null,
    reminded: record.exDate < today ? { 0: record.exDate } : {},
  };
}

/** Announces a split that the source did not list before. */
export function announce(id: SplitId, record: SplitRecord, context: StepContext): Step {
  const { list, articles, startedAt, past } = context;
  const split = { ...followWithoutEvent(id, record, list), revision: 1 };
  const alreadyEffective = record.exDate < list.today;
  const serial = repeatSplitsOf(record, past.values(), list.sample);
  const announced: Announced = { kind: "announced", ...eventBase(split, context), alreadyEffective, serial };
  const withdrawn = withdrawnBeforeListing(split, { ...list, articles, startedAt });
  return withdrawn === null
    ? { split, events: [announced] }
    : { split: withdrawn.split, events: [announced, withdrawn.event] };
}

/** Follows a split that the source lists. */
export function followListed(stored: Split, row: SplitRecord, context: StepContext): Step {
  return withStatements(followRow(stored, row, context), context);
}

/** Follows a split that the source does not list. */
export function followAbsent(stored: Split, context: StepContext): Step {
  return withStatements(followAbsence(stored, context), context);
}

/** Reports statements that changed while the split was flapping, or with a row that was expected to change. */
function withStatements(step: Step, { list, articles }: StepContext): Step {
  if (step.events.length > 0) return step;
  const { at, sample, records: listed } = list;
  const reported = reportStatements(step.split, { at, sample, listed, articles });
  return reported === null ? step : { split: reported.split, events: [reported.event] };
}

function followRow(stored: Split, row: SplitRecord, context: StepContext): Step {
  const split = withoutFutureTransitions(stored, context.list.at);
  const record = withFormerNames(row, stored);
  if (isFlapping(split, context.list.at)) return followFlapping(split, record, context);
  if (split.status === "missing") return returnToList(split, record, context);
  const listed = markListed(split);
  const stable = listed.pendingRecord === null ? listed : { ...listed, pendingRecord: null };
  const isSame = changedTerms(stable.record, record).length === 0 && hasSameDetails(stable.record, record);
  return isSame ? withoutEvents(stable) : applyChange(stable, record, context);
}

function followAbsence(stored: Split, context: StepContext): Step {
  const { list, settings } = context;
  const split = withoutFutureTransitions(stored, list.at);
  if (split.status === "closed") return withoutEvents(split);
  const record = latestRecord(split);
  // All splits leave the list after their ex date.
  if (record.exDate <= list.today) {
    return withoutEvents({
      ...split,
      status: "closed",
      removedAt: split.removedAt ?? list.at,
      record,
      pendingRecord: null,
    });
  }
  const pollsMissed = Math.min(split.pollsMissed + 1, settings.missingPolls);
  const isGone = pollsMissed === settings.missingPolls;
  const flapping = isFlapping(split, list.at);
  if (isGone && !flapping && split.status === "listed") return markMissing({ ...split, pollsMissed }, context);
  if (pollsMissed === split.pollsMissed) return withoutEvents(split);
  const transitionTimes = isGone && flapping ? withTransition(split, list.at) : split.transitionTimes;
  return withoutEvents({ ...split, pollsMissed, transitionTimes });
}

/** Marks a split as listed. A missing split stays missing: its return is an event, which `returnToList` creates. */
export function markListed(split: Split): Split {
  if (split.status === "missing" || (split.status === "listed" && split.pollsMissed === 0)) return split;
  return { ...split, status: "listed", removedAt: null, pollsMissed: 0 };
}

function applyChange(split: Split, record: SplitRecord, context: StepContext): Step {
  const { at } = context.list;
  const rowTerms = changedTerms(split.record, record);
  const terms = [...rowTerms, ...statedChanges(split)];
  const revised = { ...withAlertedStatements(split), record, revision: split.revision + 1 };
  // A different company name or announcement date is recorded in the history only and is not a transition.
  const changed: Split =
    terms.length === 0
      ? revised
      : { ...revised, transitionTimes: withTransition(split, at), withdrawal: withdrawalAfter(split, rowTerms) };
  const flapping = terms.length > 0 && isFlapping(changed, at);
  return {
    split: changed,
    events: [
      { kind: "changed", ...eventBase(changed, context), ...statedPart(split), was: split.record, terms, flapping },
    ],
  };
}

function returnToList(split: Split, record: SplitRecord, context: StepContext): Step {
  const { at } = context.list;
  const terms = changedTerms(split.record, record);
  const returned: Split = {
    ...split,
    status: "listed",
    removedAt: null,
    pollsMissed: 0,
    record,
    pendingRecord: null,
    transitionTimes: withTransition(split, at),
    revision: split.revision + 1,
    withdrawal: withdrawalAfter(split, terms),
  };
  const base = { ...eventBase(returned, context), was: split.record, flapping: isFlapping(returned, at) };
  // A postponed split that returns with a new date is reported as changed: its absence was part of the postponement. One that
  // returns under a new symbol was never gone.
  const isRescheduled = split.withdrawal?.kind === "postponed" && terms.includes("exDate");
  const isChange = isRescheduled || terms.includes("ticker");
  return {
    split: returned,
    events: [isChange ? { kind: "changed", ...base, terms } : { kind: "returned", ...base }],
  };
}

/** New terms end a withdrawal; a new symbol alone doesn't. */
function withdrawalAfter({ withdrawal }: Split, terms: readonly Term[]): Split["withdrawal"] {
  return terms.every((term) => term === "ticker") ? withdrawal : null;
}

function markMissing(split: Split, context: StepContext): Step {
  const { at } = context.list;
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
  const sentence = release?.kindSentence ?? null;
  const withdrawnBy = release ? { ...releaseLink(release), ...(sentence !== null && { sentence }) } : null;
  const sameTerms = rowOfSameTerms(missing, context.list.records);
  const event = { kind: "missing", ...eventBase(missing, context), pollsMissed, flapping, withdrawnBy } as const;
  return { split: missing, events: [sameTerms === undefined ? event : { ...event, sameTerms }] };
}

/**
 * Records the terms of a flapping split without an event. Once they are stable for an hour, they trigger an event if they
 * differ from the terms in the last alert.
 */
function followFlapping(split: Split, record: SplitRecord, { list, settings }: StepContext): Step {
  const isBack = split.pollsMissed >= settings.missingPolls;
  const hasTransition = isBack || changedTerms(latestRecord(split), record).length > 0;
  const listed = split.status === "missing" && split.pollsMissed > 0 ? { ...split, pollsMissed: 0 } : markListed(split);
  if (!hasTransition) return withoutEvents(listed);
  const pendingRecord = changedTerms(split.record, record).length > 0 ? record : null;
  return withoutEvents({ ...listed, pendingRecord, transitionTimes: withTransition(split, list.at) });
}

function withoutEvents(split: Split): Step {
  return { split, events: [] };
}

type EventBase = Pick<
  SplitEvent,
  "id" | "at" | "sample" | "splitId" | "record" | "fraction" | "release" | "disagreements" | "otherRows"
>;

function eventBase({ id, revision, record }: Split, { list, articles }: StepContext): EventBase {
  return {
    id: eventIds.revision(id, revision),
    at: list.at,
    sample: list.sample,
    splitId: id,
    record,
    ...evidenceWithOtherRows(record, list.records, articles),
  };
}

function hasSameDetails(a: SplitRecord, b: SplitRecord): boolean {
  return a.company === b.company && a.dateAnnounced === b.dateAnnounced && a.ratioText === b.ratioText;
}
