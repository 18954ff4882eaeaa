import { sql, type Transaction } from "kysely";
import type { KnownArticle } from "../../../domain/article/article.ts";
import {
  applyPatch,
  CANONICAL_ROWS,
  EMPTY_SNAPSHOT,
  type Snapshot,
  type SnapshotHeader,
  type SnapshotPatch,
} from "../../../domain/diff/snapshot.ts";
import type { PastSplit } from "../../../domain/split/repeat-splits.ts";
import type { Split, SplitId } from "../../../domain/split/split.ts";
import { groupBy } from "../../../lib/collections.ts";
import { createMutex } from "../../../lib/mutex.ts";
import { type SnapshotChange, type SnapshotStore, StoreError } from "../../../ports/store.ts";
import { type Database, json } from "../database.ts";
import type { Schema } from "../schema.ts";
import { addAlerts } from "./alerts.ts";
import type { PostgresJobs } from "./jobs.ts";

/** Rows that are written by one statement. */
const BATCH = 1_000;

interface SnapshotParts {
  readonly database: Database;
  readonly jobs: PostgresJobs;
}

/** A snapshot as it was read. Version 0 is before the first commit. */
interface KnownSnapshot {
  readonly version: number;
  readonly snapshot: Snapshot;
}

type SnapshotRow =
  | { readonly kind: "split"; readonly key: string; readonly value: Split | null }
  | { readonly kind: "past"; readonly key: string; readonly value: PastSplit | null }
  | { readonly kind: "article"; readonly key: string; readonly value: KnownArticle | null };

type RowKind = SnapshotRow["kind"];

/**
 * Snapshot with an optimistic version: a patch is refused if another process has changed the snapshot since this one read it. A copy is
 * kept, of which only the changed rows are read again.
 */
export class PostgresSnapshot implements SnapshotStore {
  readonly #parts: SnapshotParts;
  readonly #oneCommit = createMutex();
  readonly #oneRead = createMutex();
  /** The next read, which has not started yet. */
  #nextRead: Promise<Snapshot> | null = null;
  #known: KnownSnapshot = { version: 0, snapshot: EMPTY_SNAPSHOT };

  private constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  static async open(parts: SnapshotParts): Promise<PostgresSnapshot> {
    const store = new PostgresSnapshot(parts);
    await store.read();
    return store;
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
    const { rows } = await sql<{ readonly version: number }>`select version from snapshot`.execute(
      this.#parts.database.db,
    );
    if (rows[0]?.version !== this.#known.version) {
      const { version } = this.#known;
      const read = await this.#parts.database.snapshot((transaction) => readChanges(transaction, this.#known));
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
      await addAlerts(transaction, { events, deliveries });
      if (patch !== null) await writePatch(transaction, { patch, before: snapshot, version: version + 1 });
    });
    if (patch === null || this.#known.version !== version) return;
    this.#known = { version: version + 1, snapshot: applyPatch(snapshot, patch) };
  }
}

/** Lets one commit run at a time, in any process. Returns the version. */
async function lockSnapshot(transaction: Transaction<Schema>): Promise<number> {
  const { rows } = await sql<{ readonly version: number }>`select version from snapshot for update`.execute(
    transaction,
  );
  return rows[0]?.version ?? 0;
}

async function readChanges(transaction: Transaction<Schema>, known: KnownSnapshot): Promise<KnownSnapshot> {
  const { rows: states } = await sql<{
    readonly version: number;
    readonly complete_from: number;
    readonly header: SnapshotHeader | null;
  }>`select version, complete_from, header from snapshot`.execute(transaction);
  const [state] = states;
  if (!state?.header) return { version: state?.version ?? 0, snapshot: EMPTY_SNAPSHOT };
  const isComplete = known.version >= state.complete_from;
  const before = isComplete ? known.snapshot : EMPTY_SNAPSHOT;
  const { rows } = await sql<SnapshotRow>`
    select kind, key, value from snapshot_rows where version > ${isComplete ? known.version : 0} order by number
  `.execute(transaction);
  const changes = groupBy(rows, ({ kind }) => kind);
  const maps = {
    splits: changedRows(before.splits, changes.get("split")),
    past: changedRows(before.past, changes.get("past")),
    articles: changedRows(before.articles, changes.get("article")),
  } as Pick<Snapshot, "splits" | "past" | "articles">;
  return { version: state.version, snapshot: { ...state.header, ...maps } };
}

/** `changes`: undefined if there are none. */
function changedRows(
  before: ReadonlyMap<string, unknown>,
  changes: readonly SnapshotRow[] | undefined,
): ReadonlyMap<string, unknown> {
  if (changes === undefined) return before;
  const after = new Map(before);
  for (const row of changes)
    if (row.value === null) after.delete(row.key);
    else after.set(row.key, canonicalRow(row));
  return after;
}

function canonicalRow({ kind, value }: SnapshotRow): unknown {
  if (value === null) return null;
  if (kind === "split") return CANONICAL_ROWS.split(value);
  return kind === "past" ? CANONICAL_ROWS.past(value) : CANONICAL_ROWS.article(value);
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
  if (replaces) await sql`delete from snapshot_rows where kind in ('split', 'article')`.execute(transaction);
  const rows: readonly SnapshotRow[] = [
    ...removed("split", removedSplits),
    ...removed("article", removedArticles),
    ...splits.map((value) => ({ kind: "split", key: value.id, value }) as const),
    ...articles.map((value) => ({ kind: "article", key: value.url, value }) as const),
    ...(past?.joining ?? []).map((value) => ({ kind: "past", key: value.id, value }) as const),
    ...removed("past", endedPast(before, past)),
  ];
  await writeRows(transaction, rows, version);
  await sql`
    update snapshot set
      header = ${json(header)}, version = ${version},
      complete_from = case when ${replaces} then ${version} else complete_from end
  `.execute(transaction);
}

/** The last row with a key counts. */
async function writeRows(
  transaction: Transaction<Schema>,
  rows: readonly SnapshotRow[],
  version: number,
): Promise<void> {
  const last = [...new Map(rows.map((row) => [`${row.kind} ${row.key}`, row])).values()];
  for (let from = 0; from < last.length; from += BATCH) {
    const batch = last.slice(from, from + BATCH);
    await transaction
      .insertInto("snapshot_rows")
      .values(
        batch.map(({ kind, key, value }) => ({
          kind,
          key,
          version,
          value: value === null ? null : json<unknown>(value),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["kind", "key"]).doUpdateSet((row) => ({
          version: row.ref("excluded.version"),
          value: row.ref("excluded.value"),
        })),
      )
      .execute();
  }
}

/** Removes the traces of removed rows. */
export async function pruneSnapshot(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await sql`select from snapshot for update`.execute(transaction);
    const { numAffectedRows = 0n } = await sql`delete from snapshot_rows where value is null`.execute(transaction);
    if (numAffectedRows > 0n) await sql`update snapshot set complete_from = version`.execute(transaction);
  });
}
