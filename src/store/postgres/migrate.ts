import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { Migrator, type Migration as RunnableMigration } from "kysely/migration";
import { errorMessage } from "../../lib/error-text.ts";
import { StoreError } from "../../ports/store.ts";
import type { MigrationState } from "../store-definition.ts";
import type { Database } from "./database.ts";
import { isUnknownTable } from "./errors.ts";
import { MIGRATIONS, type Migration } from "./migrations/index.ts";
import type { Schema } from "./schema.ts";

const TABLE = "migrations";

/** Compares the database with this version's migrations. Fails if a newer or another version wrote it. Changes nothing. */
export async function readMigrations(
  { db }: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<MigrationState> {
  const known = migrations.map(recordedName);
  const recorded = await recordedNames(db);
  for (const [index, name] of recorded.entries())
    if (name !== known[index]) throw new StoreError(mismatch(name, migrations));
  const names = migrations.map(({ name }) => name);
  return { applied: names.slice(0, recorded.length), pending: names.slice(recorded.length) };
}

/**
 * Applies the pending migrations, all or none, and returns their names. If several processes call it, one of them applies them and
 * the others wait. The database must allow statements of any duration.
 */
export async function applyMigrations(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: database.db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(migrations.map((migration) => [recordedName(migration), runnable(migration)])),
    },
    migrationTableName: TABLE,
    migrationLockTableName: `${TABLE}_lock`,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    // The database of a newer version gets its own error.
    await readMigrations(database, migrations);
    throw error instanceof StoreError ? error : new StoreError(`database: ${errorMessage(error)}`, { cause: error });
  }
  return results.map(({ migrationName }) => titleOf(migrationName));
}

async function recordedNames(db: Kysely<Schema>): Promise<readonly string[]> {
  try {
    const rows = await db.selectFrom(TABLE).select("name").orderBy(sql`name collate "C"`).execute();
    return rows.map(({ name }) => name);
  } catch (error) {
    if (isUnknownTable(error)) return [];
    throw error;
  }
}

function mismatch(recorded: string, migrations: readonly Migration[]): string {
  const title = titleOf(recorded);
  return migrations.some(({ name }) => name === title)
    ? `database: migration ${title} was applied in another form; use the version of splitwatch that applied it`
    : `database: written by a newer splitwatch (migration ${title}); update this one, or use another database`;
}

function runnable({ statements }: Migration): RunnableMigration {
  return {
    up: async (db) => {
      await sql.raw(statements).execute(db);
    },
  };
}

/** Name in the table of migrations, with a checksum of the statements. */
function recordedName({ name, statements }: Migration): string {
  return `${name}@${createHash("sha256").update(statements).digest("hex").slice(0, 16)}`;
}

function titleOf(recorded: string): string {
  return recorded.split("@")[0] ?? recorded;
}
