import type { Split } from "../split/split.ts";
import { HOUR_MS, type Instant } from "../time/day.ts";

/** A flip: the terms changed, or the split left the list or came back to it. */
const FLAP_WINDOW_MS = HOUR_MS;
const FLIPS_IN_WINDOW = 3;

/** True once it flipped three times within an hour, until an hour has passed without a flip. */
export function isFlapping({ transitionTimes }: Split, at: Instant): boolean {
  return standing(transitionTimes, at).length >= FLIPS_IN_WINDOW;
}

/** The split's transitionTimes with one more. */
export function withTransition({ transitionTimes }: Split, at: Instant): readonly Instant[] {
  return [...standing(transitionTimes, at), at].slice(-FLIPS_IN_WINDOW);
}

/** The transitionTimes that still count. Those of a held split all do until it is quiet, however slowly it goes on flipping. */
function standing(transitionTimes: readonly Instant[], at: Instant): readonly Instant[] {
  const isRecent = (flip: Instant): boolean => at - flip < FLAP_WINDOW_MS;
  const last = transitionTimes.at(-1);
  if (last === undefined || !isRecent(last)) return [];
  return transitionTimes.length >= FLIPS_IN_WINDOW ? transitionTimes : transitionTimes.filter(isRecent);
}
