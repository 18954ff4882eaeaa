import {
  type Destination,
  type DestinationKey,
  destinationKey,
  isSameDestination,
  type Person,
} from "../../../domain/alert/destination.ts";
import { redactBody } from "../../../domain/alert/personal-data.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Posting } from "../../../ports/state-records.ts";
import type { Postings } from "../../../ports/store.ts";
import type { Disk } from "../files/disk.ts";
import { WriteGate } from "../files/write-gate.ts";
import { Journal, type ReadJournal } from "../log/write-ahead-log.ts";

type Draft = Omit<Posting, "number">;

/** What is asked for, and what came of it once the write is through. */
interface Request {
  readonly draft: Draft;
  posting?: Posting;
}

export class LowdbPostings implements Postings {
  readonly #journal: Journal<Posting>;
  readonly #gate: WriteGate<Request>;
  readonly #byMessage = new Map<string, Posting>();
  /** In the order of their numbers. */
  readonly #byPlace = new Map<DestinationKey, Posting[]>();
  #lastNumber: number;

  private constructor(journal: Journal<Posting>, read: ReadJournal<Posting>) {
    this.#journal = journal;
    // The mark is the last number given when the journal was begun: a reader's place must not come again after pruning.
    this.#lastNumber = read.head.mark;
    for (const posting of read.entries) this.#take(posting);
    this.#gate = new WriteGate((requests) => this.#write(requests));
  }

  static async open(disk: Disk, path: string, read: ReadJournal<Posting>): Promise<LowdbPostings> {
    const postings = new LowdbPostings(await Journal.continue<Posting>(disk, path, read), read);
    // On a full disk the outdated file stays in use: a later start rewrites it.
    if (read.isOutdated) await postings.#replace(read.entries).catch(() => undefined);
    return postings;
  }

  async post(draft: Draft): Promise<Posting> {
    const request: Request = { draft };
    await this.#gate.submit(request);
    return request.posting as Posting;
  }

  async find(messageId: string): Promise<Posting | null> {
    return this.#byMessage.get(messageId) ?? null;
  }

  async list(request: { to: readonly Destination[]; after: number; limit: number }): Promise<readonly Posting[]> {
    const places = new Set(request.to.map((to) => destinationKey(to)));
    return [...places]
      .flatMap((place) => newestAfter(this.#byPlace.get(place) ?? [], request))
      .toSorted((a, b) => a.number - b.number)
      .slice(-request.limit);
  }

  async prune(before: Instant): Promise<void> {
    await this.#gate.alone(async () => {
      const kept = [...this.#byMessage.values()].filter((posting) => posting.at >= before);
      if (kept.length === this.#byMessage.size) return;
      await this.#replace(kept);
    });
  }

  /** Drops what was posted to the person, and takes them out of what they posted; `tests` are messages with a test of theirs. */
  async forget(person: Person, tests: readonly string[]): Promise<void> {
    const ofTests = new Set(tests);
    await this.#gate.alone(async () => {
      const all = [...this.#byMessage.values()];
      const kept = all
        .filter(({ to }) => !isSameDestination(to, person))
        .map((posting) => postingWithout(posting, person, ofTests.has(posting.messageId)));
      if (kept.length === all.length && kept.every((posting, index) => posting === all[index])) return;
      await this.#replace(kept);
    });
  }

  async close(): Promise<void> {
    await this.#gate.close();
    await this.#journal.close();
  }

  async #write(requests: readonly Request[]): Promise<void> {
    const news = new Map<string, Posting>();
    for (const request of requests) {
      const { messageId } = request.draft;
      const known = this.#byMessage.get(messageId) ?? news.get(messageId);
      request.posting = known ?? { ...request.draft, number: this.#lastNumber + news.size + 1 };
      if (!known) news.set(messageId, request.posting);
    }
    if (news.size === 0) return;
    await this.#journal.append([...news.values()]);
    for (const posting of news.values()) this.#take(posting);
  }

  async #replace(kept: readonly Posting[]): Promise<void> {
    await this.#journal.rewrite(this.#lastNumber, kept);
    this.#byMessage.clear();
    this.#byPlace.clear();
    for (const posting of kept) this.#take(posting);
  }

  #take(posting: Posting): void {
    this.#lastNumber = Math.max(this.#lastNumber, posting.number);
    this.#byMessage.set(posting.messageId, posting);
    const key = destinationKey(posting.to);
    const place = this.#byPlace.get(key);
    if (place) place.push(posting);
    else this.#byPlace.set(key, [posting]);
  }
}

function postingWithout(posting: Posting, person: Person, isTheirTest: boolean): Posting {
  if (isTheirTest) return { ...posting, body: redactBody(posting.body, person) };
  if (!posting.sharedBy || !isSameDestination(posting.sharedBy, person)) return posting;
  const { sharedBy: _, ...nameless } = posting;
  return nameless;
}

function newestAfter(
  postings: readonly Posting[],
  { after, limit }: { after: number; limit: number },
): readonly Posting[] {
  const from = postings.findLastIndex((posting) => posting.number <= after) + 1;
  return postings.slice(Math.max(from, postings.length - limit));
}
