import type { Instant } from "../domain/time/day.ts";
import { SourceError } from "../ports/split-source.ts";
import type { PollReport, Resource } from "../ports/store.ts";
import type { CommitParts } from "./commit.ts";

/** What came of one poll. */
export interface PollOutcome extends Omit<PollReport, "resource" | "at" | "lastCompleteAt"> {
  /** The source's word. */
  readonly retryAfterMs?: number;
  readonly events: number;
}

export function failureOf(error: unknown): PollOutcome {
  const detail = error instanceof Error ? error.message : String(error);
  const retryAfterMs = error instanceof SourceError ? error.retryAfterMs : null;
  return {
    outcome: "failed",
    detail,
    records: 0,
    events: 0,
    quarantined: [],
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  };
}

/** Keeps it for those who ask how the source is, and tells the log and the metrics. */
export async function report(parts: CommitParts, resource: Resource, at: Instant, outcome: PollOutcome): Promise<void> {
  const { store, log, metrics } = parts;
  const { retryAfterMs: _, events: __, ...told } = outcome;
  const previous = (await store.polls.read())[resource];
  const lastCompleteAt = outcome.outcome === "complete" ? at : (previous?.lastCompleteAt ?? null);
  await store.polls.write({ ...told, resource, at, lastCompleteAt });
  metrics.polled(resource, outcome.outcome);
  const fields = {
    resource,
    outcome: outcome.outcome,
    detail: outcome.detail,
    quarantined: outcome.quarantined.length,
  };
  if (outcome.outcome === "complete") log.info("poll completed", fields);
  else log.warn(outcome.outcome === "failed" ? "poll failed" : "poll completed", fields);
}
