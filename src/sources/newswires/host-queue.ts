import type { Instant } from "../../domain/time/day.ts";
import type { Clock } from "../../ports/clock.ts";

/** One visitor at a time per host, and a pause after each. */
export interface HostTurns {
  /**
   * Runs `visit` when it is its turn and `paceMs` have passed since the host's last visit ended. `visit` is not run where
   * `signal` aborts before that: then the promise is rejected with the signal's reason.
   */
  take<T>(turn: Turn, visit: () => Promise<T>): Promise<T>;
}

export interface Turn {
  readonly host: string;
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

interface Queue {
  busy: boolean;
  lastEnd: Instant;
  readonly waiting: Set<() => void>;
}

/** Hosts come from what feeds link to: those that nobody waits for are forgotten past this many. */
const MOST_HOSTS = 200;

export function createHostTurns(clock: Clock): HostTurns {
  const queues = new Map<string, Queue>();

  function queueOf(host: string): Queue {
    const known = queues.get(host);
    if (known) return known;
    if (queues.size >= MOST_HOSTS) forgetIdle();
    const made: Queue = { busy: false, lastEnd: Number.NEGATIVE_INFINITY, waiting: new Set() };
    queues.set(host, made);
    return made;
  }

  function forgetIdle(): void {
    for (const [host, queue] of queues) {
      if (!queue.busy && queue.waiting.size === 0) queues.delete(host);
    }
  }

  async function take<T>({ host, paceMs, signal }: Turn, visit: () => Promise<T>): Promise<T> {
    const queue = queueOf(host);
    await enter(queue, signal);
    try {
      // A clock that was set back must not make the pause longer.
      await clock.sleep(Math.min(paceMs, queue.lastEnd + paceMs - clock.now()), signal);
      signal.throwIfAborted();
      return await visit();
    } finally {
      queue.lastEnd = clock.now();
      leave(queue);
    }
  }

  return { take };
}

async function enter(queue: Queue, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!queue.busy) {
    queue.busy = true;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const go = (): void => {
      queue.waiting.delete(go);
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = (): void => {
      queue.waiting.delete(go);
      signal.removeEventListener("abort", giveUp);
      reject(signal.reason as Error);
    };
    queue.waiting.add(go);
    signal.addEventListener("abort", giveUp);
  });
}

/** Hands the host over to who has waited longest. */
function leave(queue: Queue): void {
  const [next] = queue.waiting;
  if (next) next();
  else queue.busy = false;
}
