import type { Split } from "../split/split.ts";
import { HOUR_MS, type Instant } from "../time/day.ts";

/**
 * A split is flapping after this many transitions within the window, until it is stable for as long as the window. A
 * transition is a change of terms, a disappearance or a return.
 */
const FLAPPING_WINDOW_MS = HOUR_MS;
const FLAPPING_TRANSITIONS = 3;

export function isFlapping({ transitionTimes }: Split, at: Instant): boolean {
  return countedTransitions(transitionTimes, at).length >= FLAPPING_TRANSITIONS;
}

/** Transitions that were recorded while the clock was ahead count from now on, so that a flapping split is held for an hour only. */
export function withoutFutureTransitions(split: Split, at: Instant): Split {
  if (split.transitionTimes.every((time) => time <= at)) return split;
  return { ...split, transitionTimes: split.transitionTimes.map((time) => Math.min(time, at)) };
}

export function withTransition({ transitionTimes }: Split, at: Instant): readonly Instant[] {
  return [...countedTransitions(transitionTimes, at), at].slice(-FLAPPING_TRANSITIONS);
}

/** Transitions within the window. While a split is flapping, all of its recorded transitions count. */
function countedTransitions(times: readonly Instant[], at: Instant): readonly Instant[] {
  const isRecent = (time: Instant): boolean => at - time < FLAPPING_WINDOW_MS;
  const last = times.at(-1);
  if (last === undefined || !isRecent(last)) return [];
  return times.length >= FLAPPING_TRANSITIONS ? times : times.filter(isRecent);
}
