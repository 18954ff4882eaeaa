import type { Split } from "../split/split.ts";
import { HOUR_MS, type Instant } from "../time/day.ts";

/** A flip: the terms changed, or the split left the list or came back to it. */
const FLAP_WINDOW_MS = HOUR_MS;
const FLIPS_IN_WINDOW = 3;

/** True once it flipped three times within an hour, until an hour has passed without a flip. */
export function isHeld({ flips }: Split, at: Instant): boolean {
  return standing(flips, at).length >= FLIPS_IN_WINDOW;
}

/** The split's flips with one more. */
export function withFlip({ flips }: Split, at: Instant): readonly Instant[] {
  return [...standing(flips, at), at].slice(-FLIPS_IN_WINDOW);
}

/** The flips that still count. Those of a held split all do until it is quiet, however slowly it goes on flipping. */
function standing(flips: readonly Instant[], at: Instant): readonly Instant[] {
  const isRecent = (flip: Instant): boolean => at - flip < FLAP_WINDOW_MS;
  const last = flips.at(-1);
  if (last === undefined || !isRecent(last)) return [];
  return flips.length >= FLIPS_IN_WINDOW ? flips : flips.filter(isRecent);
}
