import { rm, writeFile } from "node:fs/promises";
import { Kysely, SqliteIntrospector, sql, type Transaction } from "kysely";
import { temporaryPath } from "../../../lib/durable-file.ts";
import { errorMessage } from "../../../lib/error-text.ts";
import type { Log } from "../../../ports/log.ts";
import { StoreError } from "../../../ports/store.ts";
import type { Database } from "../../database.ts";
import { DatabaseHealth } from "../../health.ts";
import type { Schema } from "../../schema.ts";
import { MAX_LOG_BYTES } from "./checkpoints.ts";
import { SingleFileAdapter, SqliteDriver, StatementCompiler } from "./driver.ts";
import { damagedFileError, damageOf, isDiskError, problemOf } from "./errors.ts";

/**
 * Reads don't wait for writes (`wal`). The driver syncs the log after each commit (`synchronous`) and copies a large one into the file
 * (`wal_autocheckpoint`), after which the log is made small again. Removed rows are overwritten (`secure_delete`).
 */
const PRAGMAS = `
pragma journal_mode = wal;
pragma synchronous = normal;
pragma wal_autocheckpoint = 0;
pragma journal_size_limit = ${MAX_LOG_BYTES};
pragma secure_delete = on;
pragma temp_store = memory;
pragma cache_size = -8000;
`;

/** Free space from which a disk that was full counts as usable: the log's usual size. */
const ROOM_BYTES = MAX_LOG_BYTES;

/** The tables in a file. Failures are StoreErrors that name the file. */
export class SqliteDatabase implements Database {
  readonly path: string;
  readonly name: string;
  readonly db: Kysely<Schema>;
  readonly #driver: SqliteDriver;
  readonly #health: DatabaseHealth;
  #copied: () => void = () => undefined;

  /** `path`: an existing file, which may be empty. */
  constructor(path: string, log: Log) {
    this.path = path;
    this.name = path;
    this.#health = new DatabaseHealth(log, async () => {
      await this.#findRoom();
      await this.transaction((transaction) =>
        sql`update locks set number = number where number = 0`.execute(transaction),
      );
      this.#health.succeed(true);
    });
    this.#driver = new SqliteDriver({
      path,
      pragmas: PRAGMAS,
      fail: (error) => this.#asStoreError(error),
      log,
      copied: () => this.#copied(),
    });
    this.db = new Kysely<Schema>({
      dialect: {
        createAdapter: () => new SingleFileAdapter(),
        createDriver: () => this.#driver,
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new StatementCompiler(),
      },
    });
  }

  /** Transactions exclude each other. */
  transaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> {
    return this.db.transaction().execute(work);
  }

  readTransaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> {
    return this.db.transaction().setAccessMode("read only").execute(work);
  }

  async hasTable(name: string): Promise<boolean> {
    const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(this.db);
    return rows.length > 0;
  }

  health(): string | null {
    return this.#health.reason;
  }

  /** Reads the whole file. Returns the error for a damaged one; null if it is undamaged. */
  async findDamage(): Promise<StoreError | null> {
    const { rows } = await sql<{ readonly integrity_check: string }>`pragma integrity_check(1)`.execute(this.db);
    const result = rows[0]?.integrity_check ?? "ok";
    return result === "ok" ? null : damagedFileError(this.path, `is damaged (${result})`);
  }

  /** `listener` is called each time the log was copied into the file. */
  onCopied(listener: () => void): void {
    this.#copied = listener;
  }

  /** Moves the log into the file, so that nothing of what was removed stays in it. */
  async truncateLog(): Promise<void> {
    const driver = this.#driver;
    await driver.transactions.alone(async () => {
      // The thread copies it, so that the event loop doesn't wait for the disk.
      await driver.checkpoints.copy();
      driver.writer.exec("pragma wal_checkpoint(truncate)");
    });
    this.#copied();
  }

  async close(): Promise<void> {
    if (!this.#health.close()) return;
    if (this.#driver.hasWritten) await this.#driver.transactions.alone(async () => undefined);
    await this.#driver.destroy();
  }

  /** Fails if the disk has no room for the next writes. An empty write doesn't show that: it fits into the log as it is. */
  async #findRoom(): Promise<void> {
    const path = temporaryPath(this.path);
    try {
      await writeFile(path, Buffer.alloc(ROOM_BYTES));
    } catch (error) {
      throw new StoreError(`cannot write ${path}: ${errorMessage(error)}`, { cause: error });
    } finally {
      await rm(path, { force: true });
    }
  }

  #asStoreError(error: unknown): StoreError {
    if (error instanceof StoreError) return error;
    const damage = damageOf(error, this.path);
    if (damage !== null) return this.#health.fail(damage);
    const problem = new StoreError(`cannot use ${this.path}: ${problemOf(error)}`, { cause: error });
    return isDiskError(error) ? this.#health.fail(problem, true) : problem;
  }
}
