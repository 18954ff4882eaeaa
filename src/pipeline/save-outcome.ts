import type { Attempt } from "../domain/alert/delivery.ts";
import { destinationKey } from "../domain/alert/destination.ts";
import { repeatUntilDone } from "../lib/until-done.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { ClaimLostError, StoreError } from "../ports/store.ts";

/** Time for which the outcome of a posted message is written again while the store fails. Later, the platform is searched for it. */
const MAX_SAVE_MS = 30_000;
const SAVE_RETRY = { firstMs: 100, maxMs: 5_000, jitter: 0.5 } as const;

interface OutcomeParts {
  readonly attempt: Attempt;
  readonly clock: Clock;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

/** Repeats a write until the store accepts it: a posted message whose outcome isn't saved must be searched for. */
export async function saveOutcome<T>(
  { attempt: { messageId, to }, clock, log, stopping }: OutcomeParts,
  write: () => Promise<T>,
): Promise<T> {
  const until = clock.monotonic() + MAX_SAVE_MS;
  return repeatUntilDone(write, {
    clock,
    signal: stopping,
    backoff: SAVE_RETRY,
    isTemporary: (error) =>
      clock.monotonic() < until && error instanceof StoreError && !(error instanceof ClaimLostError),
    onFailure: (error, failures) => {
      if (failures === 1) log.warn("outcome not saved yet", { to: destinationKey(to), message: messageId, error });
    },
  });
}
