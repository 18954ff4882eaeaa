import {
  type Destination,
  type DestinationKey,
  destinationKey,
  parseDestinationKey,
} from "../../../domain/alert/destination.ts";
import type { Instant } from "../../../domain/time/day.ts";
import { BoundedMap } from "../../../lib/collections.ts";
import { createListeners } from "../../../lib/listeners.ts";
import type { Posting } from "../../../ports/state-records.ts";
import type { Postings } from "../../../ports/store.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Tables } from "../rows/tables.ts";

const MAX_COUNTED_PREFIXES = 10;

/** Key of the only row with the last number. */
export const LAST_NUMBER = "last";

export class LowdbPostings implements Postings {
  readonly #log: ChangeLog;
  readonly #tables: Tables;
  /** Sorted by number. */
  readonly #byDestination = new Map<DestinationKey, Posting[]>();
  /** Sorted times of the postings whose message ids start with a prefix, for the prefixes that were counted last. */
  readonly #times = new BoundedMap<string, Instant[]>(MAX_COUNTED_PREFIXES);
  readonly #listeners = createListeners<[to: Destination | null]>();
  readonly onPosted = this.#listeners.add;

  constructor(log: ChangeLog) {
    this.#log = log;
    this.#tables = log.tables;
    this.#tables.postings.addIndex({ changed: (_, before, after) => this.#change(before, after) });
  }

  async post(draft: Omit<Posting, "number">): Promise<Posting> {
    const { postings, postingNumber } = this.#tables;
    const stored = await this.#log.change((transaction) => {
      const existing = transaction.get(postings, draft.messageId);
      if (existing) return existing;
      const number = (transaction.get(postingNumber, LAST_NUMBER) ?? 0) + 1;
      const posting: Posting = { ...draft, number };
      transaction.put(postings, draft.messageId, posting);
      transaction.put(postingNumber, LAST_NUMBER, number);
      return posting;
    });
    this.#listeners.notify(stored.to);
    return stored;
  }

  async find(messageId: string): Promise<Posting | null> {
    return this.#tables.postings.get(messageId) ?? null;
  }

  async list(request: { to: readonly Destination[]; after: number; limit: number }): Promise<readonly Posting[]> {
    const keys = new Set(request.to.map((destination) => destinationKey(destination)));
    return [...keys]
      .flatMap((key) => newestAfter(this.#byDestination.get(key) ?? [], request))
      .toSorted((a, b) => a.number - b.number)
      .slice(-request.limit);
  }

  async count(messageIdPrefix: string, since: Instant): Promise<number> {
    const times = this.#times.get(messageIdPrefix) ?? this.#addPrefix(messageIdPrefix);
    return times.length - firstIndexFrom(times, since);
  }

  #addPrefix(prefix: string): readonly Instant[] {
    const counted = [...this.#tables.postings.values()].filter(({ messageId }) => messageId.startsWith(prefix));
    const times = counted.map(({ at }) => at).toSorted((a, b) => a - b);
    this.#times.set(prefix, times);
    return times;
  }

  /** Destinations with postings. */
  destinations(): readonly Destination[] {
    return [...this.#byDestination.keys()].map(parseDestinationKey);
  }

  /** A replaced posting has the same number and destination. */
  #change(before: Posting | undefined, after: Posting | undefined): void {
    const to = (after ?? before)?.to;
    if (!to) return;
    const key = destinationKey(to);
    const postings = this.#byDestination.get(key) ?? [];
    const at = before ? postings.indexOf(before) : postings.length;
    postings.splice(at, before ? 1 : 0, ...(after ? [after] : []));
    if (postings.length > 0) this.#byDestination.set(key, postings);
    else this.#byDestination.delete(key);
    this.#changeTimes(before, after);
  }

  #changeTimes(before: Posting | undefined, after: Posting | undefined): void {
    const messageId = (after ?? before)?.messageId ?? "";
    for (const [prefix, times] of this.#times) {
      if (!messageId.startsWith(prefix)) continue;
      if (before) times.splice(firstIndexFrom(times, before.at), 1);
      if (after) times.splice(firstIndexFrom(times, after.at), 0, after.at);
    }
  }
}

/** Index of the first of the sorted times that is not before `since`. */
function firstIndexFrom(times: readonly Instant[], since: Instant): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

function newestAfter(
  postings: readonly Posting[],
  { after, limit }: { after: number; limit: number },
): readonly Posting[] {
  const from = postings.findLastIndex((posting) => posting.number <= after) + 1;
  return postings.slice(Math.max(from, postings.length - limit));
}
