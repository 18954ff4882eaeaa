import { createMetrics } from "../../src/lib/metrics.ts";
import { createMutex } from "../../src/lib/mutex.ts";
import type { CommitParts } from "../../src/pipeline/commit.ts";
import { Poller, type PollParts } from "../../src/pipeline/poll.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { createArticleReader } from "../../src/sources/reading/article-reader.ts";
import { directReader } from "./direct-reader.ts";

/** Number of complete lists without a split after which it is missing. */
export const MISSING_POLLS = 2;

/** Parts of a commit without a log and without a deliverer. */
export function commitParts(): Pick<CommitParts, "log" | "metrics" | "canReceive" | "wake"> {
  return { log: SILENT_LOG, metrics: createMetrics(), canReceive: () => true, wake: () => undefined };
}

/** Poller with default settings that announces nothing at its first run. */
export function aPoller(parts: Pick<PollParts, "store" | "source" | "clock"> & Partial<PollParts>): Poller {
  return new Poller({
    ...commitParts(),
    articleReader: createArticleReader(directReader, SILENT_LOG),
    exclusive: createMutex(),
    settings: { missingPolls: MISSING_POLLS, shrinkGuard: 0.5, firstRun: "silent" },
    backfilledRows: () => new Set(),
    onPollEnd: async () => undefined,
    signal: new AbortController().signal,
    ...parts,
  });
}
