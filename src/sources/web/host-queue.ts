import { onAbort } from "../../lib/abort.ts";
import { BoundedMap } from "../../lib/collections.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import { createHostBackoff, type HostBackoff, type RequestKind } from "./host-backoff.ts";

/** Runs one request at a time per host, with a pause after each. Shared by all sources. */
export interface HostQueue {
  /**
   * Runs the request `paceMs` after the previous request of its host ended. Requests for pages alternate with all others, so
   * that a feed waits for at most one page; each of the two groups runs in call order. If `signal` aborts a queued request,
   * rejects with the signal's reason.
   */
  run<T>(options: QueueOptions, request: () => Promise<T>): Promise<T>;
  /** Backoff of the hosts, shared by all sources. */
  readonly backoff: HostBackoff;
}

export interface QueueOptions {
  readonly host: string;
  readonly kind: RequestKind;
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

/** Bounds the memory, because the links of feeds may name any number of hosts. */
const MAX_TRACKED_HOSTS = 200;

interface QueuedRequest extends QueueOptions {
  /** Never rejects. */
  readonly run: () => Promise<void>;
}

/** Queued requests of one host, in call order. */
interface Lane {
  readonly requests: Set<QueuedRequest>;
  lastWasPage: boolean;
  /** Ends the pause before the next request. */
  wake: () => void;
}

interface Lanes {
  enqueue(request: QueuedRequest): void;
  remove(request: QueuedRequest): void;
}

function createLanes(clock: Clock): Lanes {
  const lanes = new Map<string, Lane>();
  const lastEnds = new BoundedMap<string, MonotonicTime>(MAX_TRACKED_HOSTS);

  /** First request of the kind that did not run last; otherwise the first request. */
  function nextIn({ requests, lastWasPage }: Lane): QueuedRequest | undefined {
    const [first] = requests;
    return [...requests].find(({ kind }) => (kind === "page") !== lastWasPage) ?? first;
  }

  function pauseMs({ host, paceMs }: QueuedRequest): number {
    return (lastEnds.get(host) ?? Number.NEGATIVE_INFINITY) + paceMs - clock.monotonic();
  }

  async function serve(host: string, lane: Lane): Promise<void> {
    for (let next = nextIn(lane); next !== undefined; next = nextIn(lane)) {
      const remainingMs = pauseMs(next);
      if (remainingMs > 0) {
        const pause = new AbortController();
        lane.wake = () => pause.abort();
        await clock.sleep(remainingMs, pause.signal);
      } else {
        lane.requests.delete(next);
        lane.lastWasPage = next.kind === "page";
        await next.run();
        lastEnds.set(host, clock.monotonic());
      }
    }
    lanes.delete(host);
  }

  function enqueue(request: QueuedRequest): void {
    const lane = lanes.get(request.host);
    if (lane !== undefined) {
      lane.requests.add(request);
      lane.wake();
      return;
    }
    const newLane: Lane = { requests: new Set([request]), lastWasPage: true, wake: () => undefined };
    lanes.set(request.host, newLane);
    void serve(request.host, newLane);
  }

  function remove(request: QueuedRequest): void {
    const lane = lanes.get(request.host);
    lane?.requests.delete(request);
    lane?.wake();
  }

  return { enqueue, remove };
}

export function createHostQueue(clock: Clock): HostQueue {
  const lanes = createLanes(clock);
  return {
    backoff: createHostBackoff(clock),
    run: (options, request) =>
      new Promise((resolve, reject) => {
        const { signal } = options;
        signal.throwIfAborted();
        const stopListening = onAbort(signal, () => {
          lanes.remove(queued);
          reject(signal.reason as Error);
        });
        const run = async (): Promise<void> => {
          stopListening();
          try {
            resolve(await request());
          } catch (error) {
            reject(error);
          }
        };
        const queued: QueuedRequest = { ...options, run };
        lanes.enqueue(queued);
      }),
  };
}
