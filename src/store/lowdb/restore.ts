import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../../lib/durable-file.ts";
import type { StateRecord } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
import { asStoreError } from "./files/as-store-error.ts";
import { lockFolder, NAMES } from "./files/folder.ts";
import { FilledFiles } from "./files/restored-files.ts";
import { commitStaging, dropStaging, makeStaging, tidyFolder } from "./files/staging.ts";

/** A file of somebody else's that belongs to the state in the folder. */
export interface FileBeside {
  readonly name: string;
  /** Asked for when all records have come; null: none is to be there. */
  text(): string | null;
}

export interface FillRequest {
  readonly dir: string;
  /** Names this process to others that want the folder meanwhile. */
  readonly holder: string;
  readonly beside: FileBeside;
}

/**
 * Puts the records into a folder that holds no state yet; made when it is not there. A kill at any moment leaves none of it, or
 * all. Every failure is a StoreError that says what to do, but those of the records' own source.
 */
export async function fillFolder(request: FillRequest, records: AsyncIterable<StateRecord>): Promise<void> {
  const { dir, holder, beside } = request;
  const lock = await asStoreError(dir, () => lockFolder(dir, holder));
  try {
    await asStoreError(dir, async () => {
      await assertEmpty(dir, [...Object.values(NAMES), beside.name], await tidyFolder(dir));
    });
    await stage(dir, beside, records);
    await asStoreError(dir, () => commitStaging(dir));
  } finally {
    await lock.release();
  }
}

async function stage(dir: string, beside: FileBeside, records: AsyncIterable<StateRecord>): Promise<void> {
  try {
    const staging = await asStoreError(dir, () => makeStaging(dir));
    const files = await asStoreError(dir, () => FilledFiles.begin(staging));
    try {
      for await (const record of records) await asStoreError(dir, () => files.add(record));
      await asStoreError(dir, () => files.finish());
    } finally {
      await files.close();
    }
    const text = beside.text();
    if (text !== null) await asStoreError(dir, () => writeDurably(join(staging, beside.name), text));
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
