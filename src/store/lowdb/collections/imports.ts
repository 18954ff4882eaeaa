import { destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { PendingImport } from "../../../domain/settings/pending-import.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Imports } from "../../../ports/store.ts";
import type { StateFile } from "../files/json-file.ts";

/** Content of `imports.json`, oldest first. */
export type ImportsFile = readonly PendingImport[];

const MAX_PER_PERSON = 3;

/** Limit for all imports together. */
const MAX_TOTAL_CHARACTERS = 4 * 1024 * 1024;

export class LowdbImports implements Imports {
  readonly #file: StateFile<ImportsFile>;

  constructor(file: StateFile<ImportsFile>) {
    this.#file = file;
  }

  async save(pending: PendingImport, now: Instant): Promise<void> {
    await this.#file.change((kept) => [bounded([...without(kept, pending.id), pending], now), undefined]);
  }

  async find(id: string): Promise<PendingImport | null> {
    return this.#file.state.find((one) => one.id === id) ?? null;
  }

  transition(next: PendingImport, from: PendingImport["state"]): Promise<boolean> {
    return this.#file.change((kept) => {
      const known = kept.find((one) => one.id === next.id);
      if (known?.state !== from) return [kept, false];
      return [kept.map((one) => (one === known ? next : one)), true];
    });
  }

  async remove(id: string): Promise<void> {
    await this.#file.change((kept) => [without(kept, id), undefined]);
  }
}

/** The list without the person's imports; the same list if they have none. */
export function importsWithout(kept: ImportsFile, person: Person): ImportsFile {
  const others = kept.filter((one) => destinationKey(one.person) !== destinationKey(person));
  return others.length === kept.length ? kept : others;
}

/** The list without expired imports; the same list if none has expired. */
export function importsUntil(kept: ImportsFile, before: Instant): ImportsFile {
  const left = kept.filter(({ until }) => until > before);
  return left.length === kept.length ? kept : left;
}

function without(kept: ImportsFile, id: string): ImportsFile {
  return kept.some((one) => one.id === id) ? kept.filter((one) => one.id !== id) : kept;
}

/** The newest imports within the limits. */
function bounded(kept: ImportsFile, now: Instant): ImportsFile {
  const counts = new Map<string, number>();
  const newest: PendingImport[] = [];
  let size = 0;
  for (const one of importsUntil(kept, now).toReversed()) {
    const key = destinationKey(one.person);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    size += JSON.stringify(one).length;
    if (count <= MAX_PER_PERSON && (size <= MAX_TOTAL_CHARACTERS || newest.length === 0)) newest.push(one);
  }
  return newest.toReversed();
}
