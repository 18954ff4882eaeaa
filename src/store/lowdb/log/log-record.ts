import type { Attempt, Delivery, MessageRef } from "../../../domain/alert/delivery.ts";
import type { Destination } from "../../../domain/alert/destination.ts";
import type { Event } from "../../../domain/alert/event.ts";
import type { SnapshotPatch } from "../../../domain/diff/snapshot.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Pause, PendingPurge } from "../../../ports/state-records.ts";

/** One line of `journal.log`: one complete change. */
export type LogRecord =
  | CommitRecord
  | { readonly kind: "attempt"; readonly attempt: Attempt }
  | ProgressRecord
  | { readonly kind: "sent"; readonly messageId: string; readonly at: Instant; readonly ref: MessageRef }
  | { readonly kind: "failed"; readonly messageId: string; readonly at: Instant; readonly reason: string }
  | (Pause & { readonly kind: "pause" })
  | { readonly kind: "resume"; readonly to: Destination }
  | PurgeRecord;

/** A patch of the snapshot with its events and deliveries. Atomic, since it is one line. */
export interface CommitRecord {
  readonly kind: "commit";
  /** Consecutive number of the commit. */
  readonly number: number;
  readonly patch: SnapshotPatch | null;
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
}

/** The fields of an attempt that change between sends; its body is written once. */
export interface ProgressRecord
  extends Pick<Attempt, "messageId" | "state" | "sends" | "blindResends" | "notBefore" | "problem"> {
  readonly kind: "progress";
}

/** Start of a purge. The record is kept in every rewritten log until all files are free of the person. */
export type PurgeRecord = PendingPurge & { readonly kind: "forget" };

/** Returns the record for the next state of an attempt. */
export function attemptRecord(attempt: Attempt, known: Attempt | undefined): LogRecord {
  if (!known || known.body !== attempt.body || known.deliveries !== attempt.deliveries)
    return { kind: "attempt", attempt };
  const { messageId, state, sends, blindResends, notBefore, problem } = attempt;
  return { kind: "progress", messageId, state, sends, blindResends, notBefore, problem };
}
