import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { errorMessage } from "../lib/error-text.ts";
import { StoreError } from "../ports/store.ts";
import { type Database, LOCKS } from "./database.ts";
import type { MigrationState } from "./store-definition.ts";

const TABLE = "migrations";

/** A step of the schema. A released migration is never changed: its checksum is recorded. */
export interface Migration {
  /** Number and title: `0001-base`. */
  readonly name: string;
  readonly statements: readonly string[];
}

/** The first migration. `statements`: create the tables. */
export function baseMigration(statements: readonly string[]): Migration {
  const locks = Array.from({ length: LOCKS }, (_, number) => `(${number})`);
  return { name: "0001-base", statements: [...statements, `insert into locks (number) values ${locks.join(", ")}`] };
}

/** Migrations of one engine, oldest first. */
export class Migrations {
  readonly #database: Database;
  readonly #migrations: readonly Migration[];

  constructor(database: Database, migrations: readonly Migration[]) {
    this.#database = database;
    this.#migrations = migrations;
  }

  /** Compares the database with this version's migrations. Fails if a newer or another version wrote it. Changes nothing. */
  async read(): Promise<MigrationState> {
    const known = this.#migrations.map(recordedName);
    const recorded = await recordedNames(this.#database);
    for (const [index, name] of recorded.entries())
      if (name !== known[index]) throw new StoreError(this.#mismatch(name));
    const names = this.#migrations.map(({ name }) => name);
    return { applied: names.slice(0, recorded.length), pending: names.slice(recorded.length) };
  }

  /**
   * Applies the pending migrations, all or none, and returns their names. If several processes call it, one of them applies them and
   * the others wait. The database must allow statements of any duration.
   */
  async apply(): Promise<readonly string[]> {
    const migrator = new Migrator({
      db: this.#database.db,
      provider: {
        getMigrations: async () =>
          Object.fromEntries(
            this.#migrations.map((migration) => [
              recordedName(migration),
              { up: (db) => runStatements(db, migration.statements) },
            ]),
          ),
      },
      migrationTableName: TABLE,
      migrationLockTableName: `${TABLE}_lock`,
    });
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error !== undefined) {
      // The database of a newer version gets its own error.
      await this.read();
      throw error instanceof StoreError
        ? error
        : new StoreError(`${this.#database.name}: ${errorMessage(error)}`, { cause: error });
    }
    return results.map(({ migrationName }) => titleOf(migrationName));
  }

  #mismatch(recorded: string): string {
    const title = titleOf(recorded);
    const { name } = this.#database;
    return this.#migrations.some((migration) => migration.name === title)
      ? `${name}: migration ${title} was applied in another form; run splitwatch backup with the version that applied it, and splitwatch restore with this one into an empty database`
      : `${name}: written by a newer splitwatch (migration ${title}); update this one, or use another database`;
  }
}

async function runStatements(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

async function recordedNames(database: Database): Promise<readonly string[]> {
  if (!(await database.hasTable(TABLE))) return [];
  const { rows } = await sql<{ readonly name: string }>`select name from ${sql.table(TABLE)}`.execute(database.db);
  return rows.map(({ name }) => name).toSorted();
}

/** Name in the table of migrations, with a checksum of the statements. */
function recordedName({ name, statements }: Migration): string {
  return `${name}@${createHash("sha256").update(statements.join(";\n")).digest("hex").slice(0, 16)}`;
}

function titleOf(recorded: string): string {
  return recorded.split("@")[0] ?? recorded;
}
