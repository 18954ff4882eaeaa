import { createHash, type Hash } from "node:crypto";
import { z } from "zod";
import { formatCount } from "../../messages/format.ts";
import { STATE_SCHEMAS, type StateKind, type StateRecord } from "../../ports/state-records.ts";

/**
 * A backup is a text of JSON lines, neutral of the store. The first tells what it is; then comes a record a line; the last one
 * holds how many there are of each kind, and the SHA-256 of all bytes before it.
 */
export const FORMAT = "splitwatch-backup";
export const VERSION = 1;

/** For whoever gave a file that is none. */
export const EXPECTED = `expected a backup that "splitwatch backup" wrote`;

export const head = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  madeAt: z.iso.datetime(),
  /** The version of the splitwatch that made it. */
  splitwatch: z.string(),
});

export type Head = Readonly<z.infer<typeof head>>;

export type Counts = Readonly<Partial<Record<StateKind, number>>>;

export interface Tail {
  readonly kind: "end";
  readonly counts: Counts;
  readonly sha256: string;
}

/** All that the last line tells of those before it. */
export class Tally {
  readonly #counts = new Map<StateKind, number>();
  readonly #hash: Hash = createHash("sha256");

  /** A line without its end. */
  add(line: string | Uint8Array, kind?: StateKind): void {
    this.#hash.update(line).update("\n");
    if (kind !== undefined) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  get tail(): Tail {
    return { kind: "end", counts: Object.fromEntries(this.#counts), sha256: this.#hash.copy().digest("hex") };
  }
}

/** What is wrong with a value that is to be of this kind: the first problem, with the field that it is in; null: nothing. */
export function recordProblem({ kind, value }: { readonly kind: StateKind; readonly value: unknown }): string | null {
  const checked = STATE_SCHEMAS[kind].safeParse(value);
  return checked.success ? null : problemIn(checked.error, kind);
}

export function problemIn(error: z.ZodError, name?: string): string {
  const [issue] = error.issues;
  const field = [...(name === undefined ? [] : [name]), ...(issue?.path ?? [])].join(".");
  return field === "" ? String(issue?.message) : `${field}: ${issue?.message}`;
}

export function isStateKind(kind: unknown): kind is StateKind {
  return typeof kind === "string" && Object.hasOwn(STATE_SCHEMAS, kind);
}

export function recordLine({ kind, value }: StateRecord): string {
  return JSON.stringify({ kind, value });
}

/** `1,204 records: 12 split, 1,192 event` */
export function countWords(counts: Counts): string {
  const kinds = Object.entries(counts);
  let all = 0;
  for (const [, many] of kinds) all += many;
  return `${formatCount(all, "record")}: ${kinds.map(([kind, many]) => formatCount(many, kind, kind)).join(", ")}`;
}
