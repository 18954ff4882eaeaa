import { type Announced, revisionEventId, type SplitEvent } from "../alert/event.ts";
import { type ArticleIndex, releaseLink } from "../article/evidence.ts";
import { evidenceAmong } from "../split/quality.ts";
import { type PastSplit, serialOf } from "../split/serial.ts";
import { changedTerms, lastShown, type Split, type SplitId, type SplitRecord } from "../split/split.ts";
import type { Instant } from "../time/day.ts";
import { adopt } from "./first-run.ts";
import { isHeld, withFlip } from "./flapping.ts";
import type { DiffSettings, Reading } from "./list-poll.ts";
import { callingOff } from "./withdrawal.ts";
import { calledOffBefore } from "./withdrawal-event.ts";

export interface StepContext {
  readonly reading: Reading;
  readonly settings: DiffSettings;
  readonly articles: ArticleIndex;
  /** When the snapshot began: what is older is no news. */
  readonly bornAt: Instant;
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
  const { reading, articles, bornAt, past } = context;
  const split = { ...adopt(id, record, reading), revision: 1 };
  const alreadyEffective = record.exDate < reading.today;
  const serial = serialOf(record, past.values(), reading.sample);
  const announced: Announced = { kind: "announced", ...eventBase(split, context), alreadyEffective, serial };
  const calledOff = calledOffBefore(split, { ...reading, articles, bornAt });
  return calledOff === null
    ? { split, events: [announced] }
    : { split: calledOff.split, events: [announced, calledOff.event] };
}

/** A split that upstream still lists, or lists again. */
export function followListed(split: Split, record: SplitRecord, context: StepContext): Step {
  if (isHeld(split, context.reading.at)) return watch(split, record, context);
  if (split.status === "missing") return comeBack(split, record, context);
  const here = listedAgain(split);
  const settled = here.unsettled === null ? here : { ...here, unsettled: null };
  const same = changedTerms(settled.record, record).length === 0 && sameWords(settled.record, record);
  return same ? quiet(settled) : change(settled, record, context);
}

/** A split that is in no row. */
export function followGone(split: Split, context: StepContext): Step {
  const { reading, settings } = context;
  if (split.status === "closed") return quiet(split);
  // After its ex date every split leaves the list: that is no news.
  const record = lastShown(split);
  if (record.exDate <= reading.today) {
    return quiet({ ...split, status: "closed", goneAt: split.goneAt ?? reading.at, record, unsettled: null });
  }
  const pollsMissed = Math.min(split.pollsMissed + 1, settings.missingPolls);
  const isGone = pollsMissed === settings.missingPolls;
  const held = isHeld(split, reading.at);
  if (isGone && !held && split.status === "listed") return goMissing({ ...split, pollsMissed }, context);
  if (pollsMissed === split.pollsMissed) return quiet(split);
  return quiet({ ...split, pollsMissed, flips: isGone && held ? withFlip(split, reading.at) : split.flips });
}

/** A split that has a row is listed; that one that we told missing came back is for `comeBack` to tell. */
export function listedAgain(split: Split): Split {
  if (split.status === "missing" || (split.status === "listed" && split.pollsMissed === 0)) return split;
  return { ...split, status: "listed", goneAt: null, pollsMissed: 0 };
}

function change(split: Split, record: SplitRecord, context: StepContext): Step {
  const { at } = context.reading;
  const terms = changedTerms(split.record, record);
  const revised = { ...split, record, revision: split.revision + 1 };
  // Another name or announcement day is kept in the history; it is no flip.
  const changed: Split = terms.length === 0 ? revised : { ...revised, flips: withFlip(split, at), calledOff: null };
  const flapping = terms.length > 0 && isHeld(changed, at);
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
    goneAt: null,
    pollsMissed: 0,
    record,
    unsettled: null,
    flips: withFlip(split, at),
    revision: split.revision + 1,
    calledOff: terms.length === 0 ? split.calledOff : null,
  };
  const flapping = isHeld(back, at);
  // Everybody waits for its new date: that it went in between is no more than the way there.
  if (split.calledOff?.kind === "postponed" && terms.includes("exDate")) {
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
    goneAt: at,
    record: lastShown(split),
    unsettled: null,
    flips: withFlip(split, at),
    revision: split.revision + 1,
  };
  const { pollsMissed } = missing;
  const flapping = isHeld(missing, at);
  const release = callingOff(missing, context.articles);
  const calledOffBy = release ? releaseLink(release) : null;
  return {
    split: missing,
    events: [{ kind: "missing", ...eventBase(missing, context), pollsMissed, flapping, calledOffBy }],
  };
}

/** While a split is held it is only watched. What it has been for an hour is told then, if that is not what was told last. */
function watch(split: Split, record: SplitRecord, { reading, settings }: StepContext): Step {
  const isBack = split.pollsMissed >= settings.missingPolls;
  const flipped = isBack || changedTerms(lastShown(split), record).length > 0;
  const here = split.status === "missing" && split.pollsMissed > 0 ? { ...split, pollsMissed: 0 } : listedAgain(split);
  if (!flipped) return quiet(here);
  const unsettled = changedTerms(split.record, record).length > 0 ? record : null;
  return quiet({ ...here, unsettled, flips: withFlip(split, reading.at) });
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
    ...evidenceAmong(record, reading.records, articles),
  };
}

function sameWords(a: SplitRecord, b: SplitRecord): boolean {
  return a.company === b.company && a.dateAnnounced === b.dateAnnounced && a.ratioText === b.ratioText;
}
