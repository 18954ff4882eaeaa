import { createHmac, randomBytes } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { Attempt } from "../../domain/alert/delivery.ts";
import { type DestinationKey, destinationKey, type Person } from "../../domain/alert/destination.ts";
import { localId, redactBody } from "../../domain/alert/personal-data.ts";
import { type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import type { Database } from "../database.ts";
import type { SharedTime } from "../process-clock.ts";
import type { Schema } from "../schema.ts";

/** Time for which a purged person is marked: far longer than an alert or a message is prepared before it is saved. */
const MARK_MS = 10 * MINUTE_MS;

const KEY_BYTES = 32;

/** Marks of people who were purged lately, as keyed hashes. */
export class PurgedPeople {
  readonly #key: string;
  readonly #time: SharedTime;

  constructor(key: string, time: SharedTime) {
    this.#key = key;
    this.#time = time;
  }

  /**
   * Makes commits that were prepared before the purge add no alerts for the person, and messages not contain the name. `at`: time of the
   * purge by the clock of the process.
   */
  async mark(transaction: Transaction<Schema>, person: Person, at: Instant): Promise<void> {
    const now = this.#time.now();
    const keys = [...new Set([person.id, localId(person)])].map((id) => destinationKey({ ...person, id }));
    await transaction
      .insertInto("purged_people")
      .values(keys.map((key) => ({ mark: this.#markOf(key), platform: person.platform, at: now, purged_at: at })))
      .onConflict((conflict) =>
        conflict
          .column("mark")
          .doUpdateSet((row) => ({ at: row.ref("excluded.at"), purged_at: row.ref("excluded.purged_at") })),
      )
      .execute();
  }

  /** Deletes the marks that are no longer needed. */
  async prune(db: Kysely<Schema>): Promise<void> {
    await db
      .deleteFrom("purged_people")
      .where("at", "<", this.#time.now() - MARK_MS)
      .execute();
  }

  /** Ends the mark: the person has set something since. */
  async unmark(transaction: Transaction<Schema>, key: DestinationKey): Promise<void> {
    await transaction.deleteFrom("purged_people").where("mark", "=", this.#markOf(key)).execute();
  }

  /** True if a person on the platform was purged at `since` or later, by the clock of the process. */
  async hasAny(db: Kysely<Schema>, platform: string, since: Instant): Promise<boolean> {
    const row = await db
      .selectFrom("purged_people")
      .select("mark")
      .where("platform", "=", platform)
      .where("purged_at", ">=", since)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns the keys of people who are marked since the time. */
  async among(
    db: Kysely<Schema>,
    keys: readonly DestinationKey[],
    since = Number.MIN_SAFE_INTEGER,
  ): Promise<ReadonlySet<string>> {
    const rows = await db
      .selectFrom("purged_people")
      .select("mark")
      .where("at", ">=", this.#time.now() - MARK_MS)
      .where("purged_at", ">=", since)
      .execute();
    const marks = new Set(rows.map(({ mark }) => mark));
    return new Set(marks.size === 0 ? [] : keys.filter((key) => marks.has(this.#markOf(key))));
  }

  /** Returns the attempt without the names of people who were purged while it was rendered. */
  async withoutNames(db: Kysely<Schema>, attempt: Attempt): Promise<Attempt> {
    const people = [...possibleNames(attempt.body)].map(
      (id): Person => ({ platform: attempt.to.platform, kind: "person", id }),
    );
    const purged = await this.among(db, people.map(destinationKey), attempt.createdAt - MINUTE_MS);
    let { body } = attempt;
    for (const person of people) if (purged.has(destinationKey(person))) body = redactBody(body, person);
    return { ...attempt, body };
  }

  #markOf(key: string): string {
    return createHmac("sha256", this.#key).update(key).digest("hex");
  }
}

/** Reads the key of the hashes, which the first process creates. */
export async function openPurgedPeople(database: Database, time: SharedTime): Promise<PurgedPeople> {
  const key = await database.transaction(async (transaction) => {
    await transaction
      .insertInto("purge_key")
      .values({ key: randomBytes(KEY_BYTES).toString("hex") })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await transaction.selectFrom("purge_key").select("key").executeTakeFirstOrThrow()).key;
  });
  return new PurgedPeople(key, time);
}

/** Length of the longest id or name of a person. */
const MAX_NAME = 64;

/** Parts of the texts that can be the id or name of a person: words, which end before a dot or at their end. */
function possibleNames(body: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(body, (_, value: unknown) => {
    if (typeof value === "string") for (const [word] of value.matchAll(/[\w.-]+/g)) addNames(names, word);
    return value;
  });
  return names;
}

function addNames(names: Set<string>, word: string): void {
  if (word.length <= MAX_NAME) names.add(word);
  for (let end = word.indexOf("."); end > 0 && end <= MAX_NAME; end = word.indexOf(".", end + 1))
    names.add(word.slice(0, end));
}
