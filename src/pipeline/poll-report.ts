import { errorMessage } from "../lib/error-text.ts";
import { SourceError } from "../ports/split-source.ts";
import type { PollReport, Resource } from "../ports/store.ts";
import type { CommitParts } from "./commit.ts";

/** Result of one poll. */
export interface PollOutcome extends Omit<PollReport, "resource" | "at" | "lastCompleteAt"> {
  /** Delay that the source requested. */
  readonly retryAfterMs?: number;
  readonly events: number;
}

export function failedOutcome(error: unknown): PollOutcome {
  const detail = errorMessage(error);
  const retryAfterMs = error instanceof SourceError ? error.retryAfterMs : null;
  const wait = retryAfterMs === null ? {} : { retryAfterMs };
  return { outcome: "failed", detail, records: 0, events: 0, quarantined: [], ...wait };
}

/** Saves the outcome for `/splits status`, logs it and counts it. */
export async function reportPoll(
  { store, log, metrics }: CommitParts,
  { resource, at }: Pick<PollReport, "resource" | "at">,
  outcome: PollOutcome,
): Promise<void> {
  const { retryAfterMs: _, events: __, ...saved } = outcome;
  const previous = (await store.polls.read())[resource];
  const lastCompleteAt = outcome.outcome === "complete" ? at : (previous?.lastCompleteAt ?? null);
  await store.polls.write({ ...saved, resource, at, lastCompleteAt });
  metrics.countPoll(resource, outcome.outcome);
  const fields = logFields(resource, outcome);
  if (outcome.outcome === "complete") log.info("poll completed", fields);
  else log.warn(outcome.outcome === "failed" ? "poll failed" : "poll completed", fields);
}

function logFields(resource: Resource, { outcome, detail, quarantined }: PollOutcome): Record<string, unknown> {
  const first = quarantined.length > 0 ? { firstQuarantined: quarantined[0] } : {};
  return { resource, outcome, detail, quarantined: quarantined.length, ...first };
}
