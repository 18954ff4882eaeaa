import { createHash } from "node:crypto";
import type { DeliveryId } from "../../domain/alert/delivery.ts";
import { type Destination, destinationKey, isSameDestination } from "../../domain/alert/destination.ts";
import {
  KEYED_KINDS,
  type KeyedKind,
  keyedKind,
  type StateKind,
  type StateRecord,
  type StateValues,
} from "../../ports/state-records.ts";
import { observationKey, releaseKey, sourceReadsKey } from "../../ports/store.ts";

type KeysOf = { readonly [K in StateKind]: (value: StateValues[K]) => readonly string[] };

const KEYED_KEYS = Object.fromEntries(
  Object.keys(KEYED_KINDS).map((kind) => {
    const { keyOf } = keyedKind(kind as KeyedKind);
    return [kind, (value: StateValues[KeyedKind]) => [keyOf(value)]];
  }),
) as unknown as Pick<KeysOf, KeyedKind>;

/** What no two records of a kind have in common. */
const KEYS: KeysOf = {
  snapshot: () => [""],
  split: ({ id }) => [id],
  "past-split": ({ id }) => [id],
  article: ({ url }) => [url],
  event: ({ id }) => [id],
  message: ({ messageId }) => [messageId],
  delivery: ({ id }) => [id],
  attempt: ({ messageId, to }) => [messageId, destinationKey(to)],
  pause: ({ to }) => [destinationKey(to)],
  forgetting: ({ person }) => [destinationKey(person)],
  rule: ({ destination, number }) => [`${destinationKey(destination)} rule ${number}`],
  "rule-number": ({ at }) => [destinationKey(at)],
  watchlist: ({ person }) => [destinationKey(person)],
  ...KEYED_KEYS,
  calendar: ({ person, token }) => [destinationKey(person), token],
  "destination-settings": ({ to }) => [destinationKey(to)],
  "used-once": ({ token }) => [token],
  posting: ({ number, messageId }) => [String(number), messageId],
  "posting-number": () => [""],
  release: (release) => [releaseKey(release)],
  observation: (observation) => [observationKey(observation)],
  "source-reads": (reads) => [sourceReadsKey(reads)],
  "api-key": ({ name, sha256 }) => [name, sha256],
};

/** Detects records that are valid alone, but not together: `splitwatch backup` writes none, and a store can't use them. */
export class BackupConsistency {
  /** Hashes of all keys: at a million records, the keys themselves take three times the memory. */
  readonly #keys = new Set<bigint>();
  readonly #deliveries = new Map<string, StateValues["delivery"]>();
  readonly #attempts: StateValues["attempt"][] = [];

  /** Returns the problem with the earlier records, or null. */
  add(record: StateRecord): string | null {
    if (record.kind === "delivery") this.#deliveries.set(record.value.id, record.value);
    if (record.kind === "attempt") this.#attempts.push(record.value);
    const keysOf = KEYS[record.kind] as (value: unknown) => readonly string[];
    for (const [index, key] of keysOf(record.value).entries()) {
      const hash = hashOf(record.kind, index, key);
      if (this.#keys.has(hash)) return `got a second record for the ${record.kind} ${key}, expected one`.trimEnd();
      this.#keys.add(hash);
    }
    return null;
  }

  /** Returns the problem with all records together, or null. */
  problem(): string | null {
    for (const { id, eventId } of this.#deliveries.values())
      if (!this.#keys.has(hashOf("event", 0, eventId)))
        return `delivery ${id}: its event ${eventId} is not among the records`;
    for (const { messageId, to, deliveries } of this.#attempts) {
      const missing = deliveries.find((id) => !this.#isWaitingAt(to, id));
      if (missing !== undefined)
        return `attempt ${messageId}: its delivery ${missing} is not among those for ${destinationKey(to)}`;
    }
    return null;
  }

  #isWaitingAt(to: Destination, id: DeliveryId): boolean {
    const delivery = this.#deliveries.get(id);
    return delivery !== undefined && isSameDestination(delivery.to, to);
  }
}

/** 64 bits: the probability that two of a million different keys have the same hash is 1 in 37 million. */
function hashOf(kind: StateKind, index: number, key: string): bigint {
  return createHash("sha256").update(`${kind} ${index} ${key}`).digest().readBigUInt64LE();
}
