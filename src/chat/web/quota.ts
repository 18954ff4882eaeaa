import { type Destination, type DestinationKey, destinationKey } from "../../domain/alert/destination.ts";
import { DAY_MS } from "../../domain/time/day.ts";
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
  /** Maximum number of stored shared answers. */
  readonly shared: number;
  readonly sharedPerDay: number;
}

const MAX_PEOPLE = 500;
const MAX_CHANNELS = 100;
const MAX_SHARED = 5_000;
const MAX_SHARED_PER_DAY = 200;
/** Maximum size of a shared answer. */
export const MAX_SHARED_BYTES = 64 * 1024;

export const DEFAULT_LIMITS: QuotaLimits = {
  people: MAX_PEOPLE,
  channels: MAX_CHANNELS,
  shared: MAX_SHARED,
  sharedPerDay: MAX_SHARED_PER_DAY,
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
  /** Reserves room for one shared answer until the returned function is called; throws a QuotaError. */
  reserveShare(): Promise<() => void>;
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
  /** Number of requests in progress that share an answer. */
  let sharing = 0;

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

  async function reserveShare(): Promise<() => void> {
    const inProgress = sharing;
    const today = inProgress + (await store.postings.count(SHARED_PREFIX, clock.now() - DAY_MS));
    if (today >= limits.sharedPerDay) throw new QuotaError(tooManySharedToday(limits.sharedPerDay));
    const total = inProgress + (await store.postings.count(SHARED_PREFIX, 0));
    if (total >= limits.shared) throw new QuotaError(tooManyShared(limits.shared));
    sharing++;
    return () => {
      sharing--;
    };
  }

  return {
    reserve: (destinations) => serialize(() => reserve(destinations)),
    reserveShare: () => serialize(reserveShare),
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

function tooManySharedToday(max: number): string {
  return `${max} answers were shared within 24 hours, which is the maximum. Try again later.`;
}

function tooManyShared(max: number): string {
  return `${max} shared answers are stored, which is the maximum. They are removed after 90 days; try again then.`;
}

function tooManyPeople(max: number): string {
  return `Data is stored about ${max} names, which is the maximum. Use one of these names, or run "forget" under a name that is no longer needed.`;
}

function tooManyChannels(max: number): string {
  return `Data is stored about ${max} channels, which is the maximum. Use one of these channels or #${DEFAULT_CHANNEL}, or remove the rules and settings of a channel that is no longer needed; its messages are removed after 90 days.`;
}
