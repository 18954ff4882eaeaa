import { StoreError } from "../../../ports/store.ts";

/** What goes wrong with the files of `dir`, as a StoreError that names the folder. */
export async function asStoreError<R>(dir: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`cannot use ${dir}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
