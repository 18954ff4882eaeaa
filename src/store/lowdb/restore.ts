import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../../lib/durable-file.ts";
import type { StateRecord } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
import type { CompanionFile, RestoreOptions } from "../store-kind.ts";
import { asStoreError } from "./files/as-store-error.ts";
import { lockFolder, NAMES } from "./files/folder.ts";
import { FilledFiles } from "./files/restored-files.ts";
import { commitStaging, dropStaging, makeStaging, tidyFolder } from "./files/staging.ts";

/**
 * Writes the records into a folder without a state, which is created where needed. A kill at any moment leaves all of the
 * state or none. Failures are StoreErrors that say what to do, except those of the source of the records.
 */
export async function restoreFolder(
  dir: string,
  records: AsyncIterable<StateRecord>,
  { holder, companion }: RestoreOptions,
): Promise<void> {
  const lock = await asStoreError(dir, () => lockFolder(dir, holder));
  try {
    await asStoreError(dir, async () => {
      await assertEmpty(dir, [...Object.values(NAMES), companion.name], await tidyFolder(dir));
    });
    await stage(dir, companion, records);
    await asStoreError(dir, () => commitStaging(dir));
  } finally {
    await lock.release();
  }
}

async function stage(dir: string, companion: CompanionFile, records: AsyncIterable<StateRecord>): Promise<void> {
  try {
    const staging = await asStoreError(dir, () => makeStaging(dir));
    const files = await asStoreError(dir, () => FilledFiles.begin(staging));
    try {
      for await (const record of records) await asStoreError(dir, () => files.add(record));
      await asStoreError(dir, () => files.finish());
    } finally {
      await files.close();
    }
    const text = companion.text();
    if (text !== null) await asStoreError(dir, () => writeDurably(join(staging, companion.name), text));
  } catch (error) {
    // What was made must not keep a full disk full. Where that fails, the next start or restore does it.
    await dropStaging(dir).catch(() => undefined);
    throw error;
  }
}

async function assertEmpty(dir: string, ours: readonly string[], completed: boolean): Promise<void> {
  const found = (await readdir(dir)).filter((name) => ours.includes(name)).toSorted();
  if (found.length === 0) return;
  const why = completed ? " An earlier restore had been cut short at its very end and is complete now." : "";
  throw new StoreError(
    `DATA_DIR: got ${dir}, which holds a state already (${found.join(", ")}), expected a folder without one.${why} ` +
      `Move it away (mv ${dir} ${dir}.old), or give another DATA_DIR. Nothing was changed`,
  );
}
