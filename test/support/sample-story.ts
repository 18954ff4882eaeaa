import type { ManualClock } from "./manual-clock.ts";
import type { RecordedLog } from "./recorded-log.ts";
import { waitUntil } from "./wait-until.ts";

/** Short enough that the story's first change, 20 s after its start, comes after the first poll on a busy machine. */
const STEP_MS = 100;

const STARTED = "sample story started";

/**
 * Lets time pass until the sample's story has started `times` times in all processes, and waits until one of them has polled the sample
 * since: the changes that follow are alerts. Returns the index of its log.
 */
export async function waitForStory(clock: ManualClock, logs: readonly RecordedLog[], times = 1): Promise<number> {
  await waitUntil(`the story has started ${times} times`, async () => {
    await clock.advance(STEP_MS);
    return logs.every((log) => log.count(STARTED) >= times);
  });
  await waitUntil("splits and articles are polled", () => logs.some((log) => pollsOfStory(log) >= 2));
  return logs.findIndex((log) => pollsOfStory(log) >= 2);
}

function pollsOfStory({ lines }: RecordedLog): number {
  const startedAt = lines.findLastIndex(({ event }) => event === STARTED);
  return lines.slice(startedAt).filter(({ event }) => event === "poll completed").length;
}
