import { type FileHandle, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteQueryCompiler,
  type TransactionSettings,
} from "kysely";
import { syncFolder } from "../../../lib/durable-file.ts";
import type { Log } from "../../../ports/log.ts";
import { StoreError } from "../../../ports/store.ts";
import { CLOSED } from "../../health.ts";
import { Checkpoints } from "./checkpoints.ts";
import { GroupCommit } from "./group-commit.ts";
import { Statements } from "./statements.ts";

/** Idle connections for reads that are kept. */
const MAX_IDLE_READERS = 4;

export interface DriverParts {
  readonly path: string;
  /** Statements that prepare the connection that writes. */
  readonly pragmas: string;
  /** Converts and reports an error of the database. */
  readonly fail: (error: unknown) => StoreError;
  readonly log: Log;
  /** Called when the log was copied into the file. */
  readonly copied: () => void;
}

/** Driver of the query builder: one connection that writes, and others that read what is committed. They are opened when needed. */
export class SqliteDriver implements Driver {
  readonly transactions: GroupCommit;
  readonly checkpoints: Checkpoints;
  readonly #parts: DriverParts;
  readonly #readers: Statements[] = [];
  #writer: Statements | null = null;
  #isClosed = false;
  /** The log of the database, once something was committed. */
  #log: FileHandle | null = null;

  constructor(parts: DriverParts) {
    this.#parts = parts;
    this.checkpoints = new Checkpoints(parts.path, (error) => {
      if (error === null) parts.copied();
      else parts.log.warn("checkpoint failed", { error: parts.fail(error) });
    });
    this.transactions = new GroupCommit({
      openWriter: () => this.writer,
      sync: () => this.#syncLog(),
      fail: parts.fail,
    });
  }

  get writer(): Statements {
    this.#writer ??= this.#openWriter();
    return this.#writer;
  }

  get hasWritten(): boolean {
    return this.#writer !== null;
  }

  /** In a thread of its own, unlike the sync of a commit, so that the event loop doesn't wait for the disk. */
  async #syncLog(): Promise<void> {
    if (this.#log === null) {
      await syncFolder(dirname(resolve(this.#parts.path)));
      this.#log = await open(`${this.#parts.path}-wal`, "r+");
    }
    await Promise.all([this.#log.datasync(), this.checkpoints.noteCommit(this.#log)]);
  }

  #openWriter(): Statements {
    const writer = new Statements(this.#parts.path, { readOnly: false });
    try {
      writer.exec(this.#parts.pragmas);
    } catch (error) {
      writer.close();
      throw error;
    }
    return writer;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<SqliteConnection> {
    if (this.#isClosed) throw new StoreError(CLOSED);
    return new SqliteConnection(this);
  }

  beginTransaction(connection: SqliteConnection, { accessMode }: TransactionSettings): Promise<void> {
    return accessMode === "read only" ? connection.beginReads() : connection.beginWrites();
  }

  commitTransaction(connection: SqliteConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: SqliteConnection): Promise<void> {
    return connection.rollback();
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve();
  }

  takeReader(): Statements {
    return this.#readers.pop() ?? new Statements(this.#parts.path, { readOnly: true });
  }

  returnReader(reader: Statements): void {
    if (!this.#isClosed && this.#readers.length < MAX_IDLE_READERS) this.#readers.push(reader);
    else reader.close();
  }

  /** Runs a synchronous operation, whose errors become StoreErrors. */
  attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#parts.fail(error);
    }
  }

  async destroy(): Promise<void> {
    this.#isClosed = true;
    await this.checkpoints.close();
    for (const reader of this.#readers.splice(0)) reader.close();
    this.#writer?.close();
    this.#writer = null;
    await this.#log?.close();
    this.#log = null;
  }
}

/** The statements of one caller: in a transaction that writes, in one that reads, or each for itself. */
class SqliteConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver;
  #reader: Statements | null = null;
  #isWriting = false;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isWriting) return this.#run(this.#driver.writer, query);
    if (this.#reader) return this.#run(this.#reader, query);
    return isRead(query) ? this.#read(query) : this.#write(query);
  }

  #run<R>(statements: Statements, query: CompiledQuery): QueryResult<R> {
    return this.#driver.attempt(() => statements.run<R>(query));
  }

  #read<R>(query: CompiledQuery): QueryResult<R> {
    const reader = this.#driver.attempt(() => this.#driver.takeReader());
    try {
      return this.#run(reader, query);
    } finally {
      this.#driver.returnReader(reader);
    }
  }

  async #write<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await this.beginWrites();
    let result: QueryResult<R>;
    try {
      result = this.#run(this.#driver.writer, query);
    } catch (error) {
      await this.rollback();
      throw error;
    }
    await this.commit();
    return result;
  }

  /** The rows of one moment. */
  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    const reader = this.#reader ?? this.#driver.attempt(() => this.#driver.takeReader());
    const chunks = reader.iterate<R>(query, chunkSize);
    try {
      for (;;) {
        const { done, value } = this.#driver.attempt(() => chunks.next());
        if (done) return;
        yield value;
      }
    } finally {
      chunks.return(undefined);
      if (reader !== this.#reader) this.#driver.returnReader(reader);
    }
  }

  async beginReads(): Promise<void> {
    this.#reader = this.#driver.attempt(() => {
      const reader = this.#driver.takeReader();
      reader.exec("begin");
      return reader;
    });
  }

  async beginWrites(): Promise<void> {
    await this.#driver.transactions.begin();
    this.#isWriting = true;
  }

  async commit(): Promise<void> {
    if (this.#reader) return this.#endReads();
    this.#isWriting = false;
    await this.#driver.transactions.commit();
  }

  async rollback(): Promise<void> {
    if (this.#reader) return this.#endReads();
    if (!this.#isWriting) return;
    this.#isWriting = false;
    await this.#driver.transactions.rollback();
  }

  #endReads(): void {
    const reader = this.#reader;
    this.#reader = null;
    if (reader === null) return;
    if (reader.isInTransaction) reader.exec("rollback");
    this.#driver.returnReader(reader);
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return query.kind === "SelectQueryNode" || (query.kind === "RawNode" && /^\s*(?:select|with|pragma)\b/i.test(sql));
}

/** Statements as SQLite understands them: transactions exclude each other, so that rows need no locks. */
export class StatementCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== "ForUpdate" && node.modifier !== "SkipLocked") super.visitSelectModifier(node);
  }
}

export class SingleFileAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Each caller has a connection of its own, so that reads don't wait for writes and writes can share a commit. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
