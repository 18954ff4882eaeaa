import {
  type Destination,
  type DestinationKey,
  destinationKey,
  parseDestinationKey,
} from "../../../domain/alert/destination.ts";
import type { Instant } from "../../../domain/time/day.ts";
import { createListeners } from "../../../lib/listeners.ts";
import type { Posting } from "../../../ports/state-records.ts";
import type { Postings } from "../../../ports/store.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Tables } from "../rows/tables.ts";

/** Key of the only row with the last number. */
export const LAST_NUMBER = "last";

export class LowdbPostings implements Postings {
  readonly #log: ChangeLog;
  readonly #tables: Tables;
  /** Sorted by number. */
  readonly #byDestination = new Map<DestinationKey, Posting[]>();
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
    let count = 0;
    for (const { messageId, at } of this.#tables.postings.values())
      if (at >= since && messageId.startsWith(messageIdPrefix)) count += 1;
    return count;
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
  }
}

function newestAfter(
  postings: readonly Posting[],
  { after, limit }: { after: number; limit: number },
): readonly Posting[] {
  const from = postings.findLastIndex((posting) => posting.number <= after) + 1;
  return postings.slice(Math.max(from, postings.length - limit));
}
