import { randomUUID } from "node:crypto";
import { type Kysely, sql, type Transaction } from "kysely";
import { applyPatch, EMPTY_SNAPSHOT, type Snapshot, type SnapshotPatch } from "../../domain/diff/snapshot.ts";
import type { SplitId } from "../../domain/split/split.ts";
import { groupBy, inPages } from "../../lib/collections.ts";
import { createMutex } from "../../lib/mutex.ts";
import type { Log } from "../../ports/log.ts";
import { type SnapshotChange, type SnapshotStore, StoreError } from "../../ports/store.ts";
import { type Database, json, jsonOrNull } from "../database.ts";
import type { Notifications } from "../notifications.ts";
import type { Schema } from "../schema.ts";
import type { SnapshotCopy, SnapshotFile, VersionedSnapshot } from "../snapshot/snapshot-file.ts";
import { changedRows, type RowKind, type SnapshotRow } from "../snapshot/snapshot-rows.ts";
import { addAlerts } from "./alerts.ts";
import type { SqlJobs } from "./jobs.ts";
import type { PurgedPeople } from "./purged-people.ts";

/** Rows that are written by one statement. */
const BATCH = 1_000;

interface SnapshotParts {
  readonly database: Database;
  readonly jobs: SqlJobs;
  readonly notifications: Notifications;
  readonly purged: PurgedPeople;
  /** Copy of the snapshot that spares reading it from the database at the start; null: there is none. */
  readonly file: SnapshotFile | null;
  readonly log: Log;
}

/**
 * Snapshot with an optimistic version: a patch is refused if another process has changed the snapshot since this one read it. A copy is
 * kept, of which only the changed rows are read again.
 */
export class SqlSnapshot implements SnapshotStore {
  readonly #parts: SnapshotParts;
  readonly #oneCommit = createMutex();
  readonly #oneRead = createMutex();
  /** The next read, which has not started yet. */
  #nextRead: Promise<Snapshot> | null = null;
  #known: VersionedSnapshot = { version: 0, snapshot: EMPTY_SNAPSHOT };
  /** Id of the database; null if there is no file. */
  #databaseId: string | null = null;

  private constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  static async open(parts: SnapshotParts): Promise<SqlSnapshot> {
    const store = new SqlSnapshot(parts);
    await store.#open();
    return store;
  }

  /** Continues with the file, of which only later changes are read from the database. */
  async #open(): Promise<void> {
    const { database, file } = this.#parts;
    const copy = file && (await readCopy(file, database.db));
    if (copy !== null) this.#known = copy;
    await this.read();
    await this.renew();
  }

  /**
   * Gives the snapshot a new version without a change, in the file too. A database that loses its log afterwards is older than the file,
   * so that the next start notices it.
   */
  renew(): Promise<void> {
    return this.#oneCommit(() => this.#renew());
  }

  async #renew(): Promise<void> {
    const { database, file } = this.#parts;
    if (file === null) return;
    const { version, snapshot } = this.#known;
    const renewed = await database.transaction((transaction) =>
      transaction
        .updateTable("snapshot")
        .set({ version: sql`version + 1`, database_id: sql`coalesce(database_id, ${randomUUID()})` })
        .returning(["database_id", "version"])
        .executeTakeFirstOrThrow(),
    );
    this.#databaseId = renewed.database_id;
    if (this.#known.version === version && renewed.version === version + 1)
      this.#known = { version: renewed.version, snapshot };
    await this.#writeFile();
  }

  /** A write that fails is repeated with the next commit: until then, the database has the changes that the file lacks. */
  async #writeFile(): Promise<void> {
    const { file, log } = this.#parts;
    if (file === null || this.#databaseId === null) return;
    await file
      .write({ databaseId: this.#databaseId, ...this.#known })
      .catch((error: unknown) => log.warn("snapshot file not written", { error }));
  }

  read(): Promise<Snapshot> {
    this.#nextRead ??= this.#oneRead(() => {
      this.#nextRead = null;
      return this.#refresh();
    });
    return this.#nextRead;
  }

  commit(change: SnapshotChange): Promise<void> {
    return this.#oneCommit(() => this.#commit(change));
  }

  async #refresh(): Promise<Snapshot> {
    if ((await readVersion(this.#parts.database.db)) !== this.#known.version) {
      const { version } = this.#known;
      const read = await this.#parts.database.readTransaction((transaction) => readChanges(transaction, this.#known));
      // A commit of this process may have been faster.
      if (this.#known.version === version) this.#known = read;
    }
    return this.#known.snapshot;
  }

  async #commit({ patch, events, deliveries }: SnapshotChange): Promise<void> {
    const { database, jobs } = this.#parts;
    const { version, snapshot } = this.#known;
    await database.transaction(async (transaction) => {
      if (patch !== null) await jobs.fence(transaction);
      const current = await lockSnapshot(transaction);
      if (patch !== null && current !== version)
        throw new StoreError(
          "snapshot: another process changed it since it was read; nothing was written; read it again",
        );
      await addAlerts(transaction, { events, deliveries }, this.#parts);
      if (patch !== null) await writePatch(transaction, { patch, before: snapshot, version: version + 1 });
    });
    if (patch === null) return;
    // A read may have been faster.
    if (this.#known.version === version) this.#known = { version: version + 1, snapshot: applyPatch(snapshot, patch) };
    await this.#writeFile();
  }
}

/**
 * Null if there is no file. Throws a StoreError that names the file if it is unreadable, newer than the database, or that of another
 * database.
 */
export async function readCopy(file: SnapshotFile, db: Kysely<Schema>): Promise<SnapshotCopy | null> {
  const copy = await file.read();
  if (copy === null) return null;
  const { version, database_id } = await db
    .selectFrom("snapshot")
    .select(["version", "database_id"])
    .executeTakeFirstOrThrow();
  if (copy.databaseId !== database_id) throw file.foreignError();
  if (copy.version > version) throw file.newerError(copy, version);
  return copy;
}

async function readVersion(db: Kysely<Schema>): Promise<number> {
  return (await db.selectFrom("snapshot").select("version").executeTakeFirstOrThrow()).version;
}

/** Lets one commit run at a time, in any process. Returns the version. */
export async function lockSnapshot(transaction: Transaction<Schema>): Promise<number> {
  const row = await transaction.selectFrom("snapshot").select("version").forUpdate().executeTakeFirstOrThrow();
  return row.version;
}

async function readChanges(transaction: Transaction<Schema>, known: VersionedSnapshot): Promise<VersionedSnapshot> {
  const { version, complete_from, header } = await transaction
    .selectFrom("snapshot")
    .select(["version", "complete_from", "header"])
    .executeTakeFirstOrThrow();
  if (header === null) return { version, snapshot: EMPTY_SNAPSHOT };
  const isComplete = known.version >= complete_from;
  const { splits, past, articles } = isComplete ? known.snapshot : EMPTY_SNAPSHOT;
  const rows = await transaction
    .selectFrom("snapshot_rows")
    .select(["kind", "key", "value"])
    .where("version", ">", isComplete ? known.version : 0)
    .orderBy("number")
    .execute();
  const changes = groupBy(rows as readonly SnapshotRow[], ({ kind }) => kind);
  return {
    version,
    snapshot: {
      ...header,
      splits: changedRows("split", splits, changes.get("split")),
      past: changedRows("past", past, changes.get("past")),
      articles: changedRows("article", articles, changes.get("article")),
    },
  };
}

function removed(kind: RowKind, keys: readonly string[]): readonly SnapshotRow[] {
  return keys.map((key) => ({ kind, key, value: null }));
}

/** Ids of the past splits that the patch removes. Not determined in SQL, which can't read fields beside a text with a NUL character. */
function endedPast(before: Snapshot, past: SnapshotPatch["past"]): readonly SplitId[] {
  if (past === undefined) return [];
  return [...before.past.values(), ...past.joining].filter(({ exDate }) => exDate < past.from).map(({ id }) => id);
}

interface PatchedSnapshot {
  readonly patch: SnapshotPatch;
  readonly before: Snapshot;
  /** The new version. */
  readonly version: number;
}

async function writePatch(
  transaction: Transaction<Schema>,
  { patch, before, version }: PatchedSnapshot,
): Promise<void> {
  const { header, replaces, splits, removedSplits, articles, removedArticles, past } = patch;
  if (replaces) await transaction.deleteFrom("snapshot_rows").where("kind", "in", ["split", "article"]).execute();
  const rows: readonly SnapshotRow[] = [
    ...removed("split", removedSplits),
    ...removed("article", removedArticles),
    ...splits.map((value) => ({ kind: "split", key: value.id, value }) as const),
    ...articles.map((value) => ({ kind: "article", key: value.url, value }) as const),
    ...(past?.joining ?? []).map((value) => ({ kind: "past", key: value.id, value }) as const),
    ...removed("past", endedPast(before, past)),
  ];
  await writeRows(transaction, rows, version);
  await transaction
    .updateTable("snapshot")
    .set({ header: json(header), version, ...(replaces ? { complete_from: version } : {}) })
    .execute();
}

/** The last row with a key counts. */
async function writeRows(
  transaction: Transaction<Schema>,
  rows: readonly SnapshotRow[],
  version: number,
): Promise<void> {
  const last = [...new Map(rows.map((row) => [`${row.kind} ${row.key}`, row])).values()];
  for (const page of inPages(last, BATCH))
    await transaction
      .insertInto("snapshot_rows")
      .values(page.map(({ kind, key, value }) => ({ kind, key, version, value: jsonOrNull<unknown>(value) })))
      .onConflict((conflict) =>
        conflict.columns(["kind", "key"]).doUpdateSet((row) => ({
          version: row.ref("excluded.version"),
          value: row.ref("excluded.value"),
        })),
      )
      .execute();
}

/** Removes the traces of removed rows. */
export async function pruneSnapshot(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    const version = await lockSnapshot(transaction);
    const { numDeletedRows } = await transaction
      .deleteFrom("snapshot_rows")
      .where("value", "is", null)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await transaction.updateTable("snapshot").set({ complete_from: version }).execute();
  });
}
