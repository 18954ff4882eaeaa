import { randomUUID } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { Instant } from "../../domain/time/day.ts";
import { createBatcher } from "../../lib/batcher.ts";
import { inPages } from "../../lib/collections.ts";
import { createListeners } from "../../lib/listeners.ts";
import { createMutex } from "../../lib/mutex.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { KeyOf, RecordsChange, SourceRecords } from "../../ports/store.ts";
import { ChangeReports } from "../change-reports.ts";
import type { Database } from "../database.ts";
import type { Membership } from "../membership.ts";
import type { Schema } from "../schema.ts";
import type { LedParts } from "./jobs.ts";

/** Calls whose changes are written by one transaction. */
const MAX_BATCH = 100;
/** Records that one statement reads or writes. */
const PAGE = 500;

export type RecordKind = "release" | "observation" | "source-reads";

export interface RecordParts extends LedParts {
  readonly membership: Membership;
  readonly clock: Clock;
  readonly log: Log;
}

/** The new value of a record in JSON; null if it is removed. */
type Change = readonly [key: string, json: string | null];

interface RecordRow<T> {
  readonly key: string;
  readonly value: T | null;
}

/**
 * Records of the data sources. Every write has a revision, and removed records keep theirs, so that the changes since a revision are
 * known. Writes, and reads of changes, run one at a time in each process: listeners get the changes in the order of the revisions.
 */
export class SqlSourceRecords<T> implements SourceRecords<T> {
  readonly #kind: RecordKind;
  readonly #keyOf: KeyOf<T>;
  readonly #parts: RecordParts;
  readonly #reports: ChangeReports;
  readonly #writer = randomUUID();
  readonly #oneAtATime = createMutex();
  readonly #listeners = createListeners<[RecordsChange<T>]>();
  readonly onChange = this.#listeners.add;
  readonly #change = createBatcher(MAX_BATCH, (requests: readonly (readonly Change[])[]) =>
    this.#oneAtATime(() => this.#write(requests.flat()).then(() => requests.map(() => undefined))),
  );
  /** The revision up to which the listeners know all records; null before the first `all`. */
  #known: number | null = null;
  #nextFollow: Promise<void> | null = null;
  #isBehind = false;

  constructor(kind: RecordKind, keyOf: KeyOf<T>, parts: RecordParts) {
    this.#kind = kind;
    this.#keyOf = keyOf;
    this.#parts = parts;
    this.#reports = new ChangeReports(parts.notifications, "records");
    this.#reports.listen((changed) => {
      if (changed === kind || changed === null) void this.#follow();
    });
    parts.membership.onBeat(() => {
      if (this.#isBehind) void this.#follow();
    });
  }

  all(): Promise<readonly T[]> {
    return this.#oneAtATime(() =>
      this.#parts.database.readTransaction(async (transaction) => {
        const known = await lastRevision(transaction, this.#kind);
        const records: T[] = [];
        const rows = transaction
          .selectFrom("source_records")
          .select("value")
          .where("kind", "=", this.#kind)
          .where("value", "is not", null)
          .orderBy("number")
          .stream(PAGE);
        for await (const { value } of rows) records.push(value as T);
        this.#known = known;
        return records;
      }),
    );
  }

  async put(records: readonly T[]): Promise<void> {
    if (records.length > 0)
      await this.#change(records.map((record) => [this.#keyOf(record), JSON.stringify(record)] as const));
  }

  async remove(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.#change(keys.map((key) => [key, null] as const));
  }

  /** The last change of each key counts. */
  async #write(changes: readonly Change[]): Promise<void> {
    const { database, jobs, clock } = this.#parts;
    const last = new Map<string, string | null>();
    for (const [key, json] of changes) {
      last.delete(key);
      last.set(key, json);
    }
    await database.transaction(async (transaction) => {
      await jobs.fence(transaction);
      const { last: revision } = await transaction
        .updateTable("source_revisions")
        .set({ last: sql`last + 1` })
        .where("kind", "=", this.#kind)
        .returning("last")
        .executeTakeFirstOrThrow();
      const written = { kind: this.#kind, revision, writer: this.#writer };
      const put = [...last].filter(([, json]) => json !== null);
      for (const page of inPages(put, PAGE)) await putRecords(transaction, page, written);
      const removed = [...last].flatMap(([key, json]) => (json === null ? [key] : []));
      for (const page of inPages(removed, PAGE))
        await removeRecords(transaction, page, { ...written, at: clock.now() });
      await this.#reports.send(transaction, this.#kind);
    });
  }

  /** Reports what other processes have changed. A read that waits covers all notifications until it starts. */
  #follow(): Promise<void> {
    this.#nextFollow ??= this.#oneAtATime(() => {
      this.#nextFollow = null;
      return this.#readChanges();
    });
    return this.#nextFollow;
  }

  /** A read that fails, or a change that a listener rejects, is repeated after the next heartbeat. */
  async #readChanges(): Promise<void> {
    const known = this.#known;
    if (known === null) return;
    try {
      const { last, rows } = await this.#changesSince(known);
      if (rows.length > 0) this.#listeners.notify(changeOf(rows));
      this.#known = last;
      this.#isBehind = false;
    } catch (error) {
      if (!this.#isBehind) this.#parts.log.warn("source records not followed", { kind: this.#kind, error });
      this.#isBehind = true;
    }
  }

  #changesSince(known: number): Promise<{ readonly last: number; readonly rows: readonly RecordRow<T>[] }> {
    return this.#parts.database.readTransaction(async (transaction) => {
      const last = await lastRevision(transaction, this.#kind);
      const rows = await transaction
        .selectFrom("source_records")
        .select(["key", "value"])
        .where("kind", "=", this.#kind)
        .where("revision", ">", known)
        .where("writer", "<>", this.#writer)
        .orderBy("revision")
        .orderBy("number")
        .execute();
      return { last, rows: rows as readonly RecordRow<T>[] };
    });
  }
}

interface Written {
  readonly kind: RecordKind;
  readonly revision: number;
  readonly writer: string;
}

async function putRecords(
  transaction: Transaction<Schema>,
  records: readonly Change[],
  written: Written,
): Promise<void> {
  await transaction
    .insertInto("source_records")
    .values(records.map(([key, text]) => ({ ...written, key, value: sql`${text}` })))
    .onConflict((conflict) =>
      conflict.columns(["kind", "key"]).doUpdateSet((row) => ({
        // A record that was removed is created again.
        number: sql`case when source_records.value is null then excluded.number else source_records.number end`,
        revision: row.ref("excluded.revision"),
        writer: row.ref("excluded.writer"),
        value: row.ref("excluded.value"),
        removed_at: null,
      })),
    )
    .execute();
}

async function removeRecords(
  transaction: Transaction<Schema>,
  keys: readonly string[],
  { kind, revision, writer, at }: Written & { readonly at: Instant },
): Promise<void> {
  await transaction
    .updateTable("source_records")
    .set({ revision, writer, value: null, removed_at: at })
    .where("kind", "=", kind)
    .where("key", "in", keys)
    .where("value", "is not", null)
    .execute();
}

async function lastRevision(db: Database["db"], kind: RecordKind): Promise<number> {
  const row = await db.selectFrom("source_revisions").select("last").where("kind", "=", kind).executeTakeFirstOrThrow();
  return row.last;
}

function changeOf<T>(rows: readonly RecordRow<T>[]): RecordsChange<T> {
  return {
    put: rows.flatMap(({ value }) => (value === null ? [] : [value])),
    removed: rows.flatMap(({ key, value }) => (value === null ? [key] : [])),
  };
}
