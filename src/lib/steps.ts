/** A computation that pauses between steps of bounded work. Its caller decides when to resume it. */
export type Steps<T> = Generator<void, T, void>;

/** Runs a computation to its end without pauses. */
export function runSteps<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
