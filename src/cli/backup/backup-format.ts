import { createHash, type Hash } from "node:crypto";
import { z } from "zod";
import { formatCount } from "../../messages/format.ts";
import { STATE_SCHEMAS, type StateKind } from "../../ports/state-records.ts";

/**
 * A backup consists of JSON lines, independent of the store: a head, one record per line, and a tail with the number of
 * records of each kind and the SHA-256 of all bytes before it.
 */
export const FORMAT = "splitwatch-backup";

/** Version of the format, the only one that a restore reads. */
export const VERSION = 2;

/** Last part of error messages about files that are not backups. */
export const BACKUP_EXPECTED = `expected a backup that "splitwatch backup" wrote`;

export const headSchema = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  madeAt: z.iso.datetime(),
  /** Version of splitwatch that made the backup. */
  splitwatch: z.string(),
});

export type Head = Readonly<z.infer<typeof headSchema>>;

/** Number of records by kind. */
export type Counts = Readonly<Record<string, number>>;

export interface Tail {
  readonly kind: "end";
  readonly counts: Counts;
  readonly sha256: string;
}

/** Computes the tail from the preceding lines. */
export class BackupSummary {
  readonly #counts = new Map<string, number>();
  readonly #hash: Hash = createHash("sha256");

  /** `line`: without its line end. */
  add(line: string | Uint8Array, kind?: string): void {
    this.#hash.update(line).update("\n");
    if (kind !== undefined) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  get tail(): Tail {
    return { kind: "end", counts: Object.fromEntries(this.#counts), sha256: this.#hash.copy().digest("hex") };
  }
}

/** Returns the first problem of a record, with the field's name, or null. */
export function recordProblem({ kind, value }: { readonly kind: StateKind; readonly value: unknown }): string | null {
  const result = STATE_SCHEMAS[kind].safeParse(value);
  return result.success ? null : problemIn(result.error, kind);
}

export function problemIn(error: z.ZodError, name?: string): string {
  const [issue] = error.issues;
  const field = [...(name === undefined ? [] : [name]), ...(issue?.path ?? [])].join(".");
  return field === "" ? String(issue?.message) : `${field}: ${issue?.message}`;
}

export function isStateKind(kind: unknown): kind is StateKind {
  return typeof kind === "string" && Object.hasOwn(STATE_SCHEMAS, kind);
}

/** `1,204 records: 12 split, 1,192 event`. */
export function describeCounts(counts: Counts): string {
  const kinds = Object.entries(counts);
  let total = 0;
  for (const [, count] of kinds) total += count;
  return `${formatCount(total, "record")}: ${kinds.map(([kind, count]) => formatCount(count, kind, kind)).join(", ")}`;
}
