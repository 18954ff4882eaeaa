import { accessSync, constants, existsSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { CompiledQuery, QueryResult } from "kysely";

/** Prepared statements that are kept. */
const MAX_PREPARED = 200;

type Row = Record<string, unknown>;

/** Converts the value of a column that is not null. */
type Decode = (value: unknown) => unknown;

/** Types of columns whose values JavaScript represents in another way. */
const DECODERS: Readonly<Record<string, Decode>> = {
  bool: Boolean,
  json_text: (value) => JSON.parse(String(value)),
};

interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
  readonly decoded: readonly (readonly [column: string, decode: Decode])[];
}

/** A connection to the database file. Its operations are synchronous. */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(path: string, { readOnly }: { readonly readOnly: boolean }) {
    this.#database = new DatabaseSync(readOnly ? readableAt(path) : path, { readOnly });
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Number of rows that this connection has changed. */
  get changes(): number {
    const { rows } = this.run<{ readonly changes: number }>({
      sql: "select total_changes() as changes",
      parameters: [],
    });
    return rows[0]?.changes ?? 0;
  }

  /** Runs statements without parameters and without rows. */
  exec(text: string): void {
    this.#database.exec(text);
  }

  run<R>({ sql, parameters }: Pick<CompiledQuery, "sql" | "parameters">): QueryResult<R> {
    const { statement, hasRows, decoded } = this.#prepare(sql);
    const values = parameters as readonly SQLInputValue[];
    if (!hasRows) return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    const rows = statement.all(...values) as Row[];
    for (const row of rows) decode(row, decoded);
    return { rows: rows as R[], numAffectedRows: BigInt(rows.length) };
  }

  /** Reads rows in chunks. The connection is in use until the end. */
  *iterate<R>({ sql, parameters }: CompiledQuery, size: number): Generator<QueryResult<R>> {
    const { statement, decoded } = this.#prepare(sql);
    let rows: Row[] = [];
    for (const row of statement.iterate(...(parameters as readonly SQLInputValue[])) as Iterable<Row>) {
      decode(row, decoded);
      rows.push(row);
      if (rows.length < size) continue;
      yield { rows: rows as R[] };
      rows = [];
    }
    if (rows.length > 0) yield { rows: rows as R[] };
  }

  close(): void {
    this.#prepared.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  /** The statement that was used longest ago makes way for a new one. */
  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    this.#prepared.delete(text);
    const prepared = known ?? this.#compile(text);
    this.#prepared.set(text, prepared);
    const [oldest] = this.#prepared.keys();
    if (this.#prepared.size > MAX_PREPARED && oldest !== undefined) this.#prepared.delete(oldest);
    return prepared;
  }

  #compile(text: string): Prepared {
    const statement = this.#database.prepare(text);
    const columns = statement.columns();
    const decoded = columns.flatMap(({ name, type }) => {
      const decoder = DECODERS[type ?? ""];
      return decoder === undefined ? [] : [[name, decoder] as const];
    });
    return { statement, hasRows: columns.length > 0, decoded };
  }
}

/** On a read-only disk, SQLite can't create the index of the log, which a complete file has no need of. */
function readableAt(path: string): string | URL {
  if (existsSync(`${path}-wal`) || !isOnReadOnlyDisk(path)) return path;
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}

function isOnReadOnlyDisk(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EROFS";
  }
}

function decode(row: Row, columns: Prepared["decoded"]): void {
  for (const [name, decodeValue] of columns) if (row[name] !== null) row[name] = decodeValue(row[name]);
}
