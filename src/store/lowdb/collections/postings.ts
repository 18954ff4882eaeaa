import {
  type Destination,
  type DestinationKey,
  destinationKey,
  isSameDestination,
  type Person,
  parseDestinationKey,
} from "../../../domain/alert/destination.ts";
import { redactBody } from "../../../domain/alert/personal-data.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Log } from "../../../ports/log.ts";
import type { Posting } from "../../../ports/state-records.ts";
import type { Postings } from "../../../ports/store.ts";
import type { Disk } from "../files/disk.ts";
import { WriteQueue } from "../files/write-queue.ts";
import { AppendOnlyLog, type LogContent } from "../log/append-only-log.ts";

type Draft = Omit<Posting, "number">;

/** A draft and, after the write, its posting. */
interface Request {
  readonly draft: Draft;
  posting?: Posting;
}

export class LowdbPostings implements Postings {
  readonly #log: AppendOnlyLog<Posting>;
  readonly #queue: WriteQueue<Request>;
  readonly #byMessage = new Map<string, Posting>();
  /** Sorted by number. */
  readonly #byDestination = new Map<DestinationKey, Posting[]>();
  #lastNumber: number;

  private constructor(log: AppendOnlyLog<Posting>, read: LogContent<Posting>) {
    this.#log = log;
    // The mark is the last number at the last rewrite: numbers must not be reused after pruning.
    this.#lastNumber = read.head.mark;
    for (const posting of read.entries) this.#add(posting);
    this.#queue = new WriteQueue((requests) => this.#write(requests));
  }

  static async open(
    disk: Disk,
    { path, read }: { readonly path: string; readonly read: LogContent<Posting> },
    log: Log,
  ): Promise<LowdbPostings> {
    const postings = new LowdbPostings(await AppendOnlyLog.continue<Posting>(disk, path, read), read);
    if (read.isOutdated)
      await postings.#replace(read.entries).catch((error) => log.warn("postings not rewritten", { error }));
    return postings;
  }

  async post(draft: Draft): Promise<Posting> {
    const request: Request = { draft };
    await this.#queue.submit(request);
    return request.posting as Posting;
  }

  async find(messageId: string): Promise<Posting | null> {
    return this.#byMessage.get(messageId) ?? null;
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
    for (const { messageId, at } of this.#byMessage.values())
      if (at >= since && messageId.startsWith(messageIdPrefix)) count += 1;
    return count;
  }

  /** Destinations with postings. */
  destinations(): readonly Destination[] {
    return [...this.#byDestination.keys()].map(parseDestinationKey);
  }

  async prune(before: Instant): Promise<void> {
    await this.#queue.runExclusive(async () => {
      const remaining = [...this.#byMessage.values()].filter((posting) => posting.at >= before);
      if (remaining.length === this.#byMessage.size) return;
      await this.#replace(remaining);
    });
  }

  /** Removes postings to the person, and the person's name from others. `tests`: ids of messages with a test they requested. */
  async purge(person: Person, tests: readonly string[]): Promise<void> {
    const testIds = new Set(tests);
    await this.#queue.runExclusive(async () => {
      const all = [...this.#byMessage.values()];
      const remaining = all
        .filter(({ to }) => !isSameDestination(to, person))
        .map((posting) => redactPosting(posting, person, testIds.has(posting.messageId)));
      if (remaining.length === all.length && remaining.every((posting, index) => posting === all[index])) return;
      await this.#replace(remaining);
    });
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#log.close();
  }

  async #write(requests: readonly Request[]): Promise<void> {
    const added = new Map<string, Posting>();
    for (const request of requests) {
      const { messageId } = request.draft;
      const existing = this.#byMessage.get(messageId) ?? added.get(messageId);
      request.posting = existing ?? { ...request.draft, number: this.#lastNumber + added.size + 1 };
      if (!existing) added.set(messageId, request.posting);
    }
    if (added.size === 0) return;
    await this.#log.append([...added.values()]);
    for (const posting of added.values()) this.#add(posting);
  }

  async #replace(postings: readonly Posting[]): Promise<void> {
    await this.#log.rewrite(this.#lastNumber, postings);
    this.#byMessage.clear();
    this.#byDestination.clear();
    for (const posting of postings) this.#add(posting);
  }

  #add(posting: Posting): void {
    this.#lastNumber = Math.max(this.#lastNumber, posting.number);
    this.#byMessage.set(posting.messageId, posting);
    const key = destinationKey(posting.to);
    const postings = this.#byDestination.get(key);
    if (postings) postings.push(posting);
    else this.#byDestination.set(key, [posting]);
  }
}

function redactPosting(posting: Posting, person: Person, isRequestedTest: boolean): Posting {
  if (isRequestedTest) return { ...posting, body: redactBody(posting.body, person) };
  if (!posting.sharedBy || !isSameDestination(posting.sharedBy, person)) return posting;
  const { sharedBy: _, ...anonymous } = posting;
  return anonymous;
}

function newestAfter(
  postings: readonly Posting[],
  { after, limit }: { after: number; limit: number },
): readonly Posting[] {
  const from = postings.findLastIndex((posting) => posting.number <= after) + 1;
  return postings.slice(Math.max(from, postings.length - limit));
}
