import { dirname } from "node:path";
import { errorMessage } from "../../../lib/error-text.ts";
import { StoreError } from "../../../ports/store.ts";

/** Wraps errors of `work` in StoreErrors that name the folder. */
export async function asStoreError<R>(dir: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`cannot use ${dir}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

/** Error for a file that must not be used. It is not changed: continuing without it would repeat old alerts or lose new ones. */
export function damaged(path: string, what: string): StoreError {
  return new StoreError(
    `${path} ${what}. No file was changed. Move the folder ${dirname(path)} away; then restore the folder from a backup ` +
      "(splitwatch restore FILE), or start with an empty one: rules, watchlists and the record of sent alerts are lost, and the " +
      "first poll is a first run",
  );
}

export function newerSchema(path: string, got: number, known: number): StoreError {
  return new StoreError(
    `${path} was written by a newer splitwatch: its schema is ${got}, this version reads ${known}. Run the newer version again, ` +
      "or restore the folder from a backup made with this one",
  );
}
