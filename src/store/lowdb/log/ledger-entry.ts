import type { Attempt, Delivery, MessageRef } from "../../../domain/alert/delivery.ts";
import type { Destination } from "../../../domain/alert/destination.ts";
import type { Event } from "../../../domain/alert/event.ts";
import type { SnapshotPatch } from "../../../domain/diff/snapshot.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Pause, PendingPurge } from "../../../ports/state-records.ts";

/** One line of `journal.log`: one change, whole. */
export type LedgerEntry =
  | Commit
  | { readonly kind: "attempt"; readonly attempt: Attempt }
  | Progress
  | { readonly kind: "sent"; readonly messageId: string; readonly at: Instant; readonly ref: MessageRef }
  | { readonly kind: "failed"; readonly messageId: string; readonly at: Instant; readonly reason: string }
  | (Pause & { readonly kind: "pause" })
  | { readonly kind: "resume"; readonly to: Destination }
  | Forget;

/** The snapshot's patch and what came of it, in one line: atomic by construction. */
export interface Commit {
  readonly kind: "commit";
  /** Counts the commits. */
  readonly number: number;
  readonly patch: SnapshotPatch | null;
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
}

/** What changes of an attempt from send to send: its body is written once. */
export interface Progress
  extends Pick<Attempt, "messageId" | "state" | "sends" | "blindResends" | "notBefore" | "problem"> {
  readonly kind: "progress";
}

/** Somebody is to be forgotten, in the other files too. The line stands in each journal until that is done. */
export type Forget = PendingPurge & { readonly kind: "forget" };

/** The line for an attempt in its next state. */
export function attemptEntry(attempt: Attempt, known: Attempt | undefined): LedgerEntry {
  if (!known || known.body !== attempt.body || known.deliveries !== attempt.deliveries)
    return { kind: "attempt", attempt };
  const { messageId, state, sends, blindResends, notBefore, problem } = attempt;
  return { kind: "progress", messageId, state, sends, blindResends, notBefore, problem };
}
