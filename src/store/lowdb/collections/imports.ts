import { destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { PendingImport } from "../../../domain/settings/pending-import.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Imports } from "../../../ports/store.ts";
import type { StateFile } from "../files/json-file.ts";

/** Content of `imports.json`, oldest first. */
export type ImportsFile = readonly PendingImport[];

const MAX_PER_PERSON = 3;

/** Limit for the JSON of all imports together. */
const MAX_TOTAL_CHARACTERS = 4 * 1024 * 1024;

export class LowdbImports implements Imports {
  readonly #file: StateFile<ImportsFile>;

  constructor(file: StateFile<ImportsFile>) {
    this.#file = file;
  }

  async save(pending: PendingImport, now: Instant): Promise<void> {
    await this.#file.change((imports) => [
      newestWithinLimits([...importsWithoutId(imports, pending.id), pending], now),
      undefined,
    ]);
  }

  async find(id: string): Promise<PendingImport | null> {
    return this.#file.state.find((pending) => pending.id === id) ?? null;
  }

  transition(next: PendingImport, from: PendingImport["state"]): Promise<boolean> {
    return this.#file.change((imports) => {
      const known = imports.find((pending) => pending.id === next.id);
      if (known?.state !== from) return [imports, false];
      return [imports.map((pending) => (pending === known ? next : pending)), true];
    });
  }

  async remove(id: string): Promise<void> {
    await this.#file.change((imports) => [importsWithoutId(imports, id), undefined]);
  }
}

/** The imports of other people; the same list if the person has none. */
export function importsWithoutPerson(imports: ImportsFile, person: Person): ImportsFile {
  const others = imports.filter((pending) => destinationKey(pending.person) !== destinationKey(person));
  return others.length === imports.length ? imports : others;
}

/** The imports that have not expired; the same list if none has. */
export function unexpiredImports(imports: ImportsFile, now: Instant): ImportsFile {
  const unexpired = imports.filter(({ until }) => until > now);
  return unexpired.length === imports.length ? imports : unexpired;
}

function importsWithoutId(imports: ImportsFile, id: string): ImportsFile {
  return imports.some((pending) => pending.id === id) ? imports.filter((pending) => pending.id !== id) : imports;
}

/** The newest imports within the limits. */
function newestWithinLimits(imports: ImportsFile, now: Instant): ImportsFile {
  const counts = new Map<string, number>();
  const newest: PendingImport[] = [];
  let size = 0;
  for (const pending of unexpiredImports(imports, now).toReversed()) {
    const key = destinationKey(pending.person);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    size += JSON.stringify(pending).length;
    if (count <= MAX_PER_PERSON && (size <= MAX_TOTAL_CHARACTERS || newest.length === 0)) newest.push(pending);
  }
  return newest.toReversed();
}
