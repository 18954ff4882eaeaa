import { MINUTE_MS } from "../domain/time/day.ts";
import { untilAborted } from "../lib/abort.ts";
import { backoffMs } from "../lib/backoff.ts";
import type { Clock } from "../ports/clock.ts";
import type { Stoppable } from "../ports/jobs.ts";
import type { Log } from "../ports/log.ts";

const RETRY = { firstMs: 1_000, maxMs: MINUTE_MS, jitter: 0.5 } as const;

export interface JobParts {
  readonly name: string;
  readonly start: () => Promise<Stoppable>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Runs the part of a job until `held` aborts. A start that fails is repeated with backoff. Never rejects. */
export async function runJob(parts: JobParts, held: AbortSignal): Promise<void> {
  const part = await startPart(parts, held);
  if (part === null) return;
  await untilAborted(held);
  await part.stop().catch((error: unknown) => parts.log.error("job stop failed", { job: parts.name, error }));
}

/** Null if the job is lost before the part has started. */
async function startPart({ name, start, clock, log }: JobParts, held: AbortSignal): Promise<Stoppable | null> {
  for (let failures = 1; !held.aborted; failures += 1) {
    try {
      return await start();
    } catch (error) {
      log.error("job start failed", { job: name, error });
      await clock.sleep(backoffMs(failures, RETRY), held);
    }
  }
  return null;
}
