import { TEST_MESSAGE_PREFIX } from "../../domain/alert/delivery.ts";
import { type Destination, type DestinationKey, destinationKey } from "../../domain/alert/destination.ts";
import { DAY_MS, type Instant } from "../../domain/time/day.ts";
import { createMutex } from "../../lib/mutex.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";
import type { MessageBody } from "./page/protocol.ts";
import { DEFAULT_CHANNEL } from "./page/protocol.ts";

export interface QuotaLimits {
  /** Maximum number of names about which data is stored. */
  readonly people: number;
  /** Maximum number of channels about which data is stored, in addition to the default channel. */
  readonly channels: number;
  /** Maximum number of stored shared answers and test cards. */
  readonly posts: number;
  readonly postsPerDay: number;
}

const MAX_PEOPLE = 500;
const MAX_CHANNELS = 100;
const MAX_POSTS = 5_000;
/** Less than `MAX_MESSAGES`: what people request never pushes the alerts of a day out of the page. */
const MAX_POSTS_PER_DAY = 200;
/** Maximum size of a shared answer. */
export const MAX_SHARED_BYTES = 64 * 1024;

export const DEFAULT_LIMITS: QuotaLimits = {
  people: MAX_PEOPLE,
  channels: MAX_CHANNELS,
  posts: MAX_POSTS,
  postsPerDay: MAX_POSTS_PER_DAY,
};

/** Prefix of the message ids of shared answers. */
export const SHARED_PREFIX = "share-";

/** A request that would exceed a limit. The message names the limit and what to do. */
export class QuotaError extends Error {
  override readonly name = "QuotaError";
}

/** Limits of the data that the web chat's users can create: anyone who can reach the page can choose any name. */
export interface Quota {
  /** Reserves room for data about the destinations until the returned function is called; throws a QuotaError. */
  reserve(destinations: readonly Destination[]): Promise<() => void>;
  /**
   * Reserves room for one shared answer or test card until the returned function is called; throws a QuotaError. A request in progress
   * can count twice, as stored and as in progress, so that simultaneous requests may not get the last places.
   */
  reservePost(): Promise<() => void>;
}

export interface QuotaOptions {
  readonly store: Pick<Store, "postings" | "destinations">;
  readonly clock: Clock;
  readonly limits?: QuotaLimits;
}

export function createQuota({ store, clock, limits = DEFAULT_LIMITS }: QuotaOptions): Quota {
  /** Serializes reservations, so that each one counts the reservations before it. */
  const serialize = createMutex();
  /** New destinations of requests in progress. */
  const reserved: Destination[] = [];
  /** Number of requests in progress that post a shared answer or a test card. */
  let posting = 0;

  function assertRoom(destination: Destination, all: ReadonlyMap<DestinationKey, Destination>): void {
    const { kind } = destination;
    const max = kind === "person" ? limits.people : limits.channels;
    const count = [...all.values()].filter((other) => other.kind === kind && !isDefaultChannel(other)).length;
    if (count >= max) throw new QuotaError(kind === "person" ? tooManyPeople(max) : tooManyChannels(max));
  }

  async function reserve(destinations: readonly Destination[]): Promise<() => void> {
    // Copied before the store is read: a request that ends during the read may store its data too late to be in the result.
    const inProgress = [...reserved];
    const stored = byKey(await store.destinations("web"));
    const all = new Map([...stored, ...byKey(inProgress)]);
    const added = [...byKey(destinations).values()].filter(
      (destination) => !stored.has(destinationKey(destination)) && !isDefaultChannel(destination),
    );
    for (const destination of added) if (!all.has(destinationKey(destination))) assertRoom(destination, all);
    reserved.push(...added);
    return () => {
      for (const destination of added) reserved.splice(reserved.indexOf(destination), 1);
    };
  }

  async function countPosts(since: Instant): Promise<number> {
    const shared = await store.postings.count(SHARED_PREFIX, since);
    return shared + (await store.postings.count(TEST_MESSAGE_PREFIX, since));
  }

  async function reservePost(): Promise<() => void> {
    const inProgress = posting;
    const today = inProgress + (await countPosts(clock.now() - DAY_MS));
    if (today >= limits.postsPerDay) throw new QuotaError(tooManyPostsToday(limits.postsPerDay));
    const total = inProgress + (await countPosts(0));
    if (total >= limits.posts) throw new QuotaError(tooManyPosts(limits.posts));
    posting++;
    return () => {
      posting--;
    };
  }

  return {
    reserve: (destinations) => serialize(() => reserve(destinations)),
    reservePost: () => serialize(reservePost),
  };
}

/** Throws a QuotaError for an answer that is too large to be shared. */
export function assertShareable(body: MessageBody): void {
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes <= MAX_SHARED_BYTES) return;
  throw new QuotaError(
    `This answer has ${Math.ceil(bytes / 1024)} kB, and at most ${MAX_SHARED_BYTES / 1024} kB can be shared. Narrow the command and share again.`,
  );
}

function byKey(destinations: readonly Destination[]): Map<DestinationKey, Destination> {
  return new Map(destinations.map((destination) => [destinationKey(destination), destination]));
}

function isDefaultChannel({ kind, id }: Destination): boolean {
  return kind === "channel" && id === DEFAULT_CHANNEL;
}

function tooManyPostsToday(max: number): string {
  return `${max} answers and test cards were posted within 24 hours, which is the maximum. Try again later.`;
}

function tooManyPosts(max: number): string {
  return `${max} shared answers and test cards are stored, which is the maximum. They are removed after 90 days; try again then.`;
}

function tooManyPeople(max: number): string {
  return `Data is stored about ${max} names, which is the maximum. Use one of these names, or run "forget" under a name that is no longer needed.`;
}

function tooManyChannels(max: number): string {
  return `Data is stored about ${max} channels, which is the maximum. Use one of these channels or #${DEFAULT_CHANNEL}, or remove the rules and settings of a channel that is no longer needed; its messages are removed after 90 days.`;
}
