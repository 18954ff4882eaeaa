import { type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { subscribeAll } from "../../lib/listeners.ts";
import type { Log } from "../../ports/log.ts";
import type { OpenSource } from "../source-definition.ts";
import { logUnreached } from "../source-status.ts";
import { type LiveRecords, type LiveState, statusesOf } from "./live-state.ts";
import { FIRST_POLLS_WITHIN_MS, splitStatusesOf } from "./split-sources.ts";

/** Maximum time that startup waits for the first readable source. */
const REACH_TIMEOUT_MS = 5_000;
/** Maximum wait for the slowest source after a restart, if an earlier run completed the first fill. */
const FILL_TIMEOUT_MS = 5_000;
/**
 * Maximum time that the first fill waits for the sources and the pages of the releases in their feeds. These releases are old
 * and must not cause alerts. A feed about splits shows some 25 releases, whose pages take about two seconds each.
 */
const FIRST_FILL_TIMEOUT_MS = MINUTE_MS;

/** Progress of the first fill of the catalog. */
export interface FirstFill {
  /** True if a source of splits can be read or there is data of an earlier run. Resolves within seconds. */
  readonly reached: Promise<boolean>;
  /** Resolves when there is data to serve and every source has been polled, or the time limit for polling has passed. */
  readonly filled: Promise<void>;
  readonly isDone: boolean;
}

/** If an earlier run or another process completed the first fill, its data can be served before any source is read. */
export function startFirstFill(live: LiveState, log: Log): FirstFill {
  const openedAt = live.clock.now();
  const wasFilledAtOpening = isFilled(live);
  // The fill of an earlier version is added when this process begins to follow the sources.
  const wasFilled = (): boolean =>
    wasFilledAtOpening || [...live.sourceReads.all()].some(({ filledAt }) => filledAt !== null && filledAt < openedAt);
  const state: FillState = { ...live, wasFilled, openedAt };
  let isDone = false;
  const fill = async (): Promise<void> => {
    await waitForFill(state);
    // A wait that ends because the sources are stopped leaves the fill incomplete.
    isDone = !state.signal.aborted;
  };
  const filled = fill();
  const reached = waitForReach(state);
  void reportReach(state, reached, log);
  return {
    reached,
    filled,
    get isDone() {
      return isDone;
    },
  };
}

interface FillState extends LiveState {
  /** True if an earlier run completed the first fill. */
  wasFilled(): boolean;
  readonly openedAt: Instant;
}

async function waitForReach(state: FillState): Promise<boolean> {
  const { clock, signal } = state;
  const isDecided = (): boolean => isReached(state) || arePolled(state, 0);
  await Promise.race([waitUntil(state, isDecided), clock.sleep(REACH_TIMEOUT_MS, signal)]);
  return isReached(state);
}

/** Logs the sources that this process can't read, after all sources were polled or FIRST_POLLS_WITHIN_MS has passed. */
async function reportReach(state: FillState, reached: Promise<boolean>, log: Log): Promise<void> {
  const { clock, signal } = state;
  const allPolled = waitUntil(state, () => arePolled(state, 0));
  if (await reached) await Promise.race([allPolled, clock.sleep(FIRST_POLLS_WITHIN_MS, signal)]);
  if (!signal.aborted && state.sources.opened !== null) logUnreached(statusesOf(state), log);
}

/** Resolves at the end of the first fill, see `FirstFill.filled`. */
async function waitForFill(state: FillState): Promise<void> {
  const { sources, clock, openedAt, signal } = state;
  await waitUntil(state, () => isReached(state));
  const reachedAt = clock.now();
  // If no source could be read for a while, all sources must be polled again: the polls until now failed or are outdated.
  const since = state.wasFilled() || reachedAt - openedAt <= FIRST_POLLS_WITHIN_MS ? 0 : reachedAt;
  const isComplete = (): boolean =>
    arePolled(state, since) && (state.wasFilled() || !(sources.opened?.some(hasUntriedPages) ?? !isFilled(state)));
  const timeoutMs = state.wasFilled() ? FILL_TIMEOUT_MS : FIRST_FILL_TIMEOUT_MS;
  await Promise.race([waitUntil(state, isComplete), clock.sleep(timeoutMs, signal)]);
}

function isReached(state: FillState): boolean {
  return state.wasFilled() || splitStatusesOf(state).some(({ lastOkAt }) => lastOkAt !== null);
}

function hasUntriedPages(source: OpenSource): boolean {
  return source.hasUntriedPages();
}

/** True if the first fill of a source has ended, in this process or another one. */
function isFilled({ sourceReads }: Pick<LiveRecords, "sourceReads">): boolean {
  return [...sourceReads.all()].some(({ filledAt }) => filledAt !== null);
}

function arePolled({ sources }: LiveState, since: Instant): boolean {
  const statuses = sources.statuses();
  const areKnown = sources.opened !== null || statuses.length > 0;
  return areKnown && statuses.every(({ lastReadAt }) => lastReadAt !== null && lastReadAt >= since);
}

/** Resolves when the condition is true. Checks it after every change. */
function waitUntil(
  { sources, releases, observations, sourceReads }: FillState,
  condition: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!condition()) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = subscribeAll([releases, observations, sourceReads, sources], check);
    check();
  });
}
