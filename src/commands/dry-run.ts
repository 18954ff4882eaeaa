import { type Event, type EventId, isMatchable, isSplitEvent, type MatchableEvent } from "../domain/alert/event.ts";
import { Matcher } from "../domain/alert/match.ts";
import type { RuleFilter } from "../domain/settings/rule.ts";
import type { Split } from "../domain/split/split.ts";
import { addDays, DAY_MS, type Day } from "../domain/time/day.ts";
import { TimeSlice } from "../lib/slices.ts";
import { DRY_RUN_DAYS, type DryRun } from "../messages/dry-run-text.ts";
import type { AnswerContext } from "./context.ts";
import { type CurrentData, evidenceOf, readCurrentData } from "./current-data.ts";

/** Maximum number of events that rules are compared with, the newest ones. */
const MAX_EVENTS = 2_000;

const MAX_EXAMPLES = 8;

/** `dryRun` of one rule. */
export async function dryRunOf(filter: RuleFilter, context: AnswerContext): Promise<DryRun> {
  const [tried] = await dryRun([filter], context);
  return tried?.run ?? { count: 0, isComplete: true, examples: [], hasEvents: false };
}

/** Returns what each rule would have sent in the last `DRY_RUN_DAYS` days, without holds and reminders that a destination has turned off. */
export async function dryRun<T extends RuleFilter>(
  rules: readonly T[],
  context: AnswerContext,
): Promise<readonly { readonly rule: T; readonly run: DryRun }[]> {
  const slice = new TimeSlice();
  const { events, isComplete } = await recentEvents(context, slice);
  const matcher = new Matcher(events, () => true);
  for (const [index, rule] of rules.entries()) {
    matcher.addRule({ ...rule, ...unsavedRule(index) });
    await slice.next();
  }
  const matched = rules.map((rule) => ({ rule, alerts: [] as MatchableEvent[] }));
  for (const event of events) {
    for (const { to } of matcher.deliveriesOf(event)) matched[Number(to.id)]?.alerts.push(event);
    await slice.next();
  }
  return matched.map(({ rule, alerts }) => {
    const examples = alerts.slice(0, MAX_EXAMPLES);
    return { rule, run: { count: alerts.length, isComplete, examples, hasEvents: events.length > 0 } };
  });
}

/** A rule of a destination of its own. */
function unsavedRule(index: number) {
  const destination = { platform: "", kind: "channel", id: String(index) } as const;
  return {
    destination,
    number: 1,
    createdBy: { ...destination, kind: "person" },
    createdAt: 0,
    mention: null,
  } as const;
}

interface RecentEvents {
  /** Newest first. */
  readonly events: readonly MatchableEvent[];
  /** False if there were more events. */
  readonly isComplete: boolean;
}

/** Events of the last `DRY_RUN_DAYS` days. Splits that were listed before splitwatch followed the source have none, so theirs are derived. */
async function recentEvents(context: AnswerContext, slice: TimeSlice): Promise<RecentEvents> {
  const { store, clock, source } = context;
  const [stored, data] = await Promise.all([
    store.history.since(clock.now() - DRY_RUN_DAYS * DAY_MS, MAX_EVENTS),
    readCurrentData(context),
  ]);
  const events = stored.filter(isMatchable).filter((event) => event.sample === source.sample);
  const derived = await derivedEvents(data, { events, sample: source.sample }, slice);
  const all = [...events, ...derived].toSorted((a, b) => b.at - a.at);
  return { events: all.slice(0, MAX_EVENTS), isComplete: stored.length < MAX_EVENTS && all.length <= MAX_EVENTS };
}

async function derivedEvents(
  data: CurrentData,
  { events, sample }: { readonly events: readonly Event[]; readonly sample: boolean },
  slice: TimeSlice,
): Promise<readonly MatchableEvent[]> {
  const { today } = data.time;
  const known = new Set(events.filter(isSplitEvent).map(({ kind, splitId }) => `${kind} ${splitId}`));
  const isRecent = (day: Day | null): day is Day =>
    day !== null && day <= today && day >= addDays(today, -DRY_RUN_DAYS);
  const derived: MatchableEvent[] = [];
  for (const split of data.snapshot.splits.values()) {
    const { dateAnnounced, exDate } = split.record;
    const isAnnounced = isRecent(dateAnnounced) && !known.has(`announced ${split.id}`);
    const isEffective = isRecent(exDate) && split.status !== "missing" && !known.has(`effective ${split.id}`);
    if (isAnnounced) derived.push({ kind: "announced", alreadyEffective: false, ...base(split, dateAnnounced) });
    if (isEffective) derived.push({ kind: "effective", ...base(split, exDate) });
    if (isAnnounced || isEffective) await slice.next();
  }
  return derived;

  function base(split: Split, day: Day) {
    // Noon in New York, which is the same day in the Americas and in Europe.
    const at = Date.parse(`${day}T17:00:00Z`);
    const id = `${split.id}.derived` as EventId;
    return { id, at, sample, splitId: split.id, record: split.record, ...evidenceOf(data, split) };
  }
}
