import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Adapter, Low } from "lowdb";
import { z } from "zod";
import { knownArticleSchema } from "../../domain/article/article.ts";
import { headerOf, type Snapshot, snapshotHeaderSchema } from "../../domain/diff/snapshot.ts";
import type { Infer } from "../../domain/schema-parts.ts";
import { pastSplitSchema } from "../../domain/split/repeat-splits.ts";
import { splitSchema } from "../../domain/split/split.ts";
import { readIfExists, writeDurably } from "../../lib/durable-file.ts";
import { errorMessage } from "../../lib/error-text.ts";
import { StoreError } from "../../ports/store.ts";
import { canonicalRows } from "./snapshot-rows.ts";

/** File in DATA_DIR with the snapshot. */
export const SNAPSHOT_FILE = "snapshot.json";

/** A snapshot and its version in the database. Version 0 is before the first commit. */
export interface VersionedSnapshot {
  readonly version: number;
  readonly snapshot: Snapshot;
}

/** A snapshot in the file, with the id of the database that it belongs to. */
export interface SnapshotCopy extends VersionedSnapshot {
  readonly databaseId: string;
}

const contentSchema = z.object({
  databaseId: z.string(),
  version: z.int().nonnegative(),
  header: snapshotHeaderSchema,
  splits: z.array(splitSchema),
  past: z.array(pastSplitSchema),
  articles: z.array(knownArticleSchema),
});

type Content = Infer<typeof contentSchema>;

/** The snapshot in `snapshot.json`, which is read at the start and written after each commit that changes it. */
export class SnapshotFile {
  readonly #path: string;
  readonly #low: Low<Content | null>;
  /** Content of the file, from its first read to the next write. */
  #copy: Promise<SnapshotCopy | null> | null = null;

  /** `dir`: DATA_DIR. */
  constructor(dir: string) {
    this.#path = join(dir, SNAPSHOT_FILE);
    this.#low = new Low(fileAdapter(this.#path), null);
  }

  /** Null if there is no file. Throws a StoreError that names the file if it can't be read. */
  read(): Promise<SnapshotCopy | null> {
    this.#copy ??= this.#read();
    return this.#copy;
  }

  async #read(): Promise<SnapshotCopy | null> {
    try {
      await this.#low.read();
    } catch (error) {
      throw this.#error(
        `can't be read (${errorMessage(error)})`,
        `Move ${SNAPSHOT_FILE} away: the next start writes it again from the database`,
      );
    }
    const { data } = this.#low;
    if (data === null) return null;
    const { databaseId, version, header, splits, past, articles } = data;
    return {
      databaseId,
      version,
      snapshot: {
        ...header,
        splits: canonicalRows("split", splits),
        past: canonicalRows("past", past),
        articles: canonicalRows("article", articles),
      },
    };
  }

  /** Replaces the file durably. */
  async write({ databaseId, version, snapshot }: SnapshotCopy): Promise<void> {
    this.#copy = null;
    this.#low.data = {
      databaseId,
      version,
      header: headerOf(snapshot),
      splits: [...snapshot.splits.values()],
      past: [...snapshot.past.values()],
      articles: [...snapshot.articles.values()],
    };
    await this.#low.write();
  }

  /** Error of a file with a later version than the database, which lacks commits: it is older, or its log is missing. */
  newerError({ version }: VersionedSnapshot, inDatabase: number): StoreError {
    return this.#error(
      `is newer than the database: its version is ${version}, that of the database ${inDatabase}`,
      `Put the missing files of the database back, or restore the folder from a backup (splitwatch restore FILE). Without them, ` +
        `move ${SNAPSHOT_FILE} away to continue with the older database: changes since then are lost, and alerts can be repeated`,
    );
  }

  /** Error of a file beside the database of another installation. */
  foreignError(): StoreError {
    return this.#error(
      "belongs to another database",
      "Put the database that belongs to it back, or restore the folder from a backup (splitwatch restore FILE). To continue with " +
        `this database, move ${SNAPSHOT_FILE} away: the next start writes it again from the database`,
    );
  }

  /** `problem`: what is wrong with the file. */
  #error(problem: string, remedy: string): StoreError {
    return new StoreError(`${this.#path} ${problem}. No file was changed. ${remedy}`);
  }
}

function fileAdapter(path: string): Adapter<Content | null> {
  return {
    async read() {
      const bytes = await readIfExists(path);
      return bytes === null ? null : parse(bytes.toString("utf8"));
    },
    write: (content) => writeDurably(path, withChecksum(JSON.stringify(content))),
  };
}

function withChecksum(text: string): string {
  return `{"sha256":"${checksumOf(text)}",${text.slice(1)}`;
}

function checksumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Polls are compared with the content: a changed one would repeat alerts or suppress them. */
function parse(text: string): Content {
  const [head, sha256] = /^\{"sha256":"([0-9a-f]{64})",/.exec(text) ?? [];
  if (head === undefined || sha256 !== checksumOf(`{${text.slice(head.length)}`))
    throw new Error("its content doesn't match its checksum");
  const { data, error } = contentSchema.safeParse(JSON.parse(text));
  const [issue] = error?.issues ?? [];
  if (issue) throw new Error(`${issue.path.join(".")}: ${issue.message}`);
  return data as Content;
}
