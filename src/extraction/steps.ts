import type { Steps } from "../lib/steps.ts";

/** Number of matches of a pattern per step. */
export const MATCHES_PER_STEP = 500;

/** Number of sentences per step: few, because a rule can take several milliseconds for a long sentence. */
export const SENTENCES_PER_STEP = 2;

/** `items.flatMap` in steps. */
export function* flatMapInSteps<T, Result>(
  items: readonly T[],
  callback: (item: T) => readonly Result[],
): Steps<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % SENTENCES_PER_STEP === 0) yield;
    results.push(...callback(item));
  }
  return results;
}

/** `items.filter` in steps. */
export function filterInSteps<T>(items: readonly T[], matches: (item: T) => boolean): Steps<T[]> {
  return flatMapInSteps(items, (item) => (matches(item) ? [item] : []));
}

/** `items.find` in steps. */
export function* findInSteps<T>(items: readonly T[], matches: (item: T) => boolean): Steps<T | undefined> {
  for (const [index, item] of items.entries()) {
    if (index % SENTENCES_PER_STEP === 0) yield;
    if (matches(item)) return item;
  }
  return undefined;
}

/** `items.some` in steps. */
export function* someInSteps<T>(items: readonly T[], matches: (item: T) => boolean): Steps<boolean> {
  return (yield* findInSteps(items, matches)) !== undefined;
}
