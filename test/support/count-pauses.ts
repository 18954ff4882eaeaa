import type { Steps } from "../../src/lib/steps.ts";

/** Number of pauses until a computation ends. */
export function countPauses(steps: Steps<unknown>): number {
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  return pauses;
}
